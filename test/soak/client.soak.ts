import assert from "node:assert/strict";
import { Operations } from "../../src/core/operations";
import { createRuntime } from "../../src/runtime/runtime";
import { copiesOf, seedFor } from "../crashes/fixtures";
import { canaryToken } from "../support/canaries";
import { definitions } from "../support/definitions";
import { ManagedResource } from "../support/managed-resource";
import { Simulator } from "../support/simulator";
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
            const runtime = createRuntime((key) => settings[key] && JSON.stringify(settings[key]), {
                environment: {},
                say: () => undefined,
            });
            const resources = copies.map(({ type, ...copy }) => {
                const definition = definitions.find((each) => each.type === type);
                assert(definition);
                return { ...copy, resource: ManagedResource.of(new Operations(definition, runtime)) };
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
});
