/** A simulator behind a fault proxy, on which stories run one after the other, with or without a fault. */

import assert from "node:assert/strict";
import type { Clock } from "../../src/http/retry";
import { canaryToken } from "../support/canaries";
import { withoutEmptyFields } from "../support/injector";
import { type ManagedResource, type Shown, type State, unsealed } from "../support/managed-resource";
import type { Vocabulary } from "../support/simulator";
import { Simulator } from "../support/simulator";
import { type Moment, momentOf } from "./moment";
import { FaultProxy, type Passed } from "./proxy";
import { nameOf, type Subject, seed } from "./subjects";
import { asksToAdopt, type Story, type Verb } from "./verbs";

/** A story without a fault: server and state after the verb, and after the next command. */
export interface Measure {
    readonly done: Moment;
    readonly end: Moment;
}

/** Measures by story. Every fixture has the same. */
export type Measures = Map<string, Promise<unknown>>;

/** The real clock, except that time-outs end only at `elapse`. */
export interface WatchedClock extends Clock {
    /** Milliseconds of all time-outs. */
    readonly timeouts: readonly number[];
    /** Ends all time-outs. */
    elapse(): void;
}

/** @param waits called before every wait */
export function watchedClock(waits: () => Promise<void> = async () => {}): WatchedClock {
    const timeouts: number[] = [];
    const running = new Set<() => void>();
    return {
        timeouts,
        now: Date.now,
        sleep: async (milliseconds) => {
            await waits();
            await new Promise((resolve) => setTimeout(resolve, milliseconds));
        },
        timer(milliseconds, strike) {
            timeouts.push(milliseconds);
            running.add(strike);
            return () => running.delete(strike);
        },
        elapse: () => {
            for (const strike of running) strike();
        },
        random: Math.random,
    };
}

/** The settings of retries: `timeout` is in seconds. */
export const patience = { maxRetries: 1, timeout: 20 };

/** State and server when a verb begins. */
interface Beginning {
    readonly subject: Subject;
    readonly prepare: Verb["prepare"];
    readonly state: State | undefined;
    readonly putBack: () => void;
}

export class FaultFixture {
    private readonly beginnings: Beginning[] = [];

    private constructor(
        readonly simulator: Simulator,
        readonly proxy: FaultProxy,
        private readonly measures: Measures,
    ) {}

    static async open(vocabulary?: Vocabulary, measures: Measures = new Map()): Promise<FaultFixture> {
        const simulator = await Simulator.start(seed, vocabulary);
        return new FaultFixture(simulator, await FaultProxy.start(simulator), measures);
    }

    async close(): Promise<void> {
        await this.proxy.close();
        await this.simulator.close();
    }

    /** A new process that deploys the resource and logs every request. */
    process({ type }: Subject, clock: Clock = watchedClock()): ManagedResource {
        const at = (path: string) => ({ address: this.proxy.url + path, ...patience });
        const settings = {
            "statecraft:vault": at(""),
            "statecraft:nomad": at(""),
            "statecraft:terraform": at("/api/v2"),
        };
        return this.simulator.resource(type, { settings, clock, environment: { STATECRAFT_LOG: "requests" } });
    }

    /** Restores server and resource as they are before the verb. The first call prepares them. */
    async begin({ subject, verb }: Pick<Story, "subject" | "verb">): Promise<ManagedResource> {
        await this.proxy.heal();
        const { prepare } = verb;
        const isIt = (one: Beginning) => one.subject === subject && one.prepare === prepare;
        const known = this.beginnings.find(isIt) ?? (await this.prepared(subject, prepare));
        known.putBack();
        await this.simulator.forget();
        const resource = this.process(subject);
        resource.state = structuredClone(known.state);
        return resource;
    }

    private async prepared(subject: Subject, prepare: Verb["prepare"]): Promise<Beginning> {
        await this.simulator.reset();
        await this.simulator.control("PATCH", "/simulator/processing", { reads: 0 });
        this.simulator.answerWith(subject.omitsEmpty && withoutEmptyFields);
        await subject.prepare?.(this.simulator);
        const resource = this.process(subject);
        await prepare?.(resource, subject, this.simulator);
        const beginning = { subject, prepare, state: resource.state, putBack: this.simulator.keep() };
        this.beginnings.push(beginning);
        return beginning;
    }

    /** Server and state, without discarded state versions; with `settled` also without pending ones. */
    moment({ mayLack = [] }: Subject, resource: ManagedResource, settled = false): Moment {
        const { manager, volumes, stateVersions: all } = this.simulator.store;
        const versions = all.versions.filter(
            ({ status }) => status !== "discarded" && !(settled && status === "pending"),
        );
        const stateVersions = { ...all, versions };
        const told = Object.entries(resource.state?.outputs ?? {}).filter(([name]) => !mayLack.includes(name));
        const state = resource.state && { id: resource.state.id, outputs: unsealed(Object.fromEntries(told)) };
        return momentOf({ state, manager, volumes, stateVersions });
    }

    /** Whether a workspace has a lock of the resource: its reason ends in a mark. */
    isLocked(): boolean {
        return this.simulator.store.stateVersions.workspaces.some(({ lock }) => lock?.reason.endsWith("]"));
    }

    /** Releases a lock as the messages say. */
    async releaseAsTold(messages: readonly string[]): Promise<void> {
        const ways = messages.flatMap((message) => [
            ...message.matchAll(/POST (\/workspaces\/\S+\/actions\/[a-z-]*unlock)/g),
        ]);
        for (const [, way] of ways) {
            if (!this.isLocked()) return;
            const headers = { authorization: `Bearer ${canaryToken}` };
            await this.simulator.outside("POST", `/api/v2${way}`, undefined, headers).catch(() => undefined);
        }
        assert(!this.isLocked(), `no message says how to release the lock: ${messages.join("; ")}`);
    }

    /** The requests of the verb without a fault. */
    async requests({ subject, verb }: Pick<Story, "subject" | "verb">): Promise<readonly Passed[]> {
        const resource = await this.begin({ subject, verb });
        const before = this.proxy.requests.length;
        await verb.act(resource, subject);
        return this.proxy.requests.slice(before);
    }

    /** The story without a fault. */
    measure(story: Story): Promise<Measure> {
        return this.once(`${keyOf(story)} ${story.next}`, async () => {
            const resource = await this.begin(story);
            await story.verb.act(resource, story.subject);
            const done = this.moment(story.subject, resource);
            await recover(story, resource);
            return { done, end: this.moment(story.subject, resource) };
        });
    }

    /** The end of the story if the verb has no effect. */
    undone(story: Story): Promise<Moment> {
        return this.once(`${keyOf(story)} ${story.next} undone`, async () => {
            const resource = await this.begin(story);
            await recover(story, resource);
            return this.moment(story.subject, resource);
        });
    }

    private once<Told>(key: string, tell: () => Promise<Told>): Promise<Told> {
        const known = this.measures.get(key) as Promise<Told> | undefined;
        const told = known ?? tell();
        this.measures.set(key, told);
        return told;
    }
}

const keyOf = ({ subject, verb }: Story) => `${nameOf(subject)} ${verb.name}`;

/** Runs the next commands, until no change is left. Returns whether the object had to be adopted. */
export async function recover({ subject, verb, next }: Story, resource: ManagedResource): Promise<boolean> {
    const program = verb.program(subject);
    if (next === "refresh" && resource.state !== undefined) await resource.refresh();
    if (program === undefined || next === "destroy") {
        if (resource.state !== undefined) await resource.destroy();
        return false;
    }
    let isTaken = false;
    await resource.up(program).catch(async (error: Error) => {
        if (!asksToAdopt(error)) throw error;
        isTaken = true;
        await resource.up({ ...program, adopt: true }).catch(async (refusal: Shown) => {
            // An immutable value differs: the object is replaced below.
            if (refusal.code !== "service" && !asksToAdopt(refusal)) throw refusal;
            await resource.up({ ...(verb.found?.(subject) ?? subject.inputs), adopt: true });
        });
        await resource.up(program);
    });
    assert.equal(await resource.up(program), "same", "a second up found something to do");
    assert.deepEqual(await resource.refresh(), [], "a refresh found something changed");
    assert.equal(await resource.up(program), "same", "an up after the refresh found something to do");
    return isTaken;
}
