/** Which route answers a request. */

import type { Reply, Request, Route } from "./route";

/** A route that takes the request, and the parameters of its path, decoded. */
export interface Match {
    readonly route: Route;
    readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the first of these routes that takes a method and a path. */
export type Find = (request: Request) => Match | undefined;

/** Makes a router. A route for one method is tried before any route for all. */
export function createRouter(routes: readonly Route[]): Find {
    const isForAll = ({ method }: Route) => method === "*";
    const ordered = [...routes.filter((route) => !isForAll(route)), ...routes.filter(isForAll)];
    const patterns = ordered.map((route) => ({ route, pattern: patternOf(route.path) }));
    return ({ method, path }) => {
        for (const { route, pattern } of patterns) {
            const found = route.method === method || isForAll(route) ? pattern.exec(path) : null;
            if (found !== null) return { route, parameters: decoded(found.groups ?? {}) };
        }
        return undefined;
    };
}

/** The redirect from a path with empty, `.` or `..` segments to the clean path, or nothing. */
export function redirectToClean({ path, query }: Request): Reply | undefined {
    if (!path.startsWith("/v1/")) return undefined;
    const kept: string[] = [];
    const segments = path.split("/").slice(1);
    for (const segment of segments) {
        if (segment === "..") kept.pop();
        else if (segment !== "" && segment !== ".") kept.push(segment);
    }
    const last = segments.at(-1);
    const clean = `/${kept.join("/")}${last === "" || last === "." ? "/" : ""}`;
    if (clean === path) return undefined;
    return { status: 307, headers: { location: query.size === 0 ? clean : `${clean}?${query}` } };
}

function patternOf(path: string): RegExp {
    const segments = path.split("/").map((segment) => {
        const [, name, plus] = /^:(\w+)(\+?)$/.exec(segment) ?? [];
        if (name === undefined) return escaped(segment);
        return plus === "+" ? `(?<${name}>.+?)` : `(?<${name}>[^/]+)`;
    });
    return new RegExp(`^${segments.join("/")}$`, "s");
}

/** A text as a regular expression that matches only it. */
export function escaped(text: string): string {
    return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, unescaped(value)]));
}

/** A part of a path without its percent-encoding. A broken one stands for itself, so that the route sees a name that it does not know. */
export function unescaped(value: string): string {
    try {
        return decodeURIComponent(value);
    } catch {
        return value;
    }
}
