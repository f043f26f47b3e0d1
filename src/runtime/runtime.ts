/** Makes a `Runtime` from settings and HTTP clients, for dynamic providers, the native plugin, programs and scripts. */

import type { Runtime, ServerDefaults, Session } from "../core/context";
import type { LoginToken, Service } from "../core/service";
import { Voice } from "../core/voice";
import { createClient, realClock, secretsOf } from "../http/client";
import type { ClientSettings, Clock } from "../http/client-context";
import { serverDefaults } from "../product-names";
import type { Finding } from "../schema/check";
import { configKeys } from "../settings/config-keys";
import { secretReader } from "../settings/secret-reader";
import {
    type ConfigReader,
    isSetTo,
    type ResolvedSettings,
    readSettings,
    readStrict,
    requireUsable,
    type UsableSettings,
} from "../settings/settings";

/** The logins of a process. Their tokens are revoked while no operation is under way, which may need one to release a lock. */
export class Logins {
    private readonly clients = new Set<() => Promise<unknown>>();
    private underWay = 0;

    /**
     * @param onFirst is called before the first login
     * @param add is called with each token
     */
    constructor(
        private readonly onFirst: () => void = () => undefined,
        readonly add: (token: LoginToken) => void = () => undefined,
    ) {}

    /** Adds a client that logs in. @param revokeTokens revokes the tokens of the client, and is the same for all of its logins */
    begin(revokeTokens: () => Promise<unknown>): void {
        if (this.clients.size === 0) this.onFirst();
        this.clients.add(revokeTokens);
    }

    /** Counts an operation until it ends. */
    during<Result>(operation: Promise<Result>): Promise<Result> {
        this.underWay++;
        return operation.finally(() => {
            this.underWay--;
        });
    }

    /**
     * Revokes all tokens, in at most one second. Resolves with false, without doing so, while an operation is under way.
     * @param isEnd whether the process ends, with its operations
     */
    async revokeTokens(isEnd = false): Promise<boolean> {
        if (this.underWay > 0 && !isEnd) return false;
        await Promise.all([...this.clients].map((revokeTokens) => revokeTokens()));
        return true;
    }

    /** Makes the signals that end the process wait until the tokens are revoked, for operations at most 3 seconds. */
    watchSignals(): void {
        for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const) {
            process.once(signal, async () => {
                for (let tries = 0; tries < 30 && !(await this.revokeTokens()); tries++) await realClock.sleep(100);
                await this.revokeTokens(true);
                // Another listener, such as that of another provider in the same host, ends the process itself.
                if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
            });
        }
    }
}

/** The parts of a process that a runtime uses, in addition to the configuration. */
export interface RuntimeOptions {
    readonly environment: NodeJS.ProcessEnv;
    readonly say: Runtime["say"];
    readonly steps?: Runtime["steps"];
    /** Gets the logins, so that their tokens can be revoked. */
    readonly logins?: Logins;
    /** Gets a function for each reused connection, which ends it unless another client uses it. Default: none is ended so. */
    readonly closers?: Set<() => void>;
    /** Settings that replace those of all servers. */
    readonly overrides?: Pick<ResolvedSettings, "maxRetries" | "timeout">;
    /** Clock and delays, which tests replace. Default: real time. */
    readonly pace?: Pace;
}

interface Pace extends Pick<Session, "now" | "sleep"> {
    /** Milliseconds before the first retry of a request. */
    readonly retryBaseDelay?: number;
    /** The clock of HTTP requests. Default: real time. */
    readonly clock?: Clock;
}

const realPace: Pace = { now: () => performance.now(), sleep: realClock.sleep };

/** Makes the runtimes of a process, one for each configuration: operations with the same settings share clients and their rate limits. */
export function createRuntimes(options: RuntimeOptions): (config: ConfigReader, isExplicit?: boolean) => Runtime {
    const runtimes = new Map<string, Runtime>();
    return (config, isExplicit = false) => {
        const values = new Map<string, string | undefined>(configKeys.map((key) => [key, config(key)]));
        const configuration = JSON.stringify([isExplicit, ...values]);
        const runtime = runtimes.get(configuration) ?? createRuntime((key) => values.get(key), options, isExplicit);
        runtimes.set(configuration, runtime);
        return runtime;
    };
}

/**
 * Makes a runtime whose settings come from a configuration and the environment.
 * @param config default: the settings come from the environment alone
 * @param isExplicit whether the configuration is an explicit provider's or a script's: environment variables do not apply to its services
 */
export function createRuntime(config: ConfigReader | undefined, options: RuntimeOptions, isExplicit = false): Runtime {
    const { environment, say, steps, logins, closers, overrides, pace = realPace } = options;
    const secrets = new Set<string>();
    const voice = new Voice({ say, steps, secrets });
    const last = new Map<string, Promise<unknown>>();
    /** Begins the work on an object as soon as all earlier work on it has ended. */
    const exclusive = <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
        const result = (last.get(key) ?? Promise.resolve()).then(work);
        const forget = () => last.get(key) === end && last.delete(key);
        const end: Promise<unknown> = result.then(forget, forget);
        last.set(key, end);
        return result;
    };
    const serverKeys = new Map<string, string>();
    /** The address by which the process first knew the server, for each of its addresses. */
    const serverKey = (servers: Session["servers"]): string => {
        const key = servers.map((each) => serverKeys.get(each)).find((each) => each !== undefined) ?? servers[0];
        for (const each of servers) serverKeys.set(each, key);
        return key;
    };

    // Settings are read once: a change of the environment does not apply during a run.
    const opened = new Map<string, { readonly settings: ResolvedSettings; session?: Session }>();
    const serverOf = ({ name }: Service, connection: string | undefined) => {
        const key = JSON.stringify([name, connection]);
        const server = opened.get(key) ?? { settings: readSettings(name, connection, config, environment, isExplicit) };
        if (!opened.has(key)) for (const secret of secretsOf(server.settings)) secrets.add(secret);
        opened.set(key, server);
        return server;
    };
    const sessionOf = (service: Service, settings: UsableSettings): Session => {
        const { address, key, title, sources } = settings;
        if (sources["address"] === undefined) {
            voice.say("info", `No address is set for ${title}, so its default ${address} is used. [config]`);
        }
        const servers = identitiesOf(settings);
        const warnings: Finding[] = [];
        const notify: ClientSettings["notify"] = (reason, code, severity) => {
            if (severity === undefined) warnings.push({ path: "", reason, code });
            voice.say(severity ?? "warning", `${reason} [${code}]`);
        };
        const inform = (text: string) => voice.say("info", text);
        const trace = isSetTo(environment, "STATECRAFT_LOG", "requests") ? inform : undefined;
        const ofProcess = { environment, logins, closers, notify, secrets, trace, retryBaseDelay: pace.retryBaseDelay };
        return {
            client: createClient(service, { ...settings, ...overrides, ...ofProcess }, pace.clock),
            settings: serverDefaultsOf(settings),
            servers,
            serverKey: serverKey(servers),
            product: title,
            settingsKey: key,
            adoptIdentical: isSetTo(environment, "STATECRAFT_ADOPT", "identical"),
            exclusive: (id, work) => exclusive(JSON.stringify([serverKey(servers), id]), work),
            secretReader: runtime.secretReader,
            warnings,
            now: pace.now,
            sleep: pace.sleep,
        };
    };

    const runtime: Runtime = {
        open(service, connection, { anonymous } = {}) {
            const server = serverOf(service, connection);
            const usable = requireUsable(server.settings, anonymous);
            server.session ??= sessionOf(service, usable);
            return server.session;
        },
        settings: (service, connection) => serverDefaultsOf(serverOf(service, connection).settings),
        // A getter, so that a malformed value fails the operations that read it, and not the creation of the runtime.
        get strict() {
            return readStrict(config, environment);
        },
        say,
        steps,
        secrets,
        secretReader: secretReader(environment, secrets),
    };
    return runtime;
}

/** The identity of the server, which the output `server` stores; then those of its other addresses, with and without the region. */
function identitiesOf({ address, query: { region }, otherAddresses = [] }: UsableSettings): Session["servers"] {
    const inRegion = (of: string) =>
        region !== undefined && !of.includes("?") ? `${of}?region=${encodeURIComponent(region)}` : of;
    const identity = (of: string) => {
        const { protocol, origin, pathname, search } = new URL(of);
        return (protocol === "unix:" ? "unix://" : origin) + pathname.replace(/\/+$/, "") + search;
    };
    const others = otherAddresses.map(identity);
    return [inRegion(identity(address)), ...new Set([...others, ...others.map(inRegion)])];
}

/** The values that a server and its settings choose for inputs that the program leaves out. */
export const serverDefaultsOf = ({ names, namespace }: ResolvedSettings): ServerDefaults => ({
    ...serverDefaults[names],
    namespace,
});
