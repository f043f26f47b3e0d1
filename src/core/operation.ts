/** One operation of a resource: its messages, the server that it opens, and the inputs that the settings choose. */

import { StatecraftError } from "../errors";
import { Declared } from "../schema/declared";
import { parseDuration } from "../schema/property-types";
import { sealSecrets } from "../schema/secrets";
import { filterValues, holdsUnknown, unknown, type Values } from "../schema/values";
import { Context, type ContextOptions, type DeploymentContext, type Runtime, type Session } from "./context";
import { Looks } from "./looks";
import type { OwnedObjects } from "./owned-objects";
import { type AnyResource, Deployed, HalfMade, type Stored } from "./resource";
import { knowsSecrets, withSecrets } from "./secret-inputs";
import { shellWord } from "./steps";
import { Voice } from "./voice";

/** The object that inputs describe: its id, and its key in `OwnedObjects`. */
export interface Target {
    readonly id: string;
    readonly key: string;
}

/** The members of `Operations` that each operation uses. */
interface Shared {
    readonly resource: AnyResource;
    readonly runtime: Runtime;
    readonly owned?: OwnedObjects | undefined;
}

/** One operation, with the arguments of the host. */
export class Operation {
    readonly voice: Voice;

    /**
     * @param parts inputs and state, whose secrets no message contains. The first ones name the resource, and the sources of its secrets
     * @param id that of the object in state; `undefined` before its creation
     */
    constructor(
        private readonly shared: Shared,
        readonly about: DeploymentContext,
        parts: readonly [Declared, ...(Declared | undefined)[]],
        private readonly id: string | undefined,
    ) {
        const name = () => (id === undefined ? this.nameOf(parts[0]) : `${shared.resource.type} ${id}`);
        const [first, before] = parts;
        const isStateless = first instanceof Deployed ? first.isEmpty : id === undefined && before === undefined;
        const learn = first.sourced.length > 0 ? () => knowsSecrets(shared.runtime.secretReader, first) : undefined;
        this.voice = new Voice(shared.runtime, { name, urn: about.urn, declared: parts, isStateless, learn });
    }

    /** Opens the server. @throws StatecraftError if state belongs to another server */
    open(
        declared: Declared,
        verb: "create" | "read" | "update" | "delete",
        more: Pick<ContextOptions, "report" | "isImport" | "isRetained"> = {},
        deployed?: Declared,
    ): Context {
        const { owned, resource, runtime } = this.shared;
        const { connection, signal, owner, timeout = parseDuration(declared.timeouts[verb]) || undefined } = this.about;
        const session = runtime.open(resource.service, connection ?? declared.connectionAfter(deployed));
        const server = deployed?.server ?? declared.server;
        if (server !== undefined && !session.servers.includes(server)) throw otherServer(resource, server, session);
        const looks = more.report && (owned?.looksAt(`${resource.service.name} ${session.serverKey}`) ?? new Looks());
        return new Context(session, { voice: this.voice, signal, owner, timeout, looks, ...more });
    }

    /** The inputs with the secrets that a write sends. @throws InputError if a source cannot be read, or its value changed since `check` */
    async withSecrets(declared: Declared): Promise<Declared> {
        const { resource, runtime } = this.shared;
        const inputs = await withSecrets(runtime.secretReader, declared, resource.type, this.about.urn);
        await this.voice.learn();
        return inputs;
    }

    /**
     * The object of this operation. `undefined` if its id or the server is not known.
     * @param before the state of the last deployment, whose connection is used if that of `declared` is not known
     */
    target(declared: Declared, before?: Declared): Target | undefined {
        const { resource, runtime } = this.shared;
        if (declared.isConnectionUnknown && before === undefined) return undefined;
        try {
            const { serverKey, settings } = runtime.open(resource.service, declared.connectionAfter(before));
            const address =
                this.id === undefined ? resource.address(declared.meaning, settings) : resource.identity.parse(this.id);
            return address && this.targetOn(serverKey, resource.identity.id(address));
        } catch (error) {
            // The operation itself reports settings and ids that are wrong.
            if (error instanceof StatecraftError) return undefined;
            throw error;
        }
    }

    private targetOn(server: string, id: string): Target | undefined {
        const isKnown = id !== "" && !id.includes(unknown);
        return isKnown ? { id, key: `${server} ${this.shared.resource.type} ${id}` } : undefined;
    }

    /** Completes the outputs of a write, and records the object, also if it was created only in part. */
    async stamped({ session }: Context, work: () => Promise<Stored>): Promise<Stored> {
        const stamp = (stored: Stored): Stored => {
            const { key } = this.targetOn(session.serverKey, stored.id) ?? {};
            if (key !== undefined) this.shared.owned?.retain(key);
            return this.complete(session, stored);
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
    complete({ servers: [server] }: Session, { id, outputs }: Stored): Stored {
        const { identity, node } = this.shared.resource;
        const chosen = this.chosenIn(identity.parse(id) ?? {});
        return { id, outputs: sealSecrets(node, { ...outputs, ...chosen, server }) };
    }

    /** The inputs, with the chosen values of the last deployment where the program leaves them out. */
    withChosen(declared: Declared, before: Declared | undefined): Declared {
        const { node, written } = declared;
        const missing = filterValues(this.chosenIn(before?.written ?? {}), (_, name) => !(name in written));
        return Object.keys(missing).length === 0 ? declared : new Declared(node, { ...missing, ...written });
    }

    /** Whether the object of new inputs has the id of this operation, or one that is not known yet. */
    keepsId(declared: Declared, deployed: Declared): boolean {
        const { resource, runtime } = this.shared;
        const settings = runtime.settings(resource.service, declared.connectionAfter(deployed));
        const id = resource.identity.id(resource.address(this.withChosen(declared, deployed).meaning, settings));
        return id === this.id || id.includes(unknown);
    }

    /**
     * The inputs in the outputs of a read, without the values that the settings would choose if the program left them out.
     * @param written the inputs of the last deployment, whose chosen values the program gives
     */
    withoutChosen({ settings }: Context, { id, outputs }: Stored, written: Values): Values {
        const { address, identity, node } = this.shared.resource;
        const named = filterValues(identity.parse(id) ?? {}, (_, name) => !this.isChosen(name));
        const chosen = address(named, settings);
        const isGiven = (value: unknown, name: string) => !this.isChosen(name) || chosen[name] !== value;
        const inputs = filterValues(outputs, (value, name) => node.properties.has(name) && isGiven(value, name));
        return { ...inputs, ...this.chosenIn(written) };
    }

    /** The inputs with the fact `chosen`, which state stores because the program may leave them out. */
    private chosenIn(values: Values): Values {
        return filterValues(values, (value, name) => value != null && this.isChosen(name));
    }

    private isChosen(name: string): boolean {
        return this.shared.resource.node.properties.get(name)?.facts.chosen === true;
    }

    /** The name of a resource in messages before it has an id: its type, and its first required input or its future id. */
    private nameOf(declared: Declared): string {
        const { node, subject, type } = this.shared.resource;
        const first = [...node.properties.values()].find(({ required }) => required)?.name ?? "";
        const name = subject
            ? subject(filterValues(declared.meaning, (value) => !holdsUnknown(value))) || this.target(declared)?.id
            : declared.written[first];
        return typeof name === "string" && name !== unknown ? `${type} ${name}` : type;
    }
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
