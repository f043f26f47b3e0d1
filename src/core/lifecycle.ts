/**
 * What a host calls: check, diff, create, read, update, delete of one definition, over plain data.
 * Here every verb gets what all resources share: the guard of the server, sealed secrets, and failures as one readable paragraph.
 */

import { InputError, StatecraftError } from "../errors";
import { checkSpoken } from "./check";
import { connectionOf } from "./connection";
import { type Definition, HalfMadeError, type Made, subjectOf, unfinishedSteps } from "./definition";
import { diffInputs } from "./diff";
import { secondsOf } from "./duration";
import { holdsUnknown, isRecord, sealSecrets, secretTexts } from "./engine-values";
import { type Defaults, type Fields, type Props, visibleFields } from "./field";
import { keptInputs, letGo } from "./kept-inputs";
import { isSameField, written } from "./meaning";
import type { Memory } from "./memory";
import { asParagraph } from "./paragraph";
import { foretell } from "./preview";
import { redacted } from "./redaction";
import type { Run, Servers } from "./run";
import type { Service } from "./service";
import { discreet, limited, type Opened, type Session, type Vocabulary } from "./session";
import { settledOf } from "./settled";
import { fieldsIn } from "./vocabularies";

/** How loud a message is. `progress` is replaced by the next one where the terminal can do so. */
export type Severity = "debug" | "progress" | "info" | "warning";

/** What a host provides. */
export interface Host {
    /** A session on the server that the settings name for this service and connection. */
    open(
        service: Service,
        connection: string | undefined,
        say: (severity: Severity, message: string) => void,
        /** `anonymous`: nothing of the session will carry a token, so none needs to be set. */
        options?: { readonly anonymous?: true },
    ): Promise<Opened>;
    /** The vocabulary of that server, known without asking it. */
    vocabulary(service: Service, connection: string | undefined): Vocabulary;
    /** What the settings of that server say of objects that name nothing else. */
    defaults(service: Service, connection: string | undefined): Defaults;
    /** What outlasts a verb. */
    readonly memory: Memory;
    /** Whether warnings of check are failures (`statecraft:strict`). */
    readonly strict: boolean;
    /** Shows a message to the user, at the resource where its URN is known. What the settings keep secret is taken out of it. */
    say(severity: Severity, message: string, urn?: string): void;
    /** The same for a warning that concerns many resources: once, under the stack. */
    warnOnce(message: string): void;
    /** A message without what the settings keep secret, such as tokens. */
    redacted(message: string): string;
}

/** What the class tells check about the deployment, beside the inputs. */
export interface Circumstances {
    readonly urn?: string | undefined;
    /** Text that marks locks as this resource's own. */
    readonly lockMark?: string | undefined;
    /** Nothing will be done: this is a preview. */
    readonly isPreview?: boolean | undefined;
}

/** A verb failed. The message is the whole paragraph; where the object was made all the same, its id and outputs are kept. */
export class VerbError extends Error {
    readonly made: Made | undefined;

    constructor(message: string, made?: Made, cause?: unknown) {
        super(message, { cause });
        this.name = "VerbError";
        this.made = made;
    }
}

/** The host-neutral provider of one resource. */
export interface Lifecycle {
    check(olds: Props | undefined, news: Props, about: Circumstances): Promise<{ inputs: Props; failures: string[] }>;
    diff(
        id: string,
        olds: Props,
        news: Props,
    ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
    create(inputs: Props): Promise<Made>;
    /** `undefined` when the object is gone. `connection` says where to look for one of which only the id is known. */
    read(id: string, state: Props, connection?: string): Promise<(Made & { inputs: Props }) | undefined>;
    update(id: string, olds: Props, news: Props): Promise<Props>;
    delete(id: string, state: Props): Promise<void>;
    /** Refuses inputs or outputs of another object than that of this id. @throws InputError */
    requireNamed(id: string, props: Props): Promise<void>;
}

/**
 * Derives the provider of a definition.
 * @param run for a host whose process is one run of a program: that run deletes nothing that its program has. A resource that is renamed,
 * or replaced because the user wants it, is made first, and what it takes over is what the old one would delete.
 */
export function lifecycle(definition: Definition, host: Host, run?: Run): Lifecycle {
    const { inputs: fields, service, verbs } = definition;
    const namesOf = ({ server, formerServers }: Opened) => [server, ...formerServers];
    /** The program has what this is. Another name for it may still be to be deleted, by this run or by one that broke off. */
    const keep = ({ id, outputs }: Pick<Made, "id" | "outputs">, inputs: Props, servers: Servers) => {
        const object = verbs.holds?.(id, outputs);
        if (object !== undefined) run?.keep(definition.type, object, inputs, servers);
    };
    const keepMade = (session: Session, inputs: Props) => (made: Made) =>
        keep(made, inputs, async () => namesOf(session));
    const isKept = async (session: Session, id: string, state: Props) => {
        const object = verbs.holds?.(id, state);
        return object !== undefined && ((await run?.has(definition.type, object, namesOf(session))) ?? false);
    };

    /** The vocabularies that may be the server's: either of them where which server it will be is not known yet. */
    const vocabularies = (inputs: Props, olds: Props | undefined): readonly Vocabulary[] =>
        holdsUnknown(inputs["connection"]) && olds === undefined
            ? ["documented", "product"]
            : [host.vocabulary(service, connectionOf(inputs, olds))];

    /** The server that an object is on which nothing was done to, by all of its names. */
    async function serversOf(state: Props, connection: string | undefined): Promise<readonly string[]> {
        const stored = String(state["server"]);
        const opened = await host.open(service, connection, () => undefined).catch(() => undefined);
        return opened && namesOf(opened).includes(stored) ? namesOf(opened) : [stored];
    }

    const seal = (outputs: Props): Props => sealSecrets(fields, outputs);
    const secretsIn = (props: readonly Props[]) => props.flatMap((some) => secretTexts(fields, some));

    /** `olds` are secret as well: a server may repeat what it was sent before. */
    async function open(
        props: Props,
        subject: string,
        verb?: "create" | "update" | "delete",
        olds: Props = {},
    ): Promise<Session> {
        const secrets = secretsIn([props, olds]);
        const opened = await host.open(service, connectionOf(props), (severity, message) =>
            host.say(severity, `${subject}: ${redacted(message, secrets)}`),
        );
        const timeouts = props["timeouts"];
        const seconds = verb && isRecord(timeouts) ? secondsOf(timeouts[verb]) || undefined : undefined;
        return limited(discreet(opened, secrets), seconds);
    }

    /** Leads a verb, and turns whatever it throws into one paragraph that begins with the resource. */
    async function lead<Result>(
        subject: string,
        props: readonly Props[],
        verb: () => Promise<Result>,
    ): Promise<Result> {
        try {
            return await verb();
        } catch (error) {
            const half = error instanceof HalfMadeError ? error : undefined;
            const message = `${subject}: ${half ? `${half.message}: ${asParagraph(half.cause)}` : asParagraph(error)}`;
            const clean = (text: string) => host.redacted(redacted(text, secretsIn(props)));
            if (!(error instanceof StatecraftError) && error instanceof Error && !half)
                host.say("debug", clean(error.stack ?? message));
            throw new VerbError(
                clean(message),
                half && { id: half.id, outputs: half.outputs },
                half ? half.cause : error,
            );
        }
    }

    return {
        check(olds, news, about) {
            const subject = subjectOf(definition, { ...olds, ...news });
            return lead(subject, [olds ?? {}, news], async () => {
                const given = Object.fromEntries(
                    Object.entries(news).filter(
                        ([name, value]) => value !== null && value !== undefined && !fields[name]?.hidden,
                    ),
                );
                const { failures, warnings } = checkSpoken(
                    visibleFields(fields),
                    definition.rules,
                    given,
                    olds,
                    vocabularies(given, olds),
                );
                // A message that does not stand at a resource says which one it is about.
                const told = (warning: string) => (about.urn === undefined ? `${subject}: ${warning}` : warning);
                if (host.strict) failures.push(...warnings);
                else for (const warning of warnings) host.say("warning", told(warning), about.urn);
                // Inputs that were checked before hold the mark already.
                const lockMark = about.lockMark ?? news["lockMark"];
                const { lock = fields["lock"]?.default } = given;
                const hidden = fields["lockMark"] && lock && lockMark ? { lockMark } : {};
                const kept = failures.length > 0 ? given : keptInputs(fields, given, host.memory);
                if (about.isPreview && failures.length === 0)
                    failures.push(
                        ...(await foretell(definition, host, {
                            inputs: { ...kept, ...hidden },
                            olds,
                            urn: about.urn,
                            secrets: secretsIn([kept, olds ?? {}]),
                        })),
                    );
                const settled = settledOf(fields, olds, () => host.defaults(service, connectionOf(given)), run, about);
                const inputs = { ...settled, ...kept, ...hidden };
                run?.hasChecked(definition.type, inputs, about.urn);
                return { inputs: seal(inputs), failures };
            });
        },

        diff(id, olds, news) {
            return lead(`${definition.type} ${id}`, [olds, news], async () => {
                const vocabulary = host.vocabulary(service, connectionOf(news, olds));
                const { changed, replaces } = diffInputs(fieldsIn(fields, vocabulary), olds, news, vocabulary);
                const outdated = verbs.outdated?.(olds, news) ?? [];
                const changes = changed.length > 0 || outdated.length > 0 || unfinishedSteps(olds).length > 0;
                if (!changes) keep({ id, outputs: olds }, news, () => serversOf(olds, connectionOf(news, olds)));
                else if (replaces.length > 0) run?.release(definition.type, verbs.holds?.(id, olds) ?? "", news);
                return {
                    changes,
                    replaces: [...replaces],
                    deleteBeforeReplace: definition.deleteBeforeReplace === true,
                };
            });
        },

        create(inputs) {
            const subject = subjectOf(definition, inputs);
            return lead(subject, [inputs], async () => {
                const session = await open(inputs, subject, "create");
                return stamped(session, seal, () => verbs.create(session, inputs), keepMade(session, inputs));
            }).finally(() => letGo(fields, inputs, host.memory));
        },

        read(id, state, connection = connectionOf(state)) {
            const subject = `${definition.type} ${id}`;
            return lead(subject, [state], async () => {
                const session = await open({ ...state, connection }, subject);
                guard(definition, session, state);
                const made = await stamped(session, seal, () => verbs.read(session, id, state));
                if (made !== undefined) return { ...made, inputs: inputsAmong(fields, made.outputs) };
                if (Object.keys(state).length > 0) return undefined;
                throw new StatecraftError("absent", "it does not exist, or may not be seen with this token");
            });
        },

        update(id, olds, news) {
            const subject = `${definition.type} ${id}`;
            return lead(subject, [olds, news], async () => {
                const session = await open(news, subject, "update", olds);
                guard(definition, session, olds);
                const { replaces } = diffInputs(fieldsIn(fields, session.vocabulary), olds, news, session.vocabulary);
                refuse(replaces, "cannot change in place: delete this object and create another");
                const update = async () => ({ id, outputs: await verbs.update(session, id, olds, news) });
                return (await stamped(session, seal, update, keepMade(session, news))).outputs;
            }).finally(() => letGo(fields, news, host.memory));
        },

        delete(id, state) {
            const subject = `${definition.type} ${id}`;
            return lead(subject, [state], async () => {
                const session = await open(state, subject, "delete");
                guard(definition, session, state);
                if (!(await isKept(session, id, state))) return verbs.delete(session, id, state);
                session.inform("stays as it is, because a resource of the program has it");
                await verbs.leave?.(session, id, state);
            });
        },

        requireNamed(id, props) {
            return lead(`${definition.type} ${id}`, [props], async () => {
                const named = verbs.named?.(id) ?? {};
                const others = Object.keys(named).filter(
                    (name) => written(fields, props, name) !== undefined && !isSameField(fields, name, named, props),
                );
                refuse(others, "names another object");
            });
        },
    };
}

function refuse(names: readonly string[], why: string): void {
    if (names.length === 0) return;
    throw new InputError(
        "nothing was done",
        names.map((name) => `${name}: ${why}`),
    );
}

/** Adds the server to what a verb made, and seals it; half-made objects as well. Tells of both. */
async function stamped<Result extends Made | undefined>(
    session: Session,
    seal: (outputs: Props) => Props,
    verb: () => Promise<Result>,
    tell: (made: Made) => void = () => {},
): Promise<Result> {
    const stamp = (outputs: Props) => seal({ ...outputs, server: session.server });
    try {
        const made = await verb();
        const whole = made && { ...made, outputs: stamp(made.outputs) };
        if (whole) tell(whole);
        return whole;
    } catch (error) {
        if (!(error instanceof HalfMadeError)) throw error;
        const { id, message, cause } = error;
        const half = new HalfMadeError(id, stamp(error.outputs), unfinishedSteps(error.outputs), message, cause);
        tell(half);
        throw half;
    }
}

/** An object is only touched on the server that it was made on. */
function guard(definition: Definition, session: Session, state: Props): void {
    const server = state["server"];
    if (typeof server !== "string" || server === session.server || session.formerServers.includes(server)) return;
    throw new StatecraftError(
        "server",
        `it is on ${server}, but the settings of the ${definition.service.title} lead to ${session.server}, so nothing was done`,
        {
            hint:
                `Point \`statecraft:${definition.service.name}.address\` back; if both are one server, list the former address in ` +
                `\`statecraft:${definition.service.name}.formerAddresses\`; if the object is lost with its server, \`pulumi state delete\` forgets it`,
        },
    );
}

/** The same failure, to be branched on by its class and code, with its whole paragraph as the message. */
export function retold(error: unknown, message: string): StatecraftError {
    if (!(error instanceof StatecraftError)) return new StatecraftError("internal", message, { cause: error });
    error.message = message;
    return error;
}

function inputsAmong(fields: Fields, outputs: Props): Props {
    return Object.fromEntries(Object.entries(outputs).filter(([name]) => fields[name] !== undefined));
}
