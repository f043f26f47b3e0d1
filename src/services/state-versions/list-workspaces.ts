/** Lists the workspaces of an organization (HCP Terraform's documentation, Workspaces, List Workspaces). */

import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { AnswerError } from "../../errors";
import { listOf } from "../../schema/record";
import { largestPage, pageMeta } from "./get-state-versions";
import { workspaceForm } from "./get-workspace";
import { unexpectedBody } from "./service";

const list = endpoint("GET /organizations/{organization}/workspaces");
const pageForm = z.object({ data: listOf(workspaceForm), meta: pageMeta });
type Listed = z.output<typeof workspaceForm>;

/** The workspaces of all pages, each once. @throws AnswerError if the pages do not end */
export async function listWorkspaces({ client }: Context, organization: string): Promise<Listed[]> {
    const found = new Map<string, Listed>();
    let next: number | undefined = 1;
    while (next) {
        const page: number = next;
        const query = { "page[number]": page, "page[size]": largestPage };
        const { body, exchange } = await client.call(list, { parameters: { organization }, query });
        const { data, meta } = pageForm.safeParse(body).data ?? {};
        if (data === undefined) throw new AnswerError(exchange, unexpectedBody);
        const before = found.size;
        for (const each of data) found.set(each.id, each);
        next = meta?.pagination?.["next-page"];
        if (next && found.size === before) throw new AnswerError(exchange, "its pages do not end");
    }
    return [...found.values()];
}
