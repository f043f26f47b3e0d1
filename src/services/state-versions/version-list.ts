/** Listing the versions of a workspace, page by page (document "State Versions", List state versions). */

import * as z from "zod";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { AnswerError } from "../../errors";
import { endlessPages, noVersionInList, noVersionList } from "./failures";
import { numeric, type StateVersion, versionIn } from "./records";
import { stateVersions } from "./service";

const listVersions = operation("GET /state-versions");
const showWorkspace = operation("GET /workspaces/{workspaceId}");

const page = z.object({
    data: z.array(z.unknown()),
    included: z.array(z.unknown()).nullish().catch(undefined),
    // Not every server sends links: the number of the next page is what all of them send.
    meta: z.object({ pagination: z.object({ "next-page": numeric.nullish() }).nullish() }).nullish(),
});

/** More than any service has: pages that go on beyond do not end. */
const mostPages = 1_000;
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

/**
 * The versions of a workspace in the service's order, `limit` at most, and the related resources that came along.
 * @throws AnswerError for an entry that is no state version, and for pages that do not end
 */
export async function readVersions(
    { client }: Pick<RequestContext, "client">,
    filter: VersionFilter,
    limit = Number.POSITIVE_INFINITY,
): Promise<{ versions: StateVersion[]; included: unknown[] }> {
    // A version that is made meanwhile moves others to the next page.
    const versions = new Map<string, StateVersion>();
    const included: unknown[] = [];
    let next: number | undefined = 1;
    while (next !== undefined && versions.size < limit) {
        const asked: number = next;
        const answer = await client.call(listVersions, {
            parameters: {},
            query: {
                "filter[workspace][name]": filter.workspaceName,
                "filter[organization][name]": filter.organization,
                "filter[status]": filter.status,
                include: filter.include,
                "page[number]": asked === 1 ? undefined : asked,
                "page[size]": filter.pageSize ?? Math.min(limit, largestPage),
            },
        });
        const { data, meta, ...parsed } = page.safeParse(answer.body).data ?? unusable(noVersionList());
        const known = versions.size;
        for (const item of data) {
            const version = versionIn(item) ?? unusable(noVersionInList());
            versions.set(version.id, version);
        }
        included.push(...(parsed.included ?? []));
        const following: number | null | undefined = meta?.pagination?.["next-page"];
        // A page that leads back would lead on for ever.
        next = data.length > 0 && following && following > asked ? following : undefined;
        if (next !== undefined && (versions.size === known || next > mostPages)) unusable(endlessPages());
    }
    return { versions: [...versions.values()].slice(0, limit), included };
}

function unusable(problem: string): never {
    throw new AnswerError({ service: stateVersions.title, operation: "GET /state-versions" }, problem);
}

const workspace = z.object({
    data: z.object({
        attributes: z.object({ name: z.string() }),
        relationships: z.object({ organization: z.object({ data: z.object({ id: z.string() }) }) }),
    }),
});

/** The versions of a workspace that wait for their content, or `undefined` where the service does not say. */
export async function readPending(context: RequestContext, workspaceId: string): Promise<StateVersion[] | undefined> {
    const answer = await context.client.call(showWorkspace, { parameters: { workspaceId } });
    const parsed = workspace.safeParse(answer.body).data?.data;
    if (parsed === undefined) return undefined;
    const { versions } = await readVersions(context, {
        organization: parsed.relationships.organization.data.id,
        workspaceName: parsed.attributes.name,
        status: "pending",
    });
    return versions.filter(({ status }) => status === "pending");
}
