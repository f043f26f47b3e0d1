/** A stack with copies of resources beside a simulator with a gate, and the user's steps after a crash. */

import assert from "node:assert/strict";
import type { Store } from "../../src/simulator/store";
import { assertSame } from "../faults/moment";
import { Gate } from "../support/gate";
import type { SentRequest } from "../support/injector";
import { type Outcome, type Workspace, workspace } from "../support/pulumi-cli";
import { Simulator } from "../support/simulator";
import { isReadable, productVariables } from "../support/stack";
import { crash, killsEngine, type Victim } from "./crash";
import {
    type Boundary,
    type Command,
    type Copy,
    comparable,
    keyOf,
    objectsIn,
    programOf,
    seedFor,
    type Undisturbed,
} from "./fixtures";

/** Every copy can be at its boundary at the same time, and a cut network fails a command soon. */
const limits = { maxConcurrency: 200, maxRetries: 1 };

/** Fails unless a command succeeded. */
export function assertSucceeded({ code, stdout, stderr }: Pick<Outcome, "code" | "stdout" | "stderr">): void {
    assert.equal(code, 0, stdout + stderr);
}

/** The workspaces that are locked. */
export const lockedIn = ({ stateVersions }: Store) =>
    stateVersions.workspaces.flatMap(({ id, lock }) => (lock === null ? [] : [id]));

/** A stack with its copies. */
export class CrashStack {
    private constructor(
        private readonly simulator: Simulator,
        readonly stack: Workspace,
        private readonly gate: Gate,
        private readonly copies: readonly Copy[],
        private readonly undisturbed: Undisturbed,
    ) {}

    /** Runs a test with a new stack and simulator. */
    static async play(
        copies: readonly Copy[],
        undisturbed: Undisturbed,
        test: (stack: CrashStack) => Promise<void>,
    ): Promise<void> {
        const gate = new Gate();
        const simulator = await Simulator.start(seedFor(copies), "product", gate.guard);
        try {
            const config = { "statecraft:vault": limits, "statecraft:nomad": limits, "statecraft:terraform": limits };
            const program = { source: programOf(copies) };
            const environment = productVariables(simulator);
            const stack = await workspace({ program, config, environment, limit: 280_000 });
            try {
                await test(new CrashStack(simulator, stack, gate, copies, undisturbed));
            } finally {
                stack.dispose();
            }
        } finally {
            await simulator.close();
        }
    }

    /** The objects of the server. */
    get store(): Store {
        return this.simulator.store;
    }

    /** Runs a command of the user. */
    run(command: Command): Promise<Outcome> {
        const parallel = ["--parallel", "250"];
        if (command === "refresh") return this.stack.refresh(...parallel);
        if (command === "destroy") return this.stack.destroy(...parallel);
        this.stack.write(programOf(this.copies, command === "change"));
        return this.stack.up(...parallel);
    }

    /** Runs a command until every copy of the plan is at its boundary, where the victim dies. */
    async crash(victim: Victim, command: Command, plan: ReadonlyMap<string, Boundary>): Promise<void> {
        const keyIn = (request: SentRequest) => keyOf(this.store, request);
        const outcome = await crash(this.gate, this.stack, victim, plan, keyIn, () => this.run(command));
        assert.notEqual(outcome.code, 0, `${command} succeeded without its ${victim}`);
        isReadable(outcome);
        if (!killsEngine(victim)) return;
        this.stack.removeEmptyAttributes();
        // The message of the engine's next command gives this one, which removes the lock on the stack.
        assertSucceeded(await this.stack.pulumi("cancel", "--yes"));
    }

    /** Runs a command again, and if it refuses existing objects, once more with their adoption. Returns the keys of the refused objects. */
    async again(command: Command): Promise<string[]> {
        const outcome = await this.run(command);
        isReadable(outcome);
        if (outcome.code === 0) return [];
        const errors = outcome.diagnostics.filter(
            ({ severity, urn }) => severity === "error" && urn.includes("statecraft:"),
        );
        assert(errors.length > 0, outcome.stdout + outcome.stderr);
        for (const { message } of errors) assert.match(message, /`adopt: true`.*\[exists\]/s);
        this.stack.environment["STATECRAFT_ADOPT"] = "identical";
        assertSucceeded(await this.run(command));
        delete this.stack.environment["STATECRAFT_ADOPT"];
        return errors.map(({ urn }) => urn.split("::").at(-1) ?? "").sort();
    }

    /** The server has the same objects as without a crash, the state has all of them, and an `up` finds no change. */
    async isWhole(command: "up" | "change"): Promise<void> {
        assertSame(comparable(this.store), this.undisturbed[command], `after the ${command}`);
        const stored = await this.stack.resources();
        assert.deepEqual(
            stored.map(({ urn }) => urn.split("::").at(-1)).sort(),
            this.copies.map(({ key }) => key).sort(),
        );
        for (const { urn, outputs, initErrors } of stored) {
            assert.deepEqual([outputs?.["unfinished"], initErrors ?? []], [undefined, []], urn);
        }
        await this.simulator.forget();
        assertSucceeded(await this.stack.up("--expect-no-changes"));
        assert.deepEqual(await this.simulator.writes(), []);
    }

    /** `destroy` removes all objects, and restores each workspace once whose previous version is in the state. */
    async isTakenDown(destroy: () => Promise<void>): Promise<void> {
        const before = await this.stack.resources();
        await destroy();
        assert.deepEqual(await this.stack.resources(), []);
        assertSame(objectsIn(this.store), this.undisturbed.destroy, "after the destroy");
        assert.deepEqual(lockedIn(this.store), []);
        for (const { urn, outputs } of before) {
            const previous = outputs?.["previousStateVersionId"];
            if (previous === undefined) continue;
            const restores = this.store.stateVersions.versions.filter(({ rollbackOf }) => rollbackOf === previous);
            assert.equal(restores.length, previous === "" ? 0 : 1, `${urn} is restored to ${previous}`);
        }
    }

    /** Removes the pending operations of interrupted creations from the state. */
    async clearPending(): Promise<void> {
        assertSucceeded(await this.stack.refresh("--clear-pending-creates"));
        const deployment = await this.stack.export();
        assert.deepEqual(deployment.pending_operations ?? [], []);
    }

    /** The keys of the objects on the server that a new resource refuses. */
    made(): string[] {
        const { manager, volumes } = this.store;
        // The seed has a mount for each copy of a configuration.
        const text = JSON.stringify([{ ...manager, mounts: [] }, volumes]);
        const exists = ({ key }: Copy) => new RegExp(`[/"]${key}["/]`).test(text);
        return this.copies.flatMap((copy) => (copy.isRefused && exists(copy) ? [copy.key] : [])).sort();
    }
}
