/** The operations of a resource, as hosts call them: plain data in, plain data out, and every failure is one paragraph without secrets. */

import {
    asStatecraftError,
    ConfigError,
    DeniedError,
    InputError,
    NotFoundError,
    ServiceError,
    StatecraftError,
    sentencesOf,
    UnreachableError,
} from "../errors";
import { asMessage, asSentence, check, type Finding } from "../schema/check";
import { diff, type PropertyChange, replacing } from "../schema/compare";
import { Declared } from "../schema/declared";
import { changeSecrets, sealSecrets } from "../schema/secrets";
import { filterValues, holdsUnknown, mapValues, unknown, type Values } from "../schema/values";
import { Action } from "./action";
import {
    type Alarm,
    asAlarms,
    type Context,
    type DeploymentContext,
    failing,
    type Report,
    type Runtime,
} from "./context";
import { isActed, type Lifecycle } from "./lifecycle";
import { LookEnded } from "./looks";
import { NamedObject } from "./named-object";
import { Operation, type Target } from "./operation";
import type { OwnedObjects } from "./owned-objects";
import { type AnyResource, Deployed, HalfMade, type Stored, stateOf } from "./resource";
import { spelledLike, withNewDigests, withUnknownDigests } from "./secret-inputs";
import { shellWord, step } from "./steps";
import type { Voice } from "./voice";

/** How new inputs differ from the state of the last deployment. */
interface Difference {
    readonly isChanged: boolean;
    /** Differences by property. They include `unfinished` if steps of the last deployment have to be repeated. */
    readonly changes: readonly PropertyChange[];
    /** Inputs whose changes replace the object. */
    readonly replaces: readonly string[];
    /** Whether the old object has to be deleted before the new one is created, because both may have one id. */
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
    ) {
        super(cause.message, { cause });
        this.name = "OperationError";
    }
}

/** The operations of one resource in one process. */
export class Operations {
    /** @param owned the objects of the program, shared by the resources of one run; `undefined` for scripts */
    constructor(
        readonly resource: AnyResource,
        readonly runtime: Runtime,
        readonly owned?: OwnedObjects,
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
            const read = await withNewDigests(secretReader, inputs, before, about);
            const { failures, warnings, notes } = check(read.inputs, before);
            for (const note of [...read.notes, ...notes]) voice.say("info", asMessage(note));
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
            inputs = operation.withChosen(inputs, before);
            const target = operation.target(inputs);
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
        return this.run(id, [deployed, declared], {}, async (operation) => {
            const changes = diff(deployed, declared);
            if (deployed.unfinished.length > 0) {
                changes.push({ path: "unfinished", kind: "update", replaces: false, isOption: false });
            }
            const isChanged = changes.length > 0;
            const { key } = operation.target(declared, deployed) ?? {};
            if (key !== undefined) this.owned?.store(key, olds, isChanged);
            const replaces = replacing(changes);
            const deleteBeforeReplace = replaces.length === 0 || operation.keepsId(declared, deployed);
            return { isChanged, changes, replaces, deleteBeforeReplace };
        });
    }

    /** The outputs of a create in a preview: the inputs, and other outputs as unknown. */
    previewCreate(inputs: Values, about: DeploymentContext = {}): Promise<Values> {
        const { node } = this.resource;
        const declared = new Declared(node, inputs);
        return this.run(undefined, [declared], about, async (operation) => {
            // The engine previews a replacement as a create, so a resource of the last deployment may have the object.
            const target = operation.target(declared);
            const replaced = target && this.owned?.stored(target.key);
            const before = replaced && new Deployed(node, replaced);
            const changes = before && diff(before, declared);
            refuse(this.resource, await this.preview(operation, declared, before, changes, target));
            // Inputs with the fact `chosen` that are absent stay unknown, so that functions that take them are called only after the create.
            const names = [...node.properties.values()].flatMap(({ name, facts }) => (facts.chosen ? [name] : []));
            const chosen = Object.fromEntries(names.map((name) => [name, unknown]));
            return sealSecrets(node, { ...chosen, ...withUnknownDigests(declared), ...this.unknownOutputs() });
        });
    }

    create(inputs: Values, about: DeploymentContext = {}): Promise<Stored> {
        const declared = new Declared(this.resource.node, inputs);
        return this.run(undefined, [declared], about, async (operation) => {
            const inputs = await operation.withSecrets(declared);
            const context = operation.open(inputs, "create");
            return operation
                .stamped(context, () => this.lifecycle(context).create(inputs))
                .catch((error: unknown) => {
                    throw withImport(error, about.urn, operation.target(declared)?.id);
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
            const context = operation.open(deployed, "read", { isImport: deployed.isEmpty });
            const stored = await this.lifecycle(context)
                .read(id, deployed)
                .catch((error: unknown) => this.hidden(context, id, deployed, error));
            if (stored !== undefined) {
                const { outputs } = operation.complete(context.session, stored);
                const inputs = operation.withoutChosen(context, { id, outputs }, written);
                return { id: stored.id, outputs, inputs: deployed.isEmpty ? this.imported(context, inputs) : inputs };
            }
            if (!deployed.isEmpty) return undefined;
            throw new StatecraftError("absent", "it does not exist, or the token may not see it", {
                hint: `The id has the form ${identity.form}`,
            });
        });
    }

    /** The state after a failed read: all of it after a 404 that may mean a missing right. @throws any other error */
    private hidden(context: Context, id: string, deployed: Deployed, error: unknown): Stored | undefined {
        if (!(error instanceof NotFoundError)) throw error;
        const { resource } = this;
        const address = resource.identity.parse(id);
        if (resource.service.hidesObjects !== true || deployed.isEmpty || address === undefined) return undefined;
        const reasons = "it does not exist any more, its content was deleted, or the token may not see it";
        const advice = `It stays in state${step.forget(" until you ")}.`;
        context.warn("absent", `the ${resource.title(address)} cannot be read: ${reasons}. ${advice}`);
        return { id, outputs: deployed.written };
    }

    /** The outputs of an update in a preview. */
    previewUpdate(id: string, olds: Values, news: Values, about: DeploymentContext = {}): Promise<Values> {
        const { node } = this.resource;
        const [deployed, declared] = [new Deployed(node, olds), new Declared(node, news)];
        return this.run(id, [declared, deployed], about, async (operation) => {
            const changes = diff(deployed, declared);
            const inputs = operation.withChosen(declared, deployed);
            refuse(this.resource, await this.preview(operation, inputs, deployed, changes));
            const isRun = deployed.unfinished.length > 0 || isActed(changes);
            const outputs = isRun ? { ...this.unknownOutputs(), server: deployed.server } : deployed.outputs;
            return sealSecrets(node, { ...outputs, ...inputs.written });
        });
    }

    update(id: string, olds: Values, news: Values, about: DeploymentContext = {}): Promise<Values> {
        const { node } = this.resource;
        const [deployed, declared] = [new Deployed(node, olds), new Declared(node, news)];
        return this.run(id, [declared, deployed], about, async (operation) => {
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
            const isRun = before.unfinished.length > 0 || isActed(changes);
            const inputs = isRun ? await operation.withSecrets(declared) : declared;
            const context = operation.open(inputs, "update", {}, before);
            const work = () => this.lifecycle(context).update(id, before, inputs, changes);
            const { outputs } = await operation.stamped(context, work);
            return outputs;
        });
    }

    delete(id: string, state: Values, about: DeploymentContext = {}): Promise<void> {
        const deployed = new Deployed(this.resource.node, state);
        return this.run(id, [deployed], about, async (operation) => {
            const { key } = operation.target(deployed) ?? {};
            const isRetained = key !== undefined && this.owned?.isRetained(key);
            const context = operation.open(deployed, "delete", { isRetained });
            if (isRetained) {
                const reason = "another resource of the program manages the same object";
                context.inform("renamed", `not deleted on the server: ${reason}`);
            }
            await this.lifecycle(context).delete(id, deployed);
            const stays = !isRetained && this.stays(deployed);
            if (stays) context.inform("not-deleted", `nothing was deleted on the server: ${stays}.`);
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
        const operation = new Operation(this, about, declared, id);
        const { voice } = operation;
        try {
            return await work(operation);
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
        const inputs = await prepare?.(declared.written, about, before?.written ?? {}, this.runtime);
        return inputs === undefined || inputs === declared.written ? declared : new Declared(node, inputs);
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
            await voice.learn();
            const context = operation.open(declared, "read", { report }, before);
            const unseen = (error: unknown) => this.reportUnseen(context, error, target, add);
            // Settings that cannot complete the address of a new object are refused.
            if (before === undefined) resource.address(declared.meaning, context.settings);
            if (before === undefined) await this.reportExisting(context, declared, target, about.urn).catch(unseen);
            const state = before && stateOf(resource, before);
            await resource.preview?.(context, declared.meaning, state, changes).catch(unseen);
            // A host calls no provider in the preview of a deletion.
            const stays = before === undefined && about.urn !== undefined && this.stays(declared);
            if (stays) context.inform("not-deleted", `\`pulumi destroy\` will leave the server as it is: ${stays}.`);
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

    private stays(declared: Declared): string | undefined {
        return this.resource.stays?.(stateOf(this.resource, declared));
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
