/** Many resources on a server that allows few requests a second, with the real engine: in `npm run test:faults` only. */

import assert from "node:assert/strict";
import { writeReport } from "../faults/report";
import { markdown } from "../faults/table";
import { workspace } from "../support/pulumi-cli";
import { Simulator } from "../support/simulator";
import { settings, tokens } from "../support/stack";

const resources = 500;
const requestsPerSecond = 30;

if (process.env.STATECRAFT_FAULTS === "all") {
    describe("load on the real engine", function () {
        this.timeout(600_000);

        it(`${resources} resources in one up on a server that allows ${requestsPerSecond} requests a second: none fails`, async () => {
            // The limit refuses before the hooks: what comes there was granted.
            const moments: number[] = [];
            const note = () => {
                moments.push(performance.now());
            };
            const simulator = await Simulator.start({}, "documented", { before: note, after: note });
            const source = `
                const { AuthRole } = require("pulumi-statecraft");
                for (let number = 0; number < ${resources}; number++)
                    new AuthRole("role-" + number, { name: "role-" + number, boundLocations: ["north"] });`;
            const stack = await workspace({
                program: { source },
                config: settings(simulator),
                environment: tokens,
                limit: 500_000,
            });
            try {
                await simulator.control("PUT", "/simulator/rate-limit", { requestsPerSecond });
                const begun = performance.now();
                // As an engine on a large machine does it, which is what meets the limit hardest.
                const up = await stack.up("--parallel", String(resources));
                const ended = performance.now();
                assert.equal(up.code, 0, up.stdout.slice(-4000) + up.stderr);
                assert.equal(up.steps.filter(({ op }) => op === "create").length, resources);
                const requests = await simulator.requests();
                const served = requests.filter(({ status }) => status !== 429);
                assert.equal(served.length, 3 * resources, "each is looked at, written and read back, once");
                const writes = served.filter(({ method }) => method === "POST").map(({ path }) => path);
                assert.equal(writes.length, resources);
                assert.equal(new Set(writes).size, resources, "each is written once");

                const [first = begun, last = ended] = [moments[0], moments.at(-1)];
                const row = (part: string, from: number, to: number, requests = 0) => {
                    const seconds = (to - from) / 1000;
                    const rate = requests === 0 ? 0 : (requests / seconds).toFixed(1);
                    return [part, Math.round(seconds), requests, rate];
                };
                const table = markdown(
                    ["part of the run", "seconds", "requests granted", "a second"],
                    [
                        row("the engine, before the first request", begun, first),
                        row("from the first request to the last", first, last, served.length),
                        row("the engine, after the last request", last, ended),
                        row("all of it", begun, ended, served.length),
                    ],
                );
                const refused = requests.length - served.length;
                const report = `${resources} roles in one \`up\`, all at once, on a server that grants ${requestsPerSecond} requests a second: none failed, each was written once, and ${refused} requests were refused and repeated.\n\n${table}`;
                console.log(report);
                writeReport("load", report);
            } finally {
                stack.dispose();
                await simulator.close();
            }
        });
    });
}
