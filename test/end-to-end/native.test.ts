/** The native plugin under the real engine, in programs of YAML. */

import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import { done, onStage } from "../support/stack";
import { each, everyResource } from "./native-program";

const rolePath = "/v1/auth/clouda/role/web";

describe("the native plugin", () => {
    it("leads every resource through preview, up, refresh with drift, change and destroy", async () => {
        await onStage(demonstration, { yaml: everyResource() }, async ({ simulator, stack }) => {
            assert.deepEqual(done(await stack.preview()), each("create"));
            assert.deepEqual(await simulator.writes(), []);
            assert.deepEqual(done(await stack.up()), each("create"));
            const stored = JSON.stringify(await stack.export());
            assert(!stored.includes("planted"), "secrets are encrypted in state");

            await simulator.forget();
            assert.deepEqual(done(await stack.up("--expect-no-changes")), each("same"));
            assert.deepEqual(await simulator.writes(), []);

            await simulator.outside("POST", rolePath, { token_ttl: "5m" });
            assert.deepEqual(done(await stack.refresh()), { ...each("same"), web: "update" });
            stack.writeYaml(everyResource({ hourly: { interval: "2h" } }));
            const changed = await stack.up();
            assert.deepEqual(done(changed), { ...each("same"), web: "update", hourly: "update" });
            const role = (await simulator.outside("GET", rolePath)) as { data: Record<string, unknown> };
            assert.equal(role.data["token_ttl"], 3600);
            assert.deepEqual(changed.steps.find(({ name }) => name === "web")?.diffs, ["tokenTtl"]);

            assert.deepEqual(done(await stack.destroy()), each("delete"));
            assert.equal(await simulator.outside("GET", rolePath), undefined);
        });
    });
});
