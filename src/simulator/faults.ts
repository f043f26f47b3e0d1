/** Faults on order: what real networks and servers do now and then. */

import { validateHeaderName, validateHeaderValue } from "node:http";
import type { Reply, Request } from "./route";

/** A fault. It takes the matching requests after `skip` others, `times` of them. */
export interface Fault {
    readonly method?: string;
    /** Regular expression on the path without query. */
    readonly path?: string;
    /** How many matching requests pass first; default 0. All count, those too that another fault takes. */
    readonly skip?: number;
    /** Default 1; 0 is for ever. */
    readonly times?: number;
    /** Answers with this, without effect unless `after`. */
    readonly status?: number;
    /** The effect happens, then the given answer is sent instead of the real one. */
    readonly after?: boolean;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly contentType?: string;
    /** Milliseconds between the effect and the answer. */
    readonly delay?: number;
    /** Cuts the connection without an answer, before or after the effect. */
    readonly drop?: "before" | "after";
    /** Sends that many bytes of the answer's body under its full length, then cuts the connection. */
    readonly truncate?: number;
}

interface Armed {
    readonly fault: Fault;
    readonly pattern: RegExp | undefined;
    skip: number;
    times: number;
}

/** The faults that are armed. */
export class Faults {
    private armed: Armed[] = [];

    /** Arms faults. Throws an error that says what is wrong with them, and arms none. */
    add(faults: unknown): void {
        const list: unknown[] = Array.isArray(faults) ? faults : [faults];
        this.armed.push(...list.map(arm));
    }

    clear(): void {
        this.armed = [];
    }

    /** The first fault that takes this request, and counts it for all. */
    take(request: Request): Fault | undefined {
        let taken: Armed | undefined;
        for (const armed of this.armed) {
            if (!matches(armed, request)) continue;
            if (armed.skip > 0) armed.skip -= 1;
            else taken ??= armed;
        }
        if (taken === undefined) return undefined;
        taken.times -= 1;
        if (taken.times === 0) this.armed = this.armed.filter((armed) => armed !== taken);
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
    return {
        ...base,
        headers: { ...base.headers, ...fault.headers },
        ...(fault.body !== undefined && { body: fault.body, contentType: contentTypeOf(fault.body) }),
        ...(fault.contentType !== undefined && { contentType: fault.contentType }),
    };
}

function contentTypeOf(body: string): string {
    return /^\s*[[{]/.test(body) ? "application/json" : "text/plain; charset=utf-8";
}

function matches(armed: Armed, request: Request): boolean {
    const { method } = armed.fault;
    return (
        (method === undefined || method.toUpperCase() === request.method) && armed.pattern?.test(request.path) !== false
    );
}

function arm(value: unknown): Armed {
    const fault = readFault(value);
    return {
        fault,
        pattern: fault.path === undefined ? undefined : new RegExp(fault.path),
        skip: fault.skip ?? 0,
        // Counted down past zero, "for ever" never meets it.
        times: fault.times === 0 ? -1 : (fault.times ?? 1),
    };
}

const fields: Readonly<Record<string, (value: unknown) => boolean>> = {
    method: isText,
    path: isText,
    skip: isCount,
    times: isCount,
    status: (value) => isCount(value) && value >= 200 && value <= 599,
    after: (value) => typeof value === "boolean",
    headers: (value) => isRecord(value) && Object.entries(value).every(isHeader),
    body: isText,
    contentType: isText,
    delay: isCount,
    drop: (value) => value === "before" || value === "after",
    truncate: isCount,
};

function readFault(value: unknown): Fault {
    if (!isRecord(value)) throw new Error("a fault is an object");
    for (const [name, given] of Object.entries(value)) {
        const isValid = Object.hasOwn(fields, name) ? fields[name] : undefined;
        if (isValid === undefined) throw new Error(`a fault has no field ${name}`);
        if (!isValid(given)) throw new Error(`a fault's ${name} cannot be ${JSON.stringify(given)}`);
    }
    return value;
}

function isHeader([name, value]: readonly [string, unknown]): boolean {
    if (!isText(value)) return false;
    try {
        validateHeaderName(name);
        validateHeaderValue(name, value);
        return true;
    } catch {
        return false;
    }
}

function isText(value: unknown): value is string {
    return typeof value === "string";
}

function isCount(value: unknown): value is number {
    return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
