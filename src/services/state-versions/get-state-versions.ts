/** The functions about state versions, which return records, lists and contents (document "State Versions", Show, Current, List). */

import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { defineFunction } from "../../core/functions";
import type { Answer } from "../../core/service";
import { failAbout, property, withRules } from "../../schema/property";
import { listOf, stringMap, wholeNumber } from "../../schema/property-types";
import { withoutUndefined } from "../../schema/values";
import { isEncrypted } from "./content";
import { largestPage, pagesOf } from "./pages";
import {
    parseVersion,
    readContent,
    readCurrent,
    readVersion,
    showCurrent,
    showVersion,
    versionForm,
    versionRecord,
} from "./records";
import { idOf, stateVersions } from "./service";

const relation = z.enum(["created_by", "run", "run.created_by", "run.configuration_version", "outputs"]);
const include = property(z.array(relation, { error: "must be a list" }).optional(), {
    description: "Related resources to return in `included`.",
});

const relatedResource = property(
    z.strictObject({
        id: property(z.string(), { description: "Its id." }),
        type: property(z.string(), { description: "Its type, such as `users`." }),
        attributes: property(z.record(z.string(), z.unknown()), { description: "Attributes of the object." }),
        relationships: property(z.record(z.string(), z.unknown()), {
            description:
                "What it relates to, by the name in camelCase, such as `createdBy`: an object with `id` and `type`, or a list of them.",
        }),
        links: property(stringMap, { description: "Paths to it, such as `self`." }),
    }),
    { typeName: "RelatedResource", description: "A resource that is related to a state version." },
);
// Secret, because related resources of the type `state-version-outputs` contain values in plain text.
const includedProperty = property(z.array(relatedResource), {
    secret: true,
    description: "The related resources that `include` names. Secret: outputs come with their values.",
});

const anything = z.record(z.string(), z.unknown()).catch({});
const reference = z.object({ id: z.string(), type: z.string() });
const relationship = z.object({ data: z.union([reference, z.array(reference)]) });
const camelCase = (name: string) => name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
const relationships = anything.transform((given) =>
    Object.fromEntries(
        Object.entries(given).flatMap(([name, value]) => {
            const { data } = relationship.safeParse(value);
            return data === undefined ? [] : [[camelCase(name), data.data]];
        }),
    ),
);
const includedForm = listOf(
    z.object({ id: z.string(), type: z.string(), attributes: anything, relationships, links: stringMap.catch({}) }),
).catch([]);
const documentForm = z.object({ included: includedForm });

const shownVersion = z.strictObject({ ...versionRecord.shape, included: includedProperty });

async function shownIn(request: Promise<Answer>): Promise<z.output<typeof shownVersion>> {
    const answer = await request;
    return { ...versionRecord.parse(parseVersion(answer)), ...documentForm.parse(answer.body) };
}

/** The query parameter `include`. */
const including = (names: z.output<typeof include>) => ({ include: names?.join(",") || undefined });

export const getStateVersion = defineFunction({
    name: "getStateVersion",
    service: stateVersions,
    description: "Looks up a state version.",
    inputs: z.strictObject({
        id: property(idOf("state version"), { description: "Id of the version." }),
        include,
    }),
    result: shownVersion,
    invoke: ({ client }, { id, include: names }) =>
        shownIn(client.call(showVersion, { parameters: { id }, query: including(names) })),
});

export const getCurrentStateVersion = defineFunction({
    name: "getCurrentStateVersion",
    service: stateVersions,
    description: "Looks up the current state version of a workspace.",
    inputs: z.strictObject({
        workspaceId: property(idOf("workspace"), { description: "The workspace." }),
        include,
    }),
    result: shownVersion,
    invoke: ({ client }, { workspaceId, include: names }) =>
        shownIn(client.call(showCurrent, { parameters: { workspaceId }, query: including(names) })),
});

const listVersions = endpoint("GET /state-versions");

export const listArguments = z.strictObject({
    organization: property(z.string(), { description: "Name of the organization that owns the workspace." }),
    workspaceName: property(z.string(), { description: "Name of the workspace, not its id." }),
    status: property(z.enum(["pending", "finalized", "discarded"]).optional(), {
        description: "Only versions of this status.",
    }),
    include,
    limit: property(wholeNumber(1).optional(), { description: "Maximum number of versions. Default: all." }),
});

/** Arguments that ask for one page. */
const pageArguments = {
    page: property(wholeNumber(1).optional(), {
        description: "Only this page; the first one is 1. A page after the last one is empty.",
    }),
    pageSize: property(wholeNumber(1).optional(), {
        description: "Only one page, with at most this many versions. Default with `page`: 20.",
    }),
};
type Wanted = z.output<typeof listArguments> & {
    readonly page?: number | undefined;
    readonly pageSize?: number | undefined;
};

/** Lists the versions of a workspace page by page, each version once, or one page. The caller ends the list at its `limit`. */
export async function* versionPages(context: Context, { limit = Infinity, ...wanted }: Wanted) {
    const isOne = (wanted.page ?? wanted.pageSize) !== undefined;
    const query = {
        "filter[workspace][name]": wanted.workspaceName,
        "filter[organization][name]": wanted.organization,
        "filter[status]": wanted.status,
        ...including(wanted.include),
        "page[size]": isOne ? wanted.pageSize : Math.min(limit, largestPage),
    };
    const options = { first: wanted.page, advice: "Set `limit` to the number of versions you need" };
    for await (const page of pagesOf(context, listVersions, { parameters: {}, query }, versionForm, options)) {
        yield page;
        if (isOne) return;
    }
}

export const getStateVersions = defineFunction({
    name: "getStateVersions",
    service: stateVersions,
    description:
        "Lists the state versions of a workspace in the service's order, usually the newest first: all pages, as many as `limit` allows, or one page.",
    inputs: withRules(listArguments.extend(pageArguments), [
        failAbout("limit", ["page", "pageSize"], ({ limit, page, pageSize }) =>
            limit !== undefined && (page ?? pageSize) !== undefined
                ? "give either this, or page and pageSize for one page"
                : undefined,
        ),
    ]),
    result: z.strictObject({
        stateVersions: property(z.array(versionRecord), { description: "The versions." }),
        included: includedProperty,
        totalCount: property(z.number().optional(), {
            description: "How many versions there are, if the server says so.",
        }),
        totalPages: property(z.number().optional(), {
            description: "How many pages of the requested size there are, if the server says so.",
        }),
    }),
    async invoke(context, wanted) {
        const { status: only, limit = Infinity } = wanted;
        const found: z.output<typeof versionRecord>[] = [];
        const resources = new Map<string, z.output<typeof relatedResource>>();
        let shown = {};
        for await (const { items, body, totals } of versionPages(context, wanted)) {
            shown = totals;
            // The open-source server OTF ignores the filter of the request.
            const matching = items.filter(({ status = only }) => only === undefined || status === only);
            found.push(...matching.map((version) => versionRecord.parse(version)));
            for (const each of documentForm.parse(body).included) resources.set(`${each.type} ${each.id}`, each);
            if (found.length >= limit) break;
        }
        return { stateVersions: found.slice(0, limit), included: [...resources.values()], ...withoutUndefined(shown) };
    },
});

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
                    "`raw`: the format of the Terraform state. `json`: the stable format, which a version has only if Terraform 1.3 or newer created it.",
            }),
        }),
        [
            failAbout("stateVersionId", ["workspaceId"], ({ stateVersionId, workspaceId }) =>
                (stateVersionId === undefined) === (workspaceId === undefined)
                    ? "give either this, or workspaceId for its current version"
                    : undefined,
            ),
        ],
    ),
    result: z.strictObject({
        stateVersionId: property(z.string(), { description: "The version that it is of." }),
        serial: property(z.number().optional(), { description: "Its serial." }),
        state: property(z.record(z.string(), z.unknown()), { secret: true, description: "The state, parsed." }),
        text: property(z.string(), { secret: true, description: "The state as it came." }),
    }),
    async invoke(context, { stateVersionId, workspaceId = "", format = "raw" }) {
        const version = await (stateVersionId === undefined
            ? readCurrent(context, workspaceId)
            : readVersion(context, stateVersionId));
        const { bytes, state } = await readContent(context, version, format);
        if (isEncrypted(bytes)) {
            const advice = "Write `text` to a file, and decrypt it with OpenTofu and the keys of the configuration";
            context.warn("content", `the state of ${version.id} is encrypted. ${advice}.`);
        }
        return { stateVersionId: version.id, serial: version.serial, state, text: bytes.toString("utf8") };
    },
});
