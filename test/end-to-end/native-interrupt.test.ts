/** Ctrl-C in the middle of `pulumi up`, through the real CLI: the line "Ctrl-C" of the README's table "Dynamic or native". */

import assert from "node:assert/strict";
import { once } from "node:events";
import { demonstration } from "../../src/simulator/demonstration";
import { Gate } from "../support/gate";
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
    const gate = new Gate();
    after(() => gate.open());

    it("ends what the plugin has under way, not what the dynamic host has, and the next up goes on from there", async () => {
        /** Each emits when a request comes, or may go. */
        const came = new EventTarget();
        const event = (name: string) => once(came, name);
        const waiting = event("written").then(() => event("looked"));
        const allCame = Promise.all([...["slow", "web", "undo"].map(event), waiting]);
        const [unlocked, over] = [event("unlocked"), event("over")];
        /** What each request emits, and what it waits for when the service has done it. */
        const stops: readonly (readonly [request: string, emits: string, until?: Promise<unknown>])[] = [
            [`POST ${rolePath("slow")}`, "slow", unlocked],
            [`POST ${rolePath("web")}`, "web", over],
            ["POST /v1/sys/storage/raft/snapshot-auto/config/hourly", "written"],
            ["GET /v1/sys/storage/raft/snapshot-auto/status/hourly", "looked"],
            [`PATCH ${workspacePath}/state-versions`, "undo", over],
            [`POST ${workspacePath}/actions/unlock`, "unlocked"],
        ];
        const test: Parameters<typeof onStage>[2] = async ({ simulator, stack }) => {
            gate.set(async ({ moment, request }) => {
                const stop = stops.find(([line]) => line === `${request.method} ${request.path}`);
                if (moment !== "after" || stop === undefined) return;
                came.dispatchEvent(new Event(stop[1]));
                await stop[2];
            });
            const up = stack.up();
            await allCame;
            assert(stack.pid);
            process.kill(stack.pid, "SIGINT");
            failed(await up);
            came.dispatchEvent(new Event("over"));
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
            // The first snapshot is taken between the first look of the wait and the next one.
            gate.set(
                async ({ moment, request, index }) => {
                    if (moment !== "after" || index > 0 || !request.path.endsWith("/status/hourly")) return;
                    await simulator.control("POST", "/simulator/clock", { advance: 3600 });
                },
                ({ path }) => path,
            );
            const steps = { slow: "same", web: "update", hourly: "update", undo: "update", later: "create" };
            assert.deepEqual(done(await stack.up()), steps);
            const writes = (await simulator.writes()).map(({ method, path }) => `${method} ${path}`);
            assert.deepEqual(writes, [`POST ${rolePath("later")}`], "what was done before is not done again");
            assert(!JSON.stringify(await stack.resources()).includes('"unfinished"'));
        };
        await onStage(demonstration, program, test, {}, { hooks: gate.guard });
    });
});
