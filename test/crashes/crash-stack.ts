/** Runs commands on a stack with copies of resources, crashes them, and performs the user's steps after a crash. */

import assert from "node:assert/strict";
import type { Store } from "../../src/simulator/store";
import { assertSame } from "../faults/moment";
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

/** Limits with which all copies can wait at their boundaries at once, and a command fails soon after the network is cut. */
const limits = { maxConcurrency: 200, maxRetries: 1 };

export function assertSucceeded({ code, stdout, stderr }: Pick<Outcome, "code" | "stdout" | "stderr">): void {
    assert.equal(code, 0, stdout + stderr);
}

/** Returns the ids of the locked workspaces. */
export const lockedIn = ({ stateVersions }: Store) =>
    stateVersions.workspaces.flatMap(({ id, lock }) => (lock === null ? [] : [id]));

/** A stack with copies of resources, and its simulator. */
export class CrashStack {
    private constructor(
        private readonly simulator: Simulator,
        readonly stack: Workspace,
        private readonly copies: readonly Copy[],
        private readonly undisturbed: Undisturbed,
    ) {}

    /** Runs a test with a new stack and simulator. */
    static async play(
        copies: readonly Copy[],
        undisturbed: Undisturbed,
        test: (stack: CrashStack) => Promise<void>,
    ): Promise<void> {
        const simulator = await Simulator.start(seedFor(copies), "product");
        try {
            const config = { "statecraft:vault": limits, "statecraft:nomad": limits, "statecraft:terraform": limits };
            const program = { source: programOf(copies) };
            const environment = productVariables(simulator);
            const stack = await workspace({ program, config, environment, limit: 280_000 });
            try {
                await test(new CrashStack(simulator, stack, copies, undisturbed));
            } finally {
                stack.dispose();
            }
        } finally {
            await simulator.close();
        }
    }

    get store(): Store {
        return this.simulator.store;
    }

    run(command: Command): Promise<Outcome> {
        const parallel = ["--parallel", "250"];
        if (command === "refresh") return this.stack.refresh(...parallel);
        if (command === "destroy") return this.stack.destroy(...parallel);
        this.stack.write(programOf(this.copies, command === "change"));
        return this.stack.up(...parallel);
    }

    /** Runs a command until every copy of the plan waits at its boundary, and then kills the victim. */
    async crash(victim: Victim, command: Command, plan: ReadonlyMap<string, Boundary>): Promise<void> {
        const keyIn = (request: SentRequest) => keyOf(this.store, request);
        const outcome = await crash(this.simulator.gate, this.stack, victim, plan, keyIn, () => this.run(command));
        assert.notEqual(outcome.code, 0, `${command} succeeded without its ${victim}`);
        isReadable(outcome);
        if (!killsEngine(victim)) return;
        this.stack.removeEmptyAttributes();
        // `pulumi cancel` removes the lock on the stack, as the error of the next command would advise.
        assertSucceeded(await this.stack.pulumi("cancel", "--yes"));
    }

    /** Runs a command. If it refuses existing objects, runs it again with `STATECRAFT_ADOPT`. Returns the keys of the refused objects. */
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

    /** Asserts that the server has the same objects as without a crash, that the state contains all of them, and that an `up` finds no change. */
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

    /** Asserts that `destroy` removes all objects, and restores each workspace once for which the state contains the previous version. */
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

    /** Returns the keys of the server's objects that a create would refuse. */
    made(): string[] {
        const { manager, volumes } = this.store;
        // Mounts belong to the seed, and contain the keys of copies too.
        const text = JSON.stringify([{ ...manager, mounts: {} }, volumes]);
        const exists = ({ key }: Copy) => new RegExp(`[/"]${key}["/]`).test(text);
        return this.copies.flatMap((copy) => (copy.isRefused && exists(copy) ? [copy.key] : [])).sort();
    }
}
