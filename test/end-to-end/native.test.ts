/** The native plugin under the real engine, in programs of YAML. */

import assert from "node:assert/strict";
import { done, onStage } from "../support/stack";

const rolePath = "/v1/auth/clouda/role/web";

describe("the native plugin", () => {
    it("leads a role through preview, up, refresh and destroy", async () => {
        const program = (ttl: string) => ({
            yaml: {
                resources: {
                    web: {
                        type: "statecraft:AuthRole",
                        properties: { name: "web", boundResourceGroups: ["prod"], tokenTtl: ttl },
                    },
                },
            },
        });
        await onStage({}, program("1h"), async ({ simulator, stack }) => {
            assert.deepEqual(done(await stack.preview()), { web: "create" });
            assert.deepEqual(await simulator.writes(), []);
            assert.deepEqual(done(await stack.up()), { web: "create" });
            const role = (await simulator.outside("GET", rolePath)) as { data: Record<string, unknown> };
            assert.deepEqual(role.data["token_ttl"], 3600);
            assert.deepEqual(done(await stack.up()), { web: "same" });
            assert.deepEqual(done(await stack.refresh()), { web: "same" });
            stack.writeYaml(program("2h").yaml);
            assert.deepEqual(done(await stack.up()), { web: "update" });
            assert.deepEqual(done(await stack.destroy()), { web: "delete" });
            assert.equal(await simulator.outside("GET", rolePath), undefined);
        });
    });
});
