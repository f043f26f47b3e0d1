/** What all suites know of TypeName. Each fact is explained in `test/support/resource-facts.ts`; requests are the document's. */

import type { ResourceFacts } from "../support/resource-facts";

/** TODO what it does. */
export const typeName: ResourceFacts = {
    type: "TypeName",
    id: "first",
    full: { name: "first", triggers: [1] },
    edited: { triggers: [2] },
    immutable: ["name"],
    places: { path: ["name"], ids: ["{}"] },
    faults: [{ inputs: { name: "first" }, edited: { name: "first", triggers: ["again"] }, isOneShot: true }],
    sends: { create: "POST", refresh: "", update: "POST", delete: "" },
    document: "Volumes",
    // TODO the fields of the request, with `same` of `test/support/endpoints.ts`.
    endpoints: [["POST DOCUMENT/:name", "TypeName"]],
};
