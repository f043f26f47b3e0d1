/** Faults that tests and people ask for: what real networks and servers do now and then. */

import { z } from "zod";
import type { Reply, Request } from "./route";

const count = z.int().nonnegative();

const fault = z.strictObject({
    method: z.string().optional(),
    /** Regular expression on the path without query. */
    path: z
        .string()
        .refine(
            makes((text: string) => new RegExp(text)),
            "is not a regular expression",
        )
        .optional(),
    /** How many matching requests pass first; default 0. All count, those too that another fault takes. */
    skip: count.optional(),
    /** How many matching requests it takes then. Default 1; 0 means all. */
    times: count.optional(),
    /** Answers with this, without effect unless `after`. */
    status: z.int().min(200).max(599).optional(),
    /** The effect happens, then the given answer is sent instead of the real one. */
    after: z.boolean().optional(),
    headers: z
        .record(z.string(), z.string())
        .refine(
            makes((headers: Record<string, string>) => new Headers(headers)),
            "are not HTTP headers",
        )
        .optional(),
    body: z.string().optional(),
    contentType: z.string().optional(),
    /** Milliseconds between the effect and the answer. */
    delay: count.optional(),
    /** Cuts the connection without an answer, before or after the effect. */
    drop: z.enum(["before", "after"]).optional(),
    /** Sends that many bytes of the answer's body under its full length, then cuts the connection. */
    truncate: count.optional(),
});
/** One fault, or several. */
export const faultsBody = z.union([fault.transform((one) => [one]), z.array(fault)]);

/** A fault. It takes the matching requests after `skip` others, `times` of them. */
export type Fault = Readonly<z.output<typeof fault>>;

interface Armed {
    readonly fault: Fault;
    readonly pattern: RegExp;
    skip: number;
    times: number;
}

/** The faults that are armed. */
export class Faults {
    private armed: Armed[] = [];

    /** Arms them. */
    add(faults: readonly Fault[]): void {
        for (const one of faults) {
            const { path = "", skip = 0, times = 1 } = one;
            this.armed.push({
                fault: one,
                pattern: new RegExp(path),
                skip,
                times: times === 0 ? Number.POSITIVE_INFINITY : times,
            });
        }
    }

    clear(): void {
        this.armed = [];
    }

    /** The first fault that takes this request, and counts it for all. */
    take(request: Request): Fault | undefined {
        let taken: Armed | undefined;
        for (const armed of this.armed.filter((one) => matches(one, request))) {
            if (armed.skip > 0) armed.skip -= 1;
            else taken ??= armed;
        }
        if (taken === undefined) return undefined;
        taken.times -= 1;
        this.armed = this.armed.filter(({ times }) => times > 0);
        return taken.fault;
    }
}

/** Whether the request reaches its route. */
export function hasEffect(fault: Fault | undefined): boolean {
    if (fault === undefined || fault.drop === "after") return true;
    return fault.drop === undefined && (fault.status === undefined || fault.after === true);
}

/** The answer under a fault. Without a status, what the fault names replaces that part of the real answer. */
export function faultyReply(fault: Fault | undefined, reply: Reply | undefined): Reply {
    const real = fault?.status === undefined ? reply : undefined;
    const base: Reply = real ?? { status: fault?.status ?? 500 };
    if (fault === undefined) return base;
    const { headers, body, contentType } = fault;
    return {
        ...base,
        headers: { ...base.headers, ...headers },
        ...(body !== undefined && { body, contentType: contentTypeOf(body) }),
        ...(contentType !== undefined && { contentType }),
    };
}

function contentTypeOf(body: string): string {
    return /^\s*[[{]/.test(body) ? "application/json" : "text/plain; charset=utf-8";
}

function matches({ fault: { method }, pattern }: Armed, request: Request): boolean {
    return (method === undefined || method.toUpperCase() === request.method) && pattern.test(request.path);
}

/** Whether making something of a value succeeds. */
function makes<Value>(make: (value: Value) => unknown): (value: Value) => boolean {
    return (value) => {
        try {
            make(value);
            return true;
        } catch {
            return false;
        }
    };
}
