/** Where a program may stand: everywhere the provider's text in state must find its code again. Inline programs: `tasks.test.ts`. */

import { mkdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { livesIn, onStage, roleProgram, type Stage } from "../support/stack";

describe("programs in every place", () => {
    it("in plain JavaScript, in a subfolder of the project", async () => {
        const test = async (stage: Stage) => {
            const { folder } = stage.stack;
            const sub = join(folder, "deploy", "programs");
            mkdirSync(sub, { recursive: true });
            writeFileSync(join(sub, "index.js"), roleProgram);
            unlinkSync(join(folder, "index.js"));
            const runtime = { name: "nodejs", options: { typescript: false } };
            writeFileSync(
                join(folder, "Pulumi.yaml"),
                JSON.stringify({ name: "test", runtime, main: "deploy/programs" }),
            );
            await livesIn(stage);
        };
        await onStage({}, roleProgram, test, {}, { asUsersRun: true });
    });
});
