import assert from "node:assert/strict";
import fc from "fast-check";
import type { Program } from "../properties/random-programs";
import type { Outcome, Workspace as Stack } from "../support/pulumi-cli";
import { seed } from "../support/random";
import { isNamedObject, resourceFacts } from "../support/resource-facts";
import type { Simulator } from "../support/simulator";
import { isReadable, onStage } from "../support/stack";
import { counted, gauge, minutes, stopwatch } from "./gauge";
import { contentOf, Workspace } from "./model-workspace";

const models = resourceFacts.flatMap((facts) =>
    isNamedObject(facts) && facts.model ? [facts.model("documented")] : [],
);
const seedOfWorld = {
    mounts: ["clouda", "login-a0", "login-b0"],
    plugins: ["disks", "files"].map((id) => ({ id, nodes: ["node-1"] })),
};

/** What one deployment declares: each resource, or not, under one of two names; and a version to roll back to. */
const deployments = fc.record({
    objects: fc.tuple(
        ...models.map(({ programs }) =>
            fc.record({ program: programs, at: fc.constantFrom("a0", "b0"), isThere: fc.nat(4) }),
        ),
    ),
    version: fc.nat(2),
    meddles: fc.nat(models.length - 1),
    gone: fc.nat(models.length - 1),
    destroys: fc.nat(3),
});
type Deployment = typeof deployments extends fc.Arbitrary<infer Value> ? Value : never;

const isDeclared = ({ isThere }: { readonly isThere: number }) => isThere > 0;

function source({ objects, version }: Deployment, workspace: Workspace): string {
    const declared = objects.flatMap((object, index) => {
        const model = models[index];
        if (model === undefined || !isDeclared(object)) return [];
        const args = { ...object.program.args, ...model.naming(object.at) };
        return `new s.${model.type}("${model.type}", ${JSON.stringify(args)});`;
    });
    const undo = { workspaceId: workspace.id, stateVersionId: workspace.version(version), lock: true };
    return [
        `const s = require("pulumi-statecraft");`,
        ...declared,
        `new s.StateVersionRollback("undo", ${JSON.stringify(undo)});`,
    ].join("\n");
}

const done = (outcome: Outcome) => {
    isReadable(outcome);
    assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr);
};

/** The service holds what is declared, under the one name and not under the other. */
async function agrees(simulator: Simulator, { objects }: Deployment): Promise<void> {
    for (const [index, object] of objects.entries()) {
        for (const at of ["a0", "b0"]) {
            const means = isDeclared(object) && object.at === at ? object.program.means : undefined;
            assert.deepEqual(await models[index]?.look(simulator, at), means, `${models[index]?.type} ${at}`);
        }
    }
}

async function isSealed(stack: Stack, programs: readonly Program[]): Promise<void> {
    const exported = JSON.stringify(await stack.export());
    for (const secret of programs.flatMap(({ secrets }) => secrets)) {
        assert(!exported.includes(JSON.stringify(secret).slice(1, -1)), "a secret stands in the state in clear");
    }
}

describe(`A soak with the real engine (STATECRAFT_SEED=${seed})`, () => {
    it("random programs, edits, meddling, refreshes and destroys: server and program agree, and memory and sockets stay flat", async () => {
        await onStage({}, "", async ({ simulator, stack }) => {
            const workspace = await Workspace.begin(simulator, 0, [1, 2, 3]);
            await simulator.control("POST", "/simulator/seed", seedOfWorld);
            assert.deepEqual(await workspace.raw(workspace.version(0)), contentOf(1, 1));
            const isTime = stopwatch();
            let [runs, deployed] = [0, 0];
            let held: Awaited<ReturnType<typeof gauge>> | undefined;
            const command = async (outcome: Promise<Outcome>) => {
                done(await outcome);
                runs++;
            };
            const all = fc.sample(deployments, { seed, numRuns: 10_000 });
            for (const [index, deployment] of all.entries()) {
                if (!isTime()) break;
                stack.write(source(deployment, workspace));
                await command(stack.up());
                await agrees(simulator, deployment);
                await isSealed(
                    stack,
                    deployment.objects.map(({ program }) => program),
                );
                await command(stack.up("--expect-no-changes"));
                await command(stack.refresh("--expect-no-changes"));
                // Others change one object and delete another; a refresh sees it, and the next up repairs it.
                const [meddled, gone] = [deployment.objects[deployment.meddles], deployment.objects[deployment.gone]];
                const other = all[index + 1]?.objects[deployment.meddles]?.program;
                const model = models[deployment.meddles];
                if (model && meddled && other && isDeclared(meddled)) {
                    // What no read tells, such as a secret that may have been rotated, nobody would see changed.
                    const kept = (model.unread ?? []).map((name) => [name, meddled.program.means[name]]);
                    const means = { ...other.means, ...Object.fromEntries(kept) };
                    await model.write(simulator, meddled.at, { ...other, means });
                }
                if (gone && isDeclared(gone)) await models[deployment.gone]?.remove(simulator, gone.at);
                await command(stack.refresh());
                await command(stack.up());
                await agrees(simulator, deployment);
                await command(stack.up("--expect-no-changes"));
                assert.equal(await workspace.lockReason(), undefined);
                if (deployment.destroys === 0) {
                    await command(stack.destroy());
                    const objects = deployment.objects.map((object) => ({ ...object, isThere: 0 }));
                    await agrees(simulator, { ...deployment, objects } as Deployment);
                }
                await simulator.forget();
                deployed++;
                // The first round loads everything.
                held ??= await gauge();
            }
            await held?.end(
                `${counted(deployed)} random programs in ${counted(runs)} runs of the real engine in ${minutes}, and the process of their simulator`,
            );
        });
    });
});
