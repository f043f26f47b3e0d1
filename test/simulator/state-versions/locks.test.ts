/** Locking and unlocking workspaces, which the document presupposes. */
import assert from "node:assert/strict";
import { withSimulator } from "../../support/simulator";
import { section } from "../exchanges";
import { call } from "../requests";
import { addresses, announce, create, placeOf, raw, upload } from "./place";

const byRun = { by: { type: "runs" as const, id: "run-1" } };
const seed = {
    workspaces: [
        { id: "ws-1", name: "web", organization: "acme" },
        { id: "ws-run", name: "run", organization: "acme", locked: byRun },
    ],
};
const place = placeOf(seed);
const act = (action: string, workspace = "ws-1") => `POST workspaces/${workspace}/actions/${action}`;
const shows = (lock: null | { by: object; reason?: string }, id = "ws-1") =>
    `200 ${JSON.stringify({
        data: {
            id,
            attributes: { locked: lock !== null, "locked-reason": lock?.reason ?? "" },
            relationships: { "locked-by=": { data: lock?.by ?? null } },
        },
    })}`;
const user = { by: { type: "users", id: "user-1" } };
const conflict = (detail: string) => `409 ${JSON.stringify({ errors: [{ status: "409", detail }] })}`;
const unlocked = conflict("Unable to unlock workspace. The workspace is already unlocked");
const heldBy = (what: string, holder: string) =>
    conflict(`Unable to ${what} workspace. The workspace is locked by ${holder}`);

section("State Versions, locks of workspaces: lock", place)`
    a workspace is locked for the caller, and shows it
        ${act("lock")} -> ${shows(user)} | content-type: application/vnd.api+json
        GET workspaces/ws-1 -> ${shows(user)}
    a team may hold it
        ${act("lock")} | authorization: Bearer t-team -> ${shows({ by: { type: "teams", id: "team-1" } })}
        ${act("unlock")} -> ${heldBy("unlock", "Team team-1")}
        ${act("unlock")} | authorization: Bearer t-team -> 200
    a reason comes plain or wrapped, or not at all
        ${act("lock")} {"reason": "moving"} -> ${shows({ ...user, reason: "moving" })}
        ${act("unlock")} -> ${shows(null)}
        ${act("lock")} {"data": {"type": "", "attributes": {"reason": "moving"}}} -> ${shows({ ...user, reason: "moving" })}
        ${act("unlock")} -> 200
        ${act("lock")} {} -> 200
    a body must be such
        ${act("lock")} { -> 422 {"errors": [{"detail": "The body is not JSON"}]}
        ${act("lock")} [] -> 422 {"errors": [{"detail": "The body is not a JSON object"}]}
        ${act("lock")} {"reason": 7} -> 422
        ${act("lock")} {"reason": "moving"} | content-type: application/json -> 415
        GET workspaces/ws-1 -> ${shows(null)}
        ${act("lock")} | content-type: -> 200
    nobody locks it twice
        ${act("lock")} -> 200
        ${act("lock")} -> ${heldBy("lock", "User user-1")}
        ${act("lock")} | authorization: Bearer t-2 -> 409
`;

section("State Versions, locks of workspaces: unlock and force-unlock", place)`
    only what is locked is unlocked, and only by its holder
        ${act("unlock")} -> ${unlocked}
        ${act("force-unlock")} -> ${unlocked}
        ${act("lock")} | authorization: Bearer t-2 -> 200
        ${act("unlock")} -> ${heldBy("unlock", "User user-2")}
        ${act("unlock", "ws-run")} -> ${heldBy("unlock", "Run run-1")}
    the workspace cannot be unlocked until the latest state version is finalized
        ${act("lock")} -> 200
        ${announce(1)} -> 201 ${addresses(1)}
        ${act("unlock")} -> 503 {"errors": [{"detail": "latest state version is still pending"}]}
        GET workspaces/ws-1 -> ${shows(user)}
        ${upload("<raw1>", raw(1))} -> 200
        ${act("unlock")} -> 200
    older versions do not count
        ${act("lock")} -> 200
        ${announce(1)} -> 201
        ${create(2)} -> 201
        ${act("unlock")} -> 200
    force breaks any lock, and does not mind a pending version
        ${act("force-unlock", "ws-run")} -> ${shows(null, "ws-run")}
        ${act("lock")} -> 200
        ${announce(1)} -> 201
        ${act("force-unlock")} | authorization: Bearer t-2 -> ${shows(null)}
    a caller lacking permission receives 404
        ${["lock", "unlock", "force-unlock"].flatMap((action) => [
            `${act(action, "ws-9")} -> 404`,
            `${act(action)} | authorization: Bearer t-read -> 404`,
            `${act(action)} | authorization: Bearer t-organization -> 404`,
        ])}
`;

const reason = "rolling back to sv-1 [somebody]";
const set = (...stateVersions: string[]) => `PUT /simulator/manners ${JSON.stringify({ stateVersions })} -> 204`;

section("State Versions, manners: what is told of a lock", place)`
    reasons are kept, cut or dropped; holders told or hidden
        ${act("lock")} ${{ reason }} -> ${shows({ ...user, reason })}
        ${set("keeps-reasons", "tells-holders")}
        GET workspaces/ws-1 -> ${shows({ ...user, reason })}
        ${set("shortens-reasons")}
        GET workspaces/ws-1 -> ${shows({ ...user, reason: "rolling back to sv-1 [so" })}
        ${set("drops-reasons", "hides-holders")}
        GET workspaces/ws-1 -> 200 {"data": {"attributes": {"locked": true, "locked-reason": ""}, "relationships": {"locked-by": "<none>"}}}
`;

describe("simulator: State Versions, locks of workspaces: lock in parallel", () => {
    const simulator = withSimulator(place.seed);

    it("one of twenty requests has the lock", async () => {
        const url = `${simulator.url}/api/v2/workspaces/ws-1/actions/lock`;
        const lock = (_: unknown, index: number) =>
            call("POST", url, { headers: { authorization: `Bearer t-${(index % 2) + 1}` } });
        const statuses = (await Promise.all(Array.from({ length: 20 }, lock))).map(({ status }) => status).sort();
        assert.deepEqual(statuses, [200, ...Array(19).fill(409)]);
    });
});
