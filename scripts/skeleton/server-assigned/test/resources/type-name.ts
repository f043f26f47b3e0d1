/** What all suites know of TypeName. Each fact is explained in `test/support/resource-facts.ts`; requests are the document's. */

import { same } from "../support/endpoints";
import type { ResourceFacts } from "../support/resource-facts";

// TODO the fields of the document, with blanks between them.
const fields = "name";

/** TODO what it is. */
export const typeName: ResourceFacts = {
    type: "TypeName",
    // TODO an id that the service may make.
    id: "x-1",
    full: { name: "first" },
    edited: { name: "second" },
    immutable: [],
    places: { path: [], ids: ["{}"] },
    sends: { create: "GET POST GET", refresh: "GET", update: "PUT GET", delete: "DELETE" },
    document: "Volumes",
    endpoints: [
        ["POST DOCUMENT", "TypeName", { request: same("", "TypeName.", fields) }],
        ["GET DOCUMENT", "TypeName"],
        ["GET DOCUMENT/:id", "TypeName", { response: same("", "TypeName.", fields) }],
        ["PUT DOCUMENT/:id", "TypeName", { request: same("", "TypeName.", fields), isRepeatable: true }],
        ["DELETE DOCUMENT/:id", "TypeName"],
    ],
    // TODO how every field is sent.
    life: { programs: [{ name: "first" }, { name: "second" }] },
};
