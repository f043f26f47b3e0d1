/**
 * Any failure on the way of a write, at any moment: the run succeeds, or the next `up` does, and nothing is done twice. No failure is `undone`
 * or `exists`, which would say that the service did nothing, or that another program owns what this one has made.
 */

import assert from "node:assert/strict";
import * as fc from "fast-check";
import { nameOf, type Subject, seed as server, subjects } from "../faults/subjects";
import { Shown } from "../support/managed-resource";
import { seed } from "../support/random";
import { withSimulator } from "../support/simulator";

const isWrite = ({ method }: { readonly method: string }) => method !== "GET" && method !== "LIST";
const makesVersion = /^(PATCH|POST) \S+\/state-versions$/;
const forms = {
    web: ["<!DOCTYPE html><html><title>error code</title></html>", "text/html"],
    empty: ["", "text/plain"],
    gateway: ['{"message":"planted"}', "application/json"],
    own: ['{"errors":["planted"]}', "application/json"],
} as const;

/** Failures of a write. What is `chosen` counts the writes of an operation, and the moments at which it may fail. */
const failures = fc.record({
    status: fc.oneof(fc.constantFrom(408, 500, 502, 503, 504, 507, 599), fc.integer({ min: 520, max: 530 })),
    form: fc.constantFrom(...(Object.keys(forms) as (keyof typeof forms)[])),
    isUpdate: fc.boolean(),
    chosen: fc.record({ write: fc.nat(), moment: fc.nat() }),
});

/** Resources whose effect a read shows: an upload, a rotation and a detachment are not repeated, and count as not done. */
const isShown = ({ type, variant }: Subject) =>
    !["RootRotation", "CsiVolumeDetachment"].includes(type) &&
    (type !== "StateVersion" || variant === "in one request");

describe(`a write that fails on its way, with the seed ${seed},`, () => {
    const simulator = withSimulator(server);
    const runs = 6 * Number(process.env["STATECRAFT_RUNS"] ?? 1);

    for (const subject of subjects.filter(isShown)) {
        it(`of ${nameOf(subject)} is done once by the end of the next \`up\``, async () => {
            const start = async (isUpdate: boolean) => {
                simulator.answerWith();
                await simulator.reset();
                await subject.prepare?.(simulator);
                const resource = simulator.resource(subject.type);
                if (isUpdate) await resource.up(subject.inputs);
                await simulator.forget();
                return resource;
            };
            // A version whose upload never came is pending or discarded, and counts as none.
            const versions = () =>
                simulator.store.stateVersions.versions.filter((each) => each.status === "finalized").length;
            /** The program of a create or an update, its writes, and the number of versions after it, without a failure. */
            const faultless = async (isUpdate: boolean) => {
                const program = isUpdate ? subject.edited : subject.inputs;
                await (await start(isUpdate)).up(program);
                return { program, made: versions(), writes: (await simulator.requests()).filter(isWrite) };
            };
            const [create, update] = [await faultless(false), await faultless(true)];
            for (const { status, form, isUpdate, chosen } of fc.sample(failures, { seed, numRuns: runs })) {
                const { program, made, writes } = isUpdate ? update : create;
                if (writes.length === 0) continue;
                const at = chosen.write % writes.length;
                const target = `${writes[at]?.method} ${writes[at]?.path}`;
                const isVersion = makesVersion.test(target);
                // A refusal in the service's own form is true. A service of versions may act nevertheless.
                const isBelieved = form === "own" && status === 500 && !isVersion;
                const moments = isBelieved ? ["before"] : ["before", "after", ...(isVersion ? ["later"] : [])];
                const moment = moments[chosen.moment % moments.length];
                const title = `${target}, ${status} ${form}, ${moment} the effect`;

                const resource = await start(isUpdate);
                let [count, reads] = [0, 0];
                let later: (() => Promise<unknown>) | undefined;
                simulator.answerWith(async (request, act) => {
                    if (isWrite(request) && count++ === at) {
                        if (moment === "after") await act();
                        if (moment === "later") later = act;
                        const [body, type] = forms[form];
                        return { status, headers: { "content-type": type }, body: Buffer.from(body) };
                    }
                    if (later && request.path.endsWith("/current-state-version") && ++reads === 3) await later();
                    return act();
                });
                const failure = await resource.up(program).then(
                    () => undefined,
                    (error: unknown) => error,
                );
                if (failure !== undefined) {
                    assert(failure instanceof Shown, `${title}: ${failure}`);
                    const isWrong = failure.code === "exists" || (failure.code === "undone" && moment !== "before");
                    assert(!isWrong, `${title}: ${failure.message}`);
                }
                simulator.answerWith();
                await assert.doesNotReject(resource.up(program), title);
                assert.equal(await resource.up(program), "same", title);
                assert.equal(versions(), made, title);
            }
        });
    }
});
