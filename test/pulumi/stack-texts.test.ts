/** The stack traces that the SDK takes while a resource is declared: those that somebody reads are as they were. */

import assert from "node:assert/strict";
import { basename } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../src";
import * as native from "../../src/native";

const here = basename(__filename);
const args = { name: "web", boundLocations: ["north"], tokenPolicies: ["web"] };

for (const [kind, { AuthRole }] of Object.entries({ dynamic, native })) {
    describe(`stack traces of a program (${kind})`, () => {
        const { prepareStackTrace, stackTraceLimit } = Error;
        let written = 0;
        let classes: string[] = [];
        const maps = (error: Error, frames: NodeJS.CallSite[]) => {
            written += 1;
            classes = frames.filter((frame) => frame.isConstructor()).map(String);
            return `${error}\n${frames.map((frame) => `    at ${frame} (mapped)`).join("\n")}`;
        };

        beforeEach(async () => {
            await pulumi.runtime.setMocks({
                newResource: ({ name, inputs }) => {
                    if (name === "refused") throw new Error("refused by the test");
                    return { id: name, state: inputs };
                },
                call: ({ inputs }) => inputs,
            });
            written = 0;
            // As in a program: mocha lifts the limit.
            Object.assign(Error, { prepareStackTrace: maps, stackTraceLimit: 10 });
        });
        afterEach(() => {
            Object.assign(Error, { prepareStackTrace, stackTraceLimit });
        });

        it("are written where the engine shows them, and not for each property", () => {
            new AuthRole("web", args);
            assert.equal(Error.prepareStackTrace, maps);
            assert(written >= 1 && written <= 2, `${written} texts`);
            // The SDK takes what stands above one class of a package for the program.
            assert.deepEqual(
                classes.filter((frame) => frame.includes("AuthRole")),
                [],
            );
        });

        it("lead to the program when its declaration is wrong", () => {
            const declare = () => new AuthRole("", args);
            assert.throws(declare, (error) => error instanceof Error && (error.stack ?? "").includes(here));
            assert.equal(Error.prepareStackTrace, maps);
        });

        it("lead to the program when the engine refuses the resource", async () => {
            const { id } = new AuthRole("refused", args);
            const failure = await new Promise<unknown>((resolve) =>
                // What follows from an output that never comes is seen by nobody else.
                (id as unknown as { promise(): Promise<string> }).promise().catch(resolve),
            );
            assert(failure instanceof Error && (failure.stack ?? "").includes(here), String(failure));
        });

        it("are written for each promise where promise leaks are looked for", () => {
            process.env["PULUMI_DEBUG_PROMISE_LEAKS"] = "true";
            try {
                new AuthRole("web", args);
            } finally {
                delete process.env["PULUMI_DEBUG_PROMISE_LEAKS"];
            }
            assert(written > 20, `${written} texts`);
        });
    });
}
