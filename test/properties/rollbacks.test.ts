import fc from "fast-check";
import { Gate } from "../support/gate";
import { withSimulator } from "../support/simulator";
import { type Mishap, RollbackRun, rollbackPrograms } from "./model-rollback";
import { faults } from "./random-faults";
import { itHoldsAtRandom, mostSteps } from "./random-runs";

const holder = fc.constantFrom("ours" as const, "neighbour" as const, "others" as const);
const lost = fc.record({
    lost: fc.constantFrom("rollback" as const, "rollback" as const, "lock" as const, "unlock" as const),
    moment: fc.constantFrom("before" as const, "after" as const),
    blind: fc.boolean(),
});
const others = fc.record({ others: fc.nat(3) });
const faulty = fc.record({ faults: faults("POST", "PATCH") });
/** None, or one of these, the first more often. */
const perhaps = (...mishaps: readonly fc.Arbitrary<Mishap>[]) =>
    fc.option(fc.oneof(...mishaps.map((arbitrary, index) => ({ arbitrary, weight: index === 0 ? 3 : 1 }))), {
        nil: undefined,
        freq: 3,
    });
const step = fc.oneof(
    {
        weight: 4,
        arbitrary: fc.record({
            does: fc.constant("up" as const),
            program: rollbackPrograms,
            mishap: perhaps(lost, others, faulty),
        }),
    },
    {
        weight: 3,
        arbitrary: fc.record({
            does: fc.constant("up and destroy" as const),
            program: rollbackPrograms.map(({ version, args }) => ({
                version,
                args: { ...args, onDelete: "restore" as const },
            })),
            between: fc.option(fc.nat(3), { nil: undefined }),
            mishap: perhaps(others, lost, faulty),
        }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constant("destroy" as const), mishap: perhaps(lost, others) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("refresh" as const), mishap: perhaps(faulty) }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant("others" as const), version: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("hand" as const), by: holder }) },
    {
        weight: 2,
        arbitrary: fc.record({ does: fc.constant("under" as const), by: holder, program: rollbackPrograms }),
    },
);

for (const vocabulary of ["documented", "product"] as const) {
    describe(`StateVersionRollback (${vocabulary}): random runs`, () => {
        const gate = new Gate();
        const simulator = withSimulator({}, { vocabulary, gate });

        itHoldsAtRandom(
            "one rollback where one is needed, and nobody's version or lock is touched",
            50,
            fc.record({
                first: rollbackPrograms,
                mishap: perhaps(lost, others),
                steps: fc.array(step, { minLength: 1, maxLength: mostSteps(4), size: "max" }),
            }),
            async ({ first, mishap, steps }, number) => {
                const life = await RollbackRun.begin(simulator, gate, number);
                await life.up(first, mishap);
                for (const each of steps) {
                    if (each.does === "up") await life.up(each.program, each.mishap);
                    else if (each.does === "up and destroy") {
                        await life.up(each.program);
                        if (each.between !== undefined) await life.others(each.between);
                        await life.destroy(each.mishap);
                    } else if (each.does === "destroy") await life.destroy(each.mishap);
                    else if (each.does === "refresh") await life.refresh(each.mishap);
                    else if (each.does === "others") await life.others(each.version);
                    else if (each.does === "hand") await life.hand(each.by);
                    else await life.under(each.by, each.program);
                }
            },
        );
    });
}
