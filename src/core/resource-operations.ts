/**
 * The operations of one resource, for any runtime. They add to the handlers what all resources share: the check that the server is the same,
 * encryption of secrets, sticky defaults, and errors as one paragraph.
 */

import { ConfigError, InputError } from "../errors";
import { checkEach } from "../schema/check";
import { asWritten, changedNames, diffValues, replacing } from "../schema/diff";
import { secondsOf } from "../schema/duration";
import type { Values, Vocabulary } from "../schema/facts";
import { asSentence } from "../schema/finding";
import { sealSecrets } from "../schema/secrets";
import { holdsUnknown, isRecord } from "../schema/unknown";
import { connectionOf } from "./connection";
import { duplicatesOf } from "./duplicates";
import { absent, anotherObject, keptForAnother, noChangeInPlace } from "./failures";
import { formatError } from "./format-error";
import { operationFailure } from "./operation-failure";
import type { Operations } from "./operations";
import { previewChange } from "./preview";
import { type RequestContext, requestContext } from "./request-context";
import { type Created, outdatedOutputs, type Resource, type ResourceIn } from "./resource";
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
import type { Run, Servers } from "./run";
import type { DeploymentContext, Runtime } from "./runtime";
import { requireSameServer, serversOf, stamped } from "./server-stamp";
import { settledValues, stickyValues } from "./sticky";

/**
 * The operations of a resource on a runtime.
 * @param run for a runtime whose process is one run of a program: that run deletes nothing that its program has
 */
export function operationsOf(resource: Resource, runtime: Runtime, run?: Run): Operations {
    return new ResourceOperations(resource, runtime, run);
}

class ResourceOperations implements Operations {
    constructor(
        private readonly resource: Resource,
        private readonly runtime: Runtime,
        private readonly run: Run | undefined,
    ) {}

    check(olds: Values | undefined, news: Values, about: DeploymentContext) {
        const { runtime, resource, run } = this;
        const check = async (subject: () => string) => {
            const nodes = this.vocabularies(news, olds).map((vocabulary) => resource.in(vocabulary).inputs);
            const [node = this.in(news).inputs] = nodes;
            const given = givenInputs(node, news);
            const { failures, warnings } = checkEach(nodes, given, olds);
            if (runtime.strict) failures.push(...warnings);
            const kept = failures.length > 0 ? given : runtime.standIns.put(node, given);
            const own = internalInputs(node, given, news, about);
            const settings = () => runtime.defaults(resource.service, connectionOf(given));
            // Which server's settings they come from may not be known yet.
            const isOpen = about.isPreview === true || holdsUnknown(given["connection"]);
            const { settled, added } = stickyValues(node, olds, settings, run, { urn: about.urn, isOpen });
            const meant = { ...settled, ...kept };
            const inputs = { ...added, ...kept, ...own };
            const isChanged = () => failures.length > 0 || !olds || diffValues(node, olds, inputs).length > 0;
            // What is as it was deployed has been warned of then.
            if (!runtime.strict && warnings.length > 0 && isChanged()) {
                const told = (warning: string) => placed(warning, subject, about);
                for (const warning of warnings) runtime.say("warning", told(asSentence(warning)), about.urn);
            }
            if (about.isPreview && failures.length === 0) {
                const reasons = await this.preview({ ...meant, ...own }, olds, about.urn);
                failures.push(...reasons.map((reason) => ({ path: "", reason })));
            }
            run?.hasChecked(resource.type, inputs, about.urn);
            if (failures.length === 0) failures.push(...duplicatesOf(resource, runtime, run, meant, about));
            return { inputs: sealSecrets(node, inputs), failures };
        };
        return this.lead({ ...olds, ...news }, [olds ?? {}, news], (subject) =>
            check(subject).catch((error: unknown) => this.besideSettings(error, olds, news)),
        );
    }

    diff(id: string, olds: Values, news: Values) {
        const { resource, run } = this;
        return this.lead(id, [olds, news], async () => {
            const { inputs: node, handlers } = this.in(news, olds);
            const changes = diffValues(node, olds, news).map((each) => asWritten(node, each, olds, news));
            const outdated = outdatedOutputs(handlers, olds, news);
            const replaces = replacing(changes);
            const isChanged = changes.length > 0 || outdated.length > 0;
            const servers = () => serversOf(this.runtime, resource.service, olds, connectionOf(news, olds));
            if (!isChanged) this.keep({ id, outputs: olds }, news, servers);
            else if (replaces.length > 0) {
                run?.release(resource.type, { object: this.objectOf(id, olds) ?? "", outputs: olds }, news);
            }
            return {
                isChanged,
                changes,
                names: [...changedNames(changes), ...outdated],
                outdated,
                replaces,
                deleteBeforeReplace: resource.deleteBeforeReplace === true,
            };
        });
    }

    previewCreate(inputs: Values, { urn }: DeploymentContext = {}) {
        return this.lead(inputs, [inputs], async () => {
            // A preview of a replacement is one of a creation, and nobody asks for that of the deletion.
            const olds = urn === undefined ? undefined : this.run?.formerOutputs(urn);
            refuse(await this.preview(inputs, olds, urn));
            return sealSecrets(this.in(inputs).inputs, { ...inputs, ...unknownOutputs(this.resource) });
        });
    }

    create(inputs: Values, about: DeploymentContext = {}) {
        return this.lead(inputs, [inputs], async (subject) => {
            const context = await this.open(inputs, subject, about, "create");
            const { handlers } = this.resource.in(context.vocabulary);
            const create = () => handlers.create(context, inputs);
            return stamped(this.resource, context, create, this.keepMade(context, inputs));
        }).finally(() => this.forget(inputs));
    }

    read(id: string, state: Values, about: DeploymentContext = {}) {
        const { resource } = this;
        return this.lead(id, [state], async (subject) => {
            const connection = about.connection ?? connectionOf(state);
            const context = await this.open({ ...state, connection }, subject, about);
            const { handlers, inputs: node } = resource.in(context.vocabulary);
            const found = await stamped(this.resource, context, () => handlers.read(context, id, state));
            if (found !== undefined) return { ...found, inputs: inputsAmong(node, found.outputs) };
            if (Object.keys(state).length > 0) return undefined;
            throw absent({ title: "it" });
        });
    }

    previewUpdate(id: string, olds: Values, news: Values, { urn }: DeploymentContext = {}) {
        const { resource } = this;
        return this.lead(id, [olds, news], async () => {
            const { inputs: node, handlers } = this.in(news, olds);
            refuse(await this.preview({ ...settledValues(node, olds), ...news }, olds, urn));
            const isSent = diffValues(node, olds, news).some(({ isOption }) => !isOption);
            const acts = isSent || outdatedOutputs(handlers, olds, news).length > 0;
            const kept = acts ? { server: olds["server"] } : olds;
            return sealSecrets(node, { ...unknownOutputs(resource), ...outputsAmong(node, kept), ...news });
        });
    }

    update(id: string, olds: Values, news: Values, about: DeploymentContext = {}) {
        const { resource } = this;
        return this.lead(id, [olds, news], async (subject) => {
            const context = await this.open(news, subject, about, "update", olds);
            const { handlers, inputs: node } = resource.in(context.vocabulary);
            const replaces = replacing(diffValues(node, olds, news));
            refuse(replaces.map((name) => noChangeInPlace({ name })));
            const update = async () => ({ id, outputs: await handlers.update(context, id, olds, news) });
            return (await stamped(this.resource, context, update, this.keepMade(context, news))).outputs;
        }).finally(() => this.forget(news));
    }

    delete(id: string, state: Values, about: DeploymentContext = {}) {
        const { resource, run } = this;
        return this.lead(id, [state], async (subject) => {
            const context = await this.open(state, subject, about, "delete");
            const { handlers } = resource.in(context.vocabulary);
            const object = handlers.holds?.(id, state);
            const isKept = object !== undefined && (await run?.has(resource.type, object, () => context.servers()));
            if (!isKept) return handlers.delete(context, id, state);
            context.inform(keptForAnother());
            await handlers.leave?.(context, id, state);
        });
    }

    requireNamed(id: string, props: Values) {
        return this.lead(id, [props], async () => {
            const { inputs: node, handlers } = this.in(props);
            const others = namedOtherwise(node, handlers.named(id), props);
            refuse(others.map((name) => anotherObject({ name })));
        });
    }

    private vocabularyOf(props: Values, olds?: Values): Vocabulary {
        return this.runtime.defaults(this.resource.service, connectionOf(props, olds)).vocabulary;
    }

    /** The vocabularies that may be the server's: either of them where which server it will be is not known yet. */
    private vocabularies(inputs: Values, olds: Values | undefined): readonly Vocabulary[] {
        if (holdsUnknown(inputs["connection"]) && olds === undefined) return ["documented", "product"];
        return [this.vocabularyOf(inputs, olds)];
    }

    /** Settings that are wrong do not hide what is wrong with the inputs, whatever the vocabulary. */
    private besideSettings(error: unknown, olds: Values | undefined, news: Values) {
        if (!(error instanceof ConfigError)) throw error;
        const node = this.resource.in("documented").inputs;
        const { failures } = checkEach([node, this.resource.in("product").inputs], givenInputs(node, news), olds);
        if (failures.length === 0) throw error;
        const reason = this.runtime.redacted(formatError(error));
        return { inputs: sealSecrets(node, news), failures: [...failures, { path: "", reason }] };
    }

    private in(props: Values, olds?: Values): ResourceIn {
        return this.resource.in(this.vocabularyOf(props, olds));
    }

    private objectOf(id: string, state: Values): string | undefined {
        return this.in(state).handlers.holds?.(id, state);
    }

    /** Records that this program has the object. If the same run later deletes a resource with the same object, the object stays. */
    private keep({ id, outputs }: Created, inputs: Values, servers: Servers): void {
        this.run?.keep(this.resource.type, () => this.objectOf(id, outputs), inputs, servers);
    }

    private keepMade(context: RequestContext, inputs: Values) {
        return (created: Created) => this.keep(created, inputs, () => context.servers());
    }

    private forget(inputs: Values): void {
        this.runtime.standIns.forget(this.in(inputs).inputs, inputs);
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
        const secrets = secretsIn(this.in(props).inputs, [props, olds]);
        const say: Parameters<Runtime["open"]>[2] = (severity, message) =>
            runtime.say(severity, placed(message, subject, about), urn);
        const connection = connectionOf(props);
        const server = olds["server"] ?? props["server"];
        const opened = await runtime.open(service, connection, say, { server, secrets });
        await requireSameServer(service, connection, opened, server);
        const timeouts = props["timeouts"];
        const asked = operation && isRecord(timeouts) ? secondsOf(timeouts[operation]) || undefined : undefined;
        return requestContext(opened, { timeout: timeout ?? asked, signal });
    }

    /** What would stop the deployment, after the user was told what it would do. */
    private preview(inputs: Values, olds: Values | undefined, urn: string | undefined): Promise<readonly string[]> {
        const [vocabulary = "documented"] = this.vocabularies(inputs, olds);
        const { inputs: node, handlers } = this.resource.in(vocabulary);
        const { service } = this.resource;
        const secrets = secretsIn(node, [inputs, olds ?? {}]);
        return previewChange(this.runtime, { service, handlers, inputs, olds, urn, secrets });
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
                : `${resource.type} ${nameOf(resource, object)}`.trimEnd();
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
