import assert from "node:assert/strict";
import fc from "fast-check";
import { operationsOf } from "../../src/core/resource-operations";
import { dynamicProvider } from "../../src/pulumi/dynamic-provider";
import { createRuntime } from "../../src/runtime/runtime";
import { definitions } from "../../src/services/definitions";
import { seed } from "../lives/lives";
import { loginConfigs } from "../lives/model-login-config";
import { roles } from "../lives/model-roles";
import { snapshots } from "../lives/model-snapshots";
import { volumes } from "../lives/model-volumes";
import { Life } from "../support/life";
import { plantedToken, World } from "../support/world";
import { counted, gauge, minutes, stopwatch } from "./gauge";

const subjects = [roles("documented"), snapshots("documented"), loginConfigs("documented"), volumes("documented")];

describe(`A soak through one runtime (STATECRAFT_SEED=${seed})`, () => {
    it("thousands of ups and refreshes: memory and sockets stay flat", async () => {
        const world = await World.start({
            mounts: ["clouda", "login-a0"],
            plugins: [
                { id: "disks", nodes: [] },
                { id: "files", nodes: [] },
            ],
        });
        try {
            const settings: Record<string, object> = {
                "statecraft:manager": { address: world.url, token: plantedToken },
                "statecraft:volumes": { address: world.url, token: plantedToken },
            };
            const runtime = createRuntime(
                (key) => settings[key] && JSON.stringify(settings[key]),
                {},
                () => undefined,
            );
            const made = subjects.map((subject) => {
                const definition = definitions.find(({ type }) => type === subject.type);
                assert(definition);
                const life = new Life(
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
                await world.forget();
                round++;
            };
            while (round < 200) await once();
            const held = await gauge();
            const isTime = stopwatch();
            while (isTime()) await once();
            await held.end(
                "soak-host",
                `${counted(ups)} ups and ${counted(refreshes)} refreshes of ${subjects.length} resources through one runtime in ${minutes}`,
            );
        } finally {
            await world.close();
        }
    });
});
