/** Makes a `Runtime` from settings and HTTP clients, for dynamic providers, the native plugin, programs and scripts. */

import type { Runtime, ServerDefaults, Session } from "../core/context";
import type { SecretReader } from "../core/secret-inputs";
import type { LoginToken, Service } from "../core/service";
import { Voice } from "../core/voice";
import { createClient, realClock, secretsOf } from "../http/client";
import type { ClientSettings, Clock } from "../http/client-context";
import type { Finding } from "../schema/check";
import { configKeys } from "../settings/config-keys";
import type * as Reading from "../settings/secret-reader";
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
        const runtime =
            runtimes.get(configuration) ?? new ProcessRuntime((key) => values.get(key), options, isExplicit);
        runtimes.set(configuration, runtime);
        return runtime;
    };
}

/** The settings of a server, and the session once it is open. */
interface Server {
    readonly settings: ResolvedSettings;
    session?: Session;
}

/** The runtime of a process, or of one configuration in it: its settings come from the configuration and the environment. */
export class ProcessRuntime implements Runtime {
    readonly say: Runtime["say"];
    readonly steps: Runtime["steps"];
    readonly secrets = new Set<string>();
    readonly secretReader: SecretReader;
    private readonly voice: Voice;
    /** Settings are read once: a change of the environment does not apply during a run. */
    private readonly servers = new Map<string, Server>();
    /** The address by which the process first knew a server, for each of its addresses. */
    private readonly serverKeys = new Map<string, string>();
    /** The last work on each object. */
    private readonly last = new Map<string, Promise<unknown>>();

    /**
     * @param config default: the settings come from the environment alone
     * @param isExplicit whether the configuration is an explicit provider's or a script's: environment variables do not apply to its services
     */
    constructor(
        private readonly config: ConfigReader | undefined,
        private readonly options: RuntimeOptions,
        private readonly isExplicit = false,
    ) {
        const { secrets } = this;
        const { environment, say, steps } = options;
        this.say = say;
        this.steps = steps;
        // Most programs have no such source.
        let reader: SecretReader | undefined;
        const loaded = () => {
            reader ??= (require("../settings/secret-reader") as typeof Reading).secretReader(environment, secrets);
            return reader;
        };
        this.secretReader = {
            read: (source) => loaded().read(source),
            digest: (json, like) => loaded().digest(json, like),
        };
        this.voice = new Voice({ say, steps, secrets });
    }

    // `open` and `settings` are no methods, because a command copies the runtime with another value of `strict`.
    readonly open: Runtime["open"] = (service, connection, { anonymous } = {}) => {
        const server = this.server(service, connection);
        const usable = requireUsable(server.settings, anonymous);
        server.session ??= this.sessionOf(service, usable);
        return server.session;
    };

    readonly settings: Runtime["settings"] = (service, connection) =>
        serverDefaultsOf(service, this.server(service, connection).settings);

    /** A getter, so that a malformed value fails the operations that read it, and not the creation of the runtime. */
    get strict(): Runtime["strict"] {
        return readStrict(this.config, this.options.environment);
    }

    private server({ name }: Service, connection: string | undefined): Server {
        const key = JSON.stringify([name, connection]);
        const { config, isExplicit, options, servers } = this;
        const known = servers.get(key);
        const server = known ?? { settings: readSettings(name, connection, config, options.environment, isExplicit) };
        if (!known) for (const secret of secretsOf(server.settings)) this.secrets.add(secret);
        servers.set(key, server);
        return server;
    }

    private sessionOf(service: Service, settings: UsableSettings): Session {
        const { secrets, voice } = this;
        const { environment, logins, closers, overrides, pace = realPace } = this.options;
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
            settings: serverDefaultsOf(service, settings),
            servers,
            serverKey: this.serverKey(servers),
            product: title,
            settingsKey: key,
            adoptIdentical: isSetTo(environment, "STATECRAFT_ADOPT", "identical"),
            exclusive: (id, work) => this.exclusive(JSON.stringify([this.serverKey(servers), id]), work),
            runtime: this,
            warnings,
            now: pace.now,
            sleep: pace.sleep,
        };
    }

    private serverKey(servers: Session["servers"]): string {
        const keys = servers.flatMap((each) => this.serverKeys.get(each) ?? []);
        const [key = servers[0]] = keys;
        for (const each of servers) this.serverKeys.set(each, key);
        return key;
    }

    /** Begins the work on an object as soon as all earlier work on it has ended. */
    private exclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
        const result = (this.last.get(key) ?? Promise.resolve()).then(work);
        const forget = () => this.last.get(key) === end && this.last.delete(key);
        const end: Promise<unknown> = result.then(forget, forget);
        this.last.set(key, end);
        return result;
    }
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
const serverDefaultsOf = ({ defaults }: Service, { names, namespace }: ResolvedSettings): ServerDefaults => ({
    ...Object(defaults?.[names]),
    namespace,
});
