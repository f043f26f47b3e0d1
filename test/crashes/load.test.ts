/** Many resources on a server that allows few requests a second, with the real engine. `npm run test:nightly` runs it. */

import assert from "node:assert/strict";
import { workspace } from "../support/pulumi-cli";
import { Simulator } from "../support/simulator";
import { settings, tokens } from "../support/stack";

const resources = 500;
const requestsPerSecond = 30;

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
            simulator.limit({ requestsPerSecond });
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
            const seconds = (from: number, to: number) => Math.round((to - from) / 1000);
            console.log(
                `${resources} roles in ${seconds(begun, ended)} s, ${seconds(first, last)} s of them from the first request to the last; ` +
                    `${served.length} requests were granted, ${requests.length - served.length} refused and repeated`,
            );
        } finally {
            stack.dispose();
            await simulator.close();
        }
    });
});
