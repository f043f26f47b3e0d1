/**
 * The endpoints and fields of the three API documents from `test/documents/rules.md`, with the resources and functions that send requests to each
 * endpoint. `test/coverage.test.ts` compares them with the requests and the schemas.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Node } from "../../src/schema/property";

/** An endpoint of an API document. Fields are paths: `[]` means the items of a list, `*` the entries of a map. */
export interface Endpoint {
    readonly document: Document;
    readonly method: string;
    /** The path with the prefix of the service, or the address in a record. */
    readonly path: string;
    /** Resources and functions that send requests to this endpoint. */
    readonly by: readonly string[];
    readonly query: readonly string[];
    /** Fields of the request's body. */
    readonly request: readonly string[];
    /** Fields of the answer, without the objects around a record: `data` and `auth` of Vault, `data.attributes` and `data.relationships` of HCP Terraform. */
    readonly answer: readonly string[];
    /** The statuses that the document names. */
    readonly statuses: readonly string[];
}

type Document = "Secrets Manager" | "State Versions" | "Volumes";

/** A request that the documents do not describe, or that a command sends: who sends it, and when. */
export interface OtherRequest {
    readonly document: Document;
    readonly line: string;
    readonly who: string;
    readonly when: string;
}

const page = readFileSync(join(__dirname, "../documents/rules.md"), "utf8");

/** Returns the cells of each row of a section's table. */
export function rowsOf(section: string): readonly (readonly string[])[] {
    const [, text = ""] = page.split(`\n## ${section}\n`);
    const [, ...lines] = (text.split("\n## ")[0] ?? "").split("\n").filter((line) => /^\|(?! ---)/.test(line));
    return lines.map((line) =>
        line
            .slice(2, -1)
            .split("|")
            .map((cell) => cell.trim()),
    );
}

const records = new Map(rowsOf("Records").map(([name = "", fields = ""]) => [name, fields.split(" ")]));

/** Returns the fields that a cell names: `Volumes[].{registration}` names those of a record, each below `Volumes[]`. */
function fieldsIn(cell = ""): readonly string[] {
    return [...cell.matchAll(/([^\s{]+)(?:\{(.+?)\})?|\{(.+?)\}/g)].flatMap(([, field = "", inner, record = inner]) =>
        record === undefined ? [field] : (records.get(record) ?? []).map((name) => field + name),
    );
}

/** Every endpoint of the documents, in their order. */
export const endpoints: readonly Endpoint[] = rowsOf("Endpoints").map(([document, line = "", by = "", ...cells]) => {
    const [method = "", path = ""] = line.split(" ");
    const [query = [], request = [], answer = [], statuses = []] = cells.map(fieldsIn);
    return { document: document as Document, method, path, by: by.split(" "), query, request, answer, statuses };
});

/** The requests beside those of `endpoints`. */
export const otherRequests: readonly OtherRequest[] = rowsOf("Other requests").map(
    ([document, line = "", who = "", when = ""]) => ({ document: document as Document, line, who, when }),
);

/** Matches `METHOD /path` of the requests to an endpoint, with any mount. */
export function patternOf({ method, path }: Pick<Endpoint, "method" | "path">): RegExp {
    // Records contain absolute URLs of the content.
    const place = path.replace(/^\{.*/, "/v1/object/:id").replace(/:[a-z_]+|(?<=auth\/)\w+/g, "[^/]+");
    return new RegExp(`^${method} ${place}$`);
}

/** Returns the fields that the `wire` of properties names, each with the path of its property: `["Topologies", "topologies"]`. */
export function fieldsOf(node: Node, field = "", path = ""): (readonly [field: string, path: string])[] {
    if (node.kind === "object") {
        return [...node.properties.values()].flatMap(({ name, facts, node: inner }) => {
            // The fields of a union are on the level of the union.
            const names = [field, inner.kind === "union" ? undefined : facts.wire].filter(Boolean);
            return fieldsOf(inner, names.join("."), path === "" ? name : `${path}.${name}`);
        });
    }
    if (node.kind === "union") return [...node.forms.values()].flatMap((form) => fieldsOf(form, field, path));
    if ("item" in node && node.item.kind !== "leaf") {
        const step = node.kind === "list" ? "[]" : ".*";
        return fieldsOf(node.item, field && field + step, path + step);
    }
    return field === "" ? [] : [[field.replace(/(\[\]|\.\*)+$/, ""), path.replace(/(\[\]|\.\*)+$/, "")]];
}
