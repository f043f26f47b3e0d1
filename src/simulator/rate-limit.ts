/** A limit of requests in each second: what hosted services have, and what the documents leave open. */

import type { Reply, Request } from "./route";
import { ownWords } from "./simulator-error";

/** A limit on order. */
export interface RateOrder {
    /** Requests that each second of the simulator's clock takes, whatever they are for. */
    readonly requestsPerSecond: number;
    /** How a refusal tells when to come again. Default `x-ratelimit-reset`, in decimal seconds. */
    readonly hint?: "x-ratelimit-reset" | "retry-after" | "none";
}

const hints = ["x-ratelimit-reset", "retry-after", "none"];

/** Counts requests; fixed windows of one second. */
export class RateLimit {
    private order: RateOrder | undefined;
    private second = 0;
    private count = 0;

    /** Begins to limit. Throws an error that says what is wrong with the order. */
    set(order: unknown): void {
        this.order = readOrder(order);
    }

    lift(): void {
        this.order = undefined;
    }

    /** The refusal of a request that comes too early. */
    refuse(request: Request, now: Date): Reply | undefined {
        if (this.order === undefined) return undefined;
        const second = Math.floor(now.getTime() / 1000);
        if (second !== this.second) this.count = 0;
        this.second = second;
        this.count += 1;
        const { requestsPerSecond, hint = "x-ratelimit-reset" } = this.order;
        if (this.count <= requestsPerSecond) return undefined;
        const left = second + 1 - now.getTime() / 1000;
        return {
            ...ownWords(request.path, 429, "Too many requests", "rate limit exceeded"),
            headers: {
                ...(hint === "x-ratelimit-reset" && {
                    "x-ratelimit-limit": String(requestsPerSecond),
                    "x-ratelimit-reset": left.toFixed(3),
                }),
                ...(hint === "retry-after" && { "retry-after": String(Math.ceil(left)) }),
            },
        };
    }
}

function readOrder(value: unknown): RateOrder {
    const problem =
        "a limit is {requestsPerSecond: a whole number above 0, hint?: x-ratelimit-reset, retry-after or none}";
    if (typeof value !== "object" || value === null || !("requestsPerSecond" in value)) throw new Error(problem);
    const { requestsPerSecond } = value;
    const hint = "hint" in value ? value.hint : undefined;
    const isCount = Number.isSafeInteger(requestsPerSecond) && Number(requestsPerSecond) > 0;
    if (!isCount || (hint !== undefined && !hints.includes(String(hint)))) throw new Error(problem);
    return value as RateOrder;
}
