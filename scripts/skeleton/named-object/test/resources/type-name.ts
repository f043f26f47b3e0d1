/** What all suites know of TypeName. Each fact is explained in `test/support/resource-facts.ts`; requests are the document's. */

import { same } from "../support/endpoints";
import type { NamedObjectFacts } from "../support/resource-facts";

// TODO the fields of the document, with blanks between them.
const fields = "";

/** TODO what it is. */
export const typeName: NamedObjectFacts = {
    type: "TypeName",
    id: "first",
    minimal: { name: "first" },
    full: { name: "first" },
    beside: { adopt: true },
    edited: {},
    theirs: {},
    path: "SERVED/first",
    manners: [[]],
    requests: { method: "PUT", minimal: {}, full: {}, edited: {} },
    drifted: {},
    drift: [],
    changes: [],
    replaces: [{ name: "other" }],
    spellings: [],
    refused: [[{ name: "a/b" }, "name"]],
    secrets: [],
    unseen: [],
    immutable: ["name"],
    places: { path: ["name"], ids: ["{}"] },
    document: "Volumes",
    endpoints: [
        ["PUT DOCUMENT/:name", "TypeName", { request: same("", "TypeName.", fields), isRepeatable: true }],
        ["GET DOCUMENT/:name", "TypeName", { response: same("", "TypeName.", fields) }],
        ["DELETE DOCUMENT/:name", "TypeName"],
    ],
};
