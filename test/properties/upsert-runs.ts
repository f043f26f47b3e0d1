/** Random runs of an object that is declared whole: whatever happens to it, the service holds what the program says, and nobody else's object is touched. */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { Seed } from "../../src/simulator/seed";
import { failureOf } from "../support/failures";
import type { Fault } from "../support/injector";
import { type ManagedResource, Shown } from "../support/managed-resource";
import { assertReadable } from "../support/messages";
import type { Vocabulary } from "../support/simulator";
import { type Simulator, withSimulator } from "../support/simulator";
import { echoing, faults, isSealed, underFaults } from "./random-faults";
import type { Program, Props } from "./random-programs";
import { itHoldsAtRandom, mostSteps } from "./random-runs";

/** What the runs of a resource need to know. Each run has two names at its disposal, told apart by `at`. */
export interface Model {
    readonly type: string;
    readonly vocabulary: Vocabulary;
    readonly seed: Seed;
    readonly runs: number;
    readonly programs: fc.Arbitrary<Program>;
    /** The arguments that name an object. */
    naming(at: string): Props;
    /** What the service holds, by the names and in the form of `Program.means`. */
    look(simulator: Simulator, at: string): Promise<Props | undefined>;
    /** Somebody else makes the object, or changes it. */
    write(simulator: Simulator, at: string, program: Program): Promise<unknown>;
    remove(simulator: Simulator, at: string): Promise<unknown>;
    /** The methods of its writes and deletions. */
    readonly methods: readonly string[];
    /** Whether another object is needed to come from one meaning to another. Default: never. */
    replaces?(from: Props, to: Props): boolean;
    readonly deletesFirst?: true;
    /** Names in `means` that no read tells, so that nobody sees a change of them from outside. */
    readonly unread?: readonly string[];
    /** What an update makes of what is there. Default: what the program says. */
    updated?(here: Props | undefined, former: Props, to: Props): Props;
    /** Names in `means` that this look at the service cannot tell. */
    readonly hidden?: readonly string[];
}

type Step =
    | { readonly does: "up" | "squat" | "others write"; readonly program: Program }
    | { readonly does: "rename" | "protected rename" | "others remove" | "refresh" | "destroy" | "other process" }
    | {
          readonly does: "fault";
          readonly faults: readonly Fault[];
          readonly under: "up" | "rename" | "refresh" | "destroy";
          readonly program: Program;
      };

interface Plan {
    readonly first: Program;
    readonly steps: readonly Step[];
    /** Refreshes too after each deployment. */
    readonly refreshes: boolean;
}

function plans({ programs, methods }: Model): fc.Arbitrary<Plan> {
    const does = <Word extends string>(...words: readonly Word[]) => fc.record({ does: fc.constantFrom(...words) });
    const step: fc.Arbitrary<Step> = fc.oneof(
        {
            weight: 4,
            arbitrary: fc.record({ does: fc.constantFrom("up", "up", "squat", "others write"), program: programs }),
        },
        {
            weight: 4,
            arbitrary: does("rename", "protected rename", "others remove", "refresh", "destroy", "other process"),
        },
        {
            weight: 3,
            arbitrary: fc.record({
                does: fc.constant("fault"),
                faults: faults(...methods),
                under: fc.constantFrom("up", "up", "rename", "refresh", "destroy"),
                program: programs,
            }),
        },
    ) as fc.Arbitrary<Step>;
    return fc.record({
        first: programs,
        steps: fc.array(step, { minLength: 1, maxLength: mostSteps(2), size: "max" }),
        refreshes: fc.boolean(),
    });
}

/** Derives the test of a model's runs. */
export function describeRandomRuns(model: Model): void {
    describe(`${model.type} (${model.vocabulary}): random runs`, () => {
        const simulator = withSimulator(model.seed, model);

        itHoldsAtRandom(`server and program agree`, model.runs, plans(model), async (plan, number) => {
            const run = new UpsertRun(simulator, model, number);
            await run.up(plan.first, plan.refreshes);
            for (const step of plan.steps) await run.step(step, plan.refreshes);
            await run.end();
        });
    });
}

/** One run, and what must be true of it. */
class UpsertRun {
    private resource: ManagedResource;
    /** What the service must hold under each name. */
    private readonly expected = new Map<string, Props>();
    private readonly names: readonly [string, string];
    private current = 0;
    private program: Program | undefined;
    /** What state says that the service holds. */
    private known: Props | undefined;
    private readonly secrets = new Set<string>();

    constructor(
        private readonly simulator: Simulator,
        private readonly model: Model,
        number: number,
    ) {
        this.resource = simulator.resource(model.type);
        this.names = [`a${number}`, `b${number}`];
    }

    async step(step: Step, refreshes: boolean): Promise<void> {
        const { simulator, model, here } = this;
        switch (step.does) {
            case "up":
                return this.up(step.program, refreshes);
            case "rename":
                return this.rename(refreshes);
            case "protected rename":
                return this.protectedRename();
            case "others write":
                return this.others(here, step.program);
            case "squat":
                return this.others(this.there, step.program);
            case "others remove":
                await model.remove(simulator, here);
                this.expected.delete(here);
                return;
            case "refresh":
                return this.refresh();
            case "destroy":
                return this.destroy();
            case "other process": {
                const { state } = this.resource;
                this.resource = simulator.resource(model.type);
                this.resource.state = state;
                return;
            }
            case "fault":
                return this.underFaults(step, refreshes);
        }
    }

    private get here(): string {
        return this.names[this.current === 0 ? 0 : 1];
    }

    private get there(): string {
        return this.names[this.current === 0 ? 1 : 0];
    }

    private inputs(program: Program): Record<string, unknown> {
        for (const secret of program.secrets) this.secrets.add(secret);
        return { ...program.args, ...this.model.naming(this.here) };
    }

    private async others(at: string, program: Program): Promise<void> {
        for (const secret of program.secrets) this.secrets.add(secret);
        await this.model.write(this.simulator, at, program);
        this.expected.set(at, program.means);
    }

    /** `pulumi up`, and a second one that finds nothing to do. */
    async up(program: Program, refreshes: boolean): Promise<void> {
        const { resource, expected, here, model } = this;
        const found = expected.get(here);
        const inputs = this.inputs(program);
        if (resource.state === undefined) {
            if (found !== undefined) return this.fails(resource.up(inputs), "exists");
            assert.equal(await resource.up(inputs), "created");
            expected.set(here, program.means);
        } else {
            const known = this.known ?? {};
            const isSame = isDeepStrictEqual(known, program.means);
            const replaces = !isSame && model.replaces?.(known, program.means) === true;
            assert.equal(await resource.up(inputs), isSame ? "same" : replaces ? "replaced" : "updated");
            const update = model.updated ?? ((_here, _former, to) => to);
            if (replaces) expected.set(here, program.means);
            else if (!isSame) expected.set(here, update(found, known, program.means));
            if (isSame) {
                this.program = program;
                return this.agrees();
            }
        }
        this.known = program.means;
        this.program = program;
        await this.isQuiet(inputs, refreshes);
    }

    private async isQuiet(inputs: Record<string, unknown>, refreshes: boolean): Promise<void> {
        await this.agrees();
        assert.equal(await this.resource.up(inputs), "same", "a second up finds nothing to do");
        if (!refreshes) return;
        assert.deepEqual(await this.resource.refresh(), [], "a refresh finds nothing changed");
        assert.equal(await this.resource.up(inputs), "same", "an up after a refresh finds nothing to do");
        isSealed(this.resource, [...this.secrets]);
    }

    private async rename(refreshes: boolean): Promise<void> {
        const { resource, expected, program, model } = this;
        const [from, to] = [this.here, this.there];
        if (resource.state === undefined || program === undefined) {
            this.current = 1 - this.current;
            return;
        }
        this.current = 1 - this.current;
        const inputs = this.inputs(program);
        if (expected.has(to)) {
            await this.fails(resource.up(inputs), "exists", model.deletesFirst ? from : undefined);
            if (model.deletesFirst) this.gone();
            else this.current = 1 - this.current;
            return;
        }
        assert.equal(await resource.up(inputs), "replaced");
        expected.delete(from);
        expected.set(to, program.means);
        this.known = program.means;
        await this.isQuiet(inputs, refreshes);
    }

    /** The engine asks `diff` first, and does nothing to a protected resource that would be replaced. */
    private async protectedRename(): Promise<void> {
        const { resource, program } = this;
        if (resource.state === undefined || program === undefined) return;
        this.current = 1 - this.current;
        const diff = await resource.diff(this.inputs(program));
        this.current = 1 - this.current;
        assert(diff.replaces && diff.replaces.length > 0);
        await this.agrees();
    }

    private async refresh(): Promise<void> {
        if (this.resource.state !== undefined) await this.learns(await this.resource.refresh());
    }

    /** What a refresh told is what others did since. */
    private async learns(told: readonly string[] | "gone"): Promise<void> {
        const found = this.expected.get(this.here);
        if (found === undefined) {
            assert.equal(told, "gone");
            this.gone();
        } else {
            assert.notEqual(told, "gone");
            const unread = this.model.unread ?? [];
            const seen = { ...found, ...Object.fromEntries(unread.map((name) => [name, this.known?.[name]])) };
            assert.equal(told.length > 0, !isDeepStrictEqual(seen, this.known), `drift: ${told}`);
            this.known = seen;
        }
    }

    private async destroy(): Promise<void> {
        if (this.resource.state === undefined) return;
        await this.resource.destroy();
        this.expected.delete(this.here);
        this.gone();
        await this.agrees();
    }

    private gone(): void {
        this.known = undefined;
        this.program = undefined;
    }

    /** Something goes wrong, and then no more: the next run ends where this one should have. */
    private async underFaults(step: Extract<Step, { does: "fault" }>, refreshes: boolean): Promise<void> {
        const { resource, expected, model, simulator } = this;
        if (resource.state === undefined && step.under !== "up") return;
        const renames = step.under === "rename" && this.program !== undefined;
        const program = renames && this.program ? this.program : step.program;
        const verb = step.under === "rename" ? "up" : step.under;
        const [from, before] = [this.here, resource.state];
        if (renames) this.current = 1 - this.current;
        const isTaken = (before === undefined || renames) && expected.has(this.here);
        if (isTaken) {
            if (renames) this.current = 1 - this.current;
            return;
        }
        const inputs = this.inputs(program);
        const faults = echoing(step.faults, this.sendable(verb, program));
        const run = { up: () => resource.up(inputs), refresh: () => this.refresh(), destroy: () => resource.destroy() };
        const wrong = await underFaults(simulator, resource, model.type, faults, run[verb], [...this.secrets]);
        if (verb === "destroy") {
            if (resource.state !== undefined) await resource.destroy();
            expected.delete(from);
            this.gone();
            return this.agrees();
        }
        if (verb === "refresh") return wrong === undefined ? undefined : this.refresh();
        if (renames && resource.state?.id !== before?.id && resource.state !== undefined) {
            // The engine keeps the old object in its list of deletions; here nobody does.
            await model.remove(simulator, from);
        }
        if (resource.state === undefined) {
            assert.equal(await model.look(simulator, this.here), undefined, "no object is forgotten");
            assert(before === undefined || model.deletesFirst);
        }
        await resource.up(inputs);
        if (renames) expected.delete(from);
        const update = model.updated ?? ((_here, _former, to) => to);
        const isSame = before !== undefined && !renames && isDeepStrictEqual(this.known, program.means);
        if (!isSame) {
            const isUpdate = before !== undefined && !renames && !model.replaces?.(this.known ?? {}, program.means);
            expected.set(
                this.here,
                isUpdate ? update(expected.get(this.here), this.known ?? {}, program.means) : program.means,
            );
            this.known = program.means;
        }
        this.program = program;
        if (isSame) return this.agrees();
        await this.isQuiet(inputs, refreshes);
    }

    /** Secrets that a server can have been sent by every request of a verb. */
    private sendable(verb: "up" | "refresh" | "destroy", to: Program): readonly string[] {
        const had = this.program?.secrets;
        if (verb !== "up") return had ?? [];
        return had === undefined ? to.secrets : had.filter((secret) => to.secrets.includes(secret));
    }

    private async fails(verb: Promise<unknown>, code: string, lost?: string): Promise<void> {
        const error = await failureOf(verb, Shown);
        assertReadable(error, this.model.type, [...this.secrets]);
        assert.equal(error.code, code, error.message);
        if (lost !== undefined) this.expected.delete(lost);
        await this.agrees();
    }

    /** The service holds what the model says, and nothing secret is kept or shown. */
    private async agrees(at: string = this.here): Promise<void> {
        assert.deepEqual(this.shown(await this.model.look(this.simulator, at)), this.shown(this.expected.get(at)), at);
        isSealed(this.resource, [...this.secrets]);
    }

    private shown(held: Props | undefined): Props | undefined {
        const { hidden = [] } = this.model;
        return held && Object.fromEntries(Object.entries(held).filter(([name]) => !hidden.includes(name)));
    }

    /** Nothing is left over under either name, and nothing is missing. */
    async end(): Promise<void> {
        for (const name of this.names) await this.agrees(name);
    }
}
