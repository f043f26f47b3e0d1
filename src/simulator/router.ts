/** Which route answers a request. */

import type { Reply, Request } from "./route";
import { ownWords } from "./simulator-error";

/** What of a route the router looks at. */
export interface Matchable {
    /** `*` takes every method that no other route of the path takes. */
    readonly method: string;
    readonly path: string;
}

/** A route that takes the request, and the parameters of its path, decoded. */
export interface Match<Found> {
    readonly route: Found;
    readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the first of these routes that takes a method and a path. */
export function createRouter<Found extends Matchable>(
    routes: readonly Found[],
): (method: string, path: string) => Match<Found> | undefined {
    // A route for one method is tried before any route for all.
    const ordered = [
        ...routes.filter((route) => route.method !== "*"),
        ...routes.filter((route) => route.method === "*"),
    ].map((route) => ({ route, pattern: patternOf(route.path) }));
    return (method, path) => {
        for (const { route, pattern } of ordered) {
            if (route.method !== method && route.method !== "*") continue;
            const found = pattern.exec(path);
            if (found !== null) return { route, parameters: decoded(found.groups ?? {}) };
        }
        return undefined;
    };
}

/** The answer to what no route takes: not 404, which means something to clients. */
export function noRoute(request: Request): Reply {
    return ownWords(request.path, 501, "not implemented", `no route: ${request.method} ${request.path}`);
}

/** An answer that leads from a path with empty, `.` or `..` segments to the one that was meant, or nothing. */
export function cleaned(request: Request): Reply | undefined {
    if (!request.path.startsWith("/v1/")) return undefined;
    const kept: string[] = [];
    const segments = request.path.split("/").slice(1);
    for (const segment of segments) {
        if (segment === "..") kept.pop();
        else if (segment !== "" && segment !== ".") kept.push(segment);
    }
    const last = segments.at(-1);
    const path = `/${kept.join("/")}${last === "" || last === "." ? "/" : ""}`;
    if (path === request.path) return undefined;
    const query = request.query.toString();
    return { status: 307, headers: { location: query === "" ? path : `${path}?${query}` } };
}

function patternOf(path: string): RegExp {
    const segments = path.split("/").map((segment) => {
        const parameter = /^:(\w+)(\+?)$/.exec(segment);
        if (parameter === null) return segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
        return parameter[2] === "+" ? `(?<${parameter[1]}>.+?)` : `(?<${parameter[1]}>[^/]+)`;
    });
    return new RegExp(`^${segments.join("/")}$`, "s");
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, unescaped(value)]));
}

/** A text of a path without its escapes. A broken one stands for itself, so that the route sees a name that it does not know. */
export function unescaped(value: string): string {
    try {
        return decodeURIComponent(value);
    } catch {
        return value;
    }
}
