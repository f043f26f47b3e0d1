/** A stack with copies of resources beside a simulator with a gate, and what a user does after a crash. */

import assert from "node:assert/strict";
import { assertSame } from "../faults/moment";
import { Gate } from "../support/gate";
import type { Outcome, Workspace } from "../support/pulumi-cli";
import { workspace } from "../support/pulumi-cli";
import { Simulator } from "../support/simulator";
import { isReadable, settings, tokens } from "../support/stack";
import { crash, killsEngine, type Victim } from "./crash";
import {
    type Boundary,
    type Command,
    type Copy,
    comparable,
    type Held,
    heldBy,
    keyOf,
    objectsIn,
    programOf,
    seedFor,
    type Undisturbed,
} from "./fixtures";

/** The settings of every stack: many requests at once, so that each copy can stand at its boundary; and few tries, for the cut network. */
const impatient = { maxConcurrency: 200, maxRetries: 1 };

/** A stack with its copies, and the simulator beside it. */
export class CrashStack {
    private constructor(
        readonly simulator: Simulator,
        readonly stack: Workspace,
        private readonly gate: Gate,
        private readonly copies: readonly Copy[],
        private readonly undisturbed: Undisturbed,
    ) {}

    /** Plays on a stage of its own, which is taken down whatever happens. */
    static async play(
        copies: readonly Copy[],
        undisturbed: Undisturbed,
        act: (stack: CrashStack) => Promise<void>,
    ): Promise<void> {
        const gate = new Gate();
        const simulator = await Simulator.start(seedFor(copies), "documented", gate.guard);
        try {
            const config = Object.fromEntries(
                Object.entries(settings(simulator)).map(([key, value]) => [key, { ...value, ...impatient }]),
            );
            const program = { source: programOf(copies) };
            const stack = await workspace({ program, config, environment: tokens, limit: 280_000 });
            try {
                await act(new CrashStack(simulator, stack, gate, copies, undisturbed));
            } finally {
                stack.dispose();
            }
        } finally {
            await simulator.close();
        }
    }

    /** Runs a command of the user. */
    run(command: Command): Promise<Outcome> {
        // Every copy has to be able to stand at its boundary at the same time.
        const together = ["--parallel", "250"];
        if (command === "refresh") return this.stack.refresh(...together);
        if (command === "destroy") return this.stack.destroy(...together);
        this.stack.write(programOf(this.copies, command === "change"));
        return this.stack.up(...together);
    }

    /** Runs it until every copy of the plan stands at its boundary, where the victim dies. */
    async crash(victim: Victim, command: Command, plan: ReadonlyMap<string, Boundary>): Promise<void> {
        const outcome = await crash(this.gate, this.stack, {
            victim,
            plan,
            keyOf: (request) => keyOf(this.simulator, request),
            command: () => this.run(command),
        });
        assert.notEqual(outcome.code, 0, `${command} went on without its ${victim}`);
        isReadable(outcome);
        // The engine's own lock on the stack, which its next command names together with this one.
        if (!killsEngine(victim)) return;
        this.stack.removeEmptyAttributes();
        this.succeeded(await this.stack.pulumi("cancel", "--yes"));
    }

    /**
     * Types the command again, and then what it says, if it refuses anything: objects that are on the server, and of which nobody can
     * know whose they are, are refused with the line to type, and nothing else fails. Returns the keys of what was refused.
     */
    async again(command: Command): Promise<string[]> {
        const outcome = await this.run(command);
        isReadable(outcome);
        if (outcome.code === 0) return [];
        const errors = outcome.diagnostics.filter(
            ({ severity, urn }) => severity === "error" && urn.includes("statecraft:"),
        );
        assert(errors.length > 0, outcome.stdout + outcome.stderr);
        for (const { message } of errors) {
            assert.match(message, /`adopt: true`.*\[exists\]/s);
        }
        this.stack.environment["STATECRAFT_ADOPT"] = "identical";
        this.succeeded(await this.run(command));
        delete this.stack.environment["STATECRAFT_ADOPT"];
        return errors.map(({ urn }) => urn.split("::").at(-1) ?? "").sort();
    }

    /** The server holds the same as without a crash, the state holds all of it whole, and there is nothing left to do. */
    async isWhole(command: "up" | "change"): Promise<void> {
        assertSame(comparable(await this.held()), this.undisturbed[command], `after the ${command}`);
        const stored = await this.stack.resources();
        assert.deepEqual(
            stored.map(({ urn }) => urn.split("::").at(-1)).sort(),
            this.copies.map(({ key }) => key).sort(),
        );
        for (const { urn, outputs, initErrors } of stored) {
            assert.deepEqual([outputs?.["unfinished"], initErrors ?? []], [undefined, []], urn);
        }
        await this.simulator.forget();
        this.succeeded(await this.stack.up("--expect-no-changes"));
        assert.deepEqual(await this.simulator.writes(), []);
    }

    /** Everything is taken down by the user's `destroy`: a workspace is restored once, where the stack knew what had been there before. */
    async isTakenDown(destroy: () => Promise<void>): Promise<void> {
        const before = await this.stack.resources();
        await destroy();
        assert.deepEqual(await this.stack.resources(), []);
        const held = await this.held();
        assertSame(objectsIn(held), this.undisturbed.destroy, "after the destroy");
        assert.deepEqual(lockedIn(held), []);
        const { versions } = held.stateVersions;
        for (const { urn, outputs } of before) {
            const previous = outputs?.["previousStateVersionId"];
            if (previous === undefined) continue;
            const restores = versions.filter(({ rollbackOf }) => rollbackOf === previous);
            assert.equal(restores.length, previous === "" ? 0 : 1, `${urn} is restored to ${previous}`);
        }
    }

    /** Clears what the engine keeps of interrupted creations, once they are settled. */
    async settle(): Promise<void> {
        this.succeeded(await this.stack.refresh("--clear-pending-creates"));
        const { deployment } = await this.stack.export();
        assert.deepEqual(deployment.pending_operations ?? [], []);
    }

    /** The keys of the objects that are on the server already. */
    async made(): Promise<string[]> {
        const { manager, volumes } = await this.held();
        // The seed mounts a login method for each copy of its configuration.
        const text = JSON.stringify([manager, volumes], (name, value) => (name === "mounts" ? undefined : value));
        const isThere = ({ key }: Copy) => new RegExp(`[/"]${key}["/]`).test(text);
        return this.copies.flatMap((copy) => (copy.refused && isThere(copy) ? [copy.key] : [])).sort();
    }

    /** Workspaces that a dead run holds locked. */
    async locked(): Promise<string[]> {
        return lockedIn(await this.held());
    }

    private held(): Promise<Held> {
        return heldBy(this.simulator);
    }

    succeeded(outcome: { readonly code: number; readonly stdout: string; readonly stderr: string }): void {
        assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr);
    }
}

const lockedIn = ({ stateVersions }: Held) =>
    stateVersions.workspaces.flatMap(({ id, lock }) => (lock === null ? [] : [id]));
