/** Programs in Python with the generated SDK. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canaryToken } from "../support/canaries";
import { Simulator } from "../support/simulator";
import { done, onStage, type Stage } from "../support/stack";
import { temporaryFolder } from "../support/temporary-folder";
import { readied, runPython, throughItsLife } from "./life";

const programOf = (file: string) => ({
    runtime: { name: "python" },
    files: { "__main__.py": readFileSync(join(__dirname, file), "utf8") },
});

/** A wrapper of Python that caches `pip list`, because Pulumi calls it before each command, and it takes longer than the program. */
const pythonThatLists = (python: string, list: string) => `#!/bin/sh
case "$*" in "-m pip list "*) [ -s '${list}' ] || '${python}' "$@" > '${list}'; cat '${list}';; *) exec '${python}' "$@";; esac
`;

describe("a program in Python", () => {
    let folder: string;
    before(() => {
        folder = temporaryFolder();
    });
    const environmentIn = async (test: Mocha.Context) => {
        const { python, path } = await readied(test, ({ pythonWithSdk }) => pythonWithSdk());
        const command = join(folder, "python");
        writeFileSync(command, pythonThatLists(python, join(folder, "packages.json")), { mode: 0o755 });
        return { PULUMI_PYTHON_CMD: command, PYTHONPATH: path };
    };

    it("creates every resource, finds no change, and deletes it", async function () {
        await throughItsLife(programOf("every-resource.py"), await environmentIn(this));
    });

    it("of each example runs with mocks", async function () {
        const examples = join(__dirname, "..", "..", "examples", "python");
        await runPython(
            this,
            readdirSync(examples).map((file) => join(examples, file)),
        );
    });

    it("accepts dictionaries with the keys of its types, and encrypts tokens", async function () {
        const python = await environmentIn(this);
        const other = await Simulator.start({}, "documented");
        const environment = { ...python, OTHER: other.url, TOKEN: canaryToken };
        const test = async ({ stack }: Stage) => {
            assert.deepEqual(done(await stack.up()), { role: "create", hourly: "create" });
            const [sent] = await other.writes();
            assert.equal(sent?.headers["x_team"], "b");
            assert(!JSON.stringify(await stack.export()).includes(canaryToken));
            assert.deepEqual(await stack.outputs(), { policies: ["web"] });
            assert.deepEqual(done(await stack.up("--expect-no-changes")), { role: "same", hourly: "same" });
        };
        await onStage({}, programOf("dictionaries.py"), test, environment).finally(() => other.close());
    });
});
