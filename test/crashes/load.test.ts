/** The real engine creates many resources on a server with a rate limit. Part of `npm run test:nightly`. */

import assert from "node:assert/strict";
import { workspace } from "../support/pulumi-cli";
import { Simulator } from "../support/simulator";
import { productVariables } from "../support/stack";

const resources = 500;
const requestsPerSecond = 30;

describe("load on the real engine", function () {
    this.timeout(600_000);

    it(`one \`up\` creates ${resources} resources on a server with a limit of ${requestsPerSecond} requests a second`, async () => {
        const source = `
            const { AuthRole } = require("pulumi-statecraft");
            for (let number = 0; number < ${resources}; number++)
                new AuthRole("role-" + number, { name: "role-" + number, boundLocations: ["north"] });`;
        const simulator = await Simulator.start({});
        const environment = productVariables(simulator);
        const stack = await workspace({ program: { source }, environment, limit: 500_000 });
        try {
            let [second, count] = [0, 0];
            simulator.answerWith((_, act) => {
                const now = Date.now() / 1000;
                if (Math.floor(now) !== second) [second, count] = [Math.floor(now), 0];
                count += 1;
                if (count <= requestsPerSecond) return act();
                const headers = { "x-ratelimit-reset": (second + 1 - now).toFixed(3) };
                return { status: 429, headers, body: Buffer.from("rate limit exceeded") };
            });
            const begun = performance.now();
            const up = await stack.up("--parallel", String(resources));
            const seconds = Math.round((performance.now() - begun) / 1000);
            assert.equal(up.code, 0, up.stdout.slice(-4000) + up.stderr);
            const requests = await simulator.requests();
            const served = requests.filter(({ status }) => status !== 429);
            assert.equal(served.length, 3 * resources, "each is looked at, written and read back, once");
            const writes = served.filter(({ method }) => method === "POST").map(({ path }) => path);
            assert.deepEqual([writes.length, new Set(writes).size], [resources, resources]);
            console.log(`${resources} roles in ${seconds} s; ${requests.length - served.length} requests were refused`);
        } finally {
            stack.dispose();
            await simulator.close();
        }
    });
});
