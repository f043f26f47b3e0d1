/** Runs the examples in YAML on the real engine and a simulator with the products' names, from preview to destroy, and checks that those in TypeScript declare the same resources. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "@swc/core";
import { kebabCase, programTexts } from "../../scripts/program-texts";
import { demonstration } from "../../src/simulator/demonstration";
import { definitions, functions } from "../support/definitions";
import { exampleJwt, exampleSeed } from "../support/example-seed";
import { isSecret } from "../support/pulumi-cli";
import { done, onStage, type Stage } from "../support/stack";

/** An example in two languages. */
interface Example {
    readonly name: string;
    readonly yaml: string;
    readonly typescript: string;
}

function exampleOf(definition: Parameters<typeof programTexts>[0]): Example {
    const texts = programTexts(definition, "pulumi-statecraft/native");
    const textIn = (wanted: string) => texts.find(({ tag }) => tag === wanted)?.text ?? "";
    const name = "type" in definition ? kebabCase(definition.type) : definition.name;
    return { name, yaml: `${textIn("yaml")}\n`, typescript: textIn("ts") };
}

/** Groups examples that one program can contain: no two examples of a group have a name or a workspace in common. */
function groupsOf(all: readonly Example[]): Example[][] {
    const claims = ({ yaml }: Example): readonly string[] => yaml.match(/^ {2}\w+:$|^ +workspaceId: .*$/gm) ?? [];
    const groups: Example[][] = [];
    for (const example of all) {
        const isFree = (group: Example[]) => !group.flatMap(claims).some((claim) => claims(example).includes(claim));
        const group = groups.find(isFree);
        if (group) group.push(example);
        else groups.push([example]);
    }
    return groups;
}

function writeYaml({ stack }: Stage, group: readonly Example[]): void {
    const sections: Record<string, string> = {};
    for (const { yaml } of group) {
        for (const [, section = "", body = ""] of yaml.matchAll(/^(\w+):\n((?: .*\n)+)/gm)) {
            sections[section] = (sections[section] ?? "") + body;
        }
    }
    const texts = Object.entries(sections).map(([section, body]) => `${section}:\n${body}`);
    writeFileSync(join(stack.folder, "Pulumi.yaml"), `name: ${stack.project}\nruntime: yaml\n${texts.join("")}`);
}

/** Writes one TypeScript program of several examples, with all their exports. */
function writeTypeScript({ stack }: Stage, group: readonly Example[]): void {
    for (const { name, typescript } of group) {
        const { code } = transformSync(typescript, {
            jsc: { parser: { syntax: "typescript" }, target: "es2022" },
            module: { type: "commonjs" },
        });
        writeFileSync(join(stack.folder, `${name}.js`), code);
    }
    stack.write(group.map(({ name }) => `exports["${name}"] = require("./${name}");`).join("\n"));
    writeFileSync(join(stack.folder, "Pulumi.yaml"), `name: ${stack.project}\nruntime: nodejs\n`);
}

const secrets = ["clientSecret", "firstClientSecret", "bucketKeyId", "bucketKey"];

async function setSecrets({ stack }: Stage, ...values: readonly string[]): Promise<void> {
    const set = await stack.pulumi("config", "set-all", ...values.flatMap((value) => ["--secret", value]));
    assert.equal(set.code, 0, set.stderr);
}

describe("the examples in YAML", () => {
    for (const [index, group] of groupsOf(definitions.map(exampleOf)).entries()) {
        it(`of resources run, show no change in TypeScript, and are imported and destroyed (${index + 1})`, async () => {
            const test = async (stage: Stage) => {
                const { stack } = stage;
                await setSecrets(stage, ...secrets.map((name) => `${name}=planted`));
                writeYaml(stage, group);
                // A preview that wrote a named object would make its creation fail.
                const steps = done(await stack.up("--skip-preview=false"));
                const all = (op: string) => Object.fromEntries(Object.keys(steps).map((name) => [name, op]));
                assert(Object.keys(steps).length >= group.length);
                assert.deepEqual(steps, all("create"));
                const resources = (await stack.resources()).map(({ type, urn, id }) => {
                    // The content of this version is deleted, so another one is imported.
                    return { type, name: urn.split("::").at(-1), id: /BackingData/.test(type) ? "sv-2" : id };
                });
                writeTypeScript(stage, group);
                done(await stack.preview("--expect-no-changes"));
                writeYaml(stage, group);
                writeFileSync(join(stack.folder, "import.json"), JSON.stringify({ resources }));
                assert.equal((await stack.pulumi("state", "delete", "--all", "--force", "--yes")).code, 0);
                assert.deepEqual(done(await stack.import("--file", "import.json", "--out", "none")), all("import"));
                assert.deepEqual(done(await stack.destroy()), all("delete"));
            };
            await onStage(demonstration, { yaml: {} }, test, {}, { names: "product" });
        });
    }

    it("of functions run, and return the same in TypeScript", async () => {
        const group = functions.map(exampleOf);
        const test = async (stage: Stage) => {
            const named = group.map((one) => ({ ...one, yaml: one.yaml.replace("  found:", `  ${one.name}:`) }));
            await setSecrets(stage, `jwt=${exampleJwt}`);
            writeYaml(stage, named);
            done(await stage.stack.up());
            const found = await stage.stack.outputs();
            writeTypeScript(stage, group);
            done(await stage.stack.up());
            const results = await stage.stack.outputs();
            assert.deepEqual(Object.keys(found).sort(), group.map(({ name }) => name).sort());
            for (const { name, yaml } of group) {
                const [, property = ""] = /\$\{\w+\.(\w+)\}/.exec(yaml) ?? [];
                const whole = results[name];
                // In YAML, a result that contains a secret is secret as a whole.
                if (isSecret(found[name])) continue;
                assert(typeof whole === "object" && whole !== null && "found" in whole);
                assert.deepEqual(found[name], Object(whole.found)[property], name);
            }
        };
        await onStage(exampleSeed, { yaml: {} }, test, {}, { names: "product" });
    });
});
