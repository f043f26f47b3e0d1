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

const reference = z.object({ data: z.object({ id: z.string(), type: z.string() }).nullish() }).nullish();
const resource = z
    .looseObject({ name: z.string(), type: z.string(), count: z.number(), module: z.string(), provider: z.string() })
    .partial()
    .transform(({ name = "", type = "", count = 1, module = "", provider = "" }) => ({
        name,
        type,
        count,
        module,
        provider,
    }));

const counts = z.record(z.string(), z.record(z.string(), z.number()));

const versionRecord = z.looseObject({
    id: z.string(),
    type: z.literal("state-versions"),
    attributes: z.looseObject({
        "created-at": z.string().nullish(),
        serial: z.number().nullish(),
        size: z.number().nullish(),
        status: z.string().nullish(),
        intermediate: z.boolean().nullish(),
        "state-version": z.number().nullish(),
        "tool-version": z.string().nullish(),
        modules: counts.nullish().catch(undefined),
        providers: counts.nullish().catch(undefined),
        resources: z.array(resource).nullish(),
        "resources-processed": z.boolean().nullish(),
        "vcs-commit-sha": z.string().nullish(),
        "vcs-commit-url": z.string().nullish(),
        "delete-older-than-n-days": z.number().nullish(),
        "hosted-state-download-url": z.string().nullish(),
        "hosted-json-state-download-url": z.string().nullish(),
        "hosted-state-upload-url": z.string().nullish(),
        "hosted-json-state-upload-url": z.string().nullish(),
    }),
    relationships: z
        .looseObject({
            workspace: reference,
            run: reference,
            "created-by": reference,
            "rollback-state-version": reference,
            outputs: z.object({ data: z.array(z.looseObject({ id: z.string() })).nullish() }).nullish(),
        })
        .nullish(),
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
    readonly createdById: string | undefined;
    readonly outputIds: readonly string[] | undefined;
    /** The version that this one was copied from by a rollback. */
    readonly copyOf: string | undefined;
}

/** A resource that a state holds, as the record counts it. */
export type ManagedResource = z.infer<typeof resource>;

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

function versionOf({ id, attributes, relationships }: z.infer<typeof versionRecord>): StateVersion {
    return {
        id,
        createdAt: attributes["created-at"] ?? undefined,
        serial: attributes.serial ?? undefined,
        size: attributes.size ?? undefined,
        status: attributes.status ?? undefined,
        intermediate: attributes.intermediate ?? undefined,
        stateVersion: attributes["state-version"] ?? undefined,
        toolVersion: attributes["tool-version"] || undefined,
        processed: attributes["resources-processed"] === true,
        resources: attributes.resources ?? [],
        modules: attributes.modules ?? undefined,
        providers: attributes.providers ?? undefined,
        vcsCommitSha: attributes["vcs-commit-sha"] || undefined,
        vcsCommitUrl: attributes["vcs-commit-url"] || undefined,
        deleteOlderThanNDays: attributes["delete-older-than-n-days"] ?? undefined,
        downloadUrl: attributes["hosted-state-download-url"] || undefined,
        jsonDownloadUrl: attributes["hosted-json-state-download-url"] || undefined,
        uploadUrl: attributes["hosted-state-upload-url"] || undefined,
        jsonUploadUrl: attributes["hosted-json-state-upload-url"] || undefined,
        workspaceId: relationships?.workspace?.data?.id,
        runId: relationships?.run?.data?.id,
        createdById: relationships?.["created-by"]?.data?.id,
        outputIds: relationships?.outputs?.data?.map((output) => output.id),
        copyOf: relationships?.["rollback-state-version"]?.data?.id,
    };
}

/** The workspace's current version. */
export async function readCurrent({ client }: Session, workspaceId: string): Promise<StateVersion> {
    const answer = await client.call(showCurrent, { parameters: { workspaceId } });
    return parseVersion(answer, `GET ${showCurrent.path({ workspaceId })}`);
}

/** A version by its id. */
export async function readVersion({ client }: Session, id: string): Promise<StateVersion> {
    const answer = await client.call(showVersion, { parameters: { id } });
    return parseVersion(answer, `GET ${showVersion.path({ id })}`);
}

/** Whether a failed read may mean that the version's content was retired: the document says only that such reads fail. */
export function mayBeRetired(error: unknown): boolean {
    return (
        error instanceof NotFoundError || (error instanceof ServiceError && [400, 409, 410, 422].includes(error.status))
    );
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
