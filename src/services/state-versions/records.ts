/** Reads state versions (document "State Versions", Resources and their fields). */

import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import type { Answer } from "../../core/service";
import { AnswerError, NotFoundError, ServiceError, StatecraftError, sentencesOf } from "../../errors";
import { property } from "../../schema/property";
import { listOf, stringMap } from "../../schema/property-types";
import { recordReader } from "../../schema/record";
import { parsedObject, type Values } from "../../schema/values";
import { field } from "../record-fields";
import { unexpectedBody } from "./service";

export const showCurrent = endpoint("GET /workspaces/{workspaceId}/current-state-version");
export const showVersion = endpoint("GET /state-versions/{id}");

/** A field that a record may lack. A value of an unexpected type is treated as absent, so that the rest of the record stays usable. */
export const optional = <Type extends z.ZodType>(
    wire: string,
    type: Type,
    description: string,
    decode = (value: unknown): unknown => type.safeParse(value).data,
) => field(wire, type.optional(), description, { wireForm: { decode } });

/** A non-empty string, else `undefined`: the open-source server OTF returns an empty string for an absent value. */
const stringIn = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
export const optionalText = (wire: string, description: string) => optional(wire, z.string(), description, stringIn);

/** Whether a record has this address, which is itself no output: it works without a token. */
const presence = (wire: SignedUrl, description: string) =>
    field(wire, z.boolean(), description, {
        default: false,
        wireForm: { decode: (value) => stringIn(value) !== undefined },
    });

const counts = z.record(z.string(), z.record(z.string(), z.int()));

const reference = z.object({ id: z.string(), type: z.string() }).partial();
const relationship = z.object({ data: reference.nullish(), links: stringMap.nullish() });
const references = z.object({ data: listOf(z.object({ id: z.string() })) });
const linksIn = (value: unknown) => relationship.safeParse(value).data?.links ?? undefined;
const idsIn = (value: unknown) => references.safeParse(value).data?.data.map(({ id }) => id);
/** The id or the type in a relationship. */
export const related = (wire: string, part: "id" | "type", description: string) =>
    optional(wire, z.string(), description, (value) => relationship.safeParse(value).data?.data?.[part]);

/** A managed resource in the record of a state version. */
export const managedResource = property(
    z.strictObject({
        name: field("name", z.string(), "Its name."),
        type: field("type", z.string(), "Its type."),
        count: field("count", z.int(), "How many instances it has."),
        module: field("module", z.string(), "Its module; `root` for the outermost one."),
        provider: field("provider", z.string(), "Its provider."),
    }),
    { typeName: "StateVersionResource", description: "A resource that a state holds." },
);
const managedResources = listOf(z.object(managedResource.shape));

export type ManagedResource = z.output<typeof managedResource>;

export const recordProperties = {
    id: property(z.string(), { wire: "id", description: "Id of the version." }),
    createdAt: optionalText("created-at", "Creation time: ISO 8601."),
    size: optional("size", z.number(), "Size of the state."),
    status: optionalText("status", "`pending`, `finalized` or `discarded`. Terraform Enterprise has more."),
    intermediate: optional("intermediate", z.boolean(), "Whether it is a snapshot that is not current yet."),
    serial: optional("serial", z.number(), "Serial of the state. Serials may repeat after rollbacks."),
    stateVersion: optional("state-version", z.int(), "Version of the state's internal format."),
    toolVersion: optionalText("tool-version", "Terraform version that created the state. Filled in later."),
    modules: optional("modules", counts, "Resources by module and type. Filled in later."),
    providers: optional("providers", counts, "Resources by provider and type. Filled in later."),
    resources: property(z.array(managedResource), {
        wire: "resources",
        default: [],
        wireForm: { decode: (value) => managedResources.safeParse(value).data },
        description: "Resources of the state. Final only when `resourcesProcessed` is true.",
    }),
    resourcesProcessed: field("resources-processed", z.boolean(), "Whether all fields are filled in.", {
        default: false,
        wireForm: { decode: (value) => value === true },
    }),
    vcsCommitSha: optionalText("vcs-commit-sha", "Commit of the configuration that the state came from."),
    vcsCommitUrl: optionalText("vcs-commit-url", "Link to that commit."),
    deleteOlderThanNDays: optional("delete-older-than-n-days", z.int(), "Days of the soft deletion."),
    hasJson: presence(
        "hosted-json-state-download-url",
        "Whether it can be downloaded as JSON: only if Terraform 1.3 or newer created it.",
    ),
    isUploadPending: presence("hosted-state-upload-url", "Whether it still waits for the upload of its state."),
    workspaceId: related("workspace", "id", "Its workspace."),
    runId: related("run", "id", "The run that it belongs to."),
    runType: related("run", "type", "The run's type: `runs`."),
    createdById: related("created-by", "id", "The user that created it."),
    createdByType: related("created-by", "type", "Type of the user: `users`."),
    createdByLinks: optional("created-by", stringMap, "Paths to the user: `self` and `related`.", linksIn),
    outputIds: optional("outputs", z.array(z.string()), "Ids of its outputs.", idsIn),
    rollbackStateVersionId: related("rollback-state-version", "id", "The version that a rollback copied it from."),
    links: optional("links", stringMap, "Paths to the version: `self`."),
};

/** The record of a state version, as functions return it. `versionRecord.parse` removes the signed URLs of a `StateVersion`. */
export const versionRecord = property(z.object(recordProperties), {
    typeName: "StateVersionRecord",
    description: "One state version, as `getStateVersions` lists it: without its signed addresses.",
});
const records = recordReader(versionRecord);

/** The name of a signed URL of a content in a record. Outputs contain no such URL, because it works without a token. */
export type SignedUrl =
    | "hosted-state-download-url"
    | "hosted-json-state-download-url"
    | "hosted-state-upload-url"
    | "hosted-json-state-upload-url";

/** The record of a state version, with its signed URLs. */
export type StateVersion = z.output<typeof versionRecord> & { signedUrl(name: SignedUrl): string | undefined };

const values = z.record(z.string(), z.unknown()).catch({});
/** The fields of a record of this type in an answer: attributes and relationships have no names in common. */
export const fieldsOf = (type: string) =>
    z
        .object({ id: z.string(), type: z.literal(type), attributes: values, relationships: values, links: values })
        .transform(({ attributes, relationships, ...others }) => ({ ...attributes, ...relationships, ...others }));

/** Parses the record of a state version in an answer. */
export const versionForm = fieldsOf("state-versions").transform((fields: Values): StateVersion => {
    return { ...records.read(fields), signedUrl: (name) => stringIn(fields[name]) };
});
const run = z.object({
    id: property(z.string(), { wire: "id", description: "Its id." }),
    status: optionalText("status", "Its status, such as `applied`."),
    message: optionalText("message", "Its message."),
    isDestroy: optional("is-destroy", z.boolean(), "Whether it destroys every resource."),
    createdById: related("created-by", "id", "The user who started it."),
});
const account = z.object({
    id: run.shape.id,
    username: optionalText("username", "Name of a user."),
    name: optionalText("name", "Name of a team."),
});

/** A run, as HCP Terraform's documentation describes it: the API documents show only the id. */
export type Run = z.output<typeof run>;

const runForm = fieldsOf("runs").transform(recordReader(run).read);
const accountForm = z.union([fieldsOf("users"), fieldsOf("teams")]).transform(recordReader(account).read);
const includedDocument = z.object({ included: z.array(z.unknown()) });

/** The runs among records. Their messages are cleaned, because half a secret is not found after they are shortened. */
export const runsIn = (records: readonly unknown[], context: Context): Run[] =>
    records.flatMap((record) => {
        const { data } = runForm.safeParse(record);
        if (data === undefined) return [];
        return [data.message ? { ...data, message: context.quoted(data.message) } : data];
    });

/** The related resources in an answer. */
export const includedIn = (body: unknown): unknown[] => includedDocument.safeParse(body).data?.included ?? [];

export type Related = ReturnType<typeof relatedIn>;

/** The runs, and the names of users and teams, among related resources, by their ids. */
export function relatedIn(included: readonly unknown[], context: Context) {
    const runs = runsIn(included, context);
    const accounts = included.flatMap((record) => accountForm.safeParse(record).data ?? []);
    return {
        runs: new Map(runs.map((each) => [each.id, each])),
        accounts: new Map(accounts.map(({ id, username, name }) => [id, username ?? name ?? id])),
    };
}

const versionDocument = z.object({ data: versionForm });

/** The version in an answer, if it has one. */
export const versionIn = ({ body }: Answer): StateVersion | undefined => versionDocument.safeParse(body).data?.data;

/** The version in an answer. @throws AnswerError if there is none */
export function parseVersion(answer: Answer): StateVersion {
    const version = versionIn(answer);
    if (version === undefined) throw new AnswerError(answer.exchange, unexpectedBody);
    return version;
}

export async function readCurrent({ client }: Context, workspaceId: string): Promise<StateVersion> {
    return parseVersion(await client.call(showCurrent, { parameters: { workspaceId } }));
}

export async function readVersion({ client }: Context, id: string): Promise<StateVersion> {
    return parseVersion(await client.call(showVersion, { parameters: { id } }));
}

/**
 * Reads the current version after a request that makes a version has failed. If the answer was lost, the service may still process the
 * request: reads until another version than `before` is current, or once after a cancellation. After any other answer reads once.
 * `undefined` if the last read fails.
 */
export async function currentAfter(
    context: Context,
    error: StatecraftError,
    workspaceId: string,
    before?: StateVersion,
) {
    let now: StateVersion | undefined;
    const wait = { for: "the effect of a lost request", limit: isDiverted(error) ? 0 : 30, interval: 2_000 };
    await context.cleanUp.poll(wait, async () => {
        now = await readCurrent(context.cleanUp, workspaceId).catch(() => undefined);
        const isLast = context.isCancelled || (now !== undefined && now.id !== before?.id);
        return isLast ? { done: {} } : { still: "no other version is current" };
    });
    return now;
}

/** Whether something in front of the service answered a request, so that the service has probably not received it. */
export const isDiverted = (error: StatecraftError): boolean =>
    error.fate === "diverted" || error instanceof AnswerError;

/** Whether only a read shows what a request that makes a version has done. */
export const isUnclear = (error: unknown): error is StatecraftError =>
    error instanceof StatecraftError && (error.fate === "unknown" || error.fate === "diverted");

/**
 * Downloads the raw state of a version for a comparison. If that is impossible, warns and returns `undefined`.
 * @param isNeeded whether to throw instead, because an action without the comparison could repeat what an earlier run has done
 */
export async function download(context: Context, version: StateVersion, isNeeded = false): Promise<Buffer | undefined> {
    const url = version.signedUrl("hosted-state-download-url");
    try {
        return url === undefined ? undefined : await context.client.download(url);
    } catch (error) {
        if (!(error instanceof StatecraftError) || context.isCancelled || isNeeded) throw error;
        const what = `the state of ${version.id} counts as another one, because it cannot be downloaded`;
        context.warn(error.code, sentencesOf({ message: `${what}: ${error.message}`, hint: undefined }));
        return undefined;
    }
}

/** Downloads the state of a version. @throws StatecraftError if it has none, or none that is a JSON object */
export async function readContent({ client }: Context, version: StateVersion, format: "raw" | "json" = "raw") {
    const url = version.signedUrl(format === "json" ? "hosted-json-state-download-url" : "hosted-state-download-url");
    const bytes = url === undefined ? undefined : await client.download(url);
    const state = bytes && parsedObject(bytes);
    if (bytes !== undefined && state !== undefined) return { bytes, state };
    const hint = format === "json" ? 'Take `format: "raw"`, which every finalized version has' : "Take another version";
    throw new StatecraftError("content", `the version ${version.id} has no ${format} state to download`, { hint });
}

/**
 * For the `catch` of a read of a version: returns `undefined` for an error with which a server may report that the content was deleted.
 * The API documents say that such a read fails, but not how.
 */
export function unlessRetired(error: unknown): undefined {
    if (error instanceof NotFoundError) return undefined;
    if (error instanceof ServiceError && [400, 409, 410, 422].includes(error.status)) return undefined;
    throw error;
}

/** For the `catch` of a refresh of a version: rethrows an error with which a server may report that the content was deleted as a 404. */
export function retiredAsAbsent(error: unknown): never {
    unlessRetired(error);
    const { operation, status, reasons } = error as ServiceError;
    throw new NotFoundError({ operation, status, reasons });
}

/** Whether the content of a version with this status exists. In the API documents, a restored version has the status `uploaded`. */
export const holdsContent = (status: string | undefined) => status === "finalized" || status === "uploaded";
