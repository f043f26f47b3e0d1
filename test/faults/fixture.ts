/** A server, and proxies in front of it, on which one story after the other is told, with or without something that goes wrong. */

import assert from "node:assert/strict";
import type { Clock } from "../../src/http/retry";
import { fixture } from "../http/support";
import { canaryToken } from "../support/canaries";
import { type ManagedResource, type Shown, type State, unsealed } from "../support/managed-resource";
import type { Vocabulary } from "../support/simulator";
import { Simulator } from "../support/simulator";
import type { Fault } from "./faults";
import { type Moment, momentOf } from "./moment";
import { FaultProxy, type Passed } from "./proxy";
import { nameOf, type Subject, seed } from "./subjects";
import { asksToAdopt, type Story, type Verb } from "./verbs";

/** A story without a fault: what there is when the verb has ended, and when the next command has. */
export interface Measure {
    readonly done: Moment;
    readonly end: Moment;
}

/** Measures, by their stories. They are the same on every fixture. */
export type Measures = Map<string, Promise<unknown>>;

/** The real clock, except that time-outs strike when a test says so, and not before. It remembers their milliseconds. */
export interface WatchedClock extends Clock {
    readonly timeouts: readonly number[];
    /** Lets every time-out strike that was set until now. */
    elapse(): void;
}

/** @param waits told of every wait before it begins */
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

/** What the settings say: seconds for one try, and how many more there may be. */
export const patience = { maxRetries: 1, timeout: 20 };

/** What there is when a verb begins. */
interface Beginning {
    readonly subject: Subject;
    readonly prepare: Verb["prepare"];
    /** State names the server by its address. */
    readonly proxy: FaultProxy;
    readonly state: State | undefined;
    readonly putBack: () => void;
}

export class FaultFixture {
    private readonly beginnings: Beginning[] = [];

    private constructor(
        readonly simulator: Simulator,
        readonly plain: FaultProxy,
        private readonly secure: FaultProxy,
        private readonly measures: Measures,
    ) {}

    static async open(vocabulary?: Vocabulary, measures: Measures = new Map()): Promise<FaultFixture> {
        const simulator = await Simulator.start(seed, vocabulary);
        const [plain, secure] = [await FaultProxy.start(simulator), await FaultProxy.start(simulator, true)];
        return new FaultFixture(simulator, plain, secure, measures);
    }

    async close(): Promise<void> {
        await Promise.all([this.plain.close(), this.secure.close()]);
        await this.simulator.close();
    }

    proxyFor(fault: Fault): FaultProxy {
        return fault.tls ? this.secure : this.plain;
    }

    /** A process that deploys the resource, and tells every try. */
    process({ type }: Subject, proxy: FaultProxy, clock: Clock = watchedClock()): ManagedResource {
        const secure = proxy === this.secure ? { caFile: fixture("ca.pem") } : {};
        const at = (path: string) => ({ address: proxy.url + path, ...secure, ...patience });
        const settings = {
            "statecraft:manager": at(""),
            "statecraft:volumes": at(""),
            "statecraft:stateVersions": at("/api/v2"),
        };
        return this.simulator.resource(type, { settings, clock, environment: { STATECRAFT_LOG: "requests" } });
    }

    /** The objects before the verb, and the resource as far as it is there. What is made for it once is put back the next time. */
    async begin(
        { subject, verb }: { subject: Subject; verb: Pick<Verb, "prepare"> },
        proxy: FaultProxy,
    ): Promise<ManagedResource> {
        await proxy.heal();
        const { prepare } = verb;
        const isIt = (one: Beginning) => one.subject === subject && one.prepare === prepare && one.proxy === proxy;
        const known = this.beginnings.find(isIt) ?? (await this.prepared(subject, prepare, proxy));
        known.putBack();
        await this.simulator.forget();
        const resource = this.process(subject, proxy);
        resource.state = structuredClone(known.state);
        return resource;
    }

    private async prepared(subject: Subject, prepare: Verb["prepare"], proxy: FaultProxy): Promise<Beginning> {
        await this.simulator.reset();
        await this.simulator.control("PATCH", "/simulator/processing", { reads: 0 });
        this.simulator.omitEmptyFields(subject.omitsEmpty);
        await subject.prepare?.(this.simulator);
        const resource = this.process(subject, proxy);
        await prepare?.(resource, subject, this.simulator);
        const beginning = { subject, prepare, proxy, state: resource.state, putBack: this.simulator.keep() };
        this.beginnings.push(beginning);
        return beginning;
    }

    /** Without versions that were announced and never got their content; `settled`: also without those that still wait for it. */
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

    /** Whether a lock of ours is there: its reason ends in a mark. */
    isLocked(): boolean {
        return this.simulator.store.stateVersions.workspaces.some(({ lock }) => lock?.reason.endsWith("]"));
    }

    /** Does what the messages tell to do about a lock that is left. */
    async releaseAsTold(messages: readonly string[]): Promise<void> {
        const ways = messages.flatMap((message) => [
            ...message.matchAll(/POST (\/workspaces\/\S+\/actions\/[a-z-]*unlock)/g),
        ]);
        for (const [, way] of ways) {
            if (!this.isLocked()) return;
            const headers = { authorization: `Bearer ${canaryToken}` };
            await this.simulator.outside("POST", `/api/v2${way}`, undefined, headers).catch(() => undefined);
        }
        assert(!this.isLocked(), `a lock is left and nobody says how to release it: ${messages.join("; ")}`);
    }

    /** The requests of the verb without a fault. */
    async requests({ subject, verb }: Pick<Story, "subject" | "verb">): Promise<readonly Passed[]> {
        const resource = await this.begin({ subject, verb }, this.plain);
        const before = this.plain.requests.length;
        await verb.act(resource, subject);
        return this.plain.requests.slice(before);
    }

    /** The story without a fault. */
    measure(story: Story): Promise<Measure> {
        return this.once(`${keyOf(story)} ${story.next}`, async () => {
            const resource = await this.begin(story, this.plain);
            await story.verb.act(resource, story.subject);
            const done = this.moment(story.subject, resource);
            await recover(story, resource);
            return { done, end: this.moment(story.subject, resource) };
        });
    }

    /** How the story ends where the verb has had no effect at all. */
    undone(story: Story): Promise<Moment> {
        return this.once(`${keyOf(story)} ${story.next} undone`, async () => {
            const resource = await this.begin(story, this.plain);
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

/** The next commands, until the resource is what the program says and nothing is left to do. Returns whether it had to be taken over. */
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
            // What the service never changes has to be declared as it is before it can be replaced.
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
