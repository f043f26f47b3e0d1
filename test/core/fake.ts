/** An object in memory behind the verbs of `declared`, with failures to order, and a session that writes down what is said. */

import { declared, type Seen } from "../../src/core/declared";
import type { Definition, Verbs } from "../../src/core/definition";
import { type Fields, field, type Props } from "../../src/core/field";
import { duration, flag, names, text } from "../../src/core/kind";
import { fromWire, toWire } from "../../src/core/meaning";
import type { Service } from "../../src/core/service";
import type { Session } from "../../src/core/session";
import { createTurns } from "../../src/core/turns";
import { AnswerError, NotFoundError, ServiceError, StatecraftError, UnreachableError } from "../../src/errors";

export const exchange = { service: "things service", operation: "PUT /things/web" };

/** Failures as a client throws them. */
export const lost = () => new UnreachableError({ ...exchange, sent: true }, "the connection was cut");
export const unreadable = () => new AnswerError(exchange, "cut JSON");
export const unsent = () => new UnreachableError({ ...exchange, sent: false }, "connection refused");
export const refused = () => new ServiceError({ ...exchange, status: 400, reasons: ["no"] });
export const gone = () => new NotFoundError({ ...exchange, status: 404, reasons: [] });

export const service: Service = {
    name: "manager",
    title: "things service",
    contentType: "application/json",
    tokenHeader: (token) => ["X-Token", token],
    reasons: () => [],
    absent: () => false,
    passing: () => false,
};

export const fields = {
    place: field(text(), { doc: "Place.", replaces: true, settled: true }),
    name: field(text(), { doc: "Name.", required: true, replaces: true }),
    groups: field(names, { doc: "Groups.", wire: "groups", default: [] }),
    ttl: field(duration(), { doc: "Lifetime.", wire: "ttl", default: 0 }),
    secret: field(text(), { doc: "Secret.", wire: "secret", default: "", secret: true }),
    wait: field(duration(), { doc: "Waits.", option: true, default: 0 }),
    adopt: field(flag, { doc: "Takes over.", option: true, default: false }),
    connection: field(text(), { doc: "Connection.", option: true }),
} as const satisfies Fields;

interface Address {
    readonly place: string;
    readonly name: string;
}

/** What happens at one write: `before` and `after` it took effect. */
interface Accident {
    readonly before?: Error;
    readonly after?: Error;
    /** What another one does meanwhile. */
    readonly meanwhile?: (things: Map<string, Props>) => void;
}

export interface Fake {
    readonly things: Map<string, Props>;
    readonly definition: Definition;
    readonly verbs: Verbs;
    readonly session: Session;
    /** Requests, in order: `look`, `write`, `remove`, `wait`. */
    readonly asked: string[];
    readonly warnings: string[];
    /** What happens at the next write. */
    accident: Accident | undefined;
    /** Failures of the next looks: the first of them for the next one; `undefined` for a look that succeeds. */
    blind: (Error | undefined)[];
    removal: Error | undefined;
    waiting: Error | undefined;
    /** Fields that the service drops. */
    dropped: string[];
    /** Settings of the session. */
    place: string;
    adoptIdentical: boolean;
    recovery: string | undefined;
}

/** A service without things. */
export function fakeService(): Fake {
    const things = new Map<string, Props>();
    const asked: string[] = [];
    const warnings: string[] = [];
    const idOf = ({ place, name }: Address) => `${place}/${name}`;

    const verbs = declared<Address>({
        inputs: fields,
        title: ({ place, name }) => `thing ${name} in ${place}`,
        address: (inputs, session) => ({
            place: String(inputs["place"] ?? session.namespace),
            name: String(inputs["name"]),
        }),
        id: idOf,
        idForm: "<place>/<name>",
        parse(id) {
            const [, place, name] = /^(\w+)\/(\w+)$/.exec(id) ?? [];
            return place && name ? { place, name } : undefined;
        },
        named: ({ place, name }) => ({ place, name }),
        async observe(_, address): Promise<Seen | undefined> {
            asked.push("look");
            const failure = fake.blind.shift();
            if (failure !== undefined) throw failure;
            const body = things.get(idOf(address));
            if (body === undefined) return undefined;
            const heard = Object.entries(body).filter(([name]) => name !== "secret" && !fake.dropped.includes(name));
            return {
                fields: { name: address.name, ...fromWire(fields, Object.fromEntries(heard)) },
                outputs: { version: body["version"] },
                notes: body["note"] ? [String(body["note"])] : [],
            };
        },
        async write(_, address, inputs) {
            asked.push("write");
            const accident = fake.accident;
            fake.accident = undefined;
            if (accident?.before) throw accident.before;
            const version = Number(things.get(idOf(address))?.["version"] ?? 0) + 1;
            if (accident?.meanwhile) accident.meanwhile(things);
            else things.set(idOf(address), { ...toWire(fields, inputs), version });
            if (accident?.after) throw accident.after;
        },
        async remove(_, address) {
            asked.push("remove");
            if (fake.removal) throw fake.removal;
            if (!things.delete(idOf(address))) throw gone();
        },
        waits: (inputs) => (inputs["wait"] ? ["wait"] : []),
        async settle() {
            asked.push("wait");
            if (fake.waiting) throw fake.waiting;
            return { ready: true };
        },
        recover: () => fake.recovery,
    });

    const fake: Fake = {
        things,
        verbs,
        asked,
        warnings,
        accident: undefined,
        blind: [],
        removal: undefined,
        waiting: undefined,
        dropped: [],
        place: "here",
        adoptIdentical: false,
        recovery: undefined,
        definition: {
            type: "Thing",
            service,
            doc: "A thing.",
            inputs: fields,
            outputs: {},
            rules: [],
            errors: [],
            verbs,
        },
        session: {
            client: {
                call: () => Promise.reject(new StatecraftError("test", "no client here")),
                download: () => Promise.reject(new StatecraftError("test", "no client here")),
                upload: () => Promise.reject(new StatecraftError("test", "no client here")),
            },
            vocabulary: "documented",
            get namespace() {
                return fake.place;
            },
            region: undefined,
            server: "https://one.example",
            formerServers: [],
            memory: {},
            inTurn: createTurns(),
            get adoptIdentical() {
                return fake.adoptIdentical;
            },
            waitLimit: (asked, usual) => asked ?? usual,
            warn: (message) => warnings.push(message),
            inform: () => undefined,
            progress: () => undefined,
            now: () => 0,
            sleep: () => Promise.resolve(),
        },
    };
    return fake;
}
