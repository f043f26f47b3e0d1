/**
 * Whose a workspace's lock is. The reason of every lock that we take ends in the mark of its resource; but a server may tell no holders, keep
 * no reasons, or alter them.
 *
 * | holder          | reason                  | owner      |
 * | --------------- | ----------------------- | ---------- |
 * | none            |                         | `nobody`   |
 * | this account    | this resource's mark    | `us`       |
 * | this account    | no mark, or no reason   | `account`  |
 * | any             | another resource's mark | `another`  |
 * | another account | no mark, or no reason   | `another`  |
 * | another account | this resource's mark    | `namesake` |
 * | not told        | any other, or no reason | `unknown`  |
 */

import * as z from "zod";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import type { Answer } from "../../core/service";
import { AnswerError, ServiceError } from "../../errors";
import { noWorkspace } from "./failures";
import { stateVersions } from "./service";

const showWorkspace = operation("GET /workspaces/{workspaceId}");
const showAccount = operation("GET /account/details");

const holder = z.object({ id: z.string(), type: z.string() });
const workspaceDocument = z.object({
    data: z.looseObject({
        attributes: z.looseObject({ locked: z.boolean().nullish(), "locked-reason": z.string().nullish() }),
        relationships: z.looseObject({ "locked-by": z.object({ data: holder.nullish() }).nullish() }).nullish(),
    }),
});
const accountDocument = z.object({ data: holder });

/** Who holds a workspace's lock. */
export interface Lock {
    readonly locked: boolean;
    readonly reason: string;
    readonly by: { readonly id: string; readonly type: string } | undefined;
}

/** Reads whether a workspace is locked, and by whom as far as the server tells. */
export async function readLock({ client }: RequestContext, workspaceId: string): Promise<Lock> {
    const lock = lockIn(await client.call(showWorkspace, { parameters: { workspaceId } }));
    if (lock !== undefined) return lock;
    const operationName = `GET ${showWorkspace.path({ workspaceId })}`;
    throw new AnswerError({ service: stateVersions.title, operation: operationName }, noWorkspace());
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

/** `locked by user user-1 ("deploy freeze")`, for messages. */
export function describeLock({ locked, by, reason }: Lock): string {
    if (!locked) return "not locked";
    return `locked${by ? ` by ${by.type.replace(/s$/, "")} ${by.id}` : ""}${reason ? ` (${JSON.stringify(reason)})` : ""}`;
}

/** What the reasons of a resource's locks end in: the mark it has now, and the one it had when it was deployed last, under another name. */
export type Marks = readonly [now: string, ...former: string[]];

/** Whether the reason ends in this resource's mark. */
export const isMarked = ({ reason }: Lock, marks: Marks) => marks.some((mark) => reason.endsWith(mark));

/** Whether the reason ends in the mark of some resource. */
export const isMarkedAtAll = ({ reason }: Lock) => /\[statecraft\b.*\]$/s.test(reason);

/** Whether the reason is words that we would not have written; not every server keeps reasons as they were given. */
export const hasOtherWords = (lock: Lock, marks: Marks) => lock.reason !== "" && !isMarked(lock, marks);

/** Whose a lock is: the table above. */
export type Owner = "nobody" | "us" | "account" | "another" | "namesake" | "unknown";

/** Tells whose a lock is. */
export async function ownerOf(context: RequestContext, lock: Lock, marks: Marks): Promise<Owner> {
    if (!lock.locked) return "nobody";
    const isOurs = isMarked(lock, marks);
    if (!isOurs && isMarkedAtAll(lock)) return "another";
    const isThisAccount = await isOfThisAccount(context, lock);
    if (isThisAccount === undefined) return "unknown";
    if (isThisAccount) return isOurs ? "us" : "account";
    return isOurs ? "namesake" : "another";
}

/** Whether the token's account holds a lock, or `undefined` where the server does not tell. */
export async function isOfThisAccount(context: RequestContext, { by }: Lock): Promise<boolean | undefined> {
    const account = by && (await ownAccount(context));
    return account === undefined ? undefined : by?.id === account;
}

async function ownAccount({ client }: RequestContext): Promise<string | undefined> {
    try {
        const answer = await client.call(showAccount, { parameters: {} });
        return accountDocument.safeParse(answer.body).data?.data.id;
    } catch (error) {
        // Not every kind of token has an account.
        if (error instanceof ServiceError) return undefined;
        throw error;
    }
}
