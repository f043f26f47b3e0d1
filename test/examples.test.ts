/** Runs every program of `examples` and of the pages with the SDK's mocks, and deploys the declared resources to a simulator with the products' names. */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { programTexts } from "../scripts/program-texts";
import { invokeFunction } from "../src/core/functions";
import { loadFunction } from "../src/generated/registry";
import { programRuntime } from "../src/runtime/program-runtime";
import { demonstration } from "../src/simulator/demonstration";
import { canaryToken } from "./support/canaries";
import { functions } from "./support/definitions";
import { exampleJwt, exampleSeed } from "./support/example-seed";
import { unsealed } from "./support/managed-resource";
import { root, textOf } from "./support/repository";
import { type Simulator, withSimulator } from "./support/simulator";

const filesIn = (folder: string, ending: string) =>
    readdirSync(join(root, folder)).filter((file) => file.endsWith(ending) && file !== "index.ts");

/** The programs of pages, each with its page as the name. `tasks.test.ts` and `client.test.ts` run those of tasks and of the client. */
const ofPages = filesIn("docs", ".md")
    .filter((page) => page !== "client.md")
    .flatMap((page) =>
        [...textOf(`docs/${page}`).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => [page, text] as const),
    );
const programs = [...filesIn("examples", ".ts").map((file) => [file, textOf(`examples/${file}`)] as const), ...ofPages];

/** Runs a program with the SDK's mocks, whose functions ask a simulator. Returns the declared resources. */
async function resourcesOf(text: string, { url }: Simulator) {
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
    const settings = JSON.stringify({ address: url, token: canaryToken });
    const config = { "examples:otherToken": "any", "examples:jwt": exampleJwt };
    const services = ["vault", "nomad", "terraform"].map((name) => [`statecraft:${name}`, settings]);
    pulumi.runtime.setAllConfig({ ...config, ...Object.fromEntries(services) });
    mkdirSync(join(root, ".work"), { recursive: true });
    const file = join(root, ".work", "program.ts");
    delete require.cache[file];
    writeFileSync(file, text);
    await pulumi.runtime.runInPulumiStack(async () => require(file));
    rmSync(file);
    await pulumi.runtime.disconnect();
    return made;
}

describe("the examples of functions", () => {
    const simulator = withSimulator(exampleSeed);
    after(() => pulumi.runtime.setAllConfig({}));

    for (const definition of functions) {
        it(`that of ${definition.name} finds an object of test/support/example-seed.ts`, async () => {
            const [{ text } = assert.fail()] = programTexts(definition);
            assert.deepEqual(await resourcesOf(text, simulator), []);
        });
    }
});

describe("examples", () => {
    const simulator = withSimulator(demonstration);
    after(() => pulumi.runtime.setAllConfig({}));

    for (const [name, text] of programs) {
        it(`${name} declares resources that the services accept`, async () => {
            const made = await resourcesOf(text, simulator);
            assert(made.length > 0 || text.includes("setMocks"));
            for (const { type, inputs } of made) {
                const { __provider, __statecraft, ...plain } = unsealed(inputs) as Record<string, unknown>;
                const environment = { AZURE_CLIENT_SECRET: "that of docs/ci.md" };
                const resource = await simulator.resource(type, { environment }).deployed(plain);
                assert.equal(await resource.up(plain), "same");
                // Every detachment has this warning, because Nomad refuses them all.
                const wrong = resource.warnings.filter((text) => !text.includes("Unknown allocation"));
                assert.deepEqual(wrong, []);
            }
        });
    }
});
