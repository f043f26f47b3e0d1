/**
 * Whose the lock of a workspace is.
 *
 * The reason of every lock that we take ends in the mark of its resource; but a server may tell no holders, keep no reasons, or
 * alter them.
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

import type { RequestContext } from "../../core/request-context";
import type { Marks } from "./inputs";
import { isMarked, isMarkedAtAll } from "./lock-failures";
import { type Account, type Lock, readAccount } from "./workspace-records";

/** Whose a lock is: the table. */
type Owner = "nobody" | "us" | "account" | "another" | "namesake" | "unknown";

/** Whose a lock is. `account`: the ids of the token's account, where it holds the lock. */
export async function ownerOf(
    context: RequestContext,
    lock: Lock,
    marks: Marks,
): Promise<{ readonly owner: Owner; readonly account?: Account }> {
    if (!lock.locked) return { owner: "nobody" };
    const isOurs = isMarked(lock, marks);
    if (!isOurs && isMarkedAtAll(lock)) return { owner: "another" };
    const holds = await holderOf(context, lock);
    if (holds === undefined) return { owner: "unknown" };
    if (holds === "another") return { owner: isOurs ? "namesake" : "another" };
    return { owner: isOurs ? "us" : "account", account: holds };
}

/** The ids of the token's account where it holds a lock, `another` where it does not, or `undefined` where that is not told. */
export async function holderOf(context: RequestContext, { by }: Lock): Promise<Account | "another" | undefined> {
    const account = by && (await readAccount(context));
    return account && (account.includes(by.id) ? account : "another");
}
