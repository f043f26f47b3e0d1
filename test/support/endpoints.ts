/**
 * Endpoints and fields of the three API documents, and the property of a program for each. The facts in `test/resources` list the
 * endpoints, copied by hand from the documents.
 *
 * A way names the property: `AuthRole.tokenTtl` (an input or output), `CsiVolume.mountOptions.fsType` (a field inside an input),
 * `SnapshotConfig.storage(local).maxSpace` (a field of one variant of an input), `getAuthRoles(mount)` (an argument),
 * `getAuthRoles().names` (a field of the result), or only a resource or function, which sets the field without an input.
 * `[]` marks the items of a list, and `*` the entries of a map.
 * `test/coverage.test.ts` checks each way.
 */

/** For each field of a body, by its path in the document's names, the properties of programs for that field. */
export type Ways = Readonly<Record<string, readonly string[]>>;

/** The API documents, in the order of the generated reference pages. */
export const documents = ["Secrets Manager", "State Versions", "Volumes"] as const;

/** An endpoint of an API document. */
export interface Endpoint {
    readonly document: (typeof documents)[number];
    readonly method: "GET" | "LIST" | "POST" | "PUT" | "PATCH" | "DELETE";
    /** The path in the document, relative to the address of the service. */
    readonly path: string;
    /** Resources and functions that send requests to this endpoint. */
    readonly by: readonly string[];
    readonly query?: Ways;
    /** Fields of the request's body. */
    readonly request?: Ways;
    /** Fields of the response's body. */
    readonly response?: Ways;
    /** The write has the same effect if it is sent twice, so the client repeats it after a lost answer. */
    readonly isRepeatable?: true;
}

/** The prefix of the paths of each document on a simulator, which serves all three. */
export const prefixes: Readonly<Record<Endpoint["document"], string>> = {
    "Secrets Manager": "/v1",
    "State Versions": "/api/v2",
    Volumes: "",
};

/** Matches `METHOD /path` of the requests to an endpoint, with any mount. */
export function patternOf({ document, method, path }: Endpoint): RegExp {
    // Records contain absolute URLs of the content.
    const place = path.startsWith("{") ? "/v1/object/:id" : prefixes[document] + path;
    return new RegExp(`^${method} ${place.replace(/:[a-z_]+|(?<=auth\/)\w+/g, "[^/]+")}$`);
}

/** Returns the properties for fields whose name differs only in camel case. The fields' paths begin with `place`, the properties with each of `shown`. */
export function same(place: string, shown: string | readonly string[], names: string): Ways {
    const all = [shown].flat();
    const fields = names.split(/\s+/).filter((name) => name !== "");
    return Object.fromEntries(fields.map((name) => [place + name, all.map((begin) => begin + camelCase(name))]));
}

/** Returns the property for a field: `tokenTtl` for `token_ttl`, `nodeId` for `NodeID`. */
export function camelCase(name: string): string {
    const word = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/ID$/, "Id");
    return name.replace(/\w[\w-]*/g, (part) => word(part.replace(/[_-](\w)/g, (_, letter) => letter.toUpperCase())));
}

/** Returns the same properties for several fields. */
export function alike(ways: readonly string[], ...names: readonly string[]): Ways {
    return Object.fromEntries(names.map((name) => [name, ways]));
}

/** An endpoint in `test/resources`: method and path, the resources and functions that send it, and its fields. */
export type Row = readonly [
    line: `${Endpoint["method"]} ${string}`,
    by: string | readonly string[],
    fields?: Pick<Endpoint, "query" | "request" | "response" | "isRepeatable">,
];

/** Turns the rows of `test/resources` into endpoints of a document. */
export const endpointsOf = (document: Endpoint["document"], rows: readonly Row[]) =>
    rows.map(([line, by, fields]): Endpoint => {
        const [method, path = ""] = line.split(" ");
        return { document, method: method as Endpoint["method"], path, by: [by].flat(), ...fields };
    });
