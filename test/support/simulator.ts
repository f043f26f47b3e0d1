/** Starts a simulator in memory, injects faults, and creates resources that a test drives as the engine does. */

import type { Server } from "node:http";
import { setImmediate } from "node:timers/promises";
import { type Connection, type ConnectOptions, connect, type ServiceSettings } from "../../src/client";
import type { Runtime } from "../../src/core/context";
import { Operations } from "../../src/core/operations";
import type { OwnedObjects } from "../../src/core/owned-objects";
import type { Clock } from "../../src/http/client-context";
import { createBackend } from "../../src/plugin/backend";
import { ProcessRuntime, type RuntimeOptions } from "../../src/runtime/runtime";
import { type SettingsKey, serviceKeys } from "../../src/settings/config-keys";
import type { Seed } from "../../src/simulator/seed";
import { type RunningSimulator, startSimulator } from "../../src/simulator/server";
import type { Store } from "../../src/simulator/store";
import { canaryToken } from "./canaries";
import { testClock } from "./clock";
import { definitionOf } from "./definitions";
import type { Gate } from "./gate";
import { type Answer, type Answerer, type Fault, Injector, type SeenRequest, sentRequest } from "./injector";
import { ManagedResource } from "./managed-resource";
import { nativeProvider } from "./native";
import { NotedFailures } from "./noted-failures";
import { outsideWorld } from "./outside-world";

export type { Answer, Fault, SeenRequest } from "./injector";

/** Whether a simulator uses the names and rules of the products or those of the API documents. The keys of the settings differ too. */
export type Vocabulary = "documented" | "product";

/** Options of `withSimulator`. */
interface Choices {
    /** Default: `product`. */
    readonly vocabulary?: Vocabulary;
    /** Does not reset the simulator between tests. */
    readonly lasts?: true;
}

/** Starts a simulator for a `describe` block, and before each test restores the seed, removes faults and opens the gate. */
export function withSimulator(seed: Seed = {}, choices: Choices = {}): Simulator {
    const simulator = new Simulator(seed, choices.vocabulary);
    before(() => simulator.open());
    beforeEach(() => {
        simulator.gate.open();
        return choices.lasts ? undefined : simulator.reset();
    });
    after(() => simulator.close());
    return simulator;
}

/** Settings and messages that several resources of one process share. */
export class DeployingProcess {
    readonly messages: ManagedResource["messages"] = [];
    runtime: Runtime | undefined;
}

/** The namespaces of volumes in the programs of tests. */
const namespaces = ["prod", "dev", "team"];

/** A simulator, its faults, its log of requests, and direct access to its objects. */
export class Simulator {
    private running: RunningSimulator | undefined;
    private readonly injector = new Injector();
    private readonly seed: Seed;
    private restore = () => {};

    constructor(
        seed: Seed,
        private readonly vocabulary: Vocabulary = "product",
        private readonly port = 0,
    ) {
        this.seed = { namespaces, ...seed };
    }

    /** Starts a simulator, by default at any free port. The caller must close it. */
    static async start(seed: Seed, vocabulary?: Vocabulary, port?: number): Promise<Simulator> {
        const simulator = new Simulator(seed, vocabulary, port);
        await simulator.open();
        return simulator;
    }

    async open(): Promise<void> {
        const { seed, vocabulary, port } = this;
        const names = vocabulary === "product" ? "product" : "documents";
        this.running = await startSimulator({ names, port, serverOf: this.injector.serverOf });
        const wake = () => this.control("POST", "/simulator/clock", { advance: 0 });
        const world = outsideWorld(this.store, wake);
        this.injector.world = (request) => world.fetch(request);
        await this.control("POST", "/simulator/reset", seed);
        this.restore = this.keep();
    }

    /** Lets `answerer` answer all later requests; without an argument, the simulator answers again. */
    answerWith(answerer: Answerer = (_, act) => act()): void {
        this.injector.answerer = answerer;
    }

    /** Runs code of the test before and after the effect of each request. */
    get gate(): Gate {
        return this.injector.gate;
    }

    get server(): Server {
        return this.injector.server;
    }

    private get started(): RunningSimulator {
        if (this.running === undefined) throw new Error("the simulator is not started yet");
        return this.running;
    }

    /** The address of the simulator, without a slash at the end. */
    get url(): string {
        return this.started.url;
    }

    /** Restores the seed, and removes all faults and logged requests. */
    async reset(): Promise<void> {
        this.restore();
        await this.heal();
        await this.forget();
    }

    async close(): Promise<void> {
        this.injector.close();
        await this.running?.close();
    }

    async fault(...faults: Fault[]): Promise<void> {
        this.injector.arm(faults);
    }

    async heal(): Promise<void> {
        this.injector.heal();
    }

    /** The simulator's objects, not a copy. */
    get store(): Store {
        return this.started.store;
    }

    /** Copies the simulator's objects. Returns a function that restores the copy. */
    keep(): () => void {
        const copy = structuredClone(this.store);
        return () => void Object.assign(this.store, structuredClone(copy));
    }

    /** Returns the requests since the last `forget`, oldest first. */
    async requests(): Promise<SeenRequest[]> {
        // Yields, so that a polling test does not starve other callbacks.
        await setImmediate();
        return this.injector.requests.map((request) => ({ ...request }));
    }

    /** Returns the requests since the last `forget` other than GET and LIST. */
    async writes(): Promise<SeenRequest[]> {
        return (await this.requests()).filter(({ method }) => method !== "GET" && method !== "LIST");
    }

    /** Empties the log of requests. */
    async forget(): Promise<void> {
        this.injector.requests = [];
    }

    /** Sends a request below `/simulator`. */
    control(method: string, path: string, body?: unknown): Promise<unknown> {
        return this.send(method, path, body, { "content-type": "application/json" });
    }

    /** Sends a request as another client of the service, outside Pulumi. */
    async outside(
        method: string,
        path: string,
        body?: unknown,
        extra: Readonly<Record<string, string>> = {},
    ): Promise<unknown> {
        const type = path.startsWith("/api/") ? "application/vnd.api+json" : "application/json";
        // Every service accepts a bearer token.
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
        // Yields, so that a polling test does not starve other callbacks.
        await setImmediate();
        const answer = await this.exchange(method, target, headers, sent);
        const text = answer.body.toString();
        if (answer.status === 404) return undefined;
        if (answer.status < 200 || answer.status > 299)
            throw new Error(`${method} ${target}: ${answer.status} ${text}`);
        return text !== "" && /json/.test(answer.headers["content-type"] ?? "") ? JSON.parse(text) : text;
    }

    /** Answers a request in process, because a socket would take most of a test's time. */
    async exchange(method: string, target: string, headers: Record<string, string>, body: Buffer): Promise<Answer> {
        const answer = await this.injector.exchange(sentRequest(method, target, headers, body), this.url + target);
        if (answer.broken) throw new Error(`${method} ${target}: the connection was cut`);
        return answer;
    }

    /** The settings of every service, by their keys in this simulator's vocabulary. */
    private get settings(): readonly (readonly [key: SettingsKey, settings: ServiceSettings])[] {
        const settings = { address: this.url, token: canaryToken };
        return Object.values(serviceKeys).map(({ [this.vocabulary]: { key } }) => [key, settings]);
    }

    /** Creates a client for scripts that shows no warnings. `options` replace the usual ones. */
    connect(options: ConnectOptions = {}): Connection {
        return connect({
            ...Object.fromEntries(this.settings),
            environment: {},
            warn: () => undefined,
            inform: () => undefined,
            ...options,
        });
    }

    /** Creates a resource that is not deployed yet. `settings` are merged into the settings of each service, which have this simulator's address. */
    resource(
        type: string,
        options: {
            environment?: NodeJS.ProcessEnv;
            settings?: Record<string, Record<string, unknown>>;
            stack?: string;
            /** The objects that one run of a program has deployed; its resources share this value. */
            run?: OwnedObjects;
            /** Default: a new process. */
            process?: DeployingProcess;
            /** Default: the real clock. */
            clock?: Clock;
            /** How many times as long as requested each wait takes: a poll then ends after fewer requests. Default: 1. */
            slowness?: number;
            /** Runs in the native plugin instead of the dynamic host. */
            isNative?: boolean;
        } = {},
    ): ManagedResource {
        const settings: Record<string, Record<string, unknown>> = { ...options.settings };
        for (const [name, usual] of this.settings) {
            const key = `statecraft:${name}`;
            settings[key] = { ...usual, maxRetries: 2, ...settings[key] };
        }
        const process = options.process ?? new DeployingProcess();
        const { messages } = process;
        // A wait advances the simulator's clock instead of taking time.
        const waiting = testClock((milliseconds) =>
            this.control("POST", "/simulator/clock", { advance: milliseconds / 1000 }),
        );
        // A wait of a request takes time too.
        const now = () => waiting.now() + (options.clock?.now() ?? 0);
        const sleep = (milliseconds: number) => waiting.sleep(milliseconds * (options.slowness ?? 1));
        const config = (key: string) => (settings[key] === undefined ? undefined : JSON.stringify(settings[key]));
        const shared: RuntimeOptions = {
            environment: options.environment ?? {},
            say: (severity, message, urn) => {
                messages.push({ severity, message, urn });
            },
            pace: { retryBaseDelay: 1, ...(options.clock && { clock: options.clock }), now, sleep },
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
        process.runtime ??= new ProcessRuntime(config, shared);
        const operations = new Operations(definitionOf(type), process.runtime, options.run);
        return ManagedResource.of(operations, messages, options.stack);
    }
}
