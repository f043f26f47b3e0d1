/** Sends Ctrl-C to `pulumi up`. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { demonstration } from "../../src/simulator/demonstration";
import { done, failed, onStage } from "../support/stack";

const rolePath = (name: string) => `/v1/auth/clouda/role/${name}`;
const workspacePath = "/api/v2/workspaces/ws-1";

const program = `
    const dynamic = require("pulumi-statecraft");
    const native = require("pulumi-statecraft/native");
    const slow = new dynamic.AuthRole("slow", { name: "slow", tokenTtl: "1h" });
    const web = new native.AuthRole("web", { name: "web", tokenTtl: "1h" });
    new native.SnapshotConfig("hourly", { name: "hourly", interval: "1h", waitForSnapshot: "1h",
        storage: { type: "local", pathPrefix: "/var/snapshots", maxSpace: 1_000_000 } });
    new native.StateVersionRollback("undo", { workspaceId: "ws-1", stateVersionId: "sv-3" });
    new native.AuthRole("later", { name: "later", tokenTtl: "1h" }, { dependsOn: [slow, web] });`;

describe("Ctrl-C", () => {
    it("cancels the requests of the plugin, not those of the dynamic host, and the next `up` continues", async () => {
        /** Emits the events of `stops`. */
        const events = new EventTarget();
        const event = (name: string) => once(events, name);
        const waiting = event("written").then(() => event("looked"));
        const allArrived = Promise.all([...["slow", "web", "undo"].map(event), waiting]);
        const [unlocked, over] = [event("unlocked"), event("over")];
        /** The event that each request emits, and the promise for which its answer waits. */
        const stops: readonly (readonly [request: string, emits: string, until?: Promise<unknown>])[] = [
            [`POST ${rolePath("slow")}`, "slow", unlocked],
            [`POST ${rolePath("web")}`, "web", over],
            ["POST /v1/sys/storage/raft/snapshot-auto/config/hourly", "written"],
            ["GET /v1/sys/storage/raft/snapshot-auto/status/hourly", "looked"],
            [`PATCH ${workspacePath}/state-versions`, "undo", over],
            [`POST ${workspacePath}/actions/unlock`, "unlocked"],
        ];
        const test: Parameters<typeof onStage>[2] = async ({ simulator, stack }) => {
            simulator.gate.set(async ({ moment, request }) => {
                const stop = stops.find(([line]) => line === `${request.method} ${request.path}`);
                if (moment !== "after" || stop === undefined) return;
                events.dispatchEvent(new Event(stop[1]));
                await stop[2];
            });
            const up = stack.up();
            await allArrived;
            assert(stack.pid);
            process.kill(stack.pid, "SIGINT");
            failed(await up);
            events.dispatchEvent(new Event("over"));
            const stored = (await stack.resources()).map(({ urn, outputs }) => [
                urn.split("::").at(-1),
                outputs?.["unfinished"],
            ]);
            assert.deepEqual(Object.fromEntries(stored), {
                slow: undefined,
                web: ["create"],
                hourly: ["wait"],
                undo: ["readBack"],
            });
            assert.match(JSON.stringify(await simulator.outside("GET", workspacePath)), /"locked":false/);

            await simulator.forget();
            // Takes a snapshot between two polls of the resource.
            simulator.gate.set(
                async ({ moment, request, index }) => {
                    if (moment !== "after" || index > 0 || !request.path.endsWith("/status/hourly")) return;
                    await simulator.control("POST", "/simulator/clock", { advance: 3600 });
                },
                ({ path }) => path,
            );
            const steps = { slow: "same", web: "update", hourly: "update", undo: "update", later: "create" };
            assert.deepEqual(done(await stack.up()), steps);
            const writes = (await simulator.writes()).map(({ method, path }) => `${method} ${path}`);
            assert.deepEqual(writes, [`POST ${rolePath("later")}`], "nothing is done twice");
            assert(!JSON.stringify(await stack.resources()).includes('"unfinished"'));
        };
        await onStage(demonstration, program, test);
    });
});
