/** The pages of a list (document "State Versions", List). */

import * as z from "zod";
import type { Context } from "../../core/context";
import type { Endpoint } from "../../core/endpoint";
import type { Call } from "../../core/service";
import { AnswerError } from "../../errors";
import { listOf } from "../../schema/property-types";
import { unexpectedBody } from "./service";

const pageNumber = z.number().optional().catch(undefined);
const pagination = z.object({ "next-page": pageNumber, "total-pages": pageNumber, "total-count": pageNumber });
// Not the links to pages, because the open-source server OTF sends none.
const meta = z.object({ pagination: pagination.nullish() }).nullish();

export const largestPage = 100;
/** Pages of the longest list that is read. */
const mostPages = 10_000;

/**
 * Lists objects page by page, each once.
 * @param first the number of the first page
 * @param advice how to end the list earlier
 * @throws AnswerError if the pages do not end
 */
export async function* pagesOf<Item extends { readonly id: string }, Name extends string>(
    { client }: Context,
    list: Endpoint<Name>,
    call: Call<Name>,
    itemForm: z.ZodType<Item>,
    { first = 1, advice }: { readonly first?: number | undefined; readonly advice?: string } = {},
) {
    const pageForm = z.object({ data: listOf(itemForm), meta });
    // By id: if an object is made meanwhile, the next page begins with one that this page has already.
    const seen = new Set<string>();
    let next: number | undefined = first;
    while (next) {
        const page: number = next;
        const query = { ...call.query, "page[number]": page === 1 ? undefined : page };
        const { body, exchange } = await client.call(list, { ...call, query });
        const { data, meta } = pageForm.safeParse(body).data ?? {};
        if (data === undefined) throw new AnswerError(exchange, unexpectedBody);
        const items = data.filter(({ id }) => !seen.has(id));
        for (const { id } of items) seen.add(id);
        const { "next-page": following, "total-pages": totalPages, "total-count": totalCount } = meta?.pagination ?? {};
        next = data.length > 0 && page < (totalPages ?? Infinity) ? following : undefined;
        yield { page, items, body, totals: { totalCount, totalPages } };
        if (next && (items.length === 0 || page >= mostPages)) {
            throw new AnswerError(exchange, "its pages do not end", advice);
        }
    }
}
