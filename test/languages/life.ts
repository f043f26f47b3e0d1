/** Tests a program with every resource, in any language. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { demonstration } from "../../src/simulator/demonstration";
import { isSecret, type Program } from "../support/pulumi-cli";
import { done, onStage } from "../support/stack";

/** The variable that is the source of a secret in the programs with every resource. */
const bucketKey = { BUCKET_KEY: "planted-secret-key" };

/** The program in YAML. */
const everyResource = `name: test\nruntime: yaml\n${readFileSync(join(__dirname, "every-resource.yaml"), "utf8")}`;
const names = [...everyResource.matchAll(/^ {2}(\w+):\n {4}type: /gm)].map(([, name = ""]) => name);

/** Returns the same step for each resource of these programs. */
const each = (op: string) => Object.fromEntries(names.map((name) => [name, op]));

const scripts = () => import("../../scripts/sdk.mjs");
type Languages = Awaited<ReturnType<typeof scripts>>;

/** Returns the tools of a language. If they are missing, skips the test, and adds the reason to its title. */
export async function readied<Ready>(
    test: Mocha.Context,
    ready: (languages: Languages) => Promise<Ready>,
): Promise<Ready> {
    const languages = await scripts();
    try {
        return await ready(languages);
    } catch (error) {
        if (!(error instanceof languages.Missing)) throw error;
        // scripts/reporter.cjs prints this title.
        if (test.test) test.test.title += ` [left out: ${error.message}]`;
        return test.skip();
    }
}

/** The stack configuration of the examples, as environment variables of the SDK's mocks. */
export const configured = {
    PULUMI_CONFIG: JSON.stringify(
        Object.fromEntries(
            ["clientSecret", "firstClientSecret", "bucketKeyId", "bucketKey", "jwt"].map((name) => [
                `project:${name}`,
                "planted",
            ]),
        ),
    ),
};

/** Runs programs in Python with the SDK's mocks. */
export async function runPython(test: Mocha.Context, programs: readonly string[]): Promise<void> {
    const { python, path } = await readied(test, ({ pythonWithSdk }) => pythonWithSdk());
    const { run } = await import("../../scripts/processes.mjs");
    const env = { ...process.env, ...configured, PYTHONPATH: path };
    const result = await run(python, [join(__dirname, "run-examples.py"), ...programs], { env, limit: 60_000 });
    assert.equal(result.code, 0, result.stdout + result.stderr);
    assert.deepEqual(result.stdout.trim().split("\n"), programs);
}

/** Runs a program from preview to destroy. Asserts its writes, encrypted secrets, and the types of outputs. */
export async function throughItsLife(
    program: Program,
    environment: Readonly<Record<string, string>> = {},
): Promise<void> {
    await onStage(
        demonstration,
        program,
        async ({ simulator, stack }) => {
            assert.deepEqual(done(await stack.preview()), each("create"));
            assert.deepEqual(await simulator.writes(), []);
            assert.deepEqual(done(await stack.up()), each("create"));
            assert(!JSON.stringify(await stack.export()).includes("planted"), "secrets are encrypted in state");
            const { found, topologies, ...secrets } = await stack.outputs();
            assert.deepEqual({ found, topologies }, { found: "ws-1", topologies: [{ rack: "r1" }] });
            // An output that contains a secret is secret.
            assert.deepEqual(
                Object.entries(secrets).map(([name, value]) => [name, isSecret(value)]),
                [
                    ["secret", true],
                    ["storage", true],
                ],
            );

            await simulator.forget();
            assert.deepEqual(done(await stack.up("--refresh", "--expect-no-changes")), each("same"));
            assert.deepEqual(await simulator.writes(), []);
            assert.deepEqual(done(await stack.destroy()), each("delete"));
        },
        { ...bucketKey, ...environment },
    );
}
