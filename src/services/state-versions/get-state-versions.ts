/** getStateVersions: the versions of a workspace, all pages (document "State Versions", List state versions). */

import * as z from "zod";
import { defineFunction } from "../../core/defined-function";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { AnswerError, NotFoundError } from "../../errors";
import { property } from "../../schema/facts";
import { wholeNumber } from "../../schema/property-types";
import { connectionProperty } from "../shared-options";
import { endlessPages, noSuchWorkspace, noVersionInList, otherForm } from "./failures";
import { includedIn, includedProperty, includeProperty, includeQuery } from "./get-state-version";
import { numeric, recordProperties, type StateVersion, versionIn } from "./records";
import { stateVersions } from "./service";

const listVersions = operation("GET /state-versions");

// The number of the next page: not every server sends links.
const pageDocument = z.object({
    data: z.array(z.unknown()),
    included: z.array(z.unknown()).nullish().catch(undefined),
    meta: z.object({ pagination: z.object({ "next-page": numeric.nullish() }).nullish() }).nullish(),
});

const mostPages = 1_000;
const largestPage = 100;

/** Which versions. */
interface VersionFilter {
    readonly organization: string;
    readonly workspaceName: string;
    readonly status?: string | undefined;
    readonly include?: string | undefined;
    /** Items of one page. */
    readonly pageSize?: number | undefined;
}

/**
 * The versions of a workspace in the service's order, `limit` at most, and the related resources that came along.
 * @throws AnswerError for an entry that is no state version, and for pages that do not end
 */
export async function readVersions(
    { client }: RequestContext,
    { organization, workspaceName, status: wanted, include, pageSize }: VersionFilter,
    limit = Number.POSITIVE_INFINITY,
): Promise<{ versions: StateVersion[]; included: unknown[] }> {
    // A version that is made meanwhile moves others to the next page, so that one may come twice.
    const versions = new Map<string, StateVersion>();
    const seen = new Set<string>();
    const included: unknown[] = [];
    let next: number | undefined = 1;
    while (next !== undefined && versions.size < limit) {
        const asked: number = next;
        const query = {
            "filter[workspace][name]": workspaceName,
            "filter[organization][name]": organization,
            "filter[status]": wanted,
            include,
            "page[number]": asked === 1 ? undefined : asked,
            "page[size]": pageSize ?? Math.min(limit, largestPage),
        };
        const { body } = await client.call(listVersions, { parameters: {}, query });
        const { data: items, ...page } = pageDocument.safeParse(body).data ?? refuse(otherForm());
        const known = seen.size;
        for (const item of items) {
            const version = versionIn(item) ?? refuse(noVersionInList());
            seen.add(version.id);
            // Some servers ignore the filter.
            const { status = wanted } = version;
            if (wanted === undefined || status === wanted) versions.set(version.id, version);
        }
        included.push(...(page.included ?? []));
        const following = page.meta?.pagination?.["next-page"];
        // A page that leads back would lead on for ever.
        next = items.length > 0 && following && following > asked ? following : undefined;
        if (next !== undefined && (seen.size === known || next > mostPages)) refuse(endlessPages());
    }
    return { versions: [...versions.values()].slice(0, limit), included };
}

function refuse(problem: string): never {
    throw new AnswerError({ service: stateVersions.title, operation: "GET /state-versions" }, problem);
}

const listedVersion = property(z.strictObject(recordProperties), {
    typeName: "StateVersionRecord",
    description: "One state version, as `getStateVersions` lists it: without its signed addresses.",
});

function listed(version: StateVersion): z.output<typeof listedVersion> {
    const {
        hostedStateDownloadUrl: _,
        hostedJsonStateDownloadUrl: __,
        hostedStateUploadUrl: ___,
        hostedJsonStateUploadUrl: ____,
        ...shown
    } = version;
    return shown;
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
    errors: [noSuchWorkspace, otherForm, noVersionInList, endlessPages],
    async invoke(context, { organization, workspaceName, status, include, limit }) {
        const filter = { organization, workspaceName, status, include: includeQuery(include) };
        try {
            const { versions, included } = await readVersions(context, filter, limit);
            return { stateVersions: versions.map(listed), included: includedIn(included) };
        } catch (error) {
            if (!(error instanceof NotFoundError)) throw error;
            throw noSuchWorkspace.of(error, { name: workspaceName, organization });
        }
    },
});
