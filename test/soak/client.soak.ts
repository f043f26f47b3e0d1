import assert from "node:assert/strict";
import fc from "fast-check";
import { Operations } from "../../src/core/operations";
import { createRuntime } from "../../src/settings/runtime";
import { canaryToken } from "../support/canaries";
import { definitions } from "../support/definitions";
import { ManagedResource } from "../support/managed-resource";
import { seed } from "../support/random";
import { isNamedObject, resourceFacts } from "../support/resource-facts";
import { Simulator } from "../support/simulator";
import { counted, gauge, minutes, stopwatch } from "./gauge";

const models = resourceFacts.flatMap((facts) =>
    isNamedObject(facts) && facts.model ? [facts.model("documented")] : [],
);

describe(`A soak through one runtime (STATECRAFT_SEED=${seed})`, () => {
    it("thousands of ups and refreshes: memory and sockets stay flat", async () => {
        const simulator = await Simulator.start({
            mounts: ["clouda", "login-a0"],
            plugins: [
                { id: "disks", nodes: [] },
                { id: "files", nodes: [] },
            ],
        });
        try {
            const settings: Record<string, object> = {
                "statecraft:manager": { address: simulator.url, token: canaryToken },
                "statecraft:volumes": { address: simulator.url, token: canaryToken },
            };
            const runtime = createRuntime((key) => settings[key] && JSON.stringify(settings[key]), {
                environment: {},
                say: () => undefined,
            });
            const made = models.map((model) => {
                const definition = definitions.find(({ type }) => type === model.type);
                assert(definition);
                const life = ManagedResource.of(new Operations(definition, runtime));
                return { model, life, programs: fc.sample(model.programs, { seed, numRuns: 200 }) };
            });
            let [ups, refreshes, round] = [0, 0, 0];
            const once = async () => {
                for (const { model, life, programs } of made) {
                    const program = programs[round % programs.length];
                    assert(program);
                    const inputs = { ...program.args, ...model.naming("a0") };
                    await life.up(inputs);
                    assert.equal(await life.up(inputs), "same");
                    assert.deepEqual(await life.refresh(), []);
                    if (round % 10 === 9) await life.destroy();
                    ups += 2;
                    refreshes++;
                }
                // The simulator notes every request.
                await simulator.forget();
                round++;
            };
            while (round < 200) await once();
            const held = await gauge();
            const isTime = stopwatch();
            while (isTime()) await once();
            await held.end(
                `${counted(ups)} ups and ${counted(refreshes)} refreshes of ${models.length} resources through one runtime in ${minutes}`,
            );
        } finally {
            await simulator.close();
        }
    });
});
