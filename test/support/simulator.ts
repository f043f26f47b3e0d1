/** A simulator in memory for one test file, its control requests, and resources on it, driven as the engine drives them. */

import { setImmediate } from "node:timers/promises";
import { serviceKeys } from "../../src/core/config-keys";
import type { Runtime } from "../../src/core/context";
import { Operations } from "../../src/core/operations";
import type { OwnedObjects } from "../../src/core/owned-objects";
import type { Clock } from "../../src/http/retry";
import { createBackend } from "../../src/plugin/backend";
import { createRuntime, type RuntimeOptions } from "../../src/settings/runtime";
import type { Seed } from "../../src/simulator/seed";
import { type RunningSimulator, startSimulator } from "../../src/simulator/server";
import type { Store } from "../../src/simulator/store";
import { canaryToken } from "./canaries";
import { definitions } from "./definitions";
import type { Gate } from "./gate";
import {
    type Answer,
    type Answerer,
    type Fault,
    type Hooks,
    Injector,
    type SeenRequest,
    sentRequest,
    withoutEmptyFields,
} from "./injector";
import { ManagedResource } from "./managed-resource";
import { nativeProvider } from "./native";
import { NotedFailures } from "./noted-failures";
import { outsideWorld } from "./outside-world";

export type { Answer, Fault, Hooks, SeenRequest } from "./injector";

/** Whose names and rules a simulator and its settings have. */
export type Vocabulary = "documented" | "product";

/** How a simulator of a test differs from the usual one. */
interface Choices {
    /** Whose names and rules the services and the settings have. Default: the product's. */
    readonly vocabulary?: Vocabulary;
    /** May hold every request. */
    readonly gate?: Gate;
    /** Each test goes on where the one before it ended. */
    readonly lasts?: true;
}

/**
 * The simulator of a `describe` block: it starts before the tests, holds the seed again before each of them, with no fault and an
 * open gate, and is closed after them.
 */
export function withSimulator(seed: Seed = {}, choices: Choices = {}): Simulator {
    const simulator = new Simulator(seed, choices.vocabulary);
    before(() => simulator.open(choices.gate?.guard));
    beforeEach(() => {
        choices.gate?.open();
        return choices.lasts ? undefined : simulator.reset();
    });
    after(() => simulator.close());
    return simulator;
}

/** One process that deploys several resources: what it says stands at each of them. */
export class DeployingProcess {
    readonly messages: ManagedResource["messages"] = [];
    runtime: Runtime | undefined;
}

/** What a test may do with the simulator, beside what the client does. */
export class Simulator {
    private running: RunningSimulator | undefined;
    private injector = new Injector();

    constructor(
        private readonly seed: Seed,
        private readonly vocabulary: Vocabulary = "product",
    ) {}

    /** Starts a simulator with these objects, which the caller closes. Its resources speak its vocabulary. */
    static async start(seed: Seed, vocabulary?: Vocabulary, hooks?: Hooks): Promise<Simulator> {
        const simulator = new Simulator(seed, vocabulary);
        await simulator.open(hooks);
        return simulator;
    }

    /** Starts it. `hooks` may hold every request. */
    async open(hooks?: Hooks): Promise<void> {
        const { seed, vocabulary } = this;
        this.injector = new Injector(hooks);
        const names = vocabulary === "product" ? "product" : "documents";
        this.running = await startSimulator({ names, wrap: this.injector.wrap });
        const wake = () => this.control("POST", "/simulator/clock", { advance: 0 });
        const world = outsideWorld(this.store, wake);
        this.injector.world = (request) => world.fetch(request);
        await this.control("POST", "/simulator/reset", seed);
    }

    /** Answers requests instead of the simulator from now on; without an argument, the simulator answers. */
    answerWith(answerer: Answerer = (_, act) => act()): void {
        this.injector.answerer = answerer;
    }

    /** From now on reads leave out empty fields, as some servers do. */
    omitEmptyFields(omits = true): void {
        this.answerWith(omits ? withoutEmptyFields : undefined);
    }

    /** Refuses more requests than these in a second from now on. */
    limit(requestsPerSecond: number): void {
        this.injector.limit = requestsPerSecond;
    }

    private get started(): RunningSimulator {
        if (this.running === undefined) throw new Error("the simulator runs while tests run, and not before");
        return this.running;
    }

    /** Where it listens. */
    get url(): string {
        return this.started.url;
    }

    /** Holds the seed and nothing else, and forgets requests and faults. */
    async reset(): Promise<void> {
        await this.control("POST", "/simulator/reset", this.seed);
        await this.heal();
        await this.forget();
    }

    /** Ends it. */
    async close(): Promise<void> {
        this.injector.close();
        await this.running?.close();
    }

    /** Something goes wrong from now on. */
    async fault(...faults: Fault[]): Promise<void> {
        this.injector.arm(faults);
    }

    /** Nothing goes wrong any more. */
    async heal(): Promise<void> {
        this.injector.heal();
    }

    /** All that it holds: itself, and no copy. */
    get store(): Store {
        return this.started.store;
    }

    /** Keeps what it holds now. Returns what has it hold that again. */
    keep(): () => void {
        const { store } = this;
        const kept = structuredClone(store);
        return () => {
            Object.assign(store, structuredClone(kept));
        };
    }

    /** Requests since the last `forget`, oldest first. */
    async requests(): Promise<SeenRequest[]> {
        // A test that asks again and again lets others go on.
        await setImmediate();
        return this.injector.requests.map((request) => ({ ...request }));
    }

    /** Those of them that were meant to change something. */
    async writes(): Promise<SeenRequest[]> {
        return (await this.requests()).filter(({ method }) => method !== "GET" && method !== "LIST");
    }

    /** Empties the log of requests. */
    async forget(): Promise<void> {
        this.injector.requests = [];
    }

    /** A request at the control door. */
    control(method: string, path: string, body?: unknown): Promise<unknown> {
        return this.send(method, path, body, { "content-type": "application/json" });
    }

    /** A request as somebody with a token of their own would send it, behind Pulumi's back. */
    async outside(
        method: string,
        path: string,
        body?: unknown,
        extra: Readonly<Record<string, string>> = {},
    ): Promise<unknown> {
        const type = path.startsWith("/api/") ? "application/vnd.api+json" : "application/json";
        // Every service takes a token as a bearer's.
        const headers = { authorization: "Bearer outside", "content-type": type };
        return this.send(method, path, body, { ...headers, ...extra });
    }

    private async send(
        method: string,
        target: string,
        body: unknown,
        headers: Record<string, string>,
    ): Promise<unknown> {
        const sent = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
        // Whoever asks again and again lets others get on with it.
        await setImmediate();
        const answer = await this.exchange(method, target, headers, sent);
        const text = answer.body.toString();
        if (answer.status === 404) return undefined;
        if (answer.status < 200 || answer.status > 299)
            throw new Error(`${method} ${target}: ${answer.status} ${text}`);
        return text !== "" && /json/.test(answer.headers["content-type"] ?? "") ? JSON.parse(text) : text;
    }

    /** What it answers, without the network, which takes longer than all that a test looks at. */
    async exchange(method: string, target: string, headers: Record<string, string>, body: Buffer): Promise<Answer> {
        const { fetch, url } = this.started;
        const done = await this.injector.exchange(sentRequest(method, target, headers, body), fetch, url + target);
        if (done === undefined) throw new Error(`${method} ${target}: the connection was cut`);
        return done.answer;
    }

    /**
     * A resource of a stack that does not exist yet. `environment` and `settings` are those of the process that deploys it. The settings of
     * each service lead to this simulator, and `settings` changes them.
     */
    resource(
        type: string,
        options: {
            environment?: NodeJS.ProcessEnv;
            settings?: Record<string, Record<string, unknown>>;
            stack?: string;
            /** Resources that share it belong to one run of a program. */
            run?: OwnedObjects;
            /** Resources that share it are deployed by one process. Default: each by one of its own. */
            process?: DeployingProcess;
            /** Time and chance of the requests; the real ones if there is none. */
            clock?: Clock;
            /** On the native plugin; else as Pulumi's dynamic host would. */
            isNative?: boolean;
        } = {},
    ): ManagedResource {
        const definition = definitions.find((candidate) => candidate.type === type);
        if (definition === undefined) throw new Error(`no resource ${type}`);
        const token = canaryToken;
        const settings: Record<string, Record<string, unknown>> = { ...options.settings };
        for (const { [this.vocabulary]: names } of Object.values(serviceKeys)) {
            const key = `statecraft:${names.key}`;
            settings[key] = { address: this.url, token, maxRetries: 2, ...settings[key] };
        }
        const process = options.process ?? new DeployingProcess();
        const { messages } = process;
        let time = 0;
        const config = (key: string) => (settings[key] === undefined ? undefined : JSON.stringify(settings[key]));
        const shared: RuntimeOptions = {
            environment: options.environment ?? {},
            say: (severity, message, urn) => {
                messages.push({ severity, message, urn });
            },
            // Waiting takes no time here, and the simulator's clock goes along.
            pace: {
                retryBaseDelay: 1,
                ...(options.clock && { clock: options.clock }),
                now: () => time,
                sleep: async (milliseconds) => {
                    time += milliseconds;
                    await this.control("POST", "/simulator/clock", { advance: milliseconds / 1000 });
                },
            },
        };
        if (options.isNative) {
            const failures = new NotedFailures();
            const backend = createBackend(options.run, shared);
            const configured = Object.keys(settings).map((key) => [key.replace("statecraft:", ""), config(key)]);
            backend.configure(Object.fromEntries(configured));
            const noted = (token: string) => failures.of(backend.operations(token));
            const provider = nativeProvider(type, { ...backend, operations: noted });
            return new ManagedResource(provider, messages, options.stack, failures.last);
        }
        process.runtime ??= createRuntime(config, shared);
        const operations = new Operations(definition, process.runtime, options.run);
        return ManagedResource.of(operations, messages, options.stack);
    }
}
