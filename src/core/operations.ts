/** The operations of a resource, as hosts call them: plain data in, plain data out, and every failure is one paragraph without secrets. */

import { ConfigError, InputError, StatecraftError, sentencesOf, textOf } from "../errors";
import { asMessage, asSentence, check, type Finding } from "../schema/check";
import { diff, type PropertyChange, replacing } from "../schema/compare";
import { meaningOf } from "../schema/meaning";
import { parseDuration } from "../schema/property-types";
import { sealSecrets, secretStrings } from "../schema/secrets";
import { holdsUnknown, isRecord, mapValues, unknown, type Values } from "../schema/values";
import { Context, type DeploymentContext, type Runtime, type Session, type Severity } from "./context";
import { Action, type Lifecycle } from "./lifecycle";
import { NamedObject } from "./named-object";
import type { OwnedObjects } from "./owned-objects";
import { redacted } from "./redaction";
import {
    type AnyResource,
    HalfMade,
    inputsIn,
    outputsIn,
    placeOf,
    type Stored,
    stateOf,
    unfinishedSteps,
} from "./resource";

/** How new inputs differ from the state of the last deployment. */
export interface Difference {
    readonly isChanged: boolean;
    /** Differences by property. They include `unfinished` if steps of the last deployment have to be repeated. */
    readonly changes: readonly PropertyChange[];
    /** Inputs whose changes replace the object. */
    readonly replaces: readonly string[];
    readonly deleteBeforeReplace: boolean;
}

/**
 * An operation failed. The message is complete: what happened, and what to do. `partial` has the id and outputs of an object that exists
 * nevertheless.
 */
export class OperationError extends Error {
    constructor(
        message: string,
        readonly partial: Stored | undefined,
        cause: unknown,
    ) {
        super(message, { cause });
        this.name = "OperationError";
    }
}

/** The arguments of `Operations.open` in addition to the properties. */
interface Opening {
    readonly id?: string;
    readonly operation?: "create" | "update" | "delete";
    readonly olds?: Values | undefined;
    readonly blockers?: StatecraftError[];
}

/** The operations of one resource in one process. */
export class Operations {
    private readonly lifecycle: Lifecycle;

    /** @param owned the objects of the program, shared by the resources of one run; `undefined` for scripts */
    constructor(
        private readonly resource: AnyResource,
        private readonly runtime: Runtime,
        private readonly owned?: OwnedObjects,
    ) {
        this.lifecycle = resource.write ? new NamedObject(resource) : new Action(resource);
    }

    /** Checks inputs and reports every problem at once. `olds` are the inputs of the last deployment. */
    check(
        olds: Values | undefined,
        news: Values,
        about: DeploymentContext,
    ): Promise<{ inputs: Values; failures: readonly Finding[] }> {
        const { resource, runtime } = this;
        const { node } = resource;
        return this.guarded({ ...olds, ...news }, [olds ?? {}, news], async () => {
            const given = Object.fromEntries(
                Object.entries(news).filter(([name, value]) => value != null && name !== "lockMark"),
            );
            const { failures, warnings } = check(node, given, olds);
            if (runtime.strict) failures.push(...warnings);
            failures.push(...this.settingsProblem(given, olds));
            const isValid = failures.length === 0;
            const prepared = (isValid ? await resource.prepare?.(given) : undefined) ?? given;
            const inputs = isValid ? { ...prepared, ...this.lockMarkIn(prepared, news, about) } : prepared;
            // An earlier run has shown the warnings of unchanged inputs.
            const isChanged = !isValid || olds === undefined || diff(node, olds, inputs).length > 0;
            if (isChanged && !runtime.strict) {
                for (const warning of warnings) this.say(inputs, about, "warning", asMessage(warning));
            }
            if (isValid) {
                const placed = { ...this.placeIn(olds ?? {}), ...inputs };
                failures.push(...this.claim(placed, about));
                if (about.isPreview && failures.length === 0) {
                    failures.push(...(await this.preview(placed, olds, about)));
                }
            }
            return { inputs: sealSecrets(node, inputs), failures };
        });
    }

    /** How new inputs differ from state. */
    diff(id: string, olds: Values, news: Values): Promise<Difference> {
        const { node, deletesFirst } = this.resource;
        return this.guarded(id, [olds, news], async () => {
            const changes = diff(node, olds, news);
            if (unfinishedSteps(olds).length > 0) {
                changes.push({ path: "unfinished", kind: "update", replaces: false, isOption: false });
            }
            const isChanged = changes.length > 0;
            const object = this.objectAt(id, connectionOf(news, olds));
            if (object !== undefined) this.owned?.store(object, olds, isChanged);
            return { isChanged, changes, replaces: replacing(changes), deleteBeforeReplace: deletesFirst === true };
        });
    }

    /** The outputs of a create in a preview: the inputs, and other outputs as unknown. */
    previewCreate(inputs: Values, about: DeploymentContext = {}): Promise<Values> {
        return this.guarded(inputs, [inputs], async () => {
            // The engine previews a replacement as a create, so a resource of the last deployment may have the object.
            const target = this.target(inputs);
            const replaced = target && this.owned?.stored(target.object);
            refuse(this.resource, await this.preview(inputs, replaced, about));
            // Inputs with the fact `place` that are absent stay unknown, so that functions that take them are called only after the create.
            const places = Object.fromEntries(this.places().map((name) => [name, unknown]));
            return sealSecrets(this.resource.node, { ...places, ...inputs, ...this.unknownOutputs() });
        });
    }

    create(inputs: Values, about: DeploymentContext = {}): Promise<Stored> {
        return this.guarded(inputs, [inputs], async () => {
            const context = this.open(inputs, about, { operation: "create" });
            return this.stamped(context, () => this.lifecycle.create(context, inputs)).catch((error: unknown) => {
                throw withImport(error, about.urn, this.target(inputs)?.id);
            });
        });
    }

    /** Reads the object; `undefined` if it does not exist any more. `state` is empty for an import. */
    read(id: string, state: Values, about: DeploymentContext = {}): Promise<(Stored & { inputs: Values }) | undefined> {
        const { resource } = this;
        return this.guarded(id, [state], async () => {
            const connection = about.connection ?? connectionOf(state);
            const context = this.open({ ...state, connection }, about, { id });
            const found = await this.stamped(context, () => this.lifecycle.read(context, id, state));
            if (found !== undefined) return { ...found, inputs: inputsIn(resource, found.outputs) };
            if (Object.keys(state).length > 0) return undefined;
            throw new StatecraftError("absent", "it does not exist, or the token may not see it", {
                hint: `The id has the form ${resource.idForm}`,
            });
        });
    }

    /** The outputs of an update in a preview. */
    previewUpdate(id: string, olds: Values, news: Values, about: DeploymentContext = {}): Promise<Values> {
        const { node } = this.resource;
        return this.guarded(id, [olds, news], async () => {
            refuse(this.resource, await this.preview({ ...this.placeIn(olds), ...news }, olds, about));
            const isActed =
                unfinishedSteps(olds).length > 0 || diff(node, olds, news).some(({ isOption }) => !isOption);
            const outputs = isActed
                ? { ...this.unknownOutputs(), server: olds["server"] }
                : outputsIn(this.resource, olds);
            return sealSecrets(node, { ...outputs, ...this.placeIn(olds), ...news });
        });
    }

    update(id: string, olds: Values, news: Values, about: DeploymentContext = {}): Promise<Values> {
        const { resource } = this;
        return this.guarded(id, [olds, news], async () => {
            const reason = "cannot change in place: delete this object and create another";
            const replaces = replacing(diff(resource.node, olds, news));
            refuse(
                resource,
                replaces.map((path) => ({ path, reason })),
            );
            const context = this.open(news, about, { id, operation: "update", olds });
            const updated = async () => ({ id, outputs: await this.lifecycle.update(context, id, olds, news) });
            return (await this.stamped(context, updated)).outputs;
        });
    }

    delete(id: string, state: Values, about: DeploymentContext = {}): Promise<void> {
        return this.guarded(id, [state], async () => {
            const context = this.open(state, about, { id, operation: "delete" });
            const object = this.objectAt(id, connectionOf(state));
            if (object !== undefined && this.owned?.isRetained(object)) {
                context.inform(
                    "renamed",
                    "not deleted on the server: another resource of the program manages the same object",
                );
                return;
            }
            await this.lifecycle.delete(context, id, state);
        });
    }

    /** The problem of settings that cannot be read, which is reported together with the problems of inputs. */
    private settingsProblem(inputs: Values, olds: Values | undefined): Finding[] {
        if (holdsUnknown(inputs["connection"]) && olds === undefined) return [];
        try {
            this.runtime.settings(this.resource.service, connectionOf(inputs, olds));
            return [];
        } catch (error) {
            if (!(error instanceof ConfigError)) throw error;
            return [{ path: "", reason: this.runtime.redacted(sentencesOf(error)), code: error.code }];
        }
    }

    /** Refuses inputs whose object another resource of the program manages. An id that is not known yet is not refused. */
    private claim(inputs: Values, { urn }: DeploymentContext): Finding[] {
        const target = this.target(inputs);
        if (urn === undefined || target === undefined) return [];
        const owner = this.owned?.claim(target.object, urn);
        if (owner === undefined) return [];
        const name = owner.split("::").at(-1);
        const reason = `is the same object as the resource ${name}, id ${target.id}: remove one of the two`;
        return [{ path: "", reason, code: "duplicate" }];
    }

    /**
     * The id of the object that inputs describe, and its name in `OwnedObjects`. `undefined` for an action, and if the id or the server is
     * not known.
     */
    private target(inputs: Values): { readonly id: string; readonly object: string } | undefined {
        const { resource, runtime } = this;
        if (!resource.write || holdsUnknown(inputs["connection"])) return undefined;
        try {
            const connection = connectionOf(inputs);
            const settings = runtime.settings(resource.service, connection);
            const id = resource.id(resource.address(meaningOf(resource.node, inputs), settings));
            const object = id.includes(unknown) ? undefined : this.objectAt(id, connection);
            return object === undefined ? undefined : { id, object };
        } catch (error) {
            // The operation itself reports settings and ids that are wrong.
            if (error instanceof StatecraftError) return undefined;
            throw error;
        }
    }

    /** The name of an object in `OwnedObjects`. `undefined` for an action, and if the settings name no server. */
    private objectAt(id: string, connection: string | undefined): string | undefined {
        const { resource, runtime } = this;
        const address = resource.write && resource.parse(id);
        if (address === undefined) return undefined;
        try {
            const [server] = runtime.open(resource.service, connection).servers;
            return this.objectOn(server, resource.id(address));
        } catch (error) {
            if (error instanceof ConfigError) return undefined;
            throw error;
        }
    }

    private objectOn(server: string, id: string): string {
        return `${server} ${this.resource.type} ${id}`;
    }

    /**
     * Shows what the deployment would do. Returns problems that fail the preview: wrong settings, and if `strict` is set, errors that the
     * deployment would cause. A failed request of the preview is only a warning.
     */
    private async preview(inputs: Values, olds: Values | undefined, about: DeploymentContext): Promise<Finding[]> {
        const { resource, runtime } = this;
        // While the connection is unknown, the server is unknown too.
        if (holdsUnknown(inputs["connection"])) return [];
        const blockers: StatecraftError[] = [];
        const asFinding = (error: StatecraftError, lead = ""): Finding => ({
            path: "",
            reason: this.clean(lead + sentencesOf(error), inputs, olds),
            code: error.code,
        });
        try {
            const context = this.open(inputs, about, { olds, blockers });
            if (olds === undefined) await this.reportExisting(context, inputs, about.urn);
            const meaning = meaningOf(resource.node, inputs);
            const state = olds && stateOf(resource, olds, meaningOf(resource.node, olds));
            await resource.preview?.(context, meaning, state, olds ? diff(resource.node, olds, inputs) : []);
        } catch (error) {
            if (error instanceof ConfigError) return [asFinding(error)];
            const text = this.clean(`The preview could not read from the server: ${textOf(error)}`, olds);
            this.say(inputs, about, "warning", text);
        }
        const problems = blockers.map((problem) => asFinding(problem, "The deployment would fail now: "));
        if (runtime.strict) return problems;
        for (const problem of problems) this.say(inputs, about, "warning", asMessage(problem));
        return [];
    }

    /**
     * Reports an existing object for which `create` would fail. If the read fails, later previews of this run do not read from the service.
     */
    private async reportExisting(context: Context, inputs: Values, urn: string | undefined): Promise<void> {
        const { lifecycle, owned, resource } = this;
        const target = this.target(inputs);
        // With `adopt: true`, create accepts any existing object.
        const isAdopted = inputs["adopt"] === true || holdsUnknown(inputs["adopt"]);
        if (!(lifecycle instanceof NamedObject) || target === undefined || isAdopted) return;
        if (owned?.stored(target.object) || owned?.mayLook(resource.service.name) === false) return;
        try {
            const problem = await lifecycle.existing(context, inputs);
            if (problem !== undefined) context.reportBlocker(withImport(problem, urn, target.id));
        } catch {
            // Not an error: the program may create the mount itself, or the server does not answer.
            owned?.stopLooking(resource.service.name);
        }
    }

    /** Opens the server of an operation. @throws StatecraftError if state belongs to another server */
    private open(props: Values, about: DeploymentContext, { id, operation, olds = {}, blockers }: Opening): Context {
        const { resource, runtime } = this;
        const session = runtime.open(resource.service, connectionOf(props, olds));
        const server = olds["server"] ?? props["server"];
        if (typeof server === "string" && !session.servers.includes(server))
            throw otherServer(resource, server, session);
        const timeouts = props["timeouts"];
        const declared = operation && isRecord(timeouts) ? durationOf(timeouts[operation]) : undefined;
        return new Context(session, {
            // Error messages of a server may quote values of earlier requests.
            secrets: [props, olds].flatMap((values) => secretStrings(resource.node, values)),
            say: (severity, message) => this.say(id ?? props, about, severity, message),
            signal: about.signal,
            timeout: about.timeout ?? declared,
            blockers,
        });
    }

    /**
     * Adds `server` and inputs with the fact `place` to the outputs, encrypts secrets and records the object, also if it was created only
     * in part.
     */
    private async stamped<Result extends Stored | undefined>(
        { server }: Context,
        work: () => Promise<Result>,
    ): Promise<Result> {
        const { resource } = this;
        const stamp = ({ id, outputs }: Stored) => {
            this.owned?.retain(this.objectOn(server, id));
            return sealSecrets(resource.node, { ...outputs, ...placeOf(resource, resource.parse(id)), server });
        };
        try {
            const stored = await work();
            return stored && { ...stored, outputs: stamp(stored) };
        } catch (error) {
            if (!(error instanceof HalfMade) || error.id === undefined) throw error;
            const outputs = stamp({ id: error.id, outputs: error.outputs });
            throw new HalfMade(outputs, error.steps, error.message, error.cause, error.id);
        }
    }

    /** The inputs with the fact `place` in a state, which apply if the program leaves them out. */
    private placeIn(state: Values): Values {
        const names = this.places().filter((name) => state[name] !== undefined && state[name] !== null);
        return Object.fromEntries(names.map((name) => [name, state[name]]));
    }

    private places(): string[] {
        return [...this.resource.node.properties.values()].flatMap(({ name, facts }) => (facts.place ? [name] : []));
    }

    /**
     * The input `lockMark`, which marks the locks of the resource. It is an input because `check` of a dynamic provider gets the URN, and
     * later operations do not.
     */
    private lockMarkIn(
        inputs: Values,
        news: Values,
        { lockMark = news["lockMark"] }: { readonly lockMark?: unknown },
    ): Values {
        const isUsed = this.resource.node.properties.has("lockMark") && inputs["lock"] !== false;
        return isUsed && lockMark ? { lockMark } : {};
    }

    private unknownOutputs(): Values {
        return mapValues({ ...this.resource.outputs.shape, server: undefined }, () => unknown);
    }

    /** Shows a message at the resource, or with the name of the resource if the URN is not known. */
    private say(object: string | Values, { urn }: DeploymentContext, severity: Severity, message: string): void {
        const text = this.clean(message, typeof object === "string" ? undefined : object);
        this.runtime.say(severity, urn === undefined ? `${this.subject(object)}: ${text}` : text, urn);
    }

    /** Removes the secrets of these properties, and the engine's text for unknown values, from a text for users. */
    private clean(text: string, ...props: readonly (Values | undefined)[]): string {
        const secrets = props.flatMap((values) => (values ? secretStrings(this.resource.node, values) : []));
        return this.runtime.redacted(redacted(text.replaceAll(unknown, "[not known yet]"), secrets));
    }

    /** How messages name the resource: its type, and its id or name. */
    private subject(object: string | Values): string {
        const { node, subject, type } = this.resource;
        if (typeof object === "string") return `${type} ${object}`;
        const known = Object.fromEntries(Object.entries(object).filter(([, value]) => !holdsUnknown(value)));
        const first = [...node.properties.values()].find(({ required }) => required);
        const name = subject ? subject(meaningOf(node, known)) || this.target(object)?.id : known[first?.name ?? ""];
        return typeof name === "string" ? `${type} ${name}` : type;
    }

    /** Turns any error of an operation into an `OperationError`, whose message begins with the resource and contains no secret. */
    private async guarded<Result>(
        object: string | Values,
        props: readonly Values[],
        work: () => Promise<Result>,
    ): Promise<Result> {
        try {
            return await work();
        } catch (error) {
            const isHalfMade = error instanceof HalfMade;
            const partial = isHalfMade && error.id !== undefined ? { id: error.id, outputs: error.outputs } : undefined;
            const cause = isHalfMade ? error.cause : error;
            const text = isHalfMade ? `${error.message}: ${textOf(cause)}` : textOf(error);
            if (cause instanceof Error && !(cause instanceof StatecraftError)) {
                this.runtime.say("debug", this.clean(cause.stack ?? text, ...props));
            }
            throw new OperationError(this.clean(`${this.subject(object)}: ${text}`, ...props), partial, cause);
        }
    }
}

/** The connection that inputs name. If it is not known yet, the connection of `olds`: both must lead to the same server. */
export function connectionOf({ connection }: Values, olds?: Values): string | undefined {
    if (holdsUnknown(connection)) return olds && connectionOf(olds);
    return typeof connection === "string" ? connection : undefined;
}

function refuse({ type }: AnyResource, findings: readonly Finding[]): void {
    if (findings.length > 0) throw new InputError(type, findings.map(asSentence));
}

const durationOf = (value: unknown): number | undefined => parseDuration(value) || undefined;

function otherServer(
    { type }: AnyResource,
    server: string,
    { servers, product, settingsKey }: Session,
): StatecraftError {
    return new StatecraftError(
        "server",
        `the ${type} is on ${product} at ${server}, and the settings lead to ${servers[0]}: nothing was done`,
        {
            hint: `Correct the settings, or if both addresses lead to one server, run \`pulumi config set --path '${settingsKey}.otherAddresses[${servers.length - 1}]' ${server}\``,
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
    const words = [type, name.join("::"), id].map((word) => (/^[\w@:./-]+$/.test(word) ? word : JSON.stringify(word)));
    const command = `pulumi import ${words.join(" ")}`;
    return error.reword({ hint: `${error.hint}; \`${command}\` takes it over as it is` });
}
