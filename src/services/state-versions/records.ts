/** State version and workspace records as they are read (document "State Versions", Resources and their fields). */

import * as z from "zod";
import { operation } from "../../core/operation";
import type { Answer } from "../../core/service";
import type { Session } from "../../core/session";
import { AnswerError } from "../../errors";
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

const versionDocument = z.object({
    data: z.looseObject({
        id: z.string(),
        type: z.literal("state-versions"),
        attributes: z.looseObject({
            "created-at": z.string().nullish(),
            serial: z.number().nullish(),
            size: z.number().nullish(),
            status: z.string().nullish(),
            resources: z.array(resource).nullish(),
            "resources-processed": z.boolean().nullish(),
            "hosted-state-download-url": z.string().nullish(),
        }),
        relationships: z.looseObject({ workspace: reference, "rollback-state-version": reference }).nullish(),
    }),
});

/** What is used of a state version's record. Fields that a server leaves out are `undefined`. */
export interface StateVersion {
    readonly id: string;
    readonly createdAt: string | undefined;
    readonly serial: number | undefined;
    readonly size: number | undefined;
    readonly status: string | undefined;
    /** Whether `resources` and its like are final. */
    readonly processed: boolean;
    readonly resources: readonly ManagedResource[];
    readonly downloadUrl: string | undefined;
    readonly workspaceId: string | undefined;
    /** The version that this one was copied from by a rollback. */
    readonly copyOf: string | undefined;
}

/** A resource that a state holds, as the record counts it. */
export type ManagedResource = z.infer<typeof resource>;

/**
 * Reads a state version's record.
 * @throws AnswerError when the answer holds none
 */
export function parseVersion(answer: Answer, what: string): StateVersion {
    const parsed = versionDocument.safeParse(answer.body);
    if (!parsed.success)
        throw new AnswerError({ service: stateVersions.title, operation: what }, "it holds no state version");
    const { id, attributes, relationships } = parsed.data.data;
    return {
        id,
        createdAt: attributes["created-at"] ?? undefined,
        serial: attributes.serial ?? undefined,
        size: attributes.size ?? undefined,
        status: attributes.status ?? undefined,
        processed: attributes["resources-processed"] === true,
        resources: attributes.resources ?? [],
        downloadUrl: attributes["hosted-state-download-url"] ?? undefined,
        workspaceId: relationships?.workspace?.data?.id,
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

const rawState = z.looseObject({});

/** The raw state of a version as JSON, or `undefined` where it cannot be had. */
export async function downloadState(
    { client }: Session,
    version: StateVersion,
): Promise<Record<string, unknown> | undefined> {
    if (version.downloadUrl === undefined) return undefined;
    try {
        const parsed: unknown = JSON.parse((await client.download(version.downloadUrl)).toString("utf8"));
        return rawState.safeParse(parsed).data;
    } catch {
        // Refused, soft-deleted or not JSON: whoever compares must then take it for different.
        return undefined;
    }
}
