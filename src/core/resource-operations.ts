/**
 * The operations of one resource, for any runtime. They add to the handlers what all resources share: the check that the server is the same,
 * encryption of secrets, and errors as one paragraph.
 */

import { ConfigError, InputError, StatecraftError } from "../errors";
import { checkValues } from "../schema/check";
import { asWritten, changedNames, diffValues, replacing } from "../schema/diff";
import { secondsOf } from "../schema/duration";
import type { Values } from "../schema/facts";
import { asSentence } from "../schema/finding";
import { sealSecrets } from "../schema/secrets";
import { holdsUnknown, isRecord, unknown } from "../schema/unknown";
import { withImport } from "./adoption";
import { connectionOf } from "./connection";
import { absent, anotherObject, keptForAnother, noChangeInPlace, sameObject } from "./failures";
import { formatError } from "./format-error";
import { operationFailure } from "./operation-failure";
import type { Operations } from "./operations";
import type { OwnedObjects } from "./owned-objects";
import { previewChange } from "./preview";
import { type RequestContext, requestContext } from "./request-context";
import { type Created, outdatedOutputs, type Resource } from "./resource";
import {
    givenInputs,
    inputsAmong,
    internalInputs,
    namedOtherwise,
    nameOf,
    outputsAmong,
    secretsIn,
    unknownOutputs,
} from "./resource-properties";
import type { DeploymentContext, Runtime } from "./runtime";
import { requireSameServer, stamped } from "./server-stamp";
import { storedSticky, unknownSticky } from "./sticky";

/**
 * The operations of a resource on a runtime.
 * @param owned the objects of the program, for a runtime whose process runs one
 */
export function operationsOf(resource: Resource, runtime: Runtime, owned?: OwnedObjects): Operations {
    return new ResourceOperations(resource, runtime, owned);
}

class ResourceOperations implements Operations {
    constructor(
        private readonly resource: Resource,
        private readonly runtime: Runtime,
        private readonly owned: OwnedObjects | undefined,
    ) {}

    check(olds: Values | undefined, news: Values, about: DeploymentContext) {
        const { runtime, resource } = this;
        const { node } = resource;
        return this.lead({ ...olds, ...news }, [olds ?? {}, news], async (subject) => {
            const given = givenInputs(node, news);
            const { failures, warnings } = checkValues(node, given, olds);
            const wrongSettings = this.wrongSettings(given);
            if (wrongSettings !== undefined) {
                if (failures.length === 0) throw wrongSettings;
                failures.push({ path: "", reason: runtime.redacted(formatError(wrongSettings)) });
                return { inputs: sealSecrets(node, news), failures };
            }
            if (runtime.strict) failures.push(...warnings);
            const kept = failures.length > 0 ? given : runtime.standIns.put(node, given);
            const inputs = { ...kept, ...internalInputs(node, news, about) };
            const isChanged = () => failures.length > 0 || !olds || diffValues(node, olds, inputs).length > 0;
            // Unchanged inputs were already warned about when they were deployed.
            if (!runtime.strict && warnings.length > 0 && isChanged()) {
                const told = (warning: string) => placed(warning, subject, about);
                for (const warning of warnings) runtime.say("warning", told(asSentence(warning)), about.urn);
            }
            if (failures.length === 0) {
                const meant = { ...storedSticky(node, olds ?? {}), ...inputs };
                const reasons = await this.claim(meant, about);
                if (about.isPreview) reasons.push(...(await this.preview(meant, olds, about.urn)));
                failures.push(...reasons.map((reason) => ({ path: "", reason })));
            }
            return { inputs: sealSecrets(node, inputs), failures };
        });
    }

    diff(id: string, olds: Values, news: Values) {
        const { resource } = this;
        return this.lead(id, [olds, news], async () => {
            const { node, handlers } = resource;
            const changes = diffValues(node, olds, news).map((each) => asWritten(node, each, olds, news));
            const outdated = outdatedOutputs(handlers, olds, news);
            const isChanged = changes.length > 0 || outdated.length > 0;
            const object = await this.objectOf(handlers.canonicalId?.(id), connectionOf(news, olds));
            if (object !== undefined) this.owned?.store(object, olds, isChanged);
            return {
                isChanged,
                changes,
                names: [...changedNames(changes), ...outdated],
                outdated,
                replaces: replacing(changes),
                deleteBeforeReplace: resource.deleteBeforeReplace === true,
            };
        });
    }

    previewCreate(inputs: Values, { urn }: DeploymentContext = {}) {
        return this.lead(inputs, [inputs], async () => {
            const { node } = this.resource;
            const object = await this.objectOf(this.idOf(inputs), connectionOf(inputs));
            // The engine previews a replacement only as a create.
            const replaced = object === undefined ? undefined : this.owned?.stored(object);
            refuse(await this.preview(inputs, replaced, urn));
            return sealSecrets(node, { ...unknownSticky(node), ...inputs, ...unknownOutputs(this.resource) });
        });
    }

    create(inputs: Values, about: DeploymentContext = {}) {
        return this.lead(inputs, [inputs], async (subject) => {
            const context = await this.open(inputs, subject, about, "create");
            const { handlers } = this.resource;
            const create = () => handlers.create(context, inputs);
            return stamped(this.resource, context, create, this.keep).catch((error: unknown) => {
                const isRefused = error instanceof StatecraftError && error.code === "exists";
                throw isRefused ? withImport(error, about.urn, this.idOf(inputs)) : error;
            });
        }).finally(() => this.forget(inputs));
    }

    read(id: string, state: Values, about: DeploymentContext = {}) {
        const { resource } = this;
        return this.lead(id, [state], async (subject) => {
            const connection = about.connection ?? connectionOf(state);
            const context = await this.open({ ...state, connection }, subject, about);
            const { handlers, node } = resource;
            const found = await stamped(this.resource, context, () => handlers.read(context, id, state));
            if (found !== undefined) return { ...found, inputs: inputsAmong(node, found.outputs) };
            if (Object.keys(state).length > 0) return undefined;
            throw absent({ title: "it" });
        });
    }

    previewUpdate(id: string, olds: Values, news: Values, { urn }: DeploymentContext = {}) {
        const { resource } = this;
        return this.lead(id, [olds, news], async () => {
            const { node, handlers } = resource;
            const meant = { ...storedSticky(node, olds), ...news };
            refuse(await this.preview(meant, olds, urn));
            const isSent = diffValues(node, olds, news).some(({ isOption }) => !isOption);
            const acts = isSent || outdatedOutputs(handlers, olds, news).length > 0;
            const kept = acts ? { server: olds["server"] } : olds;
            return sealSecrets(node, { ...unknownOutputs(resource), ...outputsAmong(node, kept), ...meant });
        });
    }

    update(id: string, olds: Values, news: Values, about: DeploymentContext = {}) {
        const { resource } = this;
        return this.lead(id, [olds, news], async (subject) => {
            const context = await this.open(news, subject, about, "update", olds);
            const { handlers, node } = resource;
            const replaces = replacing(diffValues(node, olds, news));
            refuse(replaces.map((name) => noChangeInPlace({ name })));
            const update = async () => ({ id, outputs: await handlers.update(context, id, olds, news) });
            return (await stamped(this.resource, context, update, this.keep)).outputs;
        }).finally(() => this.forget(news));
    }

    delete(id: string, state: Values, about: DeploymentContext = {}) {
        return this.lead(id, [state], async (subject) => {
            const context = await this.open(state, subject, about, "delete");
            const { handlers } = this.resource;
            const object = await this.objectOf(handlers.canonicalId?.(id), connectionOf(state));
            if (object === undefined || !this.owned?.isKept(object)) return handlers.delete(context, id, state);
            context.inform(keptForAnother());
        });
    }

    requireNamed(id: string, props: Values) {
        return this.lead(id, [props], async () => {
            const { node, handlers } = this.resource;
            const others = namedOtherwise(node, handlers.named(id), props);
            refuse(others.map((name) => anotherObject({ name })));
        });
    }

    /** The problem of the settings that these inputs lead to, as far as it is known which ones those are. */
    private wrongSettings(inputs: Values): ConfigError | undefined {
        if (holdsUnknown(inputs["connection"])) return undefined;
        try {
            this.runtime.defaults(this.resource.service, connectionOf(inputs));
            return undefined;
        } catch (error) {
            if (error instanceof ConfigError) return error;
            throw error;
        }
    }

    /** The name of an object among those of the run, as far as the settings tell its server. */
    private async objectOf(id: string | undefined, connection: string | undefined): Promise<string | undefined> {
        if (this.owned === undefined || id === undefined || holdsUnknown(id)) return undefined;
        const { service } = this.resource;
        const opened = await this.runtime.open(service, connection, () => undefined).catch(() => undefined);
        if (opened === undefined) return undefined;
        return this.nameOn(opened.servers[0], id);
    }

    private nameOn(server: unknown, id: string): string {
        return `${server} ${this.resource.type} ${id}`;
    }

    /** Records that the program has an object: a resource that ends leaves it. */
    private readonly keep = ({ id, outputs }: Created): void => this.owned?.keep(this.nameOn(outputs["server"], id));

    /** The id that inputs will have, unless inputs or settings leave it open, or only the service knows it. */
    private idOf(inputs: Values): string | undefined {
        const { service } = this.resource;
        if (holdsUnknown(inputs["connection"])) return undefined;
        try {
            const settings = this.runtime.defaults(service, connectionOf(inputs));
            const id = this.resource.handlers.idOf?.(inputs, settings);
            return id?.includes(unknown) ? undefined : id;
        } catch {
            return undefined;
        }
    }

    /** Refuses a second resource of the program that is one object with another. */
    private async claim(inputs: Values, { urn }: DeploymentContext): Promise<string[]> {
        const id = this.owned && urn !== undefined ? this.idOf(inputs) : undefined;
        const object = await this.objectOf(id, connectionOf(inputs));
        if (id === undefined || object === undefined || urn === undefined) return [];
        const owner = this.owned?.claim(object, urn);
        return owner === undefined ? [] : [sameObject({ name: owner.split("::").at(-1) ?? "", id })];
    }

    private forget(inputs: Values): void {
        this.runtime.standIns.forget(this.resource.node, inputs);
    }

    /**
     * The context of an operation. `olds` are secret as well: a server may repeat what it was sent before.
     * @throws StatecraftError when the object is on another server than the one that the settings lead to
     */
    private async open(
        props: Values,
        subject: () => string,
        about: DeploymentContext,
        operation?: "create" | "update" | "delete",
        olds: Values = {},
    ): Promise<RequestContext> {
        const { runtime } = this;
        const { service } = this.resource;
        const { urn, timeout, signal } = about;
        const secrets = secretsIn(this.resource.node, [props, olds]);
        const say: Parameters<Runtime["open"]>[2] = (severity, message) =>
            runtime.say(severity, placed(message, subject, about), urn);
        const connection = connectionOf(props);
        const server = olds["server"] ?? props["server"];
        const opened = await runtime.open(service, connection, say, { secrets });
        requireSameServer(opened, server);
        const timeouts = props["timeouts"];
        const asked = operation && isRecord(timeouts) ? secondsOf(timeouts[operation]) || undefined : undefined;
        return requestContext(opened, { timeout: timeout ?? asked, signal });
    }

    /** Shows what the deployment would do, and returns what would stop it. */
    private async preview(
        inputs: Values,
        olds: Values | undefined,
        urn: string | undefined,
    ): Promise<readonly string[]> {
        const { node, handlers, service } = this.resource;
        const secrets = secretsIn(node, [inputs, olds ?? {}]);
        const findExisting = (context: RequestContext) =>
            olds === undefined ? this.findExisting(context, inputs, urn) : Promise.resolve(undefined);
        return previewChange(this.runtime, { service, handlers, inputs, olds, urn, secrets, findExisting });
    }

    /** Why a new object could not be created. A look that fails says nothing, and previews look no more at that service. */
    private async findExisting(
        context: RequestContext,
        inputs: Values,
        urn: string | undefined,
    ): Promise<StatecraftError | undefined> {
        const { owned, resource } = this;
        const id = this.idOf(inputs);
        const object = await this.objectOf(id, connectionOf(inputs));
        // This run replaces an object that the state of a resource names.
        if (owned === undefined || object === undefined || owned.stored(object) !== undefined) return undefined;
        if (!owned.mayLook(resource.service.name)) return undefined;
        try {
            const existing = await resource.handlers.findExisting?.(context, inputs);
            return existing && withImport(existing, urn, id);
        } catch {
            owned.stopLooking(resource.service.name);
            return undefined;
        }
    }

    /** Runs an operation on the object of an id, or of inputs. Any error becomes one paragraph that begins with the resource. */
    private async lead<Result>(
        object: string | Values,
        props: readonly Values[],
        operation: (subject: () => string) => Promise<Result>,
    ): Promise<Result> {
        const { resource } = this;
        const subject = () =>
            typeof object === "string"
                ? `${resource.type} ${object}`
                : `${resource.type} ${nameOf(resource, object) || (this.idOf(object) ?? "")}`.trimEnd();
        try {
            return await operation(subject);
        } catch (error) {
            throw operationFailure(resource, this.runtime, { subject: subject(), props, error });
        }
    }
}

function refuse(reasons: readonly string[]): void {
    if (reasons.length > 0) throw new InputError("nothing was done", reasons);
}

/** A message that does not stand at a resource says which one it is about. */
const placed = (message: string, subject: () => string, { urn }: DeploymentContext) =>
    urn === undefined ? `${subject()}: ${message}` : message;
