/** The functions of state versions: records, lists and contents (document "State Versions", Show, Current, List). */

import * as z from "zod";
import type { Context } from "../../core/context";
import { defineFunction } from "../../core/functions";
import { type Operation, operation } from "../../core/operation";
import { AnswerError, NotFoundError, reworded, StatecraftError } from "../../errors";
import { property, withRules } from "../../schema/property";
import { wholeNumber } from "../../schema/property-types";
import { isRecord } from "../../schema/values";
import { connectionProperty } from "../shared-options";
import { parsedObject } from "./content";
import {
    addressProperties,
    listedVersion,
    numeric,
    parseVersion,
    readCurrent,
    readVersion,
    recordProperties,
    showCurrent,
    showVersion,
    versionIn,
} from "./records";
import { idOf, otherForm, stateVersions } from "./service";

const include = z.array(z.enum(["created_by", "run", "run.created_by", "run.configuration_version", "outputs"]), {
    error: "must be a list",
});
const includeProperty = property(include.optional(), {
    description: "Related resources to return in `included`.",
});

/** The value of the query parameter. */
function includeQuery(names: z.output<typeof include> = []): string | undefined {
    return names.length > 0 ? names.join(",") : undefined;
}

const relatedResource = property(
    z.strictObject({
        id: property(z.string(), { description: "Its id." }),
        type: property(z.string(), { description: "Its type, such as `users`." }),
        attributes: property(z.record(z.string(), z.unknown()), { description: "What the service shows of it." }),
    }),
    { typeName: "RelatedResource", description: "A resource that is related to a state version." },
);
// Those of type `state-version-outputs` carry values in clear.
const includedProperty = property(z.array(relatedResource), {
    secret: true,
    description: "The related resources that `include` asked for. Secret: outputs come with their values.",
});

const includedRecord = z.looseObject({
    id: z.string(),
    type: z.string(),
    attributes: z.record(z.string(), z.unknown()).nullish(),
});

/** The related resources of answers, each once: pages of a list may share some. */
function includedIn(records: unknown): z.output<typeof relatedResource>[] {
    const found = (Array.isArray(records) ? records : []).flatMap((record) => {
        const { success, data } = includedRecord.safeParse(record);
        return success ? [{ id: data.id, type: data.type, attributes: data.attributes ?? {} }] : [];
    });
    return [...new Map(found.map((record) => [`${record.type} ${record.id}`, record])).values()];
}

/** For the `catch` of a look-up: the service answers 404 for several reasons. `what` lists them. */
function asAbsent(what: string, hint: string): (error: unknown) => never {
    return (error) => {
        throw error instanceof NotFoundError ? reworded(error, { code: "absent", message: what, hint }) : error;
    };
}

const shownVersion = z.strictObject({ ...recordProperties, ...addressProperties, included: includedProperty });

async function show<Name extends string>(
    { client }: Context,
    endpoint: Operation<Name>,
    parameters: Readonly<Record<Name, string>>,
    names: z.output<typeof include> | undefined,
): Promise<z.output<typeof shownVersion>> {
    const answer = await client.call(endpoint, { parameters, query: { include: includeQuery(names) } });
    return { ...parseVersion(answer), included: includedIn(isRecord(answer.body) && answer.body["included"]) };
}

/** Looks up one version. */
export const getStateVersion = defineFunction({
    name: "getStateVersion",
    service: stateVersions,
    description: "Looks up a state version.",
    inputs: z.strictObject({
        id: property(idOf("state version"), { description: "Id of the version." }),
        include: includeProperty,
        connection: connectionProperty,
    }),
    result: shownVersion,
    invoke: (context, { id, include: names }) =>
        show(context, showVersion, { id }, names).catch(
            asAbsent(
                `the version ${id} does not exist, its content was deleted, or the token may not see it`,
                "Check `id` and the token; `getStateVersions` lists the versions of a workspace",
            ),
        ),
});

/** Looks up the version that is current. */
export const getCurrentStateVersion = defineFunction({
    name: "getCurrentStateVersion",
    service: stateVersions,
    description: "Looks up the current state version of a workspace.",
    inputs: z.strictObject({
        workspaceId: property(idOf("workspace"), { description: "The workspace." }),
        include: includeProperty,
        connection: connectionProperty,
    }),
    result: shownVersion,
    invoke: (context, { workspaceId, include: names }) =>
        show(context, showCurrent, { workspaceId }, names).catch(
            asAbsent(
                `the workspace ${workspaceId} does not exist, has no current version, or the token may not see it`,
                "Check `workspaceId` (its id, not its name) and the token",
            ),
        ),
});

const listVersions = operation("GET /state-versions");

// The number of the next page: not every server sends links.
const pageDocument = z.object({
    data: z.array(z.unknown()),
    included: z.array(z.unknown()).nullish().catch(undefined),
    meta: z.object({ pagination: z.object({ "next-page": numeric.nullish() }).nullish() }).nullish(),
});

const mostPages = 1_000;
const largestPage = 100;

type ListedVersion = z.output<typeof listedVersion>;

/** Which versions to list. */
interface VersionFilter {
    readonly organization: string;
    readonly workspaceName: string;
    readonly status?: string | undefined;
    readonly include?: string | undefined;
    /** Items of one page. */
    readonly pageSize?: number | undefined;
}

/**
 * The versions of a workspace in the service's order, `limit` at most, and the related resources of all pages.
 * @throws AnswerError for an entry that is no state version, and for pages that do not end
 */
export async function readVersions(
    { client }: Context,
    { organization, workspaceName, status: wanted, include, pageSize }: VersionFilter,
    limit = Number.POSITIVE_INFINITY,
): Promise<{ versions: ListedVersion[]; included: unknown[] }> {
    // A version that is made meanwhile moves others to the next page, so that one may come twice.
    const versions = new Map<string, ListedVersion>();
    const seen = new Set<string>();
    const included: unknown[] = [];
    let next: number | undefined = 1;
    while (next !== undefined && versions.size < limit) {
        const page: number = next;
        const query = {
            "filter[workspace][name]": workspaceName,
            "filter[organization][name]": organization,
            "filter[status]": wanted,
            include,
            "page[number]": page === 1 ? undefined : page,
            "page[size]": pageSize ?? Math.min(limit, largestPage),
        };
        const { body } = await client.call(listVersions, { parameters: {}, query });
        const { data: items, ...rest } = pageDocument.safeParse(body).data ?? refuse(otherForm);
        const known = seen.size;
        for (const item of items) {
            const version = versionIn(item) ?? refuse("an entry of the list is no state version");
            seen.add(version.id);
            // Some servers ignore the filter.
            const { status = wanted } = version;
            if (wanted === undefined || status === wanted) versions.set(version.id, version);
        }
        included.push(...(rest.included ?? []));
        const following = rest.meta?.pagination?.["next-page"];
        // An earlier page as the next one would repeat for ever.
        next = items.length > 0 && following && following > page ? following : undefined;
        if (next !== undefined && (seen.size === known || next > mostPages)) {
            refuse("its pages do not end. Set `limit` to the number of versions that you need");
        }
    }
    return { versions: [...versions.values()].slice(0, limit), included };
}

function refuse(problem: string): never {
    throw new AnswerError({ service: stateVersions.title, operation: "GET /state-versions" }, problem);
}

/** Lists versions. */
export const getStateVersions = defineFunction({
    name: "getStateVersions",
    service: stateVersions,
    description:
        "Lists the state versions of a workspace in the service's order, usually the newest first: all pages, or as many as `limit` allows.",
    inputs: z.strictObject({
        organization: property(z.string(), {
            description: "Name of the organization that owns the workspace.",
        }),
        workspaceName: property(z.string(), { description: "Name of the workspace, not its id." }),
        status: property(z.enum(["pending", "finalized", "discarded"]).optional(), {
            description: "Only versions of this status.",
        }),
        include: includeProperty,
        limit: property(wholeNumber(1).optional(), {
            description: "Most versions to return. All when left out.",
        }),
        connection: connectionProperty,
    }),
    result: z.strictObject({
        stateVersions: property(z.array(listedVersion), { description: "The versions." }),
        included: includedProperty,
    }),
    async invoke(context, { organization, workspaceName, status, include, limit }) {
        const filter = { organization, workspaceName, status, include: includeQuery(include) };
        const { versions, included } = await readVersions(context, filter, limit).catch(
            asAbsent(
                `the workspace ${workspaceName} of ${organization} does not exist, or the token may not see it`,
                "Check `organization` and `workspaceName` (its name, not its id) and the token",
            ),
        );
        return { stateVersions: versions, included: includedIn(included) };
    },
});

/** Downloads a state. */
export const downloadState = defineFunction({
    name: "downloadState",
    service: stateVersions,
    description: "Downloads a state, which may hold secrets: of one version, or what is current in a workspace.",
    inputs: withRules(
        z.strictObject({
            stateVersionId: property(idOf("state version").optional(), { description: "The version." }),
            workspaceId: property(idOf("workspace").optional(), {
                description: "The workspace whose current version it is.",
            }),
            format: property(z.enum(["raw", "json"]).optional(), {
                default: "raw",
                description:
                    "`raw`: the client tool's internal format. `json`: the stable format for integrations, which not every version has.",
            }),
            connection: connectionProperty,
        }),
        [
            {
                uses: ["stateVersionId", "workspaceId"],
                test: ({ stateVersionId, workspaceId }) =>
                    (stateVersionId === undefined) === (workspaceId === undefined)
                        ? { path: "stateVersionId", reason: "give either this, or workspaceId for its current version" }
                        : undefined,
            },
        ],
    ),
    result: z.strictObject({
        stateVersionId: property(z.string(), { description: "The version that it is of." }),
        serial: property(z.number().optional(), { description: "Its serial." }),
        state: property(z.record(z.string(), z.unknown()), { secret: true, description: "The state, parsed." }),
        text: property(z.string(), { secret: true, description: "The state as it came." }),
    }),
    async invoke(context, { stateVersionId, workspaceId = "", format = "raw" }) {
        const what = stateVersionId ?? `a current version of ${workspaceId}`;
        const { id, serial, ...version } = await (stateVersionId === undefined
            ? readCurrent(context, workspaceId)
            : readVersion(context, stateVersionId)
        ).catch(asAbsent(`${what} does not exist, or the token may not see it`, "Check the id and the token"));
        const address = format === "json" ? version.hostedJsonStateDownloadUrl : version.hostedStateDownloadUrl;
        if (address === undefined || version.status === "pending") {
            throw new StatecraftError("content", `the version ${id} has no ${format} state to download`, {
                hint: 'Take another version, or `format: "raw"`, which every finalized version has',
            });
        }
        const bytes = await context.client.download(address);
        const state = parsedObject(bytes);
        if (state === undefined) {
            throw new StatecraftError("content", `the content of the version ${id} is not a JSON object`, {
                hint: "Take another version",
            });
        }
        return { stateVersionId: id, serial, state, text: bytes.toString("utf8") };
    },
});
