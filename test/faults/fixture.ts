/** A simulator with faults, on which verbs and next commands run one after the other, with or without a fault. */

import assert from "node:assert/strict";
import { once } from "node:events";
import type { Clock } from "../../src/http/client-context";
import { canaryToken } from "../support/canaries";
import { testClock } from "../support/clock";
import { type Answerer, noAnswer, withoutEmptyFields } from "../support/injector";
import { type ManagedResource, type Shown, type State, unsealed } from "../support/managed-resource";
import { Simulator } from "../support/simulator";
import { type Moment, momentOf } from "./moment";
import { nameOf, type Subject, seed } from "./subjects";
import { asksToAdopt, type Cell, type Passed, type Story } from "./verbs";

/** The client's settings for retries. `timeout` is in seconds. */
export const patience = { maxRetries: 1, timeout: 20 };

/** The command in messages that releases a lock. */
export const adviceToUnlock = /`npx pulumi-statecraft unlock ([\w/-]+)( --force)?`/g;

/** State and server at a moment of a story without a fault. */
interface Saved {
    readonly state: State | undefined;
    readonly putBack: () => void;
}

/** The end of a verb without a fault. */
interface Done extends Saved {
    readonly requests: readonly Passed[];
    readonly moment: Moment;
}

/** Starts on a free port below the ephemeral ones, so that no other process takes it while the simulator has closed it. */
async function startAt(port = 20_011 + (process.pid % 10_000)): Promise<Simulator> {
    try {
        return await Simulator.start(seed, "product", port);
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
        return startAt(port + 1);
    }
}

export class FaultFixture {
    /** The parts of stories without a fault, by their names. */
    private readonly parts = new Map<string, Promise<unknown>>();
    private processes = 0;
    /** Answers a request without a fault. */
    private usual: Answerer = (_, act) => act();
    /** Opens the port again if the fault refuses only one request. Called before each retry. */
    admit = async (): Promise<void> => {};

    private constructor(
        readonly simulator: Simulator,
        /** The target of redirects, which is another origin. */
        readonly foreign: Simulator,
    ) {}

    /** Opens a fixture for `work`, and closes it afterwards. */
    static async use<Result>(work: (fixture: FaultFixture) => Promise<Result>): Promise<Result> {
        const simulator = await startAt();
        const foreign = await Simulator.start({});
        const body = Buffer.from('{"errors":[]}');
        foreign.answerWith(() => ({ status: 404, headers: { "content-type": "application/json" }, body }));
        const fixture = new FaultFixture(simulator, foreign);
        try {
            return await work(fixture);
        } finally {
            await fixture.heal();
            await foreign.close();
            await simulator.close();
        }
    }

    /** Injects the fault of a cell until `heal`, and counts requests from now on. @param met runs at each request that the fault hits */
    harm({ fault: { reply, acted }, target, once: single }: Cell, met: () => void): void {
        const { server } = this.simulator;
        let [count, isShut] = [0, false];
        /** Closes the port if the next request is the one to refuse. */
        const shut = () => {
            if (reply !== undefined || isShut || count < target.number - 1) return;
            isShut = true;
            server.close();
        };
        this.admit = async () => {
            if (single && isShut) await this.open();
        };
        this.simulator.answerWith(async (request, act) => {
            count += 1;
            const isHit = count === target.number || (count > target.number && !single);
            if (reply !== undefined && isHit) {
                const real = acted ? await this.usual(request, act) : noAnswer;
                met();
                return reply(real, request, this.foreign.url);
            }
            const answer = await this.usual(request, act);
            if (reply !== undefined) return answer;
            shut();
            // The port can refuse the next request only if the client opens a new connection.
            return { ...answer, headers: { ...answer.headers, connection: "close" } };
        });
        if (reply === undefined) server.closeAllConnections();
        shut();
    }

    /** Removes the fault, and closes all connections. The server answers as that of the subject. */
    async heal(subject?: Subject): Promise<void> {
        if (subject) this.usual = subject.omitsEmpty ? withoutEmptyFields : (_, act) => act();
        this.simulator.answerWith(this.usual);
        this.simulator.server.closeAllConnections();
        await this.open();
    }

    private async open(): Promise<void> {
        const { server } = this.simulator;
        if (server.listening) return;
        server.listen(Number(new URL(this.simulator.url).port), "127.0.0.1");
        await once(server, "listening");
    }

    /** Creates a resource in a new process, which logs every request. */
    process({ type }: Subject, clock: Clock = testClock()): ManagedResource {
        this.processes += 1;
        // Clients with other TLS settings share no connections, as those of two processes do not.
        const server = { ...patience, tlsServerName: `process-${this.processes}` };
        const settings = { "statecraft:vault": server, "statecraft:nomad": server, "statecraft:terraform": server };
        return this.simulator.resource(type, { settings, clock, environment: { STATECRAFT_LOG: "requests" } });
    }

    /** Restores server and resource to the moment before the verb. The first call for a story prepares both. */
    async begin({ subject, verb }: Pick<Story, "subject" | "verb">): Promise<ManagedResource> {
        const beginning = await this.once(`${nameOf(subject)} before ${verb.name}`, async () => {
            await this.heal(subject);
            await this.simulator.reset();
            await this.simulator.control("PATCH", "/simulator/processing", { reads: 0 });
            await subject.prepare?.(this.simulator);
            const resource = this.process(subject);
            await verb.prepare?.(resource, subject, this.simulator);
            return this.saved(resource);
        });
        return this.restored(subject, beginning);
    }

    private saved({ state }: ManagedResource): Saved {
        return { state: structuredClone(state), putBack: this.simulator.keep() };
    }

    /** Restores server and resource, in a new process. */
    private async restored(subject: Subject, { state, putBack }: Saved): Promise<ManagedResource> {
        await this.heal(subject);
        putBack();
        await this.simulator.forget();
        await this.foreign.forget();
        const resource = this.process(subject);
        resource.state = structuredClone(state);
        return resource;
    }

    /** Returns server and state without discarded state versions, and without pending ones if `dropsPending`. */
    moment({ mayLack = [] }: Subject, resource: ManagedResource, dropsPending = false): Moment {
        const { manager, volumes, stateVersions: all } = this.simulator.store;
        const versions = all.versions.filter(
            ({ status }) => status !== "discarded" && !(dropsPending && status === "pending"),
        );
        const stateVersions = { ...all, versions };
        const outputs = Object.entries(resource.state?.outputs ?? {}).filter(([name]) => !mayLack.includes(name));
        const state = resource.state && { id: resource.state.id, outputs: unsealed(Object.fromEntries(outputs)) };
        return momentOf({ state, manager, volumes, stateVersions });
    }

    /** Whether a workspace has the lock of an action, which is to end with the action. The reason of such a lock ends with a mark. */
    isLocked(): boolean {
        const { workspaces } = this.simulator.store.stateVersions;
        return workspaces.some(({ lock }) => /(?<!::lock)\]$/.test(lock?.reason ?? ""));
    }

    /** Releases the workspace's lock with the command that the messages name. */
    async releaseAsAdvised(messages: readonly string[]): Promise<void> {
        const ways = messages.flatMap((message) => [...message.matchAll(adviceToUnlock)]);
        const { workspaces } = this.simulator.store.stateVersions;
        const headers = { authorization: `Bearer ${canaryToken}` };
        for (const [, named = "", force] of ways) {
            if (!this.isLocked()) return;
            // The command itself waits for a minute of real time if a version is pending.
            const workspace = workspaces.find(({ id, organization, name }) =>
                [id, `${organization}/${name}`].includes(named),
            );
            const path = `/api/v2/workspaces/${workspace?.id}/actions/${force ? "force-unlock" : "unlock"}`;
            await this.simulator.outside("POST", path, undefined, headers).catch(() => undefined);
        }
        assert(!this.isLocked(), `no message says how to release the lock: ${messages.join("; ")}`);
    }

    /** Runs the verb without a fault. */
    done({ subject, verb }: Pick<Story, "subject" | "verb">): Promise<Done> {
        return this.once(`${nameOf(subject)}, ${verb.name}`, async () => {
            const resource = await this.begin({ subject, verb });
            await verb.act(resource, subject);
            const requests = await this.simulator.requests();
            return { requests, moment: this.moment(subject, resource), ...this.saved(resource) };
        });
    }

    /** Returns server and state after the verb, unless it is `skipped`, and the next command without a fault. */
    end(story: Story, skipped = false): Promise<Moment> {
        const { subject, verb, next } = story;
        return this.once(`${nameOf(subject)}, ${skipped ? "no " : ""}${verb.name}, then ${next}`, async () => {
            const resource = skipped ? await this.begin(story) : await this.restored(subject, await this.done(story));
            await recover(story, resource);
            return this.moment(subject, resource);
        });
    }

    private once<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
        const known = this.parts.get(key) as Promise<Result> | undefined;
        const result = known ?? run();
        this.parts.set(key, result);
        return result;
    }
}

/** Runs the story's next command, and unless that is `destroy`, `up` until it finds no change. Returns whether the object was adopted. */
export async function recover({ subject, verb, next }: Story, resource: ManagedResource): Promise<boolean> {
    const program = verb.program(subject);
    if (next === "refresh" && resource.state !== undefined) await resource.refresh();
    if (program === undefined || next === "destroy") {
        if (resource.state !== undefined) await resource.destroy();
        return false;
    }
    let wasAdopted = false;
    await resource.up(program).catch(async (error: Error) => {
        if (!asksToAdopt(error)) throw error;
        wasAdopted = true;
        await resource.up({ ...program, adopt: true }).catch(async (refusal: Shown) => {
            // Adoption cannot change an immutable value, so a later `up` replaces the object.
            if (refusal.code !== "service" && !asksToAdopt(refusal)) throw refusal;
            await resource.up({ ...(verb.found?.(subject) ?? subject.inputs), adopt: true });
        });
        await resource.up(program);
    });
    assert.equal(await resource.up(program), "same", "a second up found something to do");
    assert.deepEqual(await resource.refresh(), [], "a refresh found something changed");
    assert.equal(await resource.up(program), "same", "an up after the refresh found something to do");
    return wasAdopted;
}
