/** A program in Python, with the SDK that Pulumi's generators make of the package schema. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canaryToken } from "../support/canaries";
import { Simulator } from "../support/simulator";
import { done, onStage, type Stage } from "../support/stack";
import { readied, throughItsLife } from "./languages/life";

const programOf = (file: string) => ({
    runtime: { name: "python" },
    files: { "__main__.py": readFileSync(join(__dirname, "languages", file), "utf8") },
});

describe("a program in Python", () => {
    it("leads every resource from preview to destroy", async function () {
        const { python, path } = await readied(this, ({ pythonWithSdk }) => pythonWithSdk());
        await throughItsLife(programOf("every-resource.py"), { PULUMI_PYTHON_CMD: python, PYTHONPATH: path });
    });

    it("writes dictionaries as its types say, and has a token in clear nowhere", async function () {
        const { python, path } = await readied(this, ({ pythonWithSdk }) => pythonWithSdk());
        const other = await Simulator.start({});
        const environment = { PULUMI_PYTHON_CMD: python, PYTHONPATH: path, OTHER: other.url, TOKEN: canaryToken };
        const test = async ({ stack }: Stage) => {
            assert.deepEqual(done(await stack.up()), { role: "create", hourly: "create" });
            const [sent] = await other.writes();
            assert.equal(sent?.headers["x_team"], "b");
            assert(!JSON.stringify(await stack.export()).includes(canaryToken));
            const output = await stack.pulumi("stack", "output", "policies");
            assert.deepEqual(JSON.parse(output.stdout), ["web"]);
            assert.deepEqual(done(await stack.up("--expect-no-changes")), { role: "same", hourly: "same" });
        };
        await onStage({}, programOf("dictionaries.py"), test, environment).finally(() => other.close());
    });
});
