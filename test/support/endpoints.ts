/**
 * Endpoints and fields of the three documents, and the way of a program to each. The facts of each resource hold its own, written by
 * hand from the document.
 *
 * A way is `AuthRole.tokenTtl` (an input or output), `CsiVolume.mountOptions.fsType` (a field inside an input),
 * `SnapshotConfig.storage(local).maxSpace` (the same of one form of an input), `getAuthRoles(mount)` (an argument),
 * `getAuthRoles().names` (a field of the result) or the bare name of a resource or function that sees to the field by itself.
 * `[]` are the items of a list and `*` the entries of a map.
 * `test/coverage.test.ts` takes each of these ways.
 */

/** A field's name in the document, by its path in the body, and the ways to it. */
export type Ways = Readonly<Record<string, readonly string[]>>;

/** The documents, in the order of the pages. */
export const documents = ["Secrets Manager", "State Versions", "Volumes"] as const;

/** A line of a document's table of endpoints. */
export interface Endpoint {
    readonly document: (typeof documents)[number];
    readonly method: "GET" | "LIST" | "POST" | "PUT" | "PATCH" | "DELETE";
    /** As the document has it, below the address of the service. */
    readonly path: string;
    /** Resources and functions that send it. */
    readonly by: readonly string[];
    readonly query?: Ways;
    /** Fields of the body that is sent. */
    readonly request?: Ways;
    /** Fields of the body that comes back. */
    readonly response?: Ways;
    /** A write that has the same effect if it is sent twice: it is sent again after a lost answer. */
    readonly isRepeatable?: true;
}

/** Where the paths of a document begin, on a server that has the services side by side. */
export const prefixes: Readonly<Record<Endpoint["document"], string>> = {
    "Secrets Manager": "/v1",
    "State Versions": "/api/v2",
    Volumes: "",
};

/** The requests of an endpoint, whatever the mount is called. */
export function patternOf({ document, method, path }: Endpoint): RegExp {
    // The addresses of contents stand on the records, whole.
    const place = path.startsWith("{") ? "/v1/object/:id" : prefixes[document] + path;
    return new RegExp(`^${method} ${place.replace(/:[a-z_]+|(?<=auth\/)\w+/g, "[^/]+")}$`);
}

/** Fields that programs know by the same name in camel case, behind `place` in the document and behind each of `shown` in programs. */
export function same(place: string, shown: string | readonly string[], names: string): Ways {
    const all = [shown].flat();
    const fields = names.split(/\s+/).filter((name) => name !== "");
    return Object.fromEntries(fields.map((name) => [place + name, all.map((begin) => begin + camelCase(name))]));
}

/** The name in programs: `tokenTtl` of `token_ttl`, `nodeId` of `NodeID`. */
export function camelCase(name: string): string {
    const word = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/ID$/, "Id");
    return name.replace(/\w[\w-]*/g, (part) => word(part.replace(/[_-](\w)/g, (_, letter) => letter.toUpperCase())));
}

/** Fields that have the same ways. */
export function alike(ways: readonly string[], ...names: readonly string[]): Ways {
    return Object.fromEntries(names.map((name) => [name, ways]));
}

/** An endpoint as facts say it: method and path, who sends it, and its fields. */
export type Row = readonly [
    line: `${Endpoint["method"]} ${string}`,
    by: string | readonly string[],
    fields?: Pick<Endpoint, "query" | "request" | "response" | "isRepeatable">,
];

/** The endpoints of a document. */
export const endpointsOf = (document: Endpoint["document"], rows: readonly Row[]) =>
    rows.map(([line, by, fields]): Endpoint => {
        const [method, path = ""] = line.split(" ");
        return { document, method: method as Endpoint["method"], path, by: [by].flat(), ...fields };
    });
