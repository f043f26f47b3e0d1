import assert from "node:assert/strict";
import fc from "fast-check";
import { operationsOf } from "../../src/core/resource-operations";
import { dynamicProvider } from "../../src/pulumi/dynamic-provider";
import { createRuntime } from "../../src/runtime/runtime";
import { definitions } from "../../src/services/definitions";
import { loginConfigs } from "../properties/model-login-config";
import { roles } from "../properties/model-roles";
import { snapshots } from "../properties/model-snapshots";
import { volumes } from "../properties/model-volumes";
import { seed } from "../properties/random-runs";
import { canaryToken } from "../support/canaries";
import { ManagedResource } from "../support/managed-resource";
import { Simulator } from "../support/simulator";
import { counted, gauge, minutes, stopwatch } from "./gauge";

const subjects = [roles("documented"), snapshots("documented"), loginConfigs("documented"), volumes("documented")];

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
            const made = subjects.map((subject) => {
                const definition = definitions.find(({ type }) => type === subject.type);
                assert(definition);
                const life = new ManagedResource(
                    dynamicProvider(operationsOf(definition, runtime), () => undefined),
                    [],
                );
                return { subject, life, programs: fc.sample(subject.programs, { seed, numRuns: 200 }) };
            });
            let [ups, refreshes, round] = [0, 0, 0];
            const once = async () => {
                for (const { subject, life, programs } of made) {
                    const program = programs[round % programs.length];
                    assert(program);
                    const inputs = { ...program.args, ...subject.naming("a0") };
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
                `${counted(ups)} ups and ${counted(refreshes)} refreshes of ${subjects.length} resources through one runtime in ${minutes}`,
            );
        } finally {
            await simulator.close();
        }
    });
});
