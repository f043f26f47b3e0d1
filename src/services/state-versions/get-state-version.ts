/** getStateVersion and getCurrentStateVersion: the record of a version, whole (document "State Versions", Show and Current). */

import * as z from "zod";
import { field, type Props } from "../../core/field";
import type { FunctionDefinition, FunctionOutput } from "../../core/function";
import { json } from "../../core/kind";
import { type Operation, operation } from "../../core/operation";
import type { Session } from "../../core/session";
import { NotFoundError, reworded } from "../../errors";
import { connectionField } from "../options";
import { currentLookupFailures, versionLookupFailures } from "./failures";
import { idText } from "./inputs";
import { parseVersion, type StateVersion, withoutUndefined } from "./records";
import { stateVersions } from "./service";

const related = ["created_by", "run", "run.created_by", "run.configuration_version", "outputs"] as const;

/** Which related resources come along. */
export const includeField = field(
    json(
        `(${related.map((name) => JSON.stringify(name)).join(" | ")})[]`,
        z.array(z.enum(related), { error: "must be a list" }).refine(() => true),
    ),
    { doc: "Related resources to return in `included`." },
);

/** The value of the query parameter. */
export function includeQuery(args: Props): string | undefined {
    const { include } = args;
    return Array.isArray(include) && include.length > 0 ? include.join(",") : undefined;
}

const includedRecord = z.looseObject({
    id: z.string(),
    type: z.string(),
    attributes: z.record(z.string(), z.unknown()).nullish(),
});

/** The related resources of an answer. */
export function includedIn(records: unknown): Props[] {
    return (Array.isArray(records) ? records : []).flatMap((record) => {
        const { success, data } = includedRecord.safeParse(record);
        return success ? [{ id: data.id, type: data.type, attributes: data.attributes ?? {} }] : [];
    });
}

/** The output that holds them. Those of type `state-version-outputs` carry values in clear. */
export const includedOutput: FunctionOutput = {
    doc: "The related resources that `include` asked for. Secret: outputs come with their values.",
    type: "{ readonly id: string; readonly type: string; readonly attributes: Record<string, unknown> }[]",
    secret: true,
};

const optional = (type: string, doc: string): FunctionOutput => ({ doc, type, optional: true });
const counts = "Record<string, Record<string, number>>";
const links = "Record<string, string>";

/** The fields of a record that may be shown. */
export const recordFields = {
    id: { doc: "Id of the version.", type: "string" },
    createdAt: optional("string", "When it was made: ISO 8601."),
    size: optional("number", "Size of the state; the service's document names no unit."),
    status: optional("string", "`pending`, `finalized` or `discarded`; self-hosted services know retired ones too."),
    intermediate: optional("boolean", "Whether it is a snapshot that has not become current yet."),
    serial: optional("number", "Serial of the state. Serials may repeat after rollbacks."),
    stateVersion: optional("number", "Version of the state's internal format."),
    toolVersion: optional("string", "Version of the client tool that created the state. Filled in later."),
    modules: optional(counts, "Resources by module and type. Filled in later."),
    providers: optional(counts, "Resources by provider and type. Filled in later."),
    resources: {
        doc: "Resources of the state. Final only when `resourcesProcessed` is true.",
        type: "{ readonly name: string; readonly type: string; readonly count: number; readonly module: string; readonly provider: string }[]",
    },
    resourcesProcessed: { doc: "Whether the service has filled in what it fills in later.", type: "boolean" },
    vcsCommitSha: optional("string", "Commit of the configuration that the state came from."),
    vcsCommitUrl: optional("string", "Link to that commit."),
    deleteOlderThanNDays: optional("number", "What a soft deletion was told."),
    workspaceId: optional("string", "Its workspace."),
    runId: optional("string", "The run that it belongs to."),
    runType: optional("string", "The run's type: `runs`."),
    createdById: optional("string", "Who made it."),
    createdByType: optional("string", "The maker's type: `users`."),
    createdByLinks: optional(links, "Paths to the maker: `self` and `related`."),
    outputIds: optional("string[]", "Ids of its outputs."),
    rollbackStateVersionId: optional("string", "The version that a rollback copied it from."),
    links: optional(links, "Paths to the version: `self`."),
} as const satisfies Record<string, FunctionOutput>;

const address = (doc: string): FunctionOutput => ({ ...optional("string", doc), secret: true });

/** Addresses are signed: whoever has one needs no token. */
const addressFields = {
    hostedStateDownloadUrl: address("Download address of the raw state."),
    hostedJsonStateDownloadUrl: address("Download address of the state in the stable JSON format."),
    hostedStateUploadUrl: address("Upload address of the raw state; gone once it is there."),
    hostedJsonStateUploadUrl: address("Upload address of the JSON format; gone once it is there."),
} as const;

/** What of a record may be shown. */
export function shownRecord(version: StateVersion): Props {
    const { downloadUrl, jsonDownloadUrl, uploadUrl, jsonUploadUrl, processed, copyOf, ...shown } = version;
    return withoutUndefined({ ...shown, resourcesProcessed: processed, rollbackStateVersionId: copyOf });
}

function shownWhole(version: StateVersion, included: unknown): Props {
    return withoutUndefined({
        ...shownRecord(version),
        hostedStateDownloadUrl: version.downloadUrl,
        hostedJsonStateDownloadUrl: version.jsonDownloadUrl,
        hostedStateUploadUrl: version.uploadUrl,
        hostedJsonStateUploadUrl: version.jsonUploadUrl,
        included: includedIn(included),
    });
}

const showVersion = operation("GET /state-versions/{id}");
const showCurrent = operation("GET /workspaces/{workspaceId}/current-state-version");

async function show<Name extends string>(
    { client }: Session,
    shown: Operation<Name>,
    parameters: Readonly<Record<Name, string>>,
    args: Props,
    absent: string,
): Promise<Props> {
    try {
        const answer = await client.call(shown, { parameters, query: { include: includeQuery(args) } });
        const version = parseVersion(answer, `GET ${shown.path(parameters)}`);
        return shownWhole(version, (answer.body as Props)["included"]);
    } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        const message = `${absent}, or the token may not see it: the service answers alike`;
        throw reworded(error, { code: "absent", message });
    }
}

const outputs = { ...recordFields, ...addressFields, included: includedOutput };

/** Looks up one version. */
export const getStateVersion = {
    name: "getStateVersion",
    service: stateVersions,
    doc: "Looks up a state version.",
    inputs: {
        id: field(idText("state version"), { required: true, doc: "Id of the version." }),
        include: includeField,
        connection: connectionField,
    },
    outputs,
    errors: versionLookupFailures,
    invoke(session, args) {
        const id = String(args["id"]);
        return show(session, showVersion, { id }, args, `the version ${id} does not exist, its content was retired`);
    },
} as const satisfies FunctionDefinition;

/** Looks up the version that is current. */
export const getCurrentStateVersion = {
    name: "getCurrentStateVersion",
    service: stateVersions,
    doc: "Looks up the current state version of a workspace.",
    inputs: {
        workspaceId: field(idText("workspace"), { required: true, doc: "The workspace." }),
        include: includeField,
        connection: connectionField,
    },
    outputs,
    errors: currentLookupFailures,
    invoke(session, args) {
        const workspaceId = String(args["workspaceId"]);
        const absent = `the workspace ${workspaceId} does not exist, has no current version`;
        return show(session, showCurrent, { workspaceId }, args, absent);
    },
} as const satisfies FunctionDefinition;
