import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Operations } from "../../src/core/operations";
import { ProcessRuntime } from "../../src/runtime/runtime";
import { copiesOf, seedFor } from "../crashes/fixtures";
import { canaryToken } from "../support/canaries";
import { definitionOf } from "../support/definitions";
import { ManagedResource } from "../support/managed-resource";
import { Simulator } from "../support/simulator";
import { stateOf } from "../support/workspaces";
import { counted, gauge, minutes, stopwatch } from "./gauge";

describe("a soak without the engine", () => {
    it("memory and sockets do not grow while one runtime deploys every resource again and again", async () => {
        const copies = copiesOf(() => 1);
        const simulator = await Simulator.start(seedFor(copies));
        try {
            const service = { address: simulator.url, token: canaryToken };
            const settings: Record<string, object> = {
                "statecraft:vault": service,
                "statecraft:nomad": service,
                "statecraft:terraform": service,
            };
            const runtime = new ProcessRuntime((key) => settings[key] && JSON.stringify(settings[key]), {
                environment: {},
                say: () => undefined,
            });
            const resources = copies.map(({ type, ...copy }) => {
                return { ...copy, resource: ManagedResource.of(new Operations(definitionOf(type), runtime)) };
            });
            let rounds = 0;
            const once = async () => {
                for (const { inputs, edited, resource } of resources) {
                    await resource.up(inputs);
                    await resource.refresh();
                    await resource.up(edited);
                    await resource.destroy();
                }
                // A reset also empties the simulator's log of requests.
                await simulator.reset();
                rounds++;
            };
            while (rounds < 200) await once();
            const before = await gauge();
            const isTime = stopwatch();
            while (isTime()) await once();
            await before.end(`${counted(rounds)} times ${copies.length} resources through one runtime in ${minutes}`);
        } finally {
            await simulator.close();
        }
    });

    it("two states of 100 MB are compared within 1 GiB of memory", async () => {
        const [server] = stateOf(1, "a").resources;
        const resources = Array(Math.round(100e6 / JSON.stringify(server).length)).fill(server);
        const stateVersions = [1, 2].map((serial) => ({ id: `sv-${serial}`, state: stateOf(serial) }));
        const workspaces = [{ id: "ws-1", name: "big", organization: "example", stateVersions }];
        const simulator = await Simulator.start({ workspaces });
        try {
            for (const serial of [2, 1]) {
                const body = JSON.stringify({ ...stateOf(serial), resources });
                await simulator.fault({ method: "GET", path: "/object/", body });
            }
            const program = `
                const { connect } = require("./src/client");
                const terraform = { address: process.argv[1], token: "any" };
                connect({ terraform, environment: {} })
                    .stateVersionRollback.create({ workspaceId: "ws-1", stateVersionId: "sv-1" })
                    .then(() => console.log(process.resourceUsage().maxRSS));`;
            const options = ["--require", "./scripts/ts-node.cjs", "--eval", program, `${simulator.url}/api/v2`];
            const { stdout } = await promisify(execFile)(process.execPath, options);
            assert.deepEqual(await simulator.writes(), []);
            console.log(`Two states of 100 MB: ${Math.round(Number(stdout) / 1024)} MiB`);
            assert(Number(stdout) < 1024 ** 2);
        } finally {
            await simulator.close();
        }
    });
});
