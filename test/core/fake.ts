/** An object in memory that is declared whole, with failures to order, and a session that writes down what is said. */

import * as z from "zod";
import { createKeyedMutex } from "../../src/core/keyed-mutex";
import { namedObject } from "../../src/core/named-object";
import type { Live } from "../../src/core/named-object-spec";
import { type RequestContext, requestContext } from "../../src/core/request-context";
import type { Handlers, Resource } from "../../src/core/resource";
import type { Service } from "../../src/core/service";
import type { Session } from "../../src/core/session";
import { StandIns } from "../../src/core/stand-ins";
import { AnswerError, NotFoundError, ServiceError, StatecraftError, UnreachableError } from "../../src/errors";
import { serverDefaults } from "../../src/product-names";
import { property, type Values } from "../../src/schema/facts";
import { asSet, duration, names } from "../../src/schema/property-types";
import { adoptProperty, connectionProperty } from "../../src/services/shared-options";

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

const inputs = z.strictObject({
    place: property(z.string().optional(), {
        description: "Place.",
        immutable: true,
        sticky: true,
    }),
    name: property(z.string(), { description: "Name.", immutable: true }),
    groups: property(names.optional(), { description: "Groups.", wire: "groups", default: [], equality: asSet }),
    ttl: property(duration().optional(), { description: "Lifetime.", wire: "ttl", default: 0 }),
    secret: property(z.string().optional(), { description: "Secret.", wire: "secret", default: "", secret: true }),
    wait: property(duration().optional(), { description: "Waits.", option: true, default: 0 }),
    adopt: adoptProperty,
    connection: connectionProperty,
});
const outputs = z.strictObject({
    version: property(z.number().optional(), { description: "How often it was written." }),
    ready: property(z.boolean().optional(), { description: "Whether it is ready." }),
});
const record = z.object({ version: z.number().optional() });

interface Address {
    readonly place: string;
    readonly name: string;
}

/** What happens at one write: `before` and `after` it took effect. */
interface Accident {
    readonly before?: Error;
    readonly after?: Error;
    /** What another one does meanwhile. */
    readonly meanwhile?: (things: Map<string, Values>) => void;
}

export interface Fake {
    readonly things: Map<string, Values>;
    readonly resource: Resource;
    readonly handlers: Handlers;
    readonly session: Session;
    /** The context of an operation that begins now. */
    readonly context: RequestContext;
    /** Requests, in order: `look`, `write`, `remove`, `wait`. */
    readonly asked: string[];
    readonly warnings: string[];
    /** What happens at the next write. */
    accident: Accident | undefined;
    /** Failures of the next looks: the first of them for the next one; `undefined` for a look that succeeds. */
    blind: (Error | undefined)[];
    removal: Error | undefined;
    waiting: Error | undefined;
    /** What the service drops, by names of the wire. */
    dropped: string[];
    /** Settings of the session. */
    place: string;
    adoptIdentical: boolean;
}

/** A service without things. */
export function fakeService(): Fake {
    const things = new Map<string, Values>();
    const asked: string[] = [];
    const warnings: string[] = [];
    const idOf = ({ place, name }: Address) => `${place}/${name}`;

    const resource = namedObject<typeof inputs, typeof outputs, Address>({
        type: "Thing",
        service,
        description: "A thing.",
        inputs,
        outputs,
        errors: [],
        title: ({ place, name }) => `thing ${name} in ${place}`,
        address: ({ place, name }, { namespace }) => ({ place: place ?? String(namespace), name }),
        id: idOf,
        idForm: "<place>/<name>",
        parse(id) {
            const [, place, name] = /^(\w+)\/(\w+)$/.exec(id) ?? [];
            return place && name ? { place, name } : undefined;
        },
        named: ({ place, name }) => ({ place, name }),
        async read(_, address): Promise<Live<typeof inputs, typeof outputs> | undefined> {
            asked.push("look");
            const failure = fake.blind.shift();
            if (failure !== undefined) throw failure;
            const body = things.get(idOf(address));
            if (body === undefined) return undefined;
            const told = Object.entries(body).filter(([name]) => name !== "secret" && !fake.dropped.includes(name));
            const { version } = record.parse(body);
            return {
                body: Object.fromEntries(told),
                inputs: { name: address.name },
                outputs: { version },
            };
        },
        async write(_, address, { body }) {
            asked.push("write");
            const accident = fake.accident;
            fake.accident = undefined;
            if (accident?.before) throw accident.before;
            const version = Number(things.get(idOf(address))?.["version"] ?? 0) + 1;
            if (accident?.meanwhile) accident.meanwhile(things);
            else things.set(idOf(address), { ...body, version });
            if (accident?.after) throw accident.after;
        },
        async remove(_, address) {
            asked.push("remove");
            if (fake.removal) throw fake.removal;
            if (!things.delete(idOf(address))) throw gone();
        },
        wait: {
            name: "wait",
            isWanted: ({ wait }) => Boolean(wait),
            async until() {
                asked.push("wait");
                if (fake.waiting) throw fake.waiting;
                return { ready: true };
            },
        },
    });

    const fake: Fake = {
        things,
        resource,
        handlers: resource.handlers,
        asked,
        warnings,
        accident: undefined,
        blind: [],
        removal: undefined,
        waiting: undefined,
        dropped: [],
        place: "here",
        adoptIdentical: false,
        get context() {
            return requestContext(fake.session);
        },
        session: {
            client: {
                call: () => Promise.reject(new StatecraftError("test", "no client here")),
                download: () => Promise.reject(new StatecraftError("test", "no client here")),
                upload: () => Promise.reject(new StatecraftError("test", "no client here")),
            },
            ...serverDefaults.documented,
            get namespace() {
                return fake.place;
            },
            servers: ["https://one.example"],
            settingsKey: "statecraft:manager",
            product: "the secrets manager",
            exclusive: createKeyedMutex(),
            standIns: new StandIns(),
            get adoptIdentical() {
                return fake.adoptIdentical;
            },
            warn: (message) => warnings.push(message),
            inform: () => undefined,
            progress: () => undefined,
            now: () => 0,
            sleep: () => Promise.resolve(),
        },
    };
    return fake;
}
