import assert from "node:assert/strict";
import fc from "fast-check";
import type { ManagedResource } from "../support/managed-resource";
import { assertReadable } from "../support/messages";
import { withSimulator } from "../support/simulator";
import { stateOf, Workspace } from "./model-workspace";
import { failureOf, faults, underFaults } from "./random-faults";
import type { Props } from "./random-programs";
import { counts, itHoldsAtRandom, mostSteps } from "./random-runs";

for (const vocabulary of ["documented", "product"] as const) {
    describe(`State versions (${vocabulary}): random runs`, () => {
        const simulator = withSimulator({}, { vocabulary });

        const isQuiet = async (resource: ManagedResource, inputs: Props) => {
            assert.equal(await resource.up({ ...inputs }), "same", "a second up finds nothing to do");
            await resource.refresh();
            assert.equal(await resource.up({ ...inputs }), "same", "an up after a refresh finds nothing to do");
        };

        const content = fc.record({
            content: fc.nat(3),
            serialStep: fc.constantFrom(1, 1, 1, 2, 0, -1),
            inline: fc.boolean(),
            json: fc.boolean(),
        });
        const versionStep = fc.oneof(
            {
                weight: 2,
                arbitrary: fc.record({
                    does: fc.constant("up" as const),
                    given: content,
                    faults: fc.option(faults("POST", "PUT"), { nil: undefined }),
                }),
            },
            {
                weight: 1,
                arbitrary: fc.record({
                    does: fc.constantFrom("others" as const, "refresh" as const, "destroy" as const),
                }),
            },
        );

        itHoldsAtRandom(
            "StateVersion: each state becomes one version, or none",
            counts.StateVersion / 2,
            fc.array(versionStep, { minLength: 1, maxLength: mostSteps(2), size: "max" }),
            async (steps, number) => {
                const workspace = await Workspace.begin(simulator, number, [1, 2]);
                const resource = simulator.resource("StateVersion");
                for (const step of steps) {
                    const [before, current] = [await workspace.versions(), await workspace.current()];
                    const serial = before.find(({ id }) => id === current)?.serial ?? 0;
                    if (!("given" in step)) {
                        if (step.does === "others") await workspace.rollBack(workspace.version(0));
                        else if (resource.state !== undefined && step.does === "destroy") await resource.destroy();
                        else if (resource.state !== undefined) assert.notEqual(await resource.refresh(), "gone");
                    } else {
                        const { given } = step;
                        const raw = stateOf(Math.max(0, serial + given.serialStep), given.content);
                        const inputs = {
                            workspaceId: workspace.id,
                            content: JSON.stringify(raw),
                            lock: true,
                            inline: given.inline,
                            ...(given.json && { jsonContent: '{"format_version":"1.0"}' }),
                        };
                        const isKept = resource.state?.inputs["content"] === (await resource.check(inputs))["content"];
                        if (step.faults)
                            await underFaults(simulator, resource, "StateVersion", step.faults, () =>
                                resource.up(inputs),
                            );
                        const isRefused = given.serialStep < 1 && !isKept;
                        const wrong = await failureOf(resource.up(inputs));
                        const after = await workspace.versions();
                        assert.equal(await workspace.holder(), undefined, "no lock is left");
                        if (isRefused) {
                            if (wrong === undefined)
                                assert.deepEqual(await workspace.raw(await workspace.current()), raw);
                            else assertReadable(wrong, "StateVersion");
                            // A version that was made without its JSON form takes none any more, so another is made.
                            const most = wrong === undefined && given.json ? 1 : 0;
                            assert(after.length - before.length <= most, "a refused state makes no version");
                            continue;
                        }
                        if (wrong !== undefined) throw wrong;
                        assert.deepEqual(
                            after.filter(({ status }) => status === "pending"),
                            [],
                            "none waits for its content",
                        );
                        if (!isKept) assert.equal(after.length, before.length + 1, "one version is made");
                        if (!isKept) assert.deepEqual(await workspace.raw(await workspace.current()), raw);
                        await isQuiet(resource, inputs);
                    }
                }
            },
        );

        const backing = fc.constantFrom("available", "softDeleted", "permanentlyDeleted");
        const backingStep = fc.oneof(
            fc.record({
                does: fc.constant("up" as const),
                state: backing,
                faults: fc.option(faults("POST"), { nil: undefined }),
            }),
            fc.record({
                does: fc.constant("others" as const),
                action: fc.constantFrom("soft_delete", "restore", "permanently_delete"),
            }),
            fc.record({ does: fc.constant("refresh" as const) }),
            fc.record({ does: fc.constant("destroy" as const) }),
        );
        const statuses: Readonly<Record<string, string>> = {
            available: "finalized",
            softDeleted: "backing_data_soft_deleted",
            permanentlyDeleted: "backing_data_permanently_deleted",
        };

        itHoldsAtRandom(
            "StateVersionBackingData: the status is what is declared, and what is gone stays gone",
            counts.StateVersionBackingData / 2,
            fc.array(backingStep, { minLength: 1, maxLength: mostSteps(3), size: "max" }),
            async (steps, number) => {
                const workspace = await Workspace.begin(simulator, number, [1, 2]);
                const resource = simulator.resource("StateVersionBackingData");
                const id = workspace.version(0);
                const status = async () => (await workspace.versions()).find((version) => version.id === id)?.status;
                for (const step of steps) {
                    const before = await status();
                    if (step.does === "others") await workspace.act(id, step.action).catch(() => undefined);
                    else if (step.does === "refresh") {
                        if (resource.state !== undefined) assert.notEqual(await resource.refresh(), "gone");
                    } else if (step.does === "destroy") {
                        if (resource.state !== undefined) await resource.destroy();
                        assert.equal(await status(), before, "destroying it changes nothing");
                    } else {
                        const inputs = { stateVersionId: id, state: step.state, allowPermanentDeletion: true };
                        const kept = resource.state?.outputs["state"] === step.state;
                        if (step.faults && (kept || before !== statuses["permanentlyDeleted"])) {
                            await underFaults(simulator, resource, "StateVersionBackingData", step.faults, () =>
                                resource.up(inputs),
                            );
                        }
                        const wrong = await failureOf(resource.up(inputs));
                        let now = await status();
                        if (before === statuses["permanentlyDeleted"]) {
                            assert.equal(now, before, "nothing brings it back");
                            continue;
                        }
                        // Of a version that somebody else retired, and that was never read, nothing can be known.
                        if (wrong !== undefined && resource.state === undefined && before !== statuses["available"]) {
                            assertReadable(wrong, "StateVersionBackingData");
                            assert.equal(now, before);
                            continue;
                        }
                        if (wrong !== undefined) throw wrong;
                        const isBelieved = step.faults?.some(({ status: code }) => code === 400);
                        if (!kept && isBelieved && now !== statuses[step.state]) {
                            // A version that the service lets nobody read or retire counts as retired, until a look says otherwise.
                            await resource.refresh();
                            await resource.up(inputs);
                            now = await status();
                            // Of a retired one no look says more.
                            if (now !== statuses["available"]) continue;
                        }
                        if (!kept) assert.equal(now, statuses[step.state]);
                        // What others did since, only a refresh sees.
                        if (now === statuses[step.state]) await isQuiet(resource, inputs);
                        else assert.notEqual(await resource.refresh(), "gone");
                    }
                }
            },
        );
    });
}
