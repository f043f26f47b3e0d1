/**
 * The operations of one resource, as a host calls them, over plain data. Here each gets what all resources share: the guard of the server,
 * sealed secrets, what settings settle, and failures as one readable paragraph.
 */

import { InputError, StatecraftError } from "../errors";
import { asSentence, checkEach, type Finding } from "../schema/check";
import { type Change, changedNames, diffValues } from "../schema/diff";
import { secondsOf } from "../schema/duration";
import type { Values, Vocabulary } from "../schema/facts";
import type { ObjectNode } from "../schema/node";
import { sealSecrets, secretStrings } from "../schema/secrets";
import { holdsUnknown, isRecord, unknown } from "../schema/unknown";
import { filled, isSame, written } from "../schema/values";
import { connectionOf } from "./connection";
import type { DeploymentContext, Host } from "./host";
import { OperationError } from "./operation-error";
import { asParagraph } from "./paragraph";
import { foretell } from "./preview";
import { redacted } from "./redaction";
import { type RequestContext, requestContext } from "./request-context";
import { type Created, PartialCreateError, type Resource, unfinishedSteps } from "./resource";
import type { Run, Servers } from "./run";
import { discreet, limited, type Opened, type Session } from "./session";
import { letGo, standInsFor } from "./stand-ins";
import { stickyValues } from "./sticky";

/** How new inputs differ from the state of the last deployment. */
export interface Difference {
    /** Whether anything is to be done. */
    readonly isChanged: boolean;
    /** Each difference of an input. */
    readonly changes: readonly Change[];
    /** The inputs and outputs that differ. */
    readonly names: readonly string[];
    /** Outputs that ask for an update though no input differs. */
    readonly outdated: readonly string[];
    /** The inputs that need another object. */
    readonly replaces: readonly string[];
    readonly deleteBeforeReplace: boolean;
}

/** The operations of one resource. */
export interface Operations {
    check(
        olds: Values | undefined,
        news: Values,
        about: DeploymentContext,
    ): Promise<{ inputs: Values; failures: readonly Finding[] }>;
    diff(id: string, olds: Values, news: Values): Promise<Difference>;
    /** The outputs that `create` will have: those of the program, and the others unknown. Tells what it will do. */
    previewCreate(inputs: Values, about?: DeploymentContext): Promise<Values>;
    create(inputs: Values, about?: DeploymentContext): Promise<Created>;
    /** `undefined` when the object is gone. */
    read(id: string, state: Values, about?: DeploymentContext): Promise<(Created & { inputs: Values }) | undefined>;
    /** The outputs that `update` will have. Tells what it will do. */
    previewUpdate(id: string, olds: Values, news: Values, about?: DeploymentContext): Promise<Values>;
    update(id: string, olds: Values, news: Values, about?: DeploymentContext): Promise<Values>;
    delete(id: string, state: Values, about?: DeploymentContext): Promise<void>;
    /** Refuses inputs or outputs of another object than that of this id. @throws InputError */
    requireNamed(id: string, props: Values): Promise<void>;
}

/**
 * The operations of a resource on a host.
 * @param run for a host whose process is one run of a program: that run deletes nothing that its program has
 */
export function operationsOf(resource: Resource, host: Host, run?: Run): Operations {
    const { service } = resource;
    const vocabularyOf = (props: Values, olds?: Values): Vocabulary =>
        host.vocabulary(service, connectionOf(props, olds));
    /** The vocabularies that may be the server's: either of them where which server it will be is not known yet. */
    const vocabularies = (inputs: Values, olds: Values | undefined): readonly Vocabulary[] =>
        holdsUnknown(inputs["connection"]) && olds === undefined
            ? ["documented", "product"]
            : [vocabularyOf(inputs, olds)];
    const inputsIn = (props: Values): ObjectNode => resource.in(vocabularyOf(props)).inputs;
    const secretsIn = (node: ObjectNode, all: readonly Values[]) => all.flatMap((props) => secretStrings(node, props));
    const namesOf = ({ server, formerServers }: Opened) => [server, ...formerServers];
    const objectOf = (id: string, state: Values) => resource.in(vocabularyOf(state)).handlers.holds?.(id, state);

    /** The program has what this is. Another name for it may still be to be deleted, by this run or by one that broke off. */
    function keep({ id, outputs }: Created, inputs: Values, servers: Servers): void {
        const object = objectOf(id, outputs);
        if (object !== undefined) run?.keep(resource.type, object, inputs, servers);
    }
    const keepMade = (context: RequestContext, inputs: Values) => (created: Created) =>
        keep(created, inputs, async () => namesOf(context));

    /** The server that an object is on which nothing was done to, by all of its names. */
    async function serversOf(state: Values, connection: string | undefined): Promise<readonly string[]> {
        const stored = String(state["server"]);
        const opened = await host.open(service, connection, () => undefined).catch(() => undefined);
        return opened && namesOf(opened).includes(stored) ? namesOf(opened) : [stored];
    }

    /** `olds` are secret as well: a server may repeat what it was sent before. */
    async function open(
        props: Values,
        subject: string,
        about: DeploymentContext,
        operation?: "create" | "update" | "delete",
        olds: Values = {},
    ): Promise<RequestContext> {
        const secrets = secretsIn(inputsIn(props), [props, olds]);
        const { urn } = about;
        const opened = await host.open(service, connectionOf(props), (severity, message) =>
            host.say(severity, redacted(placed(message, subject, urn), secrets), urn),
        );
        const timeouts = props["timeouts"];
        const asked = operation && isRecord(timeouts) ? secondsOf(timeouts[operation]) || undefined : undefined;
        return requestContext(limited(discreet(opened, secrets), about.timeout ?? asked), { urn });
    }

    /** What would hinder the deployment, after the user was told what it would do. */
    async function preview(inputs: Values, olds: Values | undefined, urn: string | undefined): Promise<Finding[]> {
        const [vocabulary = "documented"] = vocabularies(inputs, olds);
        const { inputs: node, handlers } = resource.in(vocabulary);
        const told = handlers.previewChange?.bind(handlers);
        const subject = {
            service,
            preview:
                told &&
                (async (session: Session, news: Values, former: Values | undefined, hinder: RequestContext["hinder"]) =>
                    told(requestContext(session, { urn, isPreview: true, hinder }), news, former)),
        };
        const plan = { inputs, olds, urn, secrets: secretsIn(node, [inputs, olds ?? {}]) };
        return (await foretell(subject, host, plan)).map((reason) => ({ path: "", reason }));
    }

    /** Leads an operation, and turns whatever it throws into one paragraph that begins with the resource. */
    async function lead<Result>(
        subject: string,
        props: readonly Values[],
        operation: () => Promise<Result>,
    ): Promise<Result> {
        try {
            return await operation();
        } catch (error) {
            const partial = error instanceof PartialCreateError ? error : undefined;
            const message = partial ? `${partial.message}: ${asParagraph(partial.cause)}` : asParagraph(error);
            const secrets = secretsIn(resource.in("product").inputs, props);
            const clean = (text: string) => host.redacted(redacted(text, secrets));
            if (!(error instanceof StatecraftError) && error instanceof Error && !partial) {
                host.say("debug", clean(error.stack ?? message));
            }
            throw new OperationError(
                clean(`${subject}: ${message}`),
                partial && { id: partial.id, outputs: partial.outputs },
                partial ? partial.cause : error,
            );
        }
    }

    /** Adds the server to what an operation made, and seals it; what was made in part as well. Tells of both. */
    async function stamped<Result extends Created | undefined>(
        context: RequestContext,
        operation: () => Promise<Result>,
        tell: (created: Created) => void = () => {},
    ): Promise<Result> {
        const node = resource.in(context.vocabulary).inputs;
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
    function guard(context: RequestContext, state: Values): void {
        const server = state["server"];
        if (typeof server !== "string" || server === context.server || context.formerServers.includes(server)) return;
        throw new StatecraftError(
            "server",
            `it is on ${server}, but the settings of the ${service.title} lead to ${context.server}, so nothing was done`,
            {
                hint:
                    `Point \`statecraft:${service.name}.address\` back; if both are one server, list the former address in ` +
                    `\`statecraft:${service.name}.formerAddresses\`; if the object is lost with its server, \`pulumi state delete\` forgets it`,
            },
        );
    }

    const subjectOf = (inputs: Values) => `${resource.type} ${nameOf(resource, inputs)}`.trimEnd();

    return {
        check(olds, news, about) {
            const subject = subjectOf({ ...olds, ...news });
            return lead(subject, [olds ?? {}, news], async () => {
                const nodes = vocabularies(news, olds).map((vocabulary) => resource.in(vocabulary).inputs);
                const [node = inputsIn(news)] = nodes;
                const isGiven = (name: string) => !node.properties.get(name)?.facts.internal;
                const given = Object.fromEntries(
                    Object.entries(news).filter(
                        ([name, value]) => value !== null && value !== undefined && isGiven(name),
                    ),
                );
                const { failures, warnings } = checkEach(nodes, given, olds);
                if (host.strict) failures.push(...warnings);
                else {
                    for (const warning of warnings) {
                        host.say("warning", placed(asSentence(warning), subject, about.urn), about.urn);
                    }
                }
                const kept = failures.length > 0 ? given : standInsFor(node, given, host.memory);
                const own = internal(node, given, news, about);
                if (about.isPreview && failures.length === 0) {
                    failures.push(...(await preview({ ...kept, ...own }, olds, about.urn)));
                }
                const settings = () => host.defaults(service, connectionOf(given));
                const sticky = stickyValues(node, olds, settings, run, about);
                const inputs = { ...sticky, ...kept, ...own };
                run?.hasChecked(resource.type, inputs, about.urn);
                return { inputs: sealSecrets(node, inputs), failures };
            });
        },

        diff(id, olds, news) {
            return lead(`${resource.type} ${id}`, [olds, news], async () => {
                const vocabulary = vocabularyOf(news, olds);
                const { inputs: node, handlers } = resource.in(vocabulary);
                const changes = diffValues(node, olds, news, vocabulary);
                const unfinished = unfinishedSteps(olds).length > 0 ? ["unfinished"] : [];
                const outdated = [...(handlers.outdated?.(olds, news) ?? []), ...unfinished];
                const replaces = changedNames(changes.filter((change) => change.replaces));
                const isChanged = changes.length > 0 || outdated.length > 0;
                if (!isChanged) keep({ id, outputs: olds }, news, () => serversOf(olds, connectionOf(news, olds)));
                else if (replaces.length > 0) run?.release(resource.type, objectOf(id, olds) ?? "", news);
                return {
                    isChanged,
                    changes,
                    names: [...changedNames(changes), ...outdated],
                    outdated,
                    replaces,
                    deleteBeforeReplace: resource.deleteBeforeReplace === true,
                };
            });
        },

        previewCreate(inputs, { urn } = {}) {
            return lead(subjectOf(inputs), [inputs], async () => {
                refuse(await preview(inputs, undefined, urn), "nothing can be created");
                return sealSecrets(inputsIn(inputs), { ...inputs, ...unknownOutputs(resource) });
            });
        },

        create(inputs, about = {}) {
            const subject = subjectOf(inputs);
            return lead(subject, [inputs], async () => {
                const context = await open(inputs, subject, about, "create");
                const { handlers } = resource.in(context.vocabulary);
                return stamped(context, () => handlers.create(context, inputs), keepMade(context, inputs));
            }).finally(() => letGo(inputsIn(inputs), inputs, host.memory));
        },

        read(id, state, about = {}) {
            const subject = `${resource.type} ${id}`;
            return lead(subject, [state], async () => {
                const connection = about.connection ?? connectionOf(state);
                const context = await open({ ...state, connection }, subject, about);
                guard(context, state);
                const { handlers, inputs: node } = resource.in(context.vocabulary);
                const found = await stamped(context, () => handlers.read(context, id, state));
                if (found !== undefined) return { ...found, inputs: inputsAmong(node, found.outputs) };
                if (Object.keys(state).length > 0) return undefined;
                throw new StatecraftError("absent", "it does not exist, or may not be seen with this token");
            });
        },

        previewUpdate(id, olds, news, { urn } = {}) {
            return lead(`${resource.type} ${id}`, [olds, news], async () => {
                const vocabulary = vocabularyOf(news, olds);
                const { inputs: node } = resource.in(vocabulary);
                refuse(await preview(news, olds, urn), "nothing can be updated");
                const isSent = diffValues(node, olds, news, vocabulary).some(({ isOption }) => !isOption);
                const stays = isSent || unfinishedSteps(olds).length > 0 ? { server: olds["server"] } : olds;
                return sealSecrets(node, { ...unknownOutputs(resource), ...outputsAmong(node, stays), ...news });
            });
        },

        update(id, olds, news, about = {}) {
            const subject = `${resource.type} ${id}`;
            return lead(subject, [olds, news], async () => {
                const context = await open(news, subject, about, "update", olds);
                guard(context, olds);
                const { handlers } = resource.in(context.vocabulary);
                const changes = diffValues(resource.in(context.vocabulary).inputs, olds, news, context.vocabulary);
                const replaces = changedNames(changes.filter((change) => change.replaces));
                const reason = "cannot change in place: delete this object and create another";
                refuse(replaces.map((path) => ({ path, reason })));
                const update = async () => ({ id, outputs: await handlers.update(context, id, olds, news) });
                return (await stamped(context, update, keepMade(context, news))).outputs;
            }).finally(() => letGo(inputsIn(news), news, host.memory));
        },

        delete(id, state, about = {}) {
            const subject = `${resource.type} ${id}`;
            return lead(subject, [state], async () => {
                const context = await open(state, subject, about, "delete");
                guard(context, state);
                const { handlers } = resource.in(context.vocabulary);
                const object = handlers.holds?.(id, state);
                const isKept = object !== undefined && (await run?.has(resource.type, object, namesOf(context)));
                if (!isKept) return handlers.delete(context, id, state);
                context.inform("stays as it is, because a resource of the program has it");
                await handlers.leave?.(context, id, state);
            });
        },

        requireNamed(id, props) {
            return lead(`${resource.type} ${id}`, [props], async () => {
                const { inputs: node, handlers } = resource.in(vocabularyOf(props));
                const named = filled(node, handlers.named?.(id) ?? {});
                const given = filled(node, props);
                const others = Object.keys(handlers.named?.(id) ?? {}).filter((name) => {
                    const property = node.properties.get(name);
                    return (
                        property &&
                        written(property, props) !== undefined &&
                        !isSame(property, named[name], given[name])
                    );
                });
                refuse(others.map((path) => ({ path, reason: "names another object" })));
            });
        },
    };
}

function refuse(findings: readonly Finding[], message = "nothing was done"): void {
    if (findings.length > 0) throw new InputError(message, findings.map(asSentence));
}

/** A message that does not stand at a resource says which one it is about. */
const placed = (message: string, subject: string, urn: string | undefined) =>
    urn === undefined ? `${subject}: ${message}` : message;

/** What nobody knows before the object is made. */
const unknownOutputs = ({ outputs }: Resource): Values =>
    Object.fromEntries([...Object.keys(outputs.shape), "server"].map((name) => [name, unknown]));

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

function outputsAmong(node: ObjectNode, outputs: Values): Values {
    return Object.fromEntries(Object.entries(outputs).filter(([name]) => !node.properties.has(name)));
}

/** How messages call an object that has no id yet: as its file says, or by its first required input. */
function nameOf(resource: Resource, inputs: Values): string {
    const node = resource.in("documented").inputs;
    const known = Object.fromEntries(Object.entries(inputs).filter(([, value]) => !holdsUnknown(value)));
    if (resource.subject !== undefined) return resource.subject(filled(node, known));
    const required = [...node.properties.values()].find((property) => property.required);
    const value = required && known[required.name];
    return typeof value === "object" ? "" : String(value ?? "");
}
