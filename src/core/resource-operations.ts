/**
 * The operations of one resource, for any runtime. They add to the handlers what all resources share: the check that the server is the same,
 * encryption of secrets, sticky defaults, and errors as one paragraph.
 */

import { InputError, StatecraftError } from "../errors";
import { asSentence, checkEach, type Finding } from "../schema/check";
import { type Change, changedNames, diffValues } from "../schema/diff";
import { secondsOf } from "../schema/duration";
import type { Values, Vocabulary } from "../schema/facts";
import type { ObjectNode } from "../schema/node";
import { sealSecrets, secretStrings } from "../schema/secrets";
import { holdsUnknown, isRecord } from "../schema/unknown";
import { decodedWithDefaults, isSame, written } from "../schema/values";
import { connectionOf } from "./connection";
import { absent, anotherObject, keptForAnother, noChangeInPlace, otherServer } from "./failures";
import { formatError } from "./format-error";
import { OperationError } from "./operation-error";
import type { Operations } from "./operations";
import { previewChange } from "./preview";
import { type RequestContext, requestContext } from "./request-context";
import { type Created, PartialCreateError, type Resource, unfinishedSteps } from "./resource";
import type { Run, Servers } from "./run";
import type { DeploymentContext, Runtime } from "./runtime";
import { limited, type Opened, type Session } from "./session";
import { forgetStandIns, withStandIns } from "./stand-ins";
import { stickyValues } from "./sticky";
import { withRedaction } from "./with-redaction";

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
        const subject = () => this.subjectOf({ ...olds, ...news });
        return this.lead(subject, [olds ?? {}, news], async () => {
            const nodes = this.vocabularies(news, olds).map((vocabulary) => resource.in(vocabulary).inputs);
            const [node = this.inputsIn(news)] = nodes;
            const given = givenInputs(node, news);
            const { failures, warnings } = checkEach(nodes, given, olds);
            // A message that does not stand at a resource says which one it is about.
            const told = (warning: string) => (about.urn === undefined ? `${subject()}: ${warning}` : warning);
            if (runtime.strict) failures.push(...warnings);
            else for (const warning of warnings) runtime.say("warning", told(asSentence(warning)), about.urn);
            const kept = failures.length > 0 ? given : withStandIns(node, given, runtime.memory);
            const own = internal(node, given, news, about);
            if (about.isPreview && failures.length === 0) {
                failures.push(...(await this.preview({ ...kept, ...own }, olds, about.urn)));
            }
            const settings = () => runtime.defaults(resource.service, connectionOf(given));
            const sticky = stickyValues(node, olds, settings, run, about);
            const inputs = { ...sticky, ...kept, ...own };
            run?.hasChecked(resource.type, inputs, about.urn);
            return { inputs: sealSecrets(node, inputs), failures };
        });
    }

    diff(id: string, olds: Values, news: Values) {
        const { resource, run } = this;
        return this.lead(
            () => `${resource.type} ${id}`,
            [olds, news],
            async () => {
                const vocabulary = this.vocabularyOf(news, olds);
                const { inputs: node, handlers } = resource.in(vocabulary);
                const changes = diffValues(node, olds, news, vocabulary);
                const outdated = handlers.outdated?.(olds, news) ?? [];
                const replaces = replacing(changes);
                const isChanged = changes.length > 0 || outdated.length > 0 || unfinishedSteps(olds).length > 0;
                if (!isChanged)
                    this.keep({ id, outputs: olds }, news, () => this.serversOf(olds, connectionOf(news, olds)));
                else if (replaces.length > 0) run?.release(resource.type, this.objectOf(id, olds) ?? "", news);
                return {
                    isChanged,
                    changes,
                    names: [...changedNames(changes), ...outdated],
                    replaces,
                    deleteBeforeReplace: resource.deleteBeforeReplace === true,
                };
            },
        );
    }

    create(inputs: Values) {
        const subject = () => this.subjectOf(inputs);
        return this.lead(subject, [inputs], async () => {
            const context = await this.open(inputs, subject, "create");
            const { handlers } = this.resource.in(context.vocabulary);
            return this.stamped(context, () => handlers.create(context, inputs), this.keepMade(context, inputs));
        }).finally(() => forgetStandIns(this.inputsIn(inputs), inputs, this.runtime.memory));
    }

    read(id: string, state: Values, connection = connectionOf(state)) {
        const { resource } = this;
        const subject = () => `${resource.type} ${id}`;
        return this.lead(subject, [state], async () => {
            const context = await this.open({ ...state, connection }, subject);
            this.guard(context, state);
            const { handlers, inputs: node } = resource.in(context.vocabulary);
            const found = await this.stamped(context, () => handlers.read(context, id, state));
            if (found !== undefined) return { ...found, inputs: inputsAmong(node, found.outputs) };
            if (Object.keys(state).length > 0) return undefined;
            throw absent({ title: "it" });
        });
    }

    update(id: string, olds: Values, news: Values) {
        const { resource } = this;
        const subject = () => `${resource.type} ${id}`;
        return this.lead(subject, [olds, news], async () => {
            const context = await this.open(news, subject, "update", olds);
            this.guard(context, olds);
            const { handlers, inputs: node } = resource.in(context.vocabulary);
            const replaces = replacing(diffValues(node, olds, news, context.vocabulary));
            refuse(replaces, noChangeInPlace);
            const update = async () => ({ id, outputs: await handlers.update(context, id, olds, news) });
            return (await this.stamped(context, update, this.keepMade(context, news))).outputs;
        }).finally(() => forgetStandIns(this.inputsIn(news), news, this.runtime.memory));
    }

    delete(id: string, state: Values) {
        const { resource, run } = this;
        const subject = () => `${resource.type} ${id}`;
        return this.lead(subject, [state], async () => {
            const context = await this.open(state, subject, "delete");
            this.guard(context, state);
            const { handlers } = resource.in(context.vocabulary);
            const object = handlers.holds?.(id, state);
            const isKept = object !== undefined && (await run?.has(resource.type, object, namesOf(context)));
            if (!isKept) return handlers.delete(context, id, state);
            context.inform(keptForAnother());
            await handlers.leave?.(context, id, state);
        });
    }

    requireNamed(id: string, props: Values) {
        return this.lead(
            () => `${this.resource.type} ${id}`,
            [props],
            async () => {
                const { inputs: node, handlers } = this.resource.in(this.vocabularyOf(props));
                const names = handlers.named?.(id) ?? {};
                const named = decodedWithDefaults(node, names);
                const given = decodedWithDefaults(node, props);
                const others = Object.keys(names).filter((name) => {
                    const property = node.properties.get(name);
                    if (property === undefined || written(property, props) === undefined) return false;
                    return !isSame(property, named[name], given[name]);
                });
                refuse(others, anotherObject);
            },
        );
    }

    private vocabularyOf(props: Values, olds?: Values): Vocabulary {
        return this.runtime.vocabulary(this.resource.service, connectionOf(props, olds));
    }

    /** The vocabularies that may be the server's: either of them where which server it will be is not known yet. */
    private vocabularies(inputs: Values, olds: Values | undefined): readonly Vocabulary[] {
        if (holdsUnknown(inputs["connection"]) && olds === undefined) return ["documented", "product"];
        return [this.vocabularyOf(inputs, olds)];
    }

    private inputsIn(props: Values): ObjectNode {
        return this.resource.in(this.vocabularyOf(props)).inputs;
    }

    private subjectOf(inputs: Values): string {
        return `${this.resource.type} ${nameOf(this.resource, inputs)}`.trimEnd();
    }

    private objectOf(id: string, state: Values): string | undefined {
        return this.resource.in(this.vocabularyOf(state)).handlers.holds?.(id, state);
    }

    /** Records that this program has the object. If the same run later deletes a resource with the same object, the object stays. */
    private keep({ id, outputs }: Created, inputs: Values, servers: Servers): void {
        const object = this.objectOf(id, outputs);
        if (object !== undefined) this.run?.keep(this.resource.type, object, inputs, servers);
    }

    private keepMade(context: RequestContext, inputs: Values) {
        return (created: Created) => this.keep(created, inputs, async () => namesOf(context));
    }

    /** All names of the server that holds an object to which this run does nothing. */
    private async serversOf(state: Values, connection: string | undefined): Promise<readonly string[]> {
        const stored = String(state["server"]);
        const opened = await this.runtime
            .open(this.resource.service, connection, () => undefined)
            .catch(() => undefined);
        return opened && namesOf(opened).includes(stored) ? namesOf(opened) : [stored];
    }

    /** `olds` are secret as well: a server may repeat what it was sent before. */
    private async open(
        props: Values,
        subject: () => string,
        operation?: "create" | "update" | "delete",
        olds: Values = {},
    ): Promise<RequestContext> {
        const { runtime } = this;
        const secrets = secretsIn(this.inputsIn(props), [props, olds]);
        const { open } = withRedaction(runtime, () => secrets);
        const opened = await open(this.resource.service, connectionOf(props), (severity, message) =>
            runtime.say(severity, `${subject()}: ${message}`),
        );
        const timeouts = props["timeouts"];
        const seconds = operation && isRecord(timeouts) ? secondsOf(timeouts[operation]) || undefined : undefined;
        return requestContext(limited(opened, seconds));
    }

    /** What would stop the deployment, after the user was told what it would do. */
    private async preview(inputs: Values, olds: Values | undefined, urn: string | undefined): Promise<Finding[]> {
        const [vocabulary = "documented"] = this.vocabularies(inputs, olds);
        const { inputs: node, handlers } = this.resource.in(vocabulary);
        const told = handlers.previewChange?.bind(handlers);
        const subject = {
            service: this.resource.service,
            preview:
                told &&
                (async (
                    session: Session,
                    news: Values,
                    former: Values | undefined,
                    reportBlocker: RequestContext["reportBlocker"],
                ) => told(requestContext(session, { urn, isPreview: true, reportBlocker }), news, former)),
        };
        const plan = { inputs, olds, urn, secrets: secretsIn(node, [inputs, olds ?? {}]) };
        return (await previewChange(subject, this.runtime, plan)).map((reason) => ({ path: "", reason }));
    }

    /** Runs an operation. Any error becomes one paragraph that begins with the resource. */
    private async lead<Result>(
        subject: () => string,
        props: readonly Values[],
        operation: () => Promise<Result>,
    ): Promise<Result> {
        try {
            return await operation();
        } catch (error) {
            const partial = error instanceof PartialCreateError ? error : undefined;
            const message = partial ? `${partial.message}: ${formatError(partial.cause)}` : formatError(error);
            const secrets = secretsIn(this.resource.in("product").inputs, props);
            const own = withRedaction(this.runtime, () => secrets);
            if (!(error instanceof StatecraftError) && error instanceof Error && !partial) {
                own.say("debug", error.stack ?? message);
            }
            throw new OperationError(
                own.redacted(`${subject()}: ${message}`),
                partial && { id: partial.id, outputs: partial.outputs },
                partial ? partial.cause : error,
            );
        }
    }

    /** Adds `server` to the outputs and encrypts the secrets, also for an object that was created in part. Calls `tell` with either. */
    private async stamped<Result extends Created | undefined>(
        context: RequestContext,
        operation: () => Promise<Result>,
        tell: (created: Created) => void = () => {},
    ): Promise<Result> {
        const node = this.resource.in(context.vocabulary).inputs;
        const stamp = (outputs: Values) => sealSecrets(node, { ...outputs, server: context.server });
        try {
            const created = await operation();
            const whole = created && { ...created, outputs: stamp(created.outputs) };
            if (whole) tell(whole);
            return whole;
        } catch (error) {
            if (!(error instanceof PartialCreateError)) throw error;
            const { id, message, cause, outputs } = error;
            const partial = new PartialCreateError(id, stamp(outputs), unfinishedSteps(outputs), message, cause);
            tell(partial);
            throw partial;
        }
    }

    /** An object is only touched on the server that it was made on. */
    private guard(context: RequestContext, state: Values): void {
        const server = state["server"];
        if (typeof server !== "string" || namesOf(context).includes(server)) return;
        const { name, title } = this.resource.service;
        throw otherServer({ server, title, other: context.server, name });
    }
}

const namesOf = ({ server, formerServers }: Opened): readonly string[] => [server, ...formerServers];

const replacing = (changes: readonly Change[]) => changedNames(changes.filter((change) => change.replaces));

function secretsIn(node: ObjectNode, all: readonly Values[]): string[] {
    return all.flatMap((props) => secretStrings(node, props));
}

/** What the program gave: null is left out, and what statecraft fills in is not the program's. */
function givenInputs(node: ObjectNode, news: Values): Values {
    const isGiven = ([name, value]: [string, unknown]) =>
        value !== null && value !== undefined && !node.properties.get(name)?.facts.internal;
    return Object.fromEntries(Object.entries(news).filter(isGiven));
}

function refuse(names: readonly string[], why: typeof anotherObject | typeof noChangeInPlace): void {
    if (names.length === 0) return;
    throw new InputError(
        "nothing was done",
        names.map((name) => why({ name })),
    );
}

/** The mark of the locks that the resource takes. Inputs that were checked before hold it already. */
function internal(
    node: ObjectNode,
    given: Values,
    news: Values,
    { lockMark = news["lockMark"] }: { readonly lockMark?: unknown },
): Values {
    return node.properties.has("lockMark") && given["lock"] !== false && lockMark ? { lockMark } : {};
}

function inputsAmong(node: ObjectNode, outputs: Values): Values {
    return Object.fromEntries(Object.entries(outputs).filter(([name]) => node.properties.has(name)));
}

/** How messages call an object that has no id yet: as its file says, or by its first required input. */
function nameOf(resource: Resource, inputs: Values): string {
    const node = resource.in("documented").inputs;
    const known = Object.fromEntries(Object.entries(inputs).filter(([, value]) => !holdsUnknown(value)));
    if (resource.subject !== undefined) return resource.subject(decodedWithDefaults(node, known));
    const required = [...node.properties.values()].find((property) => property.required);
    const value = required && known[required.name];
    return typeof value === "object" ? "" : String(value ?? "");
}
