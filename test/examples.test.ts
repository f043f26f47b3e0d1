/** Every example runs with the SDK's mocks, and a simulator with the products' names accepts what it declares. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { demonstration } from "../src/simulator/demonstration";
import { unsealed } from "./support/managed-resource";
import { withSimulator } from "./support/simulator";

const folder = join(__dirname, "..", "examples");
const names = readdirSync(folder)
    .filter((file) => file.endsWith(".ts") && file !== "index.ts")
    .map((file) => file.slice(0, -3));

describe("examples", () => {
    const simulator = withSimulator(demonstration, { vocabulary: "product" });

    for (const name of names) {
        it(`${name} declares what the services accept`, async () => {
            const made: { type: string; inputs: Record<string, unknown> }[] = [];
            await pulumi.runtime.setMocks(
                {
                    newResource: ({ type, inputs, name: logical }) => {
                        const [, ours] = /statecraft:(\w+)$/.exec(type) ?? [];
                        if (ours !== undefined) made.push({ type: ours, inputs });
                        return { id: `${logical}-id`, state: inputs };
                    },
                    call: ({ inputs }) => inputs,
                },
                "examples",
                "test",
            );
            await pulumi.runtime.runInPulumiStack(async () => require(join(folder, name)));
            await pulumi.runtime.disconnect();
            assert(made.length > 0);
            for (const { type, inputs } of made) {
                const { __provider, __statecraft, ...plain } = unsealed(inputs) as Record<string, unknown>;
                const resource = simulator.resource(type);
                assert.equal(await resource.up(plain), "created");
                assert.equal(await resource.up(plain), "same");
                // Nomad refuses every detachment.
                assert.deepEqual(
                    resource.warnings.filter((text) => !text.includes("Unknown allocation")),
                    [],
                );
            }
        });
    }
});
