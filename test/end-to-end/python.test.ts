/** A program in Python, with the SDK that Pulumi's generators make of the package schema. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readied, throughItsLife } from "./languages/life";

describe("a program in Python", () => {
    it("leads every resource from preview to destroy", async function () {
        const { python, path } = await readied(this, ({ pythonWithSdk }) => pythonWithSdk());
        const source = readFileSync(join(__dirname, "languages", "every-resource.py"), "utf8");
        await throughItsLife(
            { runtime: { name: "python" }, files: { "__main__.py": source } },
            { PULUMI_PYTHON_CMD: python, PYTHONPATH: path },
        );
    });
});
