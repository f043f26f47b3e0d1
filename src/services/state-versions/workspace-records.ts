/** A workspace's record and the token's account: who holds the lock. */

import * as z from "zod";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import type { Answer } from "../../core/service";
import { AnswerError, ServiceError } from "../../errors";
import { otherForm } from "./failures";

const showAccount = operation("GET /account/details");
const showWorkspace = operation("GET /workspaces/{workspaceId}");

const holder = z.object({ id: z.string(), type: z.string() });
const workspaceDocument = z.object({
    data: z.looseObject({
        attributes: z.looseObject({ locked: z.boolean().nullish(), "locked-reason": z.string().nullish() }),
        relationships: z.looseObject({ "locked-by": z.object({ data: holder.nullish() }).nullish() }).nullish(),
    }),
});
const accountDocument = z.object({
    data: holder.extend({
        relationships: z
            .looseObject({ "authenticated-resource": z.object({ data: holder.nullish() }).nullish().catch(undefined) })
            .nullish(),
    }),
});

/** Who holds a workspace's lock. */
export interface Lock {
    readonly locked: boolean;
    readonly reason: string;
    readonly by: { readonly id: string; readonly type: string } | undefined;
}

/** A workspace's record. */
export const readWorkspace = ({ client }: RequestContext, workspaceId: string): Promise<Answer> =>
    client.call(showWorkspace, { parameters: { workspaceId } });

/** Reads whether a workspace is locked, and by whom as far as the server tells. @throws AnswerError for what is no workspace */
export async function readLock(context: RequestContext, workspaceId: string): Promise<Lock> {
    const answer = await readWorkspace(context, workspaceId);
    const lock = lockIn(answer);
    if (lock !== undefined) return lock;
    throw new AnswerError(answer.exchange, otherForm());
}

/** What a workspace's record says of its lock, or `undefined` for anything else. */
export function lockIn(answer: Answer): Lock | undefined {
    const parsed = workspaceDocument.safeParse(answer.body);
    if (!parsed.success) return undefined;
    const { attributes, relationships } = parsed.data.data;
    return {
        locked: attributes.locked === true,
        reason: attributes["locked-reason"] ?? "",
        by: relationships?.["locked-by"]?.data ?? undefined,
    };
}

/** ` by user user-1 ("deploy freeze")`, for messages: what stands after `locked`. */
export function describeHolder({ by, reason }: Lock): string {
    return `${by ? ` by ${by.type.replace(/s$/, "")} ${by.id}` : ""}${reason ? ` (${JSON.stringify(reason)})` : ""}`;
}

/** `locked by user user-1 ("deploy freeze")`, for messages. */
export const describeLock = (lock: Lock): string => (lock.locked ? `locked${describeHolder(lock)}` : "not locked");

/** The ids of an account. */
export type Account = readonly string[];

/**
 * The ids of the token's account, or `undefined` for a kind of token that has none. A team's token acts as a user of its own: versions name
 * that user, locks the team.
 */
export async function readAccount(context: RequestContext): Promise<Account | undefined> {
    try {
        const answer = await context.client.call(showAccount, { parameters: {} });
        const account = accountDocument.safeParse(answer.body).data?.data;
        const team = account?.relationships?.["authenticated-resource"]?.data;
        return account && [account.id, ...(team ? [team.id] : [])];
    } catch (error) {
        if (error instanceof ServiceError) return undefined;
        throw error;
    }
}
