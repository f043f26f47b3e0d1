/** State version and workspace records as they are read (document "State Versions", Resources and their fields). */

import * as z from "zod";
import type { Props } from "../../core/field";
import { operation } from "../../core/operation";
import type { Answer } from "../../core/service";
import type { Session } from "../../core/session";
import { AnswerError, NotFoundError, ServiceError } from "../../errors";
import { stateVersions } from "./service";

const showCurrent = operation("GET /workspaces/{workspaceId}/current-state-version");
const showVersion = operation("GET /state-versions/{id}");

/** A field of this form, or nothing for any other: what one server writes in another way must not hide the whole record. */
const told = <Form extends z.ZodType>(form: Form) => form.optional().catch(undefined);

/** A number, also one that is written as text. */
export const numeric = z.union([
    z.number(),
    z
        .string()
        .regex(/^-?\d+(\.\d+)?$/)
        .transform(Number),
]);
const text = told(z.string());
const number = told(numeric);
const flag = told(z.boolean());
/** What several servers write for nothing. */
const filled = text.transform((value) => value || undefined);

/** The items of this form in a list. */
const listOf = <Form extends z.ZodType>(form: Form) =>
    z.array(told(form)).transform((items) => items.filter((item) => item !== undefined));

const links = told(
    z
        .record(z.string(), text)
        .transform((all) =>
            Object.fromEntries(Object.entries(all).flatMap(([name, link]) => (link ? [[name, link]] : []))),
        ),
);
const reference = told(z.object({ data: told(z.object({ id: z.string(), type: text })), links }));
const resource = z
    .object({ name: text, type: text, count: number, module: text, provider: text })
    .transform(({ name = "", type = "", count = 1, module = "", provider = "" }) => ({
        name,
        type,
        count,
        module,
        provider,
    }));

const counts = z.record(z.string(), z.record(z.string(), numeric));

const attributes = z.object({
    "created-at": text,
    serial: number,
    size: number,
    status: text,
    intermediate: flag,
    "state-version": number,
    "tool-version": filled,
    modules: told(counts),
    providers: told(counts),
    resources: told(listOf(resource)),
    "resources-processed": flag,
    "vcs-commit-sha": filled,
    "vcs-commit-url": filled,
    "delete-older-than-n-days": number,
    "hosted-state-download-url": filled,
    "hosted-json-state-download-url": filled,
    "hosted-state-upload-url": filled,
    "hosted-json-state-upload-url": filled,
});
const relationships = z.object({
    workspace: reference,
    run: reference,
    "created-by": reference,
    "rollback-state-version": reference,
    outputs: told(z.object({ data: told(listOf(z.object({ id: z.string() }))) })),
});
const versionRecord = z.object({
    id: z.string(),
    type: z.literal("state-versions"),
    attributes: attributes.catch(() => attributes.parse({})),
    relationships: told(relationships),
    links,
});
const versionDocument = z.object({ data: versionRecord });

/** A state version's record. Fields that a server leaves out are `undefined`. */
export interface StateVersion {
    readonly id: string;
    readonly createdAt: string | undefined;
    readonly serial: number | undefined;
    readonly size: number | undefined;
    readonly status: string | undefined;
    readonly intermediate: boolean | undefined;
    /** Version of the state's internal format. */
    readonly stateVersion: number | undefined;
    readonly toolVersion: string | undefined;
    /** Whether `resources` and its like are final. */
    readonly processed: boolean;
    readonly resources: readonly ManagedResource[];
    readonly modules: Counts | undefined;
    readonly providers: Counts | undefined;
    readonly vcsCommitSha: string | undefined;
    readonly vcsCommitUrl: string | undefined;
    readonly deleteOlderThanNDays: number | undefined;
    readonly downloadUrl: string | undefined;
    readonly jsonDownloadUrl: string | undefined;
    /** Gone once the content is there. */
    readonly uploadUrl: string | undefined;
    readonly jsonUploadUrl: string | undefined;
    readonly workspaceId: string | undefined;
    readonly runId: string | undefined;
    readonly runType: string | undefined;
    readonly createdById: string | undefined;
    readonly createdByType: string | undefined;
    readonly createdByLinks: Links | undefined;
    /** Paths of the service by what they lead to, such as `self`. */
    readonly links: Links | undefined;
    readonly outputIds: readonly string[] | undefined;
    /** The version that this one was copied from by a rollback. */
    readonly copyOf: string | undefined;
}

/** A resource that a state holds, as the record counts it. */
export type ManagedResource = z.infer<typeof resource>;

/** Paths by what they lead to. */
export type Links = NonNullable<z.infer<typeof links>>;

/** How many resources of each type, by module or provider. */
export type Counts = z.infer<typeof counts>;

/**
 * Reads a state version's record.
 * @throws AnswerError when the answer holds none
 */
export function parseVersion(answer: Answer, what: string): StateVersion {
    const parsed = versionDocument.safeParse(answer.body);
    if (!parsed.success)
        throw new AnswerError({ service: stateVersions.title, operation: what }, "it holds no state version");
    return versionOf(parsed.data.data);
}

/** A record as it stands in a list, or `undefined` for anything else. */
export function versionIn(value: unknown): StateVersion | undefined {
    const parsed = versionRecord.safeParse(value);
    return parsed.success ? versionOf(parsed.data) : undefined;
}

function versionOf({ id, attributes, relationships, links }: z.infer<typeof versionRecord>): StateVersion {
    const { run, "created-by": createdBy } = relationships ?? {};
    return {
        id,
        createdAt: attributes["created-at"],
        serial: attributes.serial,
        size: attributes.size,
        status: attributes.status,
        intermediate: attributes.intermediate,
        stateVersion: attributes["state-version"],
        toolVersion: attributes["tool-version"],
        processed: attributes["resources-processed"] === true,
        resources: attributes.resources ?? [],
        modules: attributes.modules,
        providers: attributes.providers,
        vcsCommitSha: attributes["vcs-commit-sha"],
        vcsCommitUrl: attributes["vcs-commit-url"],
        deleteOlderThanNDays: attributes["delete-older-than-n-days"],
        downloadUrl: attributes["hosted-state-download-url"],
        jsonDownloadUrl: attributes["hosted-json-state-download-url"],
        uploadUrl: attributes["hosted-state-upload-url"],
        jsonUploadUrl: attributes["hosted-json-state-upload-url"],
        workspaceId: relationships?.workspace?.data?.id,
        runId: run?.data?.id,
        runType: run?.data?.type,
        createdById: createdBy?.data?.id,
        createdByType: createdBy?.data?.type,
        createdByLinks: createdBy?.links,
        links,
        outputIds: relationships?.outputs?.data?.map((output) => output.id),
        copyOf: relationships?.["rollback-state-version"]?.data?.id,
    };
}

/** The workspace's current version. */
export async function readCurrent({ client }: Session, workspaceId: string): Promise<StateVersion> {
    const answer = await client.call(showCurrent, { parameters: { workspaceId } });
    return parseVersion(answer, `GET ${showCurrent.path({ workspaceId })}`);
}

/** The request that reads a version, for messages. */
export const readingOf = (id: string) => `GET ${showVersion.path({ id })}`;

/** A version by its id. */
export async function readVersion({ client }: Session, id: string): Promise<StateVersion> {
    const answer = await client.call(showVersion, { parameters: { id } });
    return parseVersion(answer, readingOf(id));
}

/** Whether a failed read may mean that the version's content was retired: the document says only that such reads fail. */
export function mayBeRetired(error: unknown): boolean {
    return (
        error instanceof NotFoundError || (error instanceof ServiceError && [400, 409, 410, 422].includes(error.status))
    );
}

/** Whether a version holds its content. The document's sample of a restored one says `uploaded`. */
export function holdsContent({ status }: Pick<StateVersion, "status">): boolean {
    return status === "finalized" || status === "uploaded";
}

/** Properties that say something. */
export function withoutUndefined(props: Props): Props {
    return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
}

const rawState = z.looseObject({});

const numberOrText = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** JSON text in which every number that has more digits than JavaScript keeps stands for itself, as an object of its text. */
function exactNumbers(json: string): string {
    if (!/\d[\d.]{15}/.test(json)) return json;
    return json.replace(numberOrText, (token) =>
        token.startsWith('"') || token.replace(/\D/g, "").length < 16 ? token : JSON.stringify({ number: token }),
    );
}

/** The raw state of a version as JSON, for comparing, or `undefined` where it cannot be had. */
export async function downloadState(
    { client }: Session,
    version: StateVersion,
): Promise<Record<string, unknown> | undefined> {
    if (version.downloadUrl === undefined) return undefined;
    try {
        const text = (await client.download(version.downloadUrl)).toString("utf8");
        const parsed: unknown = JSON.parse(exactNumbers(text));
        return rawState.safeParse(parsed).data;
    } catch {
        // Refused, soft-deleted or not JSON: whoever compares must then take it for different.
        return undefined;
    }
}
