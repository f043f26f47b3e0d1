/**
 * Random sequences of what a user does with a resource, with faults on the way: after each step, and the same command again without a fault,
 * server and state are as in the same sequence without any.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { itHoldsAtRandom, mostSteps } from "../properties/random-runs";
import { failureIfAny } from "../support/failures";
import { type ManagedResource, Shown } from "../support/managed-resource";
import { faults } from "./faults";
import { FaultFixture, recover } from "./fixture";
import { underFault } from "./judge";
import { assertSame, type Moment } from "./moment";
import { nameOf, type Subject, subjects } from "./subjects";
import { asksToAdopt, type Verb } from "./verbs";

/** False answers of the service are left to the matrix. */
const usual = faults.filter(({ believable }) => !believable);

const steps = fc.array(
    fc.record({
        does: fc.constantFrom("up", "up", "edit", "edit", "refresh", "destroy"),
        meets: fc.option(fc.record({ fault: fc.constantFrom(...usual), at: fc.nat(100), once: fc.boolean() }), {
            nil: undefined,
        }),
    }),
    { minLength: 1, maxLength: mostSteps(4), size: "max" },
);
/** A rollback that a failed run has made is found by the next one, which does not know what to restore: none of these restores. */
const unrestoring = subjects.map((subject): Subject => {
    const { onDelete, ...inputs } = subject.inputs;
    return onDelete === undefined ? subject : { ...subject, inputs };
});

type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

/** What there is after a step, and how its command went without a fault. */
interface After {
    readonly moment: Moment;
    readonly requests: number;
    readonly refusal: string | undefined;
}

/** Plays the steps, up to one that is refused without a fault. With the measure they meet their faults, and must end like it. */
async function play(
    fixture: FaultFixture,
    subject: Subject,
    plan: readonly Step[],
    measure?: readonly After[],
): Promise<After[]> {
    const { proxy } = fixture;
    let { state } = await fixture.begin({ subject, verb: {} });
    let program: Record<string, unknown> | undefined;
    const told: After[] = [];
    for (const [index, { does, meets }] of plan.entries()) {
        if (does !== "refresh") program = does === "up" ? subject.inputs : does === "edit" ? subject.edited : undefined;
        const act = async (resource: ManagedResource) => {
            if (does === "up" || does === "edit") await resource.up(program ?? {});
            else if (resource.state !== undefined) await (does === "refresh" ? resource.refresh() : resource.destroy());
        };
        const wanted = measure?.[index];
        if (meets && wanted && wanted.requests > 0 && wanted.refusal === undefined) {
            const from = 1 + (meets.at % wanted.requests);
            ({ state } = (await underFault(fixture, { subject, ...meets, from, state, act })).resource);
        }
        const resource = fixture.process(subject);
        resource.state = state;
        const before = proxy.requests.length;
        const failure = await failureIfAny(act(resource));
        const requests = proxy.requests.length - before;
        const code = failure instanceof Shown ? failure.code : undefined;
        const refusal = failure && !asksToAdopt(failure) ? (code ?? "input") : undefined;
        const verb: Verb = { name: does, program: () => program, act };
        if (refusal === undefined) await recover({ subject, verb, next: "up" }, resource);
        ({ state } = resource);
        const after = { moment: fixture.moment(subject, resource), requests, refusal };
        if (wanted) {
            assert.equal(after.refusal, wanted.refusal, failure?.message);
            assertSame(after.moment, wanted.moment, `after step ${index + 1}`);
        }
        told.push(after);
        if (refusal) break;
    }
    return told;
}

for (const subject of unrestoring) {
    for (const vocabulary of subject.vocabulary ? [subject.vocabulary] : (["documented", "product"] as const)) {
        describe(`${nameOf(subject)} (${vocabulary}): random sequences under faults`, () => {
            let fixture: FaultFixture;
            before(async () => {
                fixture = await FaultFixture.open(vocabulary);
            });
            after(() => fixture.close());

            itHoldsAtRandom("faults make no difference in the end", 2, steps, async (plan) => {
                await play(fixture, subject, plan, await play(fixture, subject, plan));
            });
        });
    }
}
