import assert from "node:assert/strict";
import { copiesOf, programOf, seedFor } from "../crashes/fixtures";
import { onStage, type Stage } from "../support/stack";
import { counted, gauge, minutes, stopwatch } from "./gauge";

describe("a soak with the real engine", () => {
    it("memory and sockets do not grow while a stack with every resource is deployed and destroyed again and again", async () => {
        const copies = copiesOf(() => 1);
        const deployAndDestroy = async ({ simulator, stack }: Stage) => {
            const run = async (command: "up" | "refresh" | "destroy", ...options: string[]) => {
                const { code, stdout, stderr } = await stack[command](...options);
                assert.equal(code, 0, stdout + stderr);
            };
            const isTime = stopwatch();
            let rounds = 0;
            let before: Awaited<ReturnType<typeof gauge>> | undefined;
            while (isTime()) {
                stack.write(programOf(copies));
                await run("up");
                await run("up", "--expect-no-changes");
                stack.write(programOf(copies, true));
                await run("up");
                await run("refresh", "--expect-no-changes");
                await run("destroy");
                await simulator.reset();
                rounds++;
                // The first round is the warm-up.
                before ??= await gauge();
            }
            await before?.end(`${counted(rounds)} deployments with the real engine in ${minutes}`);
        };
        await onStage(seedFor(copies), "", deployAndDestroy, {}, { names: "product" });
    });
});
