/** A rollback and its workspace, as they must be after each step: what is current, what a destroy brings back, and whose lock is there. */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Fault } from "../../src/simulator/faults";
import { failureIfAny, failureOf } from "../support/failures";
import { Cut, type Gate, type Moment } from "../support/gate";
import type { ManagedResource } from "../support/managed-resource";
import { assertReadable } from "../support/messages";
import type { Simulator } from "../support/simulator";
import { type Holder, Workspace } from "./model-workspace";
import { isSealed, underFaults } from "./random-faults";

const type = "StateVersionRollback";

/** What a program says. */
export interface RollbackProgram {
    /** Which of the first versions. */
    readonly version: number;
    readonly args: {
        readonly lock?: boolean;
        readonly triggers?: readonly unknown[];
        readonly onDelete?: "keep" | "restore";
        readonly enforce?: boolean;
        readonly waitForProcessing?: boolean | string;
    };
}

export const rollbackPrograms: fc.Arbitrary<RollbackProgram> = fc.record({
    version: fc.nat(3),
    args: fc.record(
        {
            lock: fc.constantFrom(true, true, false),
            triggers: fc.constantFrom([], [1], ["two"]),
            onDelete: fc.constantFrom("keep" as const, "restore" as const, "restore" as const),
            enforce: fc.boolean(),
            waitForProcessing: fc.constantFrom(true, false, "1m"),
        },
        { requiredKeys: ["onDelete"] },
    ),
});

const requests = {
    rollback: /^PATCH /,
    lock: /\/actions\/lock$/,
    unlock: /\/actions\/unlock$/,
} as const;

/** Something that happens in the middle of a verb. */
export type Mishap =
    /** One request's connection is cut; `blind`: so are those of all looks after it. */
    | { readonly lost: keyof typeof requests; readonly moment: Moment; readonly blind: boolean }
    /** Before the verb has the lock, somebody rolls back to this version. */
    | { readonly others: number }
    | { readonly faults: readonly Fault[] };

/** Contents of the first versions: two are equal, and two others of their size. */
const contents = [0, 1, 0, 2];

/** What a verb is to do. */
interface Outlook {
    /** A version is to be made. */
    readonly makes: boolean;
    /** None is, but only the states show that: where one cannot be downloaded, a version is made. */
    readonly makesBlindly?: boolean;
    readonly current: string;
    readonly count: number;
    readonly holder: Holder | undefined;
}

/** One life, and what must be true of it. */
export class RollbackRun {
    private readonly life: ManagedResource;
    private program: RollbackProgram | undefined;
    /** The version that this resource made last, as long as nothing else was current where it looked. */
    private made: string | undefined;
    /** What a destroy brings back while that one is current. */
    private previous = "";

    private constructor(
        private readonly simulator: Simulator,
        private readonly gate: Gate,
        private readonly workspace: Workspace,
    ) {
        this.life = simulator.resource(type);
    }

    static async begin(simulator: Simulator, gate: Gate, number: number): Promise<RollbackRun> {
        return new RollbackRun(simulator, gate, await Workspace.begin(simulator, number, contents));
    }

    /** `pulumi up`, perhaps with a mishap, in which case a second one ends where the first should have. */
    async up(to: RollbackProgram, mishap?: Mishap): Promise<void> {
        const { life, program } = this;
        const inputs = this.inputs(to);
        const isTriggered = program !== undefined && keyOf(to) !== keyOf(program);
        const isOvertaken = to.args.enforce === true && life.state?.outputs["superseded"] === true;
        const isDue = program === undefined || isTriggered || to.version !== program.version || isOvertaken;
        const outlook = async () => {
            const before = await this.look();
            const makes = isDue && (isTriggered || this.contentOf(before) !== contents[to.version]);
            return { ...before, makes, makesBlindly: isDue && !makes && !this.isRecordedCopy(before, to) };
        };
        const before = await outlook();
        const hasChanged = mishap !== undefined && (await this.meet(mishap, before, () => life.up(inputs)));
        // What somebody has done meanwhile, the second run finds.
        const now = hasChanged ? await outlook() : await this.withBlind(before);
        if (this.isHindered(now, to)) return this.isRefused(life.up(inputs), now);
        await life.up(inputs);
        this.program = to;
        await this.agrees(now, to, isDue);
        await this.isEnforced(to, isDue);
        await this.isQuiet(inputs);
    }

    /** What this resource has made, and what was there before its unbroken chain of rollbacks. */
    private async agrees(before: Seen & Outlook, to: RollbackProgram, isDue: boolean): Promise<void> {
        const after = await this.look();
        assert.equal(after.count - before.count, before.makes ? 1 : 0, "versions made");
        assert.equal(after.holder, before.holder, "a lock by hand stays, and no other is left");
        if (!isDue) return;
        assert.equal(this.contentOf(after), contents[to.version], "the wanted content is current");
        if (before.makes) {
            if (before.current !== this.made) this.previous = before.current;
            this.made = after.current;
        } else if (before.current !== this.made) {
            this.made = undefined;
            this.previous = "";
        }
        const { currentStateVersionId, previousStateVersionId } = this.life.outputs();
        assert.deepEqual([currentStateVersionId, previousStateVersionId], [after.current, this.previous]);
    }

    /** What others did since, only a refresh sees. */
    private async isEnforced(to: RollbackProgram, isDue: boolean): Promise<void> {
        const { life } = this;
        const before = await this.look();
        if (to.args.enforce !== true || isDue || before.current === life.outputs()["currentStateVersionId"]) return;
        assert.deepEqual(await life.refresh(), ["superseded"]);
        const makes = this.contentOf(before) !== contents[to.version];
        if (this.isHindered({ ...before, makes }, to)) {
            await this.isRefused(life.up(this.inputs(to)), { ...before, makes });
            // So that what follows finds nothing to do.
            const { enforce: _enforce, ...args } = to.args;
            return this.up({ ...to, args });
        }
        assert.equal(await life.up(this.inputs(to)), "updated");
        await this.agrees({ ...before, makes }, to, true);
    }

    private async isQuiet(inputs: Record<string, unknown>): Promise<void> {
        const { life } = this;
        if (life.state?.outputs["superseded"] === true && inputs["enforce"] === true) return;
        assert.equal(await life.up({ ...inputs }), "same", "a second up finds nothing to do");
        await this.refresh();
        if (life.state?.outputs["superseded"] === true && inputs["enforce"] === true) return;
        assert.equal(await life.up({ ...inputs }), "same", "an up after a refresh finds nothing to do");
    }

    async refresh(mishap?: Mishap): Promise<void> {
        const { life } = this;
        if (life.state === undefined) return;
        const before = await this.look();
        if (mishap !== undefined) await this.meet(mishap, { ...before, makes: false }, () => life.refresh());
        assert.notEqual(await life.refresh(), "gone");
        const { current, count } = await this.look();
        assert.equal(count, before.count, "a refresh makes nothing");
        assert.equal(life.outputs()["superseded"], current !== life.outputs()["currentStateVersionId"]);
    }

    async destroy(mishap?: Mishap): Promise<void> {
        const { life, program } = this;
        if (life.state === undefined || program === undefined) return;
        const outlook = async () => {
            const before = await this.look();
            const restores = program.args.onDelete === "restore" && before.current === this.made;
            return { ...before, makes: restores && this.previous !== "" };
        };
        const before = await outlook();
        const hasChanged = mishap !== undefined && (await this.meet(mishap, before, () => life.destroy()));
        const now = hasChanged ? await outlook() : before;
        if (life.state !== undefined) {
            if (this.isHindered(now, program)) return this.isRefused(life.destroy(), now);
            await life.destroy();
        }
        const after = await this.look();
        assert.equal(after.count - now.count, now.makes ? 1 : 0, "versions made by a destroy");
        assert.equal(after.holder, before.holder, "a lock by hand stays, and no other is left");
        if (now.makes) assert.equal(this.contentOf(after), this.contentOf({ ...after, current: this.previous }));
        this.program = undefined;
        this.made = undefined;
        this.previous = "";
    }

    /** Somebody else makes a version current. */
    others(version: number): Promise<void> {
        return this.workspace.rollBack(this.workspace.version(version));
    }

    /** Somebody locks by hand, or releases what is locked so. */
    async hand(by: Holder): Promise<void> {
        const { workspace } = this;
        const holder = await workspace.holder();
        assert.notEqual(holder, "left", "no lock is left");
        if (holder === undefined) await workspace.lock(by);
        else if (holder !== "left") await workspace.unlock(holder);
    }

    /** `pulumi up` while somebody holds the lock. */
    async under(by: Holder, to: RollbackProgram): Promise<void> {
        if ((await this.workspace.holder()) !== undefined) return this.up(to);
        await this.hand(by);
        await this.up(to);
        await this.hand(by);
    }

    /**
     * A verb meets a mishap. Whatever it says, it made no more than it was to make, and took nobody's lock. Returns whether somebody has done
     * something meanwhile: then it made nothing.
     */
    private async meet(mishap: Mishap, before: Seen & Outlook, verb: () => Promise<unknown>): Promise<boolean> {
        const { simulator, life, gate, workspace } = this;
        let hasChanged = false;
        if ("faults" in mishap) {
            await underFaults(simulator, life, type, mishap.faults, verb);
        } else {
            let isMet = false;
            gate.set(async ({ moment, request: { method, path } }) => {
                if ("others" in mishap) {
                    if (isMet || moment !== "before" || !path.endsWith("/actions/lock")) return;
                    isMet = true;
                    return workspace.rollBack(workspace.version(mishap.others));
                }
                if (isMet && mishap.blind && method === "GET" && path.startsWith("/api/")) throw new Cut();
                if (isMet || moment !== mishap.moment || !requests[mishap.lost].test(`${method} ${path}`)) return;
                isMet = true;
                throw new Cut();
            });
            const wrong = await failureIfAny(verb()).finally(() => gate.open());
            if (wrong !== undefined) assertReadable(wrong, type);
            isSealed(life, []);
            const isDoubtful = isMet && "lost" in mishap && mishap.lost === "rollback";
            if (isDoubtful && wrong) assert.notEqual(life.state, undefined, "what may have been done is kept in state");
            hasChanged = isMet && "others" in mishap;
        }
        const { count, holder } = await this.look(true);
        if (hasChanged) assert.equal(count, before.count + 1, "nothing is made over what somebody else has just made");
        const mayMake = before.makes || ("faults" in mishap && before.makesBlindly === true);
        assert(count - before.count <= (mayMake ? 1 : 0), "no more versions than needed");
        if (before.holder !== undefined) assert.equal(holder, before.holder, "a lock by hand stays");
        return hasChanged;
    }

    /** The outlook, where a version may have been made because a state could not be downloaded. */
    private async withBlind<Before extends Outlook>(before: Before): Promise<Before> {
        if (before.makesBlindly !== true) return before;
        const { count } = await this.look(true);
        return { ...before, makes: count > before.count };
    }

    /** Whether the records alone show that the wanted content is current. */
    private isRecordedCopy({ current, copies }: Seen, { version }: RollbackProgram): boolean {
        const wanted = this.workspace.version(version);
        return current === wanted || copies.get(current) === wanted;
    }

    /** Whether somebody's lock is in the way, or none is there where the program takes none. */
    private isHindered({ makes, holder }: Outlook, { args }: RollbackProgram): boolean {
        const hinders: readonly (Holder | undefined)[] =
            args.lock === false ? ["others", undefined] : ["others", "neighbour"];
        return makes && hinders.includes(holder);
    }

    private async isRefused(verb: Promise<unknown>, before: Seen & Outlook): Promise<void> {
        assertReadable(await failureOf(verb, Error), type);
        const after = await this.look();
        assert.deepEqual([after.current, after.count, after.holder], [before.current, before.count, before.holder]);
    }

    private inputs({ version, args }: RollbackProgram): Record<string, unknown> {
        const { workspace } = this;
        return { workspaceId: workspace.id, stateVersionId: workspace.version(version), ...args };
    }

    /** What the service holds. `mayBeLocked`: a run has just failed. */
    private async look(mayBeLocked = false): Promise<Seen> {
        const { workspace } = this;
        const [versions, current, holder] = [
            await workspace.versions(),
            await workspace.current(),
            await workspace.holder(),
        ];
        assert(mayBeLocked || holder !== "left", "no lock is left");
        const copies = new Map(versions.map(({ id, copyOf }) => [id, copyOf]));
        return { current, count: versions.length, holder: holder === "left" ? undefined : holder, copies };
    }

    private contentOf({ current, copies }: Pick<Seen, "current" | "copies">): number | undefined {
        const { workspace } = this;
        const index = contents.findIndex((_, each) => workspace.version(each) === current);
        if (index >= 0) return contents[index];
        return this.contentOf({ current: copies.get(current) ?? assert.fail(`${current} is no copy`), copies });
    }
}

interface Seen {
    readonly current: string;
    readonly count: number;
    readonly holder: Holder | undefined;
    /** Which version each one is a copy of. */
    readonly copies: ReadonlyMap<string, string | undefined>;
}

const keyOf = ({ args }: RollbackProgram) => JSON.stringify(args.triggers ?? []);
