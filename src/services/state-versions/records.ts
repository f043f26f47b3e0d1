/** State version records as they are read (document "State Versions", Resources and their fields). */

import * as z from "zod";
import type { Context } from "../../core/context";
import { recordReader } from "../../core/functions";
import { operation } from "../../core/operation";
import type { Answer } from "../../core/service";
import { AnswerError, NotFoundError, ServiceError } from "../../errors";
import { type Facts, property } from "../../schema/property";
import { isRecord } from "../../schema/values";
import { otherForm } from "./service";

/** Shows the current version. */
export const showCurrent = operation("GET /workspaces/{workspaceId}/current-state-version");
/** Shows a version. */
export const showVersion = operation("GET /state-versions/{id}");

/** A number, also one that is written as a string. */
export const numeric = z.union([
    z.number(),
    z
        .string()
        .regex(/^-?\d+(\.\d+)?$/)
        .transform(Number),
]);

// A property of an unexpected type is ignored: one odd property must not make the record unreadable.

const recordOf = (value: unknown) => (isRecord(value) ? value : {});
/** Some servers write an empty string for an absent value. */
const stringIn = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const numberIn = (value: unknown) => numeric.safeParse(value).data;
const countsByName = z.record(z.string(), z.record(z.string(), numeric));
const countsIn = (value: unknown) => countsByName.safeParse(value).data;
const linksIn = (value: unknown) =>
    isRecord(value)
        ? Object.fromEntries(Object.entries(value).filter(([, link]) => stringIn(link) !== undefined))
        : undefined;
const itemsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : undefined);

type StringFacts = Omit<Facts, "wire" | "description">;
const text = (wire: string, description: string, facts: StringFacts = {}) =>
    property(z.string().optional(), { wire, wireForm: { decode: stringIn }, description, ...facts });
const number = (wire: string, description: string, type = z.number()) =>
    property(type.optional(), { wire, wireForm: { decode: numberIn }, description });
const counts = (wire: string, description: string) =>
    property(z.record(z.string(), z.record(z.string(), z.int())).optional(), {
        wire,
        wireForm: { decode: countsIn },
        description,
    });
const links = (wire: string, description: string, decode = linksIn) =>
    property(z.record(z.string(), z.string()).optional(), { wire, wireForm: { decode }, description });
/** What a relationship leads to. */
const related = (wire: string, part: "id" | "type", description: string) =>
    text(wire, description, { wireForm: { decode: (value) => stringIn(recordOf(recordOf(value)["data"])[part]) } });

const word = (wire: string, description: string) =>
    property(z.string(), { wire, wireForm: { decode: (value) => stringIn(value) ?? "" }, description });

/** A resource that a state holds, as the record counts it. */
export const managedResource = property(
    z.strictObject({
        name: word("name", "Its name."),
        type: word("type", "Its type."),
        count: property(z.int(), {
            wire: "count",
            wireForm: { decode: (value) => numberIn(value) ?? 1 },
            description: "How many instances it has.",
        }),
        module: word("module", "Its module; `root` for the outermost one."),
        provider: word("provider", "Its provider."),
    }),
    { typeName: "StateVersionResource", description: "A resource that a state holds." },
);

/** What a record may leave out of a resource. */
const resourceDefaults = { name: "", type: "", count: 1, module: "", provider: "" };

/** A resource that a state holds, as the record counts it. */
export type ManagedResource = z.output<typeof managedResource>;

/** The properties of a record that may be shown. */
export const recordProperties = {
    id: property(z.string(), { wire: "id", description: "Id of the version." }),
    createdAt: text("created-at", "When it was made: ISO 8601."),
    size: number("size", "Size of the state; the service's document names no unit."),
    status: text("status", "`pending`, `finalized` or `discarded`; self-hosted services know retired ones too."),
    intermediate: property(z.boolean().optional(), {
        wire: "intermediate",
        wireForm: { decode: (value) => (typeof value === "boolean" ? value : undefined) },
        description: "Whether it is a snapshot that has not become current yet.",
    }),
    serial: number("serial", "Serial of the state. Serials may repeat after rollbacks."),
    stateVersion: number("state-version", "Version of the state's internal format.", z.int()),
    toolVersion: text("tool-version", "Version of the client tool that created the state. Filled in later."),
    modules: counts("modules", "Resources by module and type. Filled in later."),
    providers: counts("providers", "Resources by provider and type. Filled in later."),
    resources: property(z.array(managedResource), {
        wire: "resources",
        default: [],
        wireForm: { decode: (value) => itemsIn(value)?.map((item) => ({ ...resourceDefaults, ...item })) },
        description: "Resources of the state. Final only when `resourcesProcessed` is true.",
    }),
    resourcesProcessed: property(z.boolean(), {
        wire: "resources-processed",
        default: false,
        wireForm: { decode: (value) => value === true },
        description: "Whether the service has filled in what it fills in later.",
    }),
    vcsCommitSha: text("vcs-commit-sha", "Commit of the configuration that the state came from."),
    vcsCommitUrl: text("vcs-commit-url", "Link to that commit."),
    deleteOlderThanNDays: number("delete-older-than-n-days", "What a soft deletion was told.", z.int()),
    workspaceId: related("workspace", "id", "Its workspace."),
    runId: related("run", "id", "The run that it belongs to."),
    runType: related("run", "type", "The run's type: `runs`."),
    createdById: related("created-by", "id", "Who made it."),
    createdByType: related("created-by", "type", "The maker's type: `users`."),
    createdByLinks: links("created-by", "Paths to the maker: `self` and `related`.", (value) =>
        linksIn(recordOf(value)["links"]),
    ),
    outputIds: property(z.array(z.string()).optional(), {
        wire: "outputs",
        wireForm: {
            decode: (value) => itemsIn(recordOf(value)["data"])?.flatMap(({ id }) => stringIn(id) ?? []),
        },
        description: "Ids of its outputs.",
    }),
    rollbackStateVersionId: related("rollback-state-version", "id", "The version that a rollback copied it from."),
    links: links("links", "Paths to the version: `self`."),
};

/** Addresses are signed: whoever has one needs no token. */
const address = (wire: string, description: string) => text(wire, description, { secret: true });

/** The properties of a record that lead to its content. */
export const addressProperties = {
    hostedStateDownloadUrl: address("hosted-state-download-url", "Download address of the raw state."),
    hostedJsonStateDownloadUrl: address(
        "hosted-json-state-download-url",
        "Download address of the state in the stable JSON format.",
    ),
    hostedStateUploadUrl: address("hosted-state-upload-url", "Upload address of the raw state; gone once it is there."),
    hostedJsonStateUploadUrl: address(
        "hosted-json-state-upload-url",
        "Upload address of the JSON format; gone once it is there.",
    ),
};

const versionSchema = z.strictObject({ ...recordProperties, ...addressProperties });
const versions = recordReader(versionSchema);

/** A version in a list: without its signed addresses. */
export const listedVersion = property(z.strictObject(recordProperties), {
    typeName: "StateVersionRecord",
    description: "One state version, as `getStateVersions` lists it: without its signed addresses.",
});
const listedVersions = recordReader(listedVersion);

/** A state version's record. What a server leaves out is absent. */
export type StateVersion = z.output<typeof versionSchema>;

const versionRecord = z.object({
    id: z.string(),
    type: z.literal("state-versions"),
    attributes: z.unknown().optional(),
    relationships: z.unknown().optional(),
    links: z.unknown().optional(),
});
const versionDocument = z.object({ data: versionRecord });

/**
 * Reads a state version's record.
 * @throws AnswerError when the answer holds none
 */
export function parseVersion(answer: Answer): StateVersion {
    const parsed = versionDocument.safeParse(answer.body);
    if (!parsed.success) throw new AnswerError(answer.exchange, otherForm);
    return versions.read(bodyOf(parsed.data.data));
}

/** An entry of a list, or `undefined` for anything else. */
export function versionIn(value: unknown): z.output<typeof listedVersion> | undefined {
    const parsed = versionRecord.safeParse(value);
    return parsed.success ? listedVersions.read(bodyOf(parsed.data)) : undefined;
}

/** The names of attributes and relationships differ, so both fit into one object. */
const bodyOf = ({ id, attributes, relationships, links }: z.output<typeof versionRecord>) => ({
    ...recordOf(attributes),
    ...recordOf(relationships),
    id,
    links,
});

/** The workspace's current version. */
export async function readCurrent(context: Context, workspaceId: string): Promise<StateVersion> {
    return parseVersion(await context.client.call(showCurrent, { parameters: { workspaceId } }));
}

/** A version by its id. */
export async function readVersion(context: Context, id: string): Promise<StateVersion> {
    return parseVersion(await context.client.call(showVersion, { parameters: { id } }));
}

/** Whether a failed read may mean that the version's content was retired: the document says only that such reads fail. */
export function mayBeRetired(error: unknown): boolean {
    return (
        error instanceof NotFoundError || (error instanceof ServiceError && [400, 409, 410, 422].includes(error.status))
    );
}

/** Warns in a refresh of a version or workspace that the service answers 404 for. The service answers the same for each reason, so state is kept. */
export function warnUnseen(context: Context, what: string): void {
    context.warn(
        "absent",
        `${what} cannot be read: it does not exist any more, its content was deleted, or the token may not see it. The state of this resource is kept; \`pulumi state delete\` forgets it.`,
    );
}

/** The resources that a version counts. An empty list is not final until they are processed. */
export function knownResources({ resources, resourcesProcessed }: StateVersion): ManagedResource[] | undefined {
    return resourcesProcessed || resources.length > 0 ? resources : undefined;
}

/** Whether a version holds its content. The document's sample of a restored one says `uploaded`. */
export function holdsContent({ status }: { readonly status?: string | undefined }): boolean {
    return status === "finalized" || status === "uploaded";
}
