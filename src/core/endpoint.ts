/** Endpoints as data: the method and path template of a document, with typed path parameters that are escaped in one place. */

import { type Advice, StatecraftError } from "../errors";

/**
 * When a request may be sent again after it failed.
 * - `always`: repeating has the effect of doing it once (reads, deletions, complete writes of a named object).
 * - `unlessDeclined`: like `always`, but not after a 500 in the service's own form (logins: a service refuses machines so).
 * - `refused`: only if the first request certainly had no effect (429, an answer that `Service.passing` matches, or a refused connection):
 * a second request could act twice.
 * - `never`: not even after 429, whose wait would delay the other requests of the service.
 */
export type Repeat = "always" | "unlessDeclined" | "refused" | "never";

/** The HTTP methods of the three APIs. */
export type Method = "GET" | "LIST" | "POST" | "PUT" | "PATCH" | "DELETE";

type Parameters<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
    ? (Name extends `+${infer Bare}` ? Bare : Name) | Parameters<Rest>
    : never;

/** One endpoint. `Parameter` is the union of the names in braces. */
export interface Endpoint<Parameter extends string = string> {
    readonly method: Method;
    readonly repeat: Repeat;
    /** Advice that fits only this endpoint, for `Service.hint`. Default: that of the service. */
    readonly advice?: Advice | undefined;
    /**
     * The path below the service's address, with every parameter escaped. The slashes of a parameter that the template names `{+name}` are not escaped.
     * @throws StatecraftError for a value that no path can contain
     */
    path(parameters: Readonly<Record<Parameter, string>>): string;
}

const safe: ReadonlySet<string> = new Set(["GET", "LIST", "DELETE", "PUT"]);

/**
 * Makes an endpoint from its line in a document: `endpoint("GET /v1/auth/{+mount}/role/{name}")`.
 * Default of `repeat`: `always` for methods that HTTP calls idempotent, else `refused`. A missing parameter of `path` is a compile error.
 */
export function endpoint<Template extends string>(
    line: `${Method} ${Template}`,
    repeat?: Repeat,
    advice?: Advice,
): Endpoint<Parameters<Template>> {
    const [method, template] = split(line);
    return {
        method,
        repeat: repeat ?? (safe.has(method) ? "always" : "refused"),
        advice,
        path: (parameters) =>
            template.replace(/\{(\+?)(.+?)\}/g, (_, plus: string, name: Parameters<Template>) => {
                const value = parameters[name];
                if (value === undefined) throw new TypeError(`path parameter ${name} is missing`);
                return plus === "+" ? value.split("/").map(segment).join("/") : segment(value);
            }),
    };
}

function split(line: string): [Method, string] {
    const blank = line.indexOf(" ");
    return [line.slice(0, blank) as Method, line.slice(blank + 1)];
}

/** Escapes one segment of a path. URL parsers remove `.` and `..` even if they are escaped, and a lone surrogate cannot be escaped. */
function segment(value: string): string {
    if (value === "" || value === "." || value === "..") throw noPath(value);
    try {
        return encodeURIComponent(value);
    } catch {
        throw noPath(value);
    }
}

const noPath = (value: string) =>
    new StatecraftError("id", `the path of a request cannot contain ${JSON.stringify(value)}`, {
        hint: "Correct the value, which is part of the path",
    });
