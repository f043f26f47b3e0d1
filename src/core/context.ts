/** The services of one operation to resource files. `core/` imports neither HTTP nor Pulumi code: the caller passes both. */

import { isDeepStrictEqual } from "node:util";
import { AnswerError, StatecraftError } from "../errors";
import { asMessage, asSentence, type Finding, wrongKinds } from "../schema/check";
import { topLevel } from "../schema/compare";
import type { ObjectNode } from "../schema/property";
import { filterValues, type Values } from "../schema/values";
import type { Looks } from "./looks";
import type { SecretReader } from "./secret-inputs";
import type { Client, Service } from "./service";
import { type Output, type Voice, withWayOut } from "./voice";

/** The values that a server and its settings choose for inputs that the program leaves out, with those of the service (`Service.defaults`). */
export type ServerDefaults<Defaults = unknown> = Defaults & {
    /** The namespace of the settings, if they name one. */
    readonly namespace: string | undefined;
};

/** Settings, connections and output of a process, which its operations use. */
export interface Runtime extends Output {
    /**
     * Opens the server in the settings of a service, or of a connection by its name. Sends no request.
     * @throws ConfigError if the settings are incomplete or wrong
     */
    open(service: Service, connection: string | undefined, options?: { readonly anonymous?: true }): Session;
    /** The settings that resource files use. @throws ConfigError for wrong settings */
    settings(service: Service, connection: string | undefined): ServerDefaults;
    /** Whether warnings and blockers of checks and previews are failures (`statecraft:strict`). `blockers`: blockers alone. */
    readonly strict: boolean | "blockers";
    /** Reads the secrets of inputs that name a source. */
    readonly secretReader: SecretReader;
}

/** The connection to a server, which all operations of a process share. */
export interface Session {
    readonly client: Client;
    readonly settings: ServerDefaults;
    /** Origin and path of the address, stored as `server`; then other addresses of the same server. */
    readonly servers: readonly [string, ...string[]];
    /** One of the addresses of the server, the same in every session that leads to this server. */
    readonly serverKey: string;
    /** The name of the server in messages. */
    readonly product: string;
    /** The key of the server's settings in the stack's configuration, in the form that `pulumi config set --path` takes. */
    readonly settingsKey: string;
    /** Whether existing objects that are exactly as declared may be adopted in this run (`STATECRAFT_ADOPT=identical`). */
    readonly adoptIdentical: boolean;
    /** Runs work on one object of the server after earlier work on the same object has ended. */
    exclusive<Result>(object: string, work: () => Promise<Result>): Promise<Result>;
    /** The runtime that opened it. */
    readonly runtime: Runtime;
    /** Warnings about the settings, which were shown when they were found. The first preview under `strict` takes them as failures. */
    readonly warnings: Finding[];
    /** The time in milliseconds, counted from a fixed moment. */
    now(): number;
    /** Resolves after this time, or when the signal aborts. */
    sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Declares what all operations of a process share, such as the contents of the files that it has checked. The returned function gets it. */
export const perProcess = <Shared extends object>(initial: () => Shared) => perOwner<Runtime, Shared>(initial);

/**
 * Declares what all operations of the process on a server share, such as the parameters that the server refuses. The returned function
 * gets it.
 */
export function perServer<Shared extends object>(initial: () => Shared): (context: Context) => Shared {
    const sharedIn = perOwner<Session, Shared>(initial);
    return ({ session }) => sharedIn(session);
}

function perOwner<Owner extends object, Shared extends object>(initial: () => Shared): (owner: Owner) => Shared {
    const values = new WeakMap<Owner, Shared>();
    return (owner) => {
        const value = values.get(owner) ?? initial();
        values.set(owner, value);
        return value;
    };
}

/** The arguments of an operation in addition to the properties. */
export interface DeploymentContext {
    /** Messages are shown at the resource of this URN. */
    readonly urn?: string | undefined;
    /** Seconds that the operation may wait. */
    readonly timeout?: number | undefined;
    /** The connection of an object that is imported, so that no state names it. */
    readonly connection?: string | undefined;
    /**
     * The resource in its stack, by which a later run recognizes what it has made: `<organization>/<project>/<stack> <name>`. The native
     * plugin does not know the organization.
     */
    readonly owner?: string | undefined;
    /** Aborts when the user cancels. */
    readonly signal?: AbortSignal | undefined;
    /** Whether `check` is that of a preview; `undefined` if the host cannot tell. */
    readonly isPreview?: boolean | undefined;
    /** Advice on settings that are missing or refused. */
    readonly settingsAdvice?: string | undefined;
}

/** A problem that does not fail a check or a preview by itself. A blocker would make the deployment fail now. */
export interface Alarm extends Finding {
    readonly severity: "warning" | "blocker";
}

/** The alarms that are failures by `Runtime.strict`. The others are shown as warnings. */
export function failing(alarms: readonly Alarm[], strict: Runtime["strict"], voice: Voice): Finding[] {
    const isFailure = ({ severity }: Alarm) => strict === true || (strict === "blockers" && severity === "blocker");
    for (const alarm of alarms) if (!isFailure(alarm)) voice.say("warning", asMessage(alarm));
    const failures = alarms.filter(isFailure);
    if (strict !== true) return failures;
    return failures.map((each) => ({ ...each, reason: withWayOut(each.reason) }));
}

/** The warnings of a check as alarms. */
export const asAlarms = (warnings: readonly Finding[]): Alarm[] =>
    warnings.map((warning) => ({ ...warning, severity: "warning" }));

/** Gets a problem that a preview finds. */
export type Report = (
    severity: Alarm["severity"],
    problem: Pick<StatecraftError, "code" | "message"> & Partial<Pick<StatecraftError, "hint">>,
) => void;

/** The arguments of the constructor of `Context`. The time-out begins with its construction. `owner` is set if a script deletes. */
export interface ContextOptions extends Pick<DeploymentContext, "signal" | "timeout" | "owner"> {
    readonly voice: Voice;
    /** Set in a preview: gets its warnings, and blockers, which are errors that would make the deployment fail now. */
    readonly report?: Report | undefined;
    /** Set in a preview: limits its requests. */
    readonly looks?: Looks | undefined;
    /** Set in a read without state. */
    readonly isImport?: boolean | undefined;
    /** Set in a delete: another resource of the program manages the object, so the object must stay. */
    readonly isRetained?: boolean | undefined;
}

/** A wait for an event on the server. */
export interface Wait {
    /** The awaited event, as in the message "waiting for a snapshot". */
    readonly for: string;
    /** Seconds that the wait may take. */
    readonly limit: number;
    /** Milliseconds between two attempts. */
    readonly interval: number;
}

/** The result of one attempt in a wait: the awaited value, or why the wait goes on. The progress message shows a text. */
type Attempt<Done, Still> =
    | { readonly done: Done; readonly still?: undefined }
    | { readonly still: Still; readonly done?: undefined };

/** One operation on one server of a service with these `Defaults`. */
export class Context<Defaults = unknown> {
    readonly client: Client;
    readonly settings: ServerDefaults<Defaults>;
    private readonly begun: number;

    constructor(
        readonly session: Session,
        readonly options: ContextOptions,
    ) {
        const { client } = session;
        const { looks, signal, voice } = options;
        const learn = () => voice.learn();
        // The runtime adds the defaults of the service that it opens.
        this.settings = session.settings as ServerDefaults<Defaults>;
        this.begun = session.now();
        const { secrets } = voice;
        this.client = {
            call: async (endpoint, request) => {
                const within = looks && { within: looks.within };
                return client.call(endpoint, { ...request, ...within, secrets, learn, signal });
            },
            download: (address) => client.download(address, signal),
            upload: (address, content) => client.upload(address, content, signal),
        };
    }

    /** The name of the server in messages. */
    get product(): string {
        return this.session.product;
    }

    /** Origin and path of the server's address. */
    get server(): string {
        return this.session.servers[0];
    }

    get isCancelled(): boolean {
        return this.options.signal?.aborted === true;
    }

    /** Seconds since the operation began. */
    get elapsed(): number {
        return (this.session.now() - this.begun) / 1000;
    }

    /** A context of the same operation for releasing a lock, without a time-out and without the signal of a cancellation. */
    get cleanUp(): Context<Defaults> {
        return new Context(this.session, { ...this.options, signal: undefined, timeout: undefined });
    }

    /** A text of the server as messages quote it: without secrets, and cut. */
    quoted(text: string): string {
        return this.options.voice.quoted(text);
    }

    /** Shows a warning at the resource. A preview reports it, so that `strict` can make it a failure. `code` is one of docs/errors.md. */
    warn(code: string, message: string): void {
        const { report, voice } = this.options;
        if (report === undefined) voice.say("warning", `${message} [${code}]`);
        else report("warning", { code, message });
    }

    /** Shows a note at the resource. `code` is one of docs/errors.md. */
    inform(code: string, message: string): void {
        this.options.voice.say("info", `${message} [${code}]`);
    }

    /** @throws AnswerError for values in the answer to a read that have another kind than their properties */
    assertKinds(node: ObjectNode, values: Values): void {
        const wrong = wrongKinds(node, values).map(asSentence).join("; ");
        const hint = "Check `address` in the settings: a proxy, or another server, may have answered";
        if (wrong) throw new AnswerError({ service: this.product, operation: "read" }, wrong, hint);
    }

    /**
     * The values in the answer to a read after a write without those of another kind than their properties, of which it warns.
     * @param declared decoded values, whose kinds are right
     */
    withoutWrongKinds(node: ObjectNode, values: Values, declared: Values = {}): Values {
        const unequal = filterValues(values, (value, name) => !isDeepStrictEqual(value, declared[name]));
        const wrong = wrongKinds(node, unequal);
        const problem = "the server accepted the write, but shows a value of another kind, which is not stored";
        for (const { path, reason } of wrong) this.warn("answer", `${path}: ${problem}: it ${reason}.`);
        return filterValues(values, (_, name) => !wrong.some(({ path }) => topLevel(path) === name));
    }

    /** Shows what the operation waits for. */
    progress(message: string): void {
        this.options.voice.say("progress", message);
    }

    /** Reports in a preview what would make the deployment fail; throws it otherwise. */
    reportBlocker(problem: StatecraftError): void {
        if (this.options.report === undefined) throw problem;
        this.options.report("blocker", problem);
    }

    /** Runs work on one object of the server after earlier work on the same object has ended. */
    exclusive<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
        return this.session.exclusive(id, work);
    }

    /** Waits. @throws StatecraftError if the user cancels */
    async sleep(milliseconds: number): Promise<void> {
        await this.session.sleep(milliseconds, this.options.signal);
        if (this.isCancelled) throw new StatecraftError("cancelled", "the operation was cancelled while it waited");
    }

    /**
     * Seconds that a wait may take: `requested`, which is an input, or else `usual`. If the operation has a time-out, its remaining time
     * replaces `usual` and limits `requested`.
     */
    waitLimit(requested: number | undefined, usual: number): number {
        const { timeout } = this.options;
        if (timeout === undefined) return requested ?? usual;
        const rest = Math.max(0, timeout - this.elapsed);
        return Math.min(requested ?? rest, rest);
    }

    /** Makes attempts until one is done, or until the time limit of the wait has passed. Returns the result of the last attempt. */
    async poll<Done extends object, Still extends string | StatecraftError>(
        wait: Wait,
        attempt: () => Promise<Attempt<Done, Still>>,
    ): Promise<Attempt<Done, Still>> {
        const deadline = this.session.now() + wait.limit * 1000;
        for (;;) {
            if (this.isCancelled) throw new StatecraftError("cancelled", `waiting for ${wait.for} was cancelled`);
            const result = await attempt();
            const rest = deadline - this.session.now();
            if (result.done !== undefined || rest <= 0) return result;
            const state = typeof result.still === "string" ? `: ${result.still}` : "";
            this.progress(`waiting for ${wait.for}, ${Math.round(rest / 1000)} s left${state}`);
            await this.sleep(wait.interval);
        }
    }
}
