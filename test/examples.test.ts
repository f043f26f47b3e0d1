/** Runs every program of `examples` and of the pages with the SDK's mocks, and deploys the declared resources to a simulator with the products' names. */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { invokeFunction } from "../src/core/functions";
import { loadFunction } from "../src/generated/registry";
import { programRuntime } from "../src/runtime/program-runtime";
import { demonstration } from "../src/simulator/demonstration";
import { canaryToken } from "./support/canaries";
import { unsealed } from "./support/managed-resource";
import { withSimulator } from "./support/simulator";

const root = join(__dirname, "..");
const filesIn = (folder: string, ending: string) =>
    readdirSync(join(root, folder)).filter((file) => file.endsWith(ending) && file !== "index.ts");
const textOf = (file: string) => readFileSync(join(root, file), "utf8");

/** The programs of pages, each with its page as the name. `tasks.test.ts` and `client.test.ts` run those of tasks and of the client. */
const ofPages = filesIn("docs", ".md")
    .filter((page) => page !== "client.md")
    .flatMap((page) =>
        [...textOf(`docs/${page}`).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => [page, text] as const),
    );
const programs = [...filesIn("examples", ".ts").map((file) => [file, textOf(`examples/${file}`)] as const), ...ofPages];

describe("examples", () => {
    const simulator = withSimulator(demonstration, { vocabulary: "product" });

    for (const [index, [name, text]] of programs.entries()) {
        it(`${name} declares resources that the services accept`, async () => {
            const made: { type: string; inputs: Record<string, unknown> }[] = [];
            await pulumi.runtime.setMocks(
                {
                    newResource: ({ type, inputs, name: logical }) => {
                        const [, ours] = /statecraft:(?:index:)?(\w+)$/.exec(type) ?? [];
                        if (ours !== undefined) made.push({ type: ours, inputs });
                        return { id: `${logical}-id`, state: inputs };
                    },
                    call: async ({ token, inputs }) => {
                        const definition = loadFunction(token.replace("statecraft:index:", ""));
                        return definition ? invokeFunction(definition, programRuntime(), inputs) : inputs;
                    },
                },
                "examples",
                "test",
            );
            pulumi.runtime.setConfig("examples:otherToken", "any");
            const terraform = { address: simulator.url, token: canaryToken };
            pulumi.runtime.setConfig("statecraft:terraform", JSON.stringify(terraform));
            mkdirSync(join(root, ".work"), { recursive: true });
            const file = join(root, ".work", `program-${index}.ts`);
            writeFileSync(file, text);
            await pulumi.runtime.runInPulumiStack(async () => require(file));
            rmSync(file);
            await pulumi.runtime.disconnect();
            assert(made.length > 0 || text.includes("setMocks"));
            for (const { type, inputs } of made) {
                const { __provider, __statecraft, ...plain } = unsealed(inputs) as Record<string, unknown>;
                const resource = simulator.resource(type);
                assert.equal(await resource.up(plain), "created");
                assert.equal(await resource.up(plain), "same");
                // Every detachment has this warning, because Nomad refuses them all.
                assert.deepEqual(
                    resource.warnings.filter((text) => !text.includes("Unknown allocation")),
                    [],
                );
            }
        });
    }
});
