/** What a service of state versions does by itself: filling fields in later, intermediate versions, retention. */
import assert from "node:assert/strict";
import { withSimulator } from "../../support/simulator";
import { section } from "../exchanges";
import { at, textAt } from "../requests";
import { attributes, create, isCurrent, locked, placeOf, raw, reads, rollBack, stateOf } from "./place";

const seed = {
    workspaces: [
        {
            ...{ id: "ws-1", name: "web", organization: "acme", locked },
            stateVersions: [1, 2, 3].map((serial) => ({ id: `sv-${serial}`, state: stateOf(serial) })),
        },
        { id: "ws-2", name: "new", organization: "acme", stateVersions: [{ id: "sv-other", state: stateOf(1) }] },
    ],
};
const place = placeOf(seed);
const rich = raw(7, { resources: [{ type: "node", name: "a", provider: "p", instances: [{}] }] });
const made = `${create(7, rich)} -> 201 {"data": {"id": "<id>"}}`;
const isProcessed = (is: boolean) => reads("<id>", { "resources-processed": is });
const set = (mode: string, n?: number) => `PATCH /simulator/processing ${JSON.stringify({ mode, n })}`;
const advance = (seconds: number) => `POST /simulator/clock {"advance": ${seconds}} -> 204`;

section("State Versions, What the service does 4: some information is filled in asynchronously", place)`
    empties show at the first read, and the rest at the next
        ${create(7, rich)} -> 201 ${JSON.stringify({ data: { id: "<id>", attributes: { "resources-processed": false } } })}
        ${reads("<id>", {
            ...{ "resources-processed": false, "tool-version": "", "resources=": [], "modules=": {}, "providers=": {} },
            ...{ size: rich.length, "state-version": 4 },
        })}
        ${reads("<id>", {
            ...{ "resources-processed": true, "tool-version": "1.6.2", "modules=": { root: { node: 1 } } },
        })}
    at once
        ${set("at-once")} -> 200 {"mode": "at-once"}
        ${create(7, rich)} -> 201 ${attributes({ "resources-processed": true })}
    after as many reads
        ${set("after-reads", 3)} -> 200
        ${made}
        ${[false, false, false, true].map(isProcessed)}
        ${set("after-reads", 0)} -> 200
        ${create(8, raw(8))} -> 201 ${attributes({ "resources-processed": true })}
    after as many seconds, and it stays so when the clock is set back
        ${set("after-seconds", 60)} -> 200
        ${made}
        ${[false, false].map(isProcessed)}
        ${advance(60)}
        ${isProcessed(true)}
        ${advance(-60)}
        ${isProcessed(true)}
    after any time
        ${set("after-seconds", 1e300)} -> 200
        ${create(7, rich)} -> 201 ${attributes({ "resources-processed": false })}
    other modes are refused
        ${set("sometimes")} -> 400
        ${set("after-reads", -1)} -> 400
`;

const on = 'PATCH /simulator/intermediates {"on": true} -> 200 {"on": true}';
const act = (action: string) => `POST workspaces/ws-1/actions/${action} -> 200`;

section(
    "State Versions, Attributes: the last intermediate version becomes current when the workspace is unlocked",
    place,
)`
    until then another one is current
        ${on}
        ${create(4)} -> 201 ${attributes({ intermediate: true, status: "finalized" })}
        ${create(5)} -> 201 {"data": {"id": "<last>"}}
        ${isCurrent("sv-3")}
        ${act("unlock")}
        ${isCurrent("<last>")}
        ${reads("<last>", { intermediate: false })}
    by force too
        ${on}
        ${create(4)} -> 201 {"data": {"id": "<last>"}}
        ${act("force-unlock")}
        ${isCurrent("<last>")}
    a version that came after it stays current, at every unlocking
        ${on}
        ${create(4)} -> 201
        ${create(5)} -> 201 {"data": {"id": "<last>"}}
        ${act("unlock")}
        ${act("lock")}
        ${act("unlock")}
        ${isCurrent("<last>")}
        ${act("lock")}
        ${create(6)} -> 201
        ${rollBack("sv-1")} -> 201 {"data": {"id": "<back>", "attributes": {"intermediate": false}}}
        ${isCurrent("<back>")}
        ${act("unlock")}
        ${isCurrent("<back>")}
    an order that cannot be read is refused
        PATCH /simulator/intermediates {"on": "yes"} -> 400
`;

section("State Versions, Limits: free-tier retention", place)`
    the last states across all workspaces are kept, and the most recent state of every workspace
        POST /simulator/retention {"keep": 3} -> 200 = {"dropped": ["sv-1"]}
        GET state-versions/sv-1 -> 404
        POST /simulator/retention {"keep": 0} -> 200 = {"dropped": ["sv-2"]}
        ${isCurrent("sv-3")}
        ${isCurrent("sv-other", "ws-2")}
        POST /simulator/retention {"keep": 100} -> 200 = {"dropped": []}
        POST /simulator/retention {} -> 400
`;

describe("simulator: State Versions, a seed", () => {
    const simulator = withSimulator(seed);

    it("makes versions an hour apart, the last one now", async () => {
        const path = "/api/v2/state-versions?filter[organization][name]=acme&filter[workspace][name]=web";
        const json = await simulator.outside("GET", path);
        const [newest = 0, , oldest = 0] = [0, 1, 2].map((index) =>
            Date.parse(textAt(json, "data", index, "attributes", "created-at")),
        );
        assert.equal(newest - oldest, 7_200_000);
        assert.equal(at(json, "data", 0, "id"), "sv-3");
    });
});
