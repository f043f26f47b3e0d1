/** A limit of requests in each second: what hosted services have, and what the documents leave open. */

import { z } from "zod";
import type { Reply, Request } from "./route";
import { errorReply, SimulatorError } from "./simulator-error";

/** What is asked for. */
export const rateLimitBody = z.object({
    /** Requests that each second of the simulator's clock takes, whatever they are for. */
    requestsPerSecond: z.int().positive(),
    /** How a refusal tells when to come again; the first one in decimal seconds. */
    hint: z.enum(["x-ratelimit-reset", "retry-after", "none"]).default("x-ratelimit-reset"),
});

type Settings = z.output<typeof rateLimitBody>;

/** Counts requests; fixed windows of one second. */
export class RateLimit {
    private settings: Settings | undefined;
    private second = 0;
    private count = 0;

    /** Begins to limit. */
    set(settings: Settings): void {
        this.settings = settings;
    }

    clear(): void {
        this.settings = undefined;
    }

    /** The refusal of a request that comes too early. */
    refuse(request: Request, now: Date): Reply | undefined {
        if (this.settings === undefined) return undefined;
        const second = Math.floor(now.getTime() / 1000);
        if (second !== this.second) this.count = 0;
        this.second = second;
        this.count += 1;
        const { requestsPerSecond, hint } = this.settings;
        if (this.count <= requestsPerSecond) return undefined;
        const left = second + 1 - now.getTime() / 1000;
        const hints = {
            "x-ratelimit-reset": {
                "x-ratelimit-limit": String(requestsPerSecond),
                "x-ratelimit-reset": left.toFixed(3),
            },
            "retry-after": { "retry-after": String(Math.ceil(left)) },
            none: {},
        };
        return { ...errorReply(request.path, new SimulatorError(429, "rate limit exceeded")), headers: hints[hint] };
    }
}
