/** Many resources on a server that allows few requests a second, with the real engine: in `npm run test:faults` only. */

import assert from "node:assert/strict";
import { workspace } from "../support/pulumi-cli";
import { settings, tokens } from "../support/stack";
import { World } from "../support/world";

const resources = 500;
const requestsPerSecond = 30;

if (process.env.STATECRAFT_FAULTS === "all") {
    describe("load on the real engine", function () {
        this.timeout(600_000);

        it(`${resources} resources in one up on a server that allows ${requestsPerSecond} requests a second: none fails`, async () => {
            const world = await World.start({});
            const source = `
                const { AuthRole } = require("pulumi-statecraft");
                for (let number = 0; number < ${resources}; number++)
                    new AuthRole("role-" + number, { name: "role-" + number, boundLocations: ["north"] });`;
            const stack = await workspace({
                program: { source },
                config: settings(world),
                environment: tokens,
                limit: 500_000,
            });
            try {
                await world.control("PUT", "/simulator/rate-limit", { requestsPerSecond });
                const begun = performance.now();
                // As an engine on a large machine does it, which is what meets the limit hardest.
                const up = await stack.up("--parallel", String(resources));
                const seconds = (performance.now() - begun) / 1000;
                assert.equal(up.code, 0, up.stdout.slice(-4000) + up.stderr);
                assert.equal(up.steps.filter(({ op }) => op === "create").length, resources);
                const requests = await world.requests();
                const served = requests.filter(({ status }) => status !== 429).length;
                assert.equal(served, 3 * resources, "each is looked at, written and read back, once");
                const rate = `${(served / seconds).toFixed(1)} of ${requestsPerSecond} requests/s`;
                console.log(`    ${Math.round(seconds)} s, ${rate}, ${requests.length - served} refused`);
            } finally {
                stack.dispose();
                await world.close();
            }
        });
    });
}
