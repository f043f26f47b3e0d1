/** Listing the versions of a workspace, page by page (document "State Versions", List state versions). */

import * as z from "zod";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { AnswerError } from "../../errors";
import { endlessPages, noVersionInList, otherForm } from "./failures";
import { numeric, type StateVersion, versionIn } from "./records";
import { stateVersions } from "./service";

const listVersions = operation("GET /state-versions");

const page = z.object({
    data: z.array(z.unknown()),
    included: z.array(z.unknown()).nullish().catch(undefined),
    // Not every server sends links: the number of the next page is what all of them send.
    meta: z
        .object({
            pagination: z
                .object({ "next-page": numeric.nullish(), "total-pages": numeric.nullish().catch(undefined) })
                .nullish(),
        })
        .nullish(),
});

/** More than any service has: pages that go on beyond do not end. */
const mostPages = 1_000;
/** Items of one page at most. */
const largestPage = 100;

/** Which versions. */
export interface VersionFilter {
    readonly organization: string;
    readonly workspaceName: string;
    readonly status?: string | undefined;
    readonly include?: string | undefined;
    /** Items of one page; as many as are wanted and every service allows when left out. */
    readonly pageSize?: number | undefined;
}

/** One page of a list, or `undefined` for an answer that is none. */
async function readPage(
    { client }: RequestContext,
    { organization, workspaceName, status, include, pageSize = largestPage }: VersionFilter,
    number: number,
) {
    const answer = await client.call(listVersions, {
        parameters: {},
        query: {
            "filter[workspace][name]": workspaceName,
            "filter[organization][name]": organization,
            "filter[status]": status,
            include,
            "page[number]": number === 1 ? undefined : number,
            "page[size]": pageSize,
        },
    });
    const parsed = page.safeParse(answer.body).data;
    if (parsed === undefined) return undefined;
    const { data, included, meta } = parsed;
    const { "next-page": next, "total-pages": total } = meta?.pagination ?? {};
    return { data, included: included ?? [], next: next ?? undefined, total: total ?? undefined };
}

/**
 * The versions of a workspace in the service's order, `limit` at most, and the related resources that came along.
 * @throws AnswerError for an entry that is no state version, and for pages that do not end
 */
export async function readVersions(
    context: RequestContext,
    filter: VersionFilter,
    limit = Number.POSITIVE_INFINITY,
): Promise<{ versions: StateVersion[]; included: unknown[] }> {
    // A version that is made meanwhile moves others to the next page.
    const versions = new Map<string, StateVersion>();
    const seen = new Set<string>();
    // Servers are known that ignore the filter.
    const isWanted = ({ status = filter.status }: StateVersion) =>
        filter.status === undefined || status === filter.status;
    const included: unknown[] = [];
    const pageSize = Math.min(limit, largestPage);
    let next: number | undefined = 1;
    while (next !== undefined && versions.size < limit) {
        const asked: number = next;
        const page = (await readPage(context, { pageSize, ...filter }, asked)) ?? refuse(otherForm());
        const known = seen.size;
        for (const item of page.data) {
            const version = versionIn(item) ?? refuse(noVersionInList());
            seen.add(version.id);
            if (isWanted(version)) versions.set(version.id, version);
        }
        included.push(...page.included);
        // A page that leads back would lead on for ever.
        next = page.data.length > 0 && page.next && page.next > asked ? page.next : undefined;
        if (next !== undefined && (seen.size === known || next > mostPages)) refuse(endlessPages());
    }
    return { versions: [...versions.values()].slice(0, limit), included };
}

function refuse(problem: string): never {
    throw new AnswerError({ service: stateVersions.title, operation: "GET /state-versions" }, problem);
}
