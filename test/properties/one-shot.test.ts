import assert from "node:assert/strict";
import fc from "fast-check";
import { assertReadable } from "../support/messages";
import { clouda } from "../support/product-words";
import { withSimulator } from "../support/simulator";
import { failureOf, faults, underFaults } from "./random-faults";
import { counts, itHoldsAtRandom, mostSteps } from "./random-runs";

const triggers = fc.constantFrom<unknown[]>([], [1], ["two", { three: 3 }]);
const faulty = (method: string) => fc.option(faults(method), { nil: undefined, freq: 2 });

for (const vocabulary of ["documented", "product"] as const) {
    describe(`One-shot resources (${vocabulary}): random runs`, () => {
        const mount = vocabulary === "product" ? clouda : "clouda";
        const simulator = withSimulator(
            { mounts: [mount], plugins: [{ id: "disks", nodes: ["node-1"] }] },
            { vocabulary },
        );

        // One that is refused for the rate is not done, and sent again.
        const rotations = async () =>
            (await simulator.writes()).filter(({ path, status }) => path.endsWith("/rotate-root") && status !== 429)
                .length;

        itHoldsAtRandom(
            "RootRotation: one rotation for each change of its triggers, never two for one request",
            counts.RootRotation / 2,
            fc.array(
                fc.record({
                    triggers,
                    faults: faulty("POST"),
                    isConfigured: fc.constantFrom(true, true, true, false),
                    refreshes: fc.boolean(),
                    destroys: fc.nat(3),
                }),
                { minLength: 1, maxLength: mostSteps(2), size: "max" },
            ),
            async (steps) => {
                const path = `/v1/auth/${mount}/config`;
                const resource = simulator.resource("RootRotation");
                let former: unknown;
                for (const step of steps) {
                    if (step.isConfigured)
                        await simulator.outside("POST", path, {
                            tenant_id: "t",
                            resource: "r",
                            client_secret: "first",
                        });
                    else await simulator.outside("DELETE", path);
                    await simulator.forget();
                    const inputs = { triggers: step.triggers };
                    // One that may have been made or not is made again.
                    const isOpen = resource.state === undefined || resource.state.outputs["unfinished"] !== undefined;
                    const isDue = isOpen || JSON.stringify(step.triggers) !== former;
                    if (step.faults)
                        await underFaults(simulator, resource, "RootRotation", step.faults, () => resource.up(inputs));
                    const sent = await rotations();
                    assert(sent <= 1, "no request is sent twice");
                    if (!isDue) assert.equal(sent, 0);
                    const wrong = await failureOf(resource.up(inputs));
                    if (isDue && !step.isConfigured) {
                        assert(wrong !== undefined);
                        assertReadable(wrong, "RootRotation");
                        assert.match(wrong.message, /has no configuration yet/);
                        continue;
                    }
                    if (wrong !== undefined) throw wrong;
                    former = JSON.stringify(step.triggers);
                    if (!step.faults) assert.equal(await rotations(), isDue ? 1 : 0);
                    assert.equal(await resource.up(inputs), "same");
                    if (step.refreshes) assert.deepEqual(await resource.refresh(), []);
                    if (step.destroys === 0) await resource.destroy();
                }
            },
        );

        itHoldsAtRandom(
            "CsiVolumeDetachment: a node lets go of what nobody uses there, and of nothing else",
            counts.CsiVolumeDetachment / 2,
            fc.array(
                fc.record({
                    triggers,
                    faults: faulty("DELETE"),
                    claims: fc.array(
                        fc.record({
                            node: fc.constantFrom("node-1", "node-2"),
                            status: fc.constantFrom("running", "complete", "failed"),
                        }),
                        { maxLength: 2 },
                    ),
                    isGone: fc.nat(5),
                }),
                { minLength: 1, maxLength: mostSteps(2), size: "max" },
            ),
            async (steps, number) => {
                const id = `vol-${number}`;
                const path = `/v1/volume/csi/${id}`;
                const modes = [{ AccessMode: "single-node-writer", AttachmentMode: "file-system" }];
                const volume = {
                    ID: id,
                    PluginID: "disks",
                    ...(vocabulary === "product" && { RequestedCapabilities: modes }),
                };
                const resource = simulator.resource("CsiVolumeDetachment");
                const nodes = async () => {
                    const read = (await simulator.outside("GET", path)) as
                        | { Allocations: { NodeID: string }[] }
                        | undefined;
                    return read?.Allocations.map(({ NodeID }) => NodeID).sort();
                };
                let former: unknown;
                let held: readonly string[] = [];
                for (const step of steps) {
                    for (const allocation of held) await simulator.control("DELETE", `/simulator/claims/${allocation}`);
                    await simulator.outside("DELETE", path).catch(() => undefined);
                    held = step.claims.map((_, index) => `alloc-${number}-${index}`);
                    if (step.isGone > 0) {
                        await simulator.outside("PUT", path, { Volumes: [volume] });
                        for (const [index, claim] of step.claims.entries())
                            await simulator.control("POST", "/simulator/claims", {
                                volume: id,
                                allocation: held[index],
                                ...claim,
                            });
                    }
                    const before = await nodes();
                    const inputs = { volumeId: id, node: "node-1", triggers: step.triggers };
                    const isDue = resource.state === undefined || JSON.stringify(step.triggers) !== former;
                    if (step.faults)
                        await underFaults(simulator, resource, "CsiVolumeDetachment", step.faults, () =>
                            resource.up(inputs),
                        );
                    const wrong = await failureOf(resource.up(inputs));
                    const isRunning = step.claims.some(({ node, status }) => node === "node-1" && status === "running");
                    if (isDue && (before === undefined || isRunning)) {
                        assert(wrong !== undefined);
                        assertReadable(wrong, "CsiVolumeDetachment");
                        assert.match(
                            wrong.message,
                            before === undefined ? /does not exist/ : /is in use by allocation/,
                        );
                        assert.deepEqual(await nodes(), before, "nothing was let go of");
                        continue;
                    }
                    if (wrong !== undefined) throw wrong;
                    former = JSON.stringify(step.triggers);
                    // Real servers let go by themselves, after the job has stopped.
                    const lets = isDue && vocabulary === "documented";
                    assert.deepEqual(await nodes(), lets ? before?.filter((node) => node !== "node-1") : before);
                    assert.equal(await resource.up(inputs), "same");
                    assert.deepEqual(await resource.refresh(), [], "it cannot be undone");
                }
            },
        );
    });
}
