/** The operations of a resource, as hosts call them: plain data in, plain data out, and every failure is one paragraph without secrets. */

import {
    asStatecraftError,
    ConfigError,
    DeniedError,
    InputError,
    ServiceError,
    StatecraftError,
    sentencesOf,
    UnreachableError,
} from "../errors";
import { asMessage, asSentence, check, type Finding } from "../schema/check";
import { diff, type PropertyChange, replacing } from "../schema/compare";
import { Declared } from "../schema/declared";
import { parseDuration } from "../schema/property-types";
import { changeSecrets, sealSecrets } from "../schema/secrets";
import { filterValues, holdsUnknown, mapValues, unknown, type Values } from "../schema/values";
import { Action } from "./action";
import { type Alarm, asAlarms, failing } from "./alarms";
import {
    Context,
    type ContextOptions,
    type DeploymentContext,
    type Report,
    type Runtime,
    type Session,
} from "./context";
import { isActed, type Lifecycle } from "./lifecycle";
import { LookEnded, Looks } from "./looks";
import { NamedObject } from "./named-object";
import type { OwnedObjects } from "./owned-objects";
import { type AnyResource, chosenIn, Deployed, HalfMade, inputsIn, type Stored, stateOf } from "./resource";
import { spelledLike, withNewDigests, withSecrets } from "./secret-inputs";
import { shellWord } from "./shell-word";
import { step } from "./steps";
import { Voice } from "./voice";

/** How new inputs differ from the state of the last deployment. */
export interface Difference {
    readonly isChanged: boolean;
    /** Differences by property. They include `unfinished` if steps of the last deployment have to be repeated. */
    readonly changes: readonly PropertyChange[];
    /** Inputs whose changes replace the object. */
    readonly replaces: readonly string[];
    readonly deleteBeforeReplace: boolean;
}

/** An operation failed. The message is complete: what happened, and what to do. */
export class OperationError extends Error {
    /**
     * @param cause the error, with the same message
     * @param partial the id and outputs of an object that exists nevertheless
     */
    constructor(
        override readonly cause: StatecraftError,
        readonly partial: Stored | undefined,
        message = cause.message,
    ) {
        super(message, { cause });
        this.name = "OperationError";
    }
}

/** The object that inputs describe: its id, and its key in `OwnedObjects`. */
interface Target {
    readonly id: string;
    readonly key: string;
}

/** One operation: its messages, and the arguments of the host. */
interface Operation {
    readonly voice: Voice;
    readonly about: DeploymentContext;
}

/** The operations of one resource in one process. */
export class Operations {
    /** @param owned the objects of the program, shared by the resources of one run; `undefined` for scripts */
    constructor(
        private readonly resource: AnyResource,
        private readonly runtime: Runtime,
        private readonly owned?: OwnedObjects,
    ) {}

    /** Checks inputs and reports every problem at once. `olds` are the inputs of the last deployment. */
    check(
        olds: Values | undefined,
        news: Values,
        about: DeploymentContext,
    ): Promise<{ inputs: Values; failures: readonly Finding[] }> {
        const { node } = this.resource;
        const before = olds && new Deployed(node, olds);
        // Without the arguments that the program leaves out, and those that only statecraft sets.
        const isGiven = (value: unknown, name: string) => value != null && !node.properties.get(name)?.facts.internal;
        let inputs = new Declared(node, filterValues(news, isGiven));
        return this.run(undefined, [inputs, before], about, async (operation) => {
            const { voice } = operation;
            const { secretReader, strict } = this.runtime;
            const read = await withNewDigests(secretReader, inputs, before, about.urn);
            for (const text of read.changes) voice.say("info", `${text} [preview]`);
            const { failures, warnings, notes } = check(read.inputs, before);
            for (const note of notes) voice.say("info", asMessage(note));
            const alarms = asAlarms(warnings);
            failures.push(...read.failures, ...(strict === true ? failing(alarms, strict, voice) : []));
            failures.push(...this.settingsProblem(operation, inputs, before));
            const isValid = failures.length === 0;
            if (isValid) inputs = await this.prepared(read.inputs, about, before);
            const changes = before && diff(before, inputs);
            // An earlier run has shown the warnings of unchanged inputs.
            if (strict !== true && !(isValid && changes?.length === 0)) failing(alarms, false, voice);
            const result = { inputs: sealSecrets(node, inputs.written), failures };
            if (!isValid) return result;
            inputs = this.withChosen(inputs, before);
            const target = this.target(inputs);
            failures.push(...this.claim(target, about));
            if (!about.isPreview || failures.length > 0) return result;
            failures.push(...(await this.preview(operation, inputs, before, changes, target)));
            return result;
        });
    }

    /** How new inputs differ from state. */
    diff(id: string, olds: Values, news: Values): Promise<Difference> {
        const { resource } = this;
        const [deployed, declared] = [new Deployed(resource.node, olds), new Declared(resource.node, news)];
        return this.run(id, [deployed, declared], {}, async () => {
            const changes = diff(deployed, declared);
            if (deployed.unfinished.length > 0) {
                changes.push({ path: "unfinished", kind: "update", replaces: false, isOption: false });
            }
            const isChanged = changes.length > 0;
            const { key } = this.target(declared, deployed, id) ?? {};
            if (key !== undefined) this.owned?.store(key, olds, isChanged);
            const deleteBeforeReplace = resource.deletesFirst === true;
            return { isChanged, changes, replaces: replacing(changes), deleteBeforeReplace };
        });
    }

    /** The outputs of a create in a preview: the inputs, and other outputs as unknown. */
    previewCreate(inputs: Values, about: DeploymentContext = {}): Promise<Values> {
        const { node } = this.resource;
        const declared = new Declared(node, inputs);
        return this.run(undefined, [declared], about, async (operation) => {
            // The engine previews a replacement as a create, so a resource of the last deployment may have the object.
            const target = this.target(declared);
            const replaced = target && this.owned?.stored(target.key);
            const before = replaced && new Deployed(node, replaced);
            const changes = before && diff(before, declared);
            refuse(this.resource, await this.preview(operation, declared, before, changes, target));
            // Inputs with the fact `chosen` that are absent stay unknown, so that functions that take them are called only after the create.
            const names = [...node.properties.values()].flatMap(({ name, facts }) => (facts.chosen ? [name] : []));
            const chosen = Object.fromEntries(names.map((name) => [name, unknown]));
            return sealSecrets(node, { ...chosen, ...inputs, ...this.unknownOutputs() });
        });
    }

    create(inputs: Values, about: DeploymentContext = {}): Promise<Stored> {
        const declared = new Declared(this.resource.node, inputs);
        return this.run(undefined, [declared], about, async (operation) => {
            const inputs = await withSecrets(this.runtime.secretReader, declared, this.resource.type);
            const context = this.open(operation, inputs, "create");
            return this.stamped(context, () => this.lifecycle(context).create(inputs)).catch((error: unknown) => {
                throw withImport(error, about.urn, this.target(declared)?.id);
            });
        });
    }

    /**
     * Reads the object; `undefined` if it does not exist any more. `state` is empty for an import.
     * @param written the inputs of the last deployment, if the host knows them
     */
    read(
        id: string,
        state: Values,
        about: DeploymentContext = {},
        written: Values = {},
    ): Promise<(Stored & { inputs: Values }) | undefined> {
        const { identity, node } = this.resource;
        const deployed = new Deployed(node, state);
        return this.run(id, [deployed], about, async (operation) => {
            const context = this.open(operation, deployed, "read", { isImport: deployed.isEmpty });
            const stored = await this.lifecycle(context).read(id, deployed);
            if (stored !== undefined) {
                const { outputs } = this.complete(context.session, stored);
                const inputs = {
                    ...this.withoutChosen(context, id, inputsIn(node, outputs)),
                    ...chosenIn(node, written),
                };
                return { id: stored.id, outputs, inputs: deployed.isEmpty ? this.imported(context, inputs) : inputs };
            }
            if (!deployed.isEmpty) return undefined;
            throw new StatecraftError("absent", "it does not exist, or the token may not see it", {
                hint: `The id has the form ${identity.form}`,
            });
        });
    }

    /** The outputs of an update in a preview. */
    previewUpdate(id: string, olds: Values, news: Values, about: DeploymentContext = {}): Promise<Values> {
        const { node } = this.resource;
        const [deployed, declared] = [new Deployed(node, olds), new Declared(node, news)];
        return this.run(id, [deployed, declared], about, async (operation) => {
            const changes = diff(deployed, declared);
            const inputs = this.withChosen(declared, deployed);
            refuse(this.resource, await this.preview(operation, inputs, deployed, changes));
            const isRun = deployed.unfinished.length > 0 || isActed(changes);
            const outputs = isRun ? { ...this.unknownOutputs(), server: deployed.server } : deployed.outputs;
            return sealSecrets(node, { ...outputs, ...inputs.written });
        });
    }

    update(id: string, olds: Values, news: Values, about: DeploymentContext = {}): Promise<Values> {
        const { node } = this.resource;
        const [deployed, declared] = [new Deployed(node, olds), new Declared(node, news)];
        return this.run(id, [deployed, declared], about, async (operation) => {
            const isSourced = deployed.sourced.length + declared.sourced.length > 0;
            const before = isSourced
                ? new Deployed(node, await spelledLike(this.runtime.secretReader, olds, declared))
                : deployed;
            const changes = diff(before, declared);
            const reason = "cannot change in place: delete this object and create another";
            refuse(
                this.resource,
                replacing(changes).map((path) => ({ path, reason })),
            );
            const inputs = await withSecrets(this.runtime.secretReader, declared, this.resource.type);
            const context = this.open(operation, inputs, "update", {}, before);
            const work = () => this.lifecycle(context).update(id, before, inputs, changes);
            const { outputs } = await this.stamped(context, work);
            return outputs;
        });
    }

    delete(id: string, state: Values, about: DeploymentContext = {}): Promise<void> {
        const deployed = new Deployed(this.resource.node, state);
        return this.run(id, [deployed], about, async (operation) => {
            const { key } = this.target(deployed, undefined, id) ?? {};
            const isRetained = key !== undefined && this.owned?.isRetained(key);
            const context = this.open(operation, deployed, "delete", { isRetained });
            if (isRetained) {
                const reason = "another resource of the program manages the same object";
                context.inform("renamed", `not deleted on the server: ${reason}`);
            }
            await this.lifecycle(context).delete(id, deployed);
        });
    }

    private lifecycle(context: Context): Lifecycle {
        const { resource } = this;
        return resource.kind === "named" ? new NamedObject(resource, context) : new Action(resource, context);
    }

    /** Runs one operation. Any error becomes an `OperationError`. */
    private async run<Result>(
        id: string | undefined,
        declared: readonly [Declared, ...(Declared | undefined)[]],
        about: DeploymentContext,
        work: (operation: Operation) => Promise<Result>,
    ): Promise<Result> {
        const name = () => (id === undefined ? this.nameOf(declared[0]) : `${this.resource.type} ${id}`);
        const [first, before] = declared;
        const isStateless = first instanceof Deployed ? first.isEmpty : id === undefined && before === undefined;
        const voice = new Voice(this.runtime, { name, urn: about.urn, declared, isStateless });
        try {
            return await work({ voice, about });
        } catch (error) {
            const isOfSettings = error instanceof DeniedError || error instanceof ConfigError;
            const advice = isOfSettings ? about.settingsAdvice : undefined;
            if (!(error instanceof HalfMade)) throw new OperationError(voice.failure(error, "", advice), undefined);
            const { id, outputs, cause, message } = error;
            const partial = id === undefined ? undefined : { id, outputs };
            throw new OperationError(voice.failure(cause, `${message}: `), partial);
        }
    }

    /** The inputs after the resource file has changed them for state. */
    private async prepared(declared: Declared, about: DeploymentContext, before?: Declared): Promise<Declared> {
        const { node, prepare } = this.resource;
        const inputs = await prepare?.(declared.written, about, before?.written ?? {});
        return inputs === undefined || inputs === declared.written ? declared : new Declared(node, inputs);
    }

    /** The inputs, with the chosen values of the last deployment where the program leaves them out. */
    private withChosen(declared: Declared, before: Declared | undefined): Declared {
        const { node } = this.resource;
        const { written } = declared;
        const missing = filterValues(chosenIn(node, before?.written ?? {}), (_, name) => !(name in written));
        return Object.keys(missing).length === 0 ? declared : new Declared(node, { ...missing, ...written });
    }

    /** The problem of settings that cannot be read, which is reported together with the problems of inputs. */
    private settingsProblem({ voice }: Operation, declared: Declared, before: Declared | undefined): Finding[] {
        if (declared.isConnectionUnknown && before === undefined) return [];
        try {
            this.runtime.settings(this.resource.service, declared.connectionAfter(before));
            return [];
        } catch (error) {
            if (!(error instanceof ConfigError)) throw error;
            return [findingOf(voice, error)];
        }
    }

    /** Refuses inputs whose object another resource of the program manages. An id that is not known yet is not refused. */
    private claim(target: Target | undefined, { urn }: DeploymentContext): Finding[] {
        const owner = urn && target && this.owned?.claim(target.key, urn);
        if (!owner) return [];
        const reason = `is the same object as the resource ${owner.split("::").at(-1)}, id ${target.id}: remove one of the two`;
        return [{ path: "", reason, code: "duplicate" }];
    }

    /**
     * The object that inputs, or an id, describe. `undefined` if the id or the server is not known.
     * @param before the state of the last deployment, whose connection is used if that of `declared` is not known
     */
    private target(declared: Declared, before?: Declared, id?: string): Target | undefined {
        const { resource, runtime } = this;
        if (declared.isConnectionUnknown && before === undefined) return undefined;
        try {
            const { serverKey, settings } = runtime.open(resource.service, declared.connectionAfter(before));
            const address =
                id === undefined ? resource.address(declared.meaning, settings) : resource.identity.parse(id);
            return address && this.targetOn(serverKey, resource.identity.id(address));
        } catch (error) {
            // The operation itself reports settings and ids that are wrong.
            if (error instanceof StatecraftError) return undefined;
            throw error;
        }
    }

    private targetOn(server: string, id: string): Target | undefined {
        const isKnown = id !== "" && !id.includes(unknown);
        return isKnown ? { id, key: `${server} ${this.resource.type} ${id}` } : undefined;
    }

    /**
     * Shows what the deployment would do. Returns problems that fail the preview: wrong settings, and by `strict` what the preview warns of,
     * failed reads included.
     */
    private async preview(
        operation: Operation,
        declared: Declared,
        before: Deployed | undefined,
        changes: readonly PropertyChange[] = [],
        target?: Target,
    ): Promise<Finding[]> {
        const { resource, runtime } = this;
        const { voice, about } = operation;
        // While the connection is unknown, the server is unknown too.
        if (declared.isConnectionUnknown) return [];
        const alarms: Alarm[] = [];
        const add = (severity: Alarm["severity"], problem: Parameters<Report>[1], lead = "") =>
            void alarms.push({ severity, ...findingOf(voice, problem, lead) });
        const report: Report = (severity, problem) =>
            add(severity, problem, severity === "blocker" ? `${step.deployment()} would fail now: ` : "");
        try {
            const context = this.open(operation, declared, "read", { report }, before);
            const unseen = (error: unknown) => this.reportUnseen(context, error, target, add);
            if (before === undefined) await this.reportExisting(context, declared, target, about.urn).catch(unseen);
            const state = before && stateOf(resource, before);
            await resource.preview?.(context, declared.meaning, state, changes).catch(unseen);
            if (runtime.strict === true) alarms.push(...asAlarms(context.session.warnings.splice(0)));
        } catch (error) {
            if (error instanceof ConfigError) return [findingOf(voice, error)];
            add("blocker", asStatecraftError(error), unseenLead);
        }
        return failing(alarms, runtime.strict, voice);
    }

    /** Reports an object that exists already. */
    private async reportExisting(
        context: Context,
        declared: Declared,
        target: Target | undefined,
        urn: string | undefined,
    ): Promise<void> {
        if (target === undefined || holdsUnknown(declared.written["adopt"])) return;
        if (this.owned?.stored(target.key)) return;
        const report = (problem: StatecraftError) => context.reportBlocker(withImport(problem, urn, target.id));
        await this.lifecycle(context).reportExisting(declared, report);
    }

    /** Reports a failed read of a preview, each cause once. An action needs what it reads, so its deployment would fail too. */
    private reportUnseen(
        context: Context,
        error: unknown,
        target: Target | undefined,
        add: (...alarm: [...Parameters<Report>, lead: string]) => void,
    ): void {
        if (error instanceof ConfigError) throw error;
        if (error instanceof LookEnded) return;
        const failure = asStatecraftError(error);
        if (context.options.looks?.hasNewCause(failure, target?.id ?? "", context.elapsed) === false) return;
        const place = failure instanceof ServiceError ? failure.absentPlace : undefined;
        if (place !== undefined) {
            context.inform("preview", `${place}.`);
            return;
        }
        const severity = this.resource.kind === "action" ? "blocker" : "warning";
        const { code, message, hint = "" } = failure;
        const made =
            failure instanceof UnreachableError ? ", or let it be an output if the program makes the server" : "";
        add(severity, { code, message, hint: hint + made }, unseenLead);
    }

    /** Opens the server of an operation. @throws StatecraftError if state belongs to another server */
    private open(
        { voice, about }: Operation,
        declared: Declared,
        verb: "create" | "read" | "update" | "delete",
        more: Pick<ContextOptions, "report" | "isImport" | "isRetained"> = {},
        deployed?: Declared,
    ): Context {
        const { resource, runtime } = this;
        const session = runtime.open(resource.service, about.connection ?? declared.connectionAfter(deployed));
        const server = deployed?.server ?? declared.server;
        if (server !== undefined && !session.servers.includes(server)) throw otherServer(resource, server, session);
        const { signal, owner, timeout = parseDuration(declared.timeouts[verb]) || undefined } = about;
        const looks =
            more.report && (this.owned?.looksAt(`${resource.service.name} ${session.serverKey}`) ?? new Looks());
        return new Context(session, { voice, signal, owner, timeout, looks, ...more });
    }

    /** Completes the outputs of a write, and records the object, also if it was created only in part. */
    private async stamped({ session }: Context, work: () => Promise<Stored>): Promise<Stored> {
        const stamp = ({ id, outputs }: Stored): Stored => {
            const { key } = this.targetOn(session.serverKey, id) ?? {};
            if (key !== undefined) this.owned?.retain(key);
            return this.complete(session, { id, outputs });
        };
        try {
            return stamp(await work());
        } catch (error) {
            if (!(error instanceof HalfMade) || error.id === undefined) throw error;
            error.outputs = stamp({ id: error.id, outputs: error.outputs }).outputs;
            throw error;
        }
    }

    /** Adds `server` and inputs with the fact `chosen` to the outputs, and encrypts secrets. */
    private complete({ servers: [server] }: Session, { id, outputs }: Stored): Stored {
        const { identity, node } = this.resource;
        const chosen = chosenIn(node, identity.parse(id) ?? {});
        return { id, outputs: sealSecrets(node, { ...outputs, ...chosen, server }) };
    }

    /** Inputs without the values that the settings would choose if the program left them out. */
    private withoutChosen({ settings }: Context, id: string, inputs: Values): Values {
        const { address, identity, node } = this.resource;
        const isChosen = (name: string) => node.properties.get(name)?.facts.chosen === true;
        const named = filterValues(identity.parse(id) ?? {}, (_, name) => !isChosen(name));
        const chosen = address(named, settings);
        return filterValues(inputs, (value, name) => !isChosen(name) || chosen[name] !== value);
    }

    /** The inputs of an import: secrets are missing, because Pulumi prints them, and a warning names their sources. */
    private imported(context: Context, inputs: Values): Values {
        const paths: string[] = [];
        const shown = changeSecrets(this.resource.node.secrets, inputs, (_, path) => void paths.push(`${path}From`));
        const consequence =
            "an import returns no secrets, and the next `pulumi up` removes what the program does not declare";
        if (paths.length > 0) context.warn("import", `declare ${paths.join(", ")}: ${consequence}`);
        return shown;
    }

    private unknownOutputs(): Values {
        return mapValues({ ...this.resource.outputs.shape, server: undefined }, () => unknown);
    }

    /** The name of a resource in messages before it has an id: its type, and its first required input or its future id. */
    private nameOf(declared: Declared): string {
        const { node, subject, type } = this.resource;
        const first = [...node.properties.values()].find(({ required }) => required)?.name ?? "";
        const name = subject
            ? subject(filterValues(declared.meaning, (value) => !holdsUnknown(value))) || this.target(declared)?.id
            : declared.written[first];
        return typeof name === "string" && name !== unknown ? `${type} ${name}` : type;
    }
}

const unseenLead = "The preview could not read from the server: ";

const findingOf = (voice: Voice, { code, message, hint }: Parameters<Report>[1], lead = ""): Finding => ({
    path: "",
    reason: voice.clean(lead + sentencesOf({ message, hint })),
    code,
});

function refuse({ type }: AnyResource, findings: readonly Finding[]): void {
    if (findings.length > 0) throw new InputError(type, findings.map(asSentence));
}

function otherServer(
    { type }: AnyResource,
    server: string,
    { servers, product, settingsKey }: Session,
): StatecraftError {
    const words = [`${settingsKey}.otherAddresses[${servers.length - 1}]`, server].map(shellWord);
    return new StatecraftError(
        "server",
        `the ${type} is on ${product} at ${server}, and the settings lead to ${servers[0]}: nothing was done`,
        {
            hint: `Correct the settings, or if both addresses lead to one server, run \`pulumi config set --path ${words.join(" ")}\`, and then \`pulumi up\`, because refresh and destroy use the settings of the last one`,
        },
    );
}

/**
 * Adds a `pulumi import` command to an `exists` error of the native plugin. Dynamic resources cannot be imported, and their URNs have
 * another type.
 */
function withImport<Failure>(error: Failure, urn: string | undefined, id: string | undefined): Failure {
    const [, , types = "", ...name] = urn?.split("::") ?? [];
    const type = types.split("$").at(-1) ?? "";
    if (!(error instanceof StatecraftError) || error.code !== "exists" || id === undefined) return error;
    if (!type.startsWith("statecraft:")) return error;
    const command = `pulumi import ${[type, name.join("::"), id].map(shellWord).join(" ")}`;
    return error.reword({ hint: `${error.hint}; \`${command}\` takes it over as it is` });
}
