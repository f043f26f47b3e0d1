/**
 * A named object, written whole: it has a name, can be read, written and removed.
 *
 * Create, update, adoption and going on after a partial create are one path: read, compare, write, read again. What is kept in state is
 * what the service said last.
 *
 * | what is left in `unfinished` | what the next `up` does                                                    |
 * | ---------------------------- | -------------------------------------------------------------------------- |
 * | `create`                     | reads: absent, it is written; as asked, it is ours; otherwise it is not    |
 * | `readBack`                   | reads: absent or not as asked, it is written again                         |
 * | the name of a wait           | waits again                                                                |
 */

import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { isLostAnswer, NotFoundError, reworded, StatecraftError } from "../errors";
import { changedNames, diffValues } from "../schema/diff";
import type { Defaults, Values, Vocabulary } from "../schema/facts";
import { compareLive, mergeOutputs, type Untold } from "../schema/merge";
import type { ObjectNode } from "../schema/node";
import { filled } from "../schema/values";
import { encode, readAnswer } from "../schema/wire";
import { isAnothers, overtaken, type Writes } from "./creation";
import { sentences } from "./paragraph";
import type { RequestContext } from "./request-context";
import {
    type Created,
    type Handlers,
    type Inputs,
    type Outputs,
    PartialCreateError,
    type Resource,
    type ResourceSpec,
    resourceOf,
    type State,
    unfinishedSteps,
} from "./resource";
import { stickyOf } from "./sticky";

/** A body as it travels, by the names of the wire. */
export type Body = Readonly<Record<string, unknown>>;

/** What the service tells of an object. */
export interface Live<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject> {
    /** The record, by the names of the wire. */
    readonly body: Body;
    /** Inputs that the record tells in another way than by their wire names. */
    readonly inputs?: Partial<Inputs<InputSchema>>;
    readonly outputs?: Outputs<OutputSchema>;
    /** What the user should know when this is seen right after a write. */
    readonly notes?: readonly string[];
    /** Which write made the object and which one changed it last, where the service counts its writes. */
    readonly writes?: Writes | undefined;
}

/** What is to be written. */
export interface Write<InputSchema extends z.ZodObject> {
    /** The whole object, by the names of the wire. */
    readonly body: Body;
    readonly inputs: Inputs<InputSchema>;
    /** What the last deployment left in state; none for an object that is new or just being taken over. */
    readonly olds: Partial<Inputs<InputSchema>> | undefined;
}

/** A wait that an input asks for, after the object was written. */
export interface ObjectWait<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject, Address, Before> {
    /** The input that asks for it. */
    readonly name: string;
    isWanted(inputs: Inputs<InputSchema>): boolean;
    /** What must be known from before an object that is there is written. */
    before?(context: RequestContext, address: Address): Promise<Before>;
    /** Waits, and returns the outputs learned meanwhile. `before` is absent for a new object, and where nothing was written. */
    until(
        context: RequestContext,
        address: Address,
        inputs: Inputs<InputSchema>,
        before: Before | undefined,
    ): Promise<Partial<Outputs<OutputSchema>>>;
}

/** What a file says of an object that is written whole. `Address` is what its id is made of. */
export interface NamedObject<
    InputSchema extends z.ZodObject,
    OutputSchema extends z.ZodObject,
    Address,
    Before = undefined,
> extends ResourceSpec<InputSchema, OutputSchema> {
    /** How messages call it: `role web of auth/clouda`. */
    title(address: Address): string;
    address(inputs: Inputs<InputSchema>, settings: Defaults): Address;
    id(address: Address): string;
    /** The address of an id, or `undefined` when it has another form. */
    parse(id: string): Address | undefined;
    /** The inputs that an address is made of. The sticky ones are stored, unless they are what leaving them out means. */
    named(address: Address): Partial<z.input<InputSchema>>;
    /** What the service holds. An object that is absent is `undefined`, or a `NotFoundError`. */
    read(context: RequestContext, address: Address): Promise<Live<InputSchema, OutputSchema> | undefined>;
    /** Writes the whole object. Warnings of the server go to the context. @returns the write's number where the service counts them */
    write(context: RequestContext, address: Address, write: Write<InputSchema>): Promise<unknown>;
    remove(context: RequestContext, address: Address, state: State<InputSchema, OutputSchema>): Promise<void>;
    readonly wait?: ObjectWait<InputSchema, OutputSchema, Address, Before>;
    /** Added to the failure of a creation: how to put back what was there before. */
    recover?(context: RequestContext, address: Address): string | undefined;
}

/** Makes the resource. */
export function namedObject<
    InputSchema extends z.ZodObject,
    OutputSchema extends z.ZodObject,
    Address,
    Before = undefined,
>(spec: NamedObject<InputSchema, OutputSchema, Address, Before>): Resource {
    // From here on everything is plain data, decoded by its schema before a function of the file gets it.
    const object = spec as unknown as AnyObject;
    return resourceOf(object, (node, vocabulary) => handlersOf(object, node, vocabulary));
}

type AnyObject = NamedObject<z.ZodObject, z.ZodObject, unknown, unknown>;

/** What is asked for: as it was written, with what settings settled, and what that means. */
interface Wanted {
    readonly inputs: Values;
    readonly written: Values;
    readonly values: Values;
}

/** What a read told, decoded. */
interface Seen {
    readonly live: Values;
    /** The same with what is believed only of an object that is not known to be ours. */
    readonly found: Values;
    readonly outputs: Values;
    readonly notes: readonly string[];
    readonly writes: Writes | undefined;
}

/** What was done to an object before it is looked at again. */
interface Written {
    /** It was absent, and made by the write of this number. */
    readonly creation?: { readonly write: number | undefined };
    /** What a wait must know from before an object was written that was there. */
    readonly before?: unknown;
    /** Nothing was written: it was read just now. */
    readonly seen?: Seen;
}

const topLevel = (path: string) => path.replace(/[.[].*/s, "");

function handlersOf(spec: AnyObject, node: ObjectNode, vocabulary: Vocabulary): Handlers {
    const outputsOnly = (state: Values): Values =>
        Object.fromEntries(Object.entries(state).filter(([name]) => !node.properties.has(name)));
    const diff = (olds: Values, news: Values) => diffValues(node, olds, news, vocabulary);
    const waits = ({ values }: Wanted) => (spec.wait?.isWanted(values) ? [spec.wait.name] : []);

    function want(inputs: Values, address: unknown): Wanted {
        const written = { ...inputs, ...stickyOf(node, spec.named(address)) };
        return { inputs, written, values: filled(node, written) };
    }

    function addressOf(id: string): unknown {
        const address = spec.parse(id);
        if (address === undefined) throw wrongForm(`the id ${JSON.stringify(id)}`, spec.idForm);
        return address;
    }

    /** What state could not find again by its id is not made. */
    function addressOfNew(inputs: Values, context: RequestContext): unknown {
        const address = spec.address(filled(node, inputs), context);
        const id = spec.id(address);
        if (!isDeepStrictEqual(spec.parse(id), address))
            throw wrongForm(`the id would be ${JSON.stringify(id)}, which`, spec.idForm);
        return address;
    }

    async function read(context: RequestContext, address: unknown): Promise<Seen | undefined> {
        const found = await spec.read(context, address).catch(unlessAbsent);
        if (found === undefined) return undefined;
        const { body, inputs, outputs = {}, notes = [], writes } = found;
        const live = { ...readAnswer(node, body), ...inputs };
        const all = { ...readAnswer(node, body, { writeOnly: true }), ...inputs };
        return { live, found: all, outputs, notes, writes };
    }

    const compare = (wanted: Wanted, { live }: Seen) => compareLive(node, wanted.written, wanted.values, live);
    const isAsAsked = (wanted: Wanted, seen: Seen) => compare(wanted, seen).mismatches.length === 0;
    const isFoundAsAsked = ({ written, values }: Wanted, { found }: Seen) =>
        compareLive(node, written, values, found).mismatches.length === 0;

    /** Whether something was asked for that no look can confirm, and that is not what the last deployment asked for. */
    function isInDoubt(wanted: Wanted, seen: Seen, olds: Values = {}): boolean {
        const { mismatches, untold } = compare(wanted, seen);
        const open = new Set([...mismatches, ...untold.map(({ path }) => path)].map(topLevel));
        return open.size > 0 && changedNames(diff(olds, wanted.inputs)).some((name) => open.has(name));
    }

    /** The properties that the service dropped or changed beyond the known normalizations. */
    function dropped(wanted: Wanted, seen: Seen): string[] {
        const { mismatches, untold } = compare(wanted, seen);
        const isTold = ({ facts }: Untold) => !facts.secret && !facts.writeOnly && !facts.optionalInAnswers;
        return [...mismatches, ...untold.filter(isTold).map(({ path }) => path)];
    }

    /** Whether an object lacks something that another write can bring it. */
    const isToWriteAgain = (wanted: Wanted, seen: Seen) =>
        dropped(wanted, seen).some((path) => node.properties.get(topLevel(path))?.facts.immutable === undefined);

    /** Writes; after a lost answer only a look can tell what was done. */
    async function write(
        context: RequestContext,
        address: unknown,
        wanted: Wanted,
        olds: Values | undefined,
        wasAbsent: boolean,
    ): Promise<number | undefined> {
        const { values: inputs, written } = wanted;
        try {
            const body = encode(node, inputs);
            const told = await spec.write(context, address, { body, inputs, olds: olds && filled(node, olds) });
            return typeof told === "number" ? told : undefined;
        } catch (lost) {
            if (!isLostAnswer(lost)) throw lost;
            const seen = await read(context, address).catch((unseen: unknown) => {
                if (!wasAbsent) throw lost;
                const problem = `whether the ${spec.title(address)} was made is unknown`;
                throw new PartialCreateError(spec.id(address), written, ["create"], problem, unseen);
            });
            if (seen === undefined) throw lost;
            if (wasAbsent && !isFoundAsAsked(wanted, seen)) throw exists(address, lost);
            if (!isAsAsked(wanted, seen)) throw lost;
            // A new object is made whole or not at all; of an older one, what cannot be seen may still be the old.
            if (!wasAbsent && isInDoubt(wanted, seen, olds)) throw lost;
            return undefined;
        }
    }

    /** Writes an object that is there. */
    async function rewrite(context: RequestContext, address: unknown, wanted: Wanted, olds?: Values): Promise<Written> {
        const before = waits(wanted).length > 0 ? await spec.wait?.before?.(context, address) : undefined;
        await write(context, address, wanted, olds, false);
        return { before };
    }

    async function writeNew(context: RequestContext, address: unknown, wanted: Wanted): Promise<Written> {
        try {
            return { creation: { write: await write(context, address, wanted, undefined, true) } };
        } catch (error) {
            const way = spec.recover?.(context, address);
            if (way === undefined || !(error instanceof StatecraftError)) throw error;
            throw reworded(error, { hint: sentences(error.hint, way) });
        }
    }

    function exists(address: unknown, cause?: unknown): StatecraftError {
        return new StatecraftError("exists", `the ${spec.title(address)} exists already and was left untouched`, {
            hint:
                "To take it over, set `adopt: true` on this resource, or run once with STATECRAFT_ADOPT=identical in the environment " +
                "if it is exactly what the program says. Its values are then overwritten, and `pulumi destroy` will delete it",
            cause,
        });
    }

    function notOurs(address: unknown): StatecraftError {
        return new StatecraftError(
            "exists",
            `whether the ${spec.title(address)} was made by the deployment that broke off is unknown, and it is not what that one asked for, so it was left untouched`,
            { hint: "`pulumi state delete` forgets it here; delete it on the server by hand if nobody else needs it" },
        );
    }

    /** Writes what is not there, or takes over what is, where that is asked for. */
    async function make(context: RequestContext, address: unknown, wanted: Wanted): Promise<Written> {
        const seen = await read(context, address);
        if (seen === undefined) return writeNew(context, address, wanted);
        const adopts = wanted.inputs["adopt"] === true;
        const identical = isFoundAsAsked(wanted, seen);
        if (!adopts && !(context.adoptIdentical && identical)) throw exists(address);
        const isWanted = !identical || (adopts && isInDoubt(wanted, seen));
        return isWanted ? rewrite(context, address, wanted) : { seen };
    }

    /** Brings an object that state knows to what is wanted, from wherever the last deployment left it. `undefined`: nothing is to be sent. */
    async function reconcile(
        context: RequestContext,
        address: unknown,
        olds: Values,
        wanted: Wanted,
    ): Promise<Written | undefined> {
        const left = unfinishedSteps(olds);
        const adopts = left.includes("create") && wanted.inputs["adopt"] === true;
        if (left.includes("create")) {
            const seen = await read(context, address);
            if (seen === undefined) return writeNew(context, address, wanted);
            if (!adopts && !isAsAsked(want(olds, address), seen)) throw exists(address);
        }
        const sends = diff(olds, wanted.inputs).some(({ isOption }) => !isOption);
        if (sends || adopts) return rewrite(context, address, wanted, adopts ? undefined : olds);
        if (left.length === 0) return undefined;
        if (!left.includes("readBack")) return {};
        // A write that was granted and never seen is done again where it left nothing, or not all.
        const seen = await read(context, address);
        if (seen === undefined) return writeNew(context, address, wanted);
        return isToWriteAgain(wanted, seen) ? rewrite(context, address, wanted, olds) : { seen };
    }

    async function readBack(context: RequestContext, address: unknown, wanted: Wanted): Promise<Seen> {
        try {
            const seen = await read(context, address);
            if (seen !== undefined) return seen;
            throw new StatecraftError(
                "vanished",
                `the ${spec.title(address)} was written, but is absent when read back`,
            );
        } catch (error) {
            const problem = "it was written, but could not be read back";
            throw new PartialCreateError(
                spec.id(address),
                wanted.written,
                ["readBack", ...waits(wanted)],
                problem,
                error,
            );
        }
    }

    /** Reads what was written, tells what the service did not heed, and waits for what is asked. */
    async function finish(
        context: RequestContext,
        address: unknown,
        wanted: Wanted,
        written: Written,
    ): Promise<Created> {
        const id = spec.id(address);
        const seen = written.seen ?? (await readBack(context, address, wanted));
        const { creation } = written;
        const mayBeAnothers = creation && seen.writes && wanted.inputs["adopt"] !== true;
        if (mayBeAnothers && isAnothers(seen.writes, creation.write, isAsAsked(wanted, seen))) {
            throw overtaken(spec.title(address));
        }
        for (const path of dropped(wanted, seen)) {
            context.warn(
                `${path}: the service accepted the write but does not hold this value when read back: somebody else has written it at the same time, or the service does not know the field`,
            );
        }
        for (const note of seen.notes) context.warn(note);
        const outputs = { ...mergeOutputs(node, wanted.written, wanted.values, seen.live), ...seen.outputs };
        const left = waits(wanted);
        if (spec.wait === undefined || left.length === 0) return { id, outputs };
        try {
            const learned = await spec.wait.until(context, address, wanted.values, written.before);
            return { id, outputs: { ...outputs, ...learned } };
        } catch (error) {
            throw new PartialCreateError(id, outputs, left, "it was written, but waiting for it failed", error);
        }
    }

    return {
        async create(context, inputs) {
            const address = addressOfNew(inputs, context);
            const wanted = want(inputs, address);
            // Two resources of one program that mean the same object would both find it absent.
            const written = await context.inTurn(spec.id(address), () => make(context, address, wanted));
            return finish(context, address, wanted, written);
        },

        async read(context, id, state) {
            const address = addressOf(id);
            const seen = await read(context, address);
            if (seen === undefined) return undefined;
            const { written, values, ...mine } = want(state, address);
            // Only what an unfinished creation asked for can tell later whose object this is.
            if (unfinishedSteps(state).includes("create") && !isAsAsked({ ...mine, written, values }, seen)) {
                return { id, outputs: state };
            }
            const isFound = Object.keys(state).length === 0;
            const outputs = mergeOutputs(node, written, values, seen.live, isFound);
            return { id, outputs: { ...outputsOnly(state), ...outputs, ...seen.outputs } };
        },

        async update(context, id, olds, news) {
            const address = addressOf(id);
            const wanted = want(news, address);
            const written = await reconcile(context, address, olds, wanted);
            if (written === undefined) return { ...outputsOnly(olds), ...wanted.written };
            return (await finish(context, address, wanted, written)).outputs;
        },

        async delete(context, id, state) {
            const address = addressOf(id);
            try {
                if (unfinishedSteps(state).includes("create")) {
                    const seen = await read(context, address);
                    if (seen === undefined) return;
                    if (!isAsAsked(want(state, address), seen)) throw notOurs(address);
                }
                await spec.remove(context, address, { ...outputsOnly(state), ...filled(node, state) });
            } catch (error) {
                if (!(error instanceof NotFoundError)) throw error;
            }
        },

        named: (id) => spec.named(addressOf(id)),
        holds: (id) => id,

        ...(spec.previewChange && {
            async previewChange(context, inputs, olds) {
                const state = olds && { ...outputsOnly(olds), ...filled(node, olds) };
                await spec.previewChange?.(context, filled(node, inputs), state, olds ? diff(olds, inputs) : []);
            },
        }),
    };
}

/** The failure of an id that does not have the form of its resource. */
export function wrongForm(what: string, form: string): StatecraftError {
    return new StatecraftError("id", `${what} does not have the form ${form}`);
}

/** For the `catch` of a read: an object that is absent is no failure there. */
export function unlessAbsent(error: unknown): undefined {
    if (error instanceof NotFoundError) return undefined;
    throw error;
}
