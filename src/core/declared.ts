/**
 * The verbs of an object that is declared whole: it has a name, can be observed, written whole, and removed.
 * Observe, write, observe again: what is kept in state is what the service said last.
 */

import { isDeepStrictEqual } from "node:util";
import { isLostAnswer, NotFoundError, reworded, StatecraftError } from "../errors";
import { isAnothers, overtaken, type Writes } from "./creation";
import { HalfMadeError, type Made, unfinishedSteps, type Verbs } from "./definition";
import { diffInputs } from "./diff";
import { type Fields, outputsOnly, type Props } from "./field";
import { compose, contradicted, isSameField, isUnproven, unheeded } from "./meaning";
import { sentences } from "./paragraph";
import type { Session } from "./session";
import { fieldsIn } from "./vocabularies";

/** What the service says of an object. */
export interface Seen {
    /** Values by the names of inputs; what the answer lacks is left out. */
    readonly fields: Props;
    /** Outputs that are not inputs. */
    readonly outputs?: Props;
    /** What the user should know when this is seen right after a write. */
    readonly notes?: readonly string[];
    /** Further values that tell whose object it is, until it is ours: after that they may differ from what was written. */
    readonly atFirst?: Props;
    /** Names of inputs that no look can tell: whether the service holds them as asked stays open. */
    readonly unseen?: readonly string[];
    /** Which write made the object and which one changed it last, where the service counts its writes. */
    readonly writes?: Writes | undefined;
}

/** What was written: a new object, by the write of this number, or an older one, of which a wait must know what was `before`. */
interface Written {
    readonly creation?: { readonly write: number | undefined };
    readonly before?: Props | undefined;
}

/** What a file says of an object that is declared whole. `Address` is what its id is made of. */
export interface Declared<Address> {
    readonly inputs: Fields;
    /** How messages call an object: `role web of auth/clouda`. */
    title(address: Address): string;
    /** Where an object is, from inputs and settings. */
    address(inputs: Props, session: Session): Address;
    id(address: Address): string;
    /** The address of an id, or `undefined` when it has another form. */
    parse(id: string): Address | undefined;
    /** The form an id has, for the message when it has another. */
    readonly idForm: string;
    /** The inputs that it is made of. Those of them that are marked `settled` are stored, unless they are what leaving them out means. */
    named(address: Address): Props;
    observe(session: Session, address: Address): Promise<Seen | undefined>;
    /**
     * Writes the whole object, and returns the number of that write where the service counts them. Warnings of the server go to
     * the session. `prior` is what the last deployment left in state; there is none for an object that is new or just being taken over.
     */
    write(session: Session, address: Address, inputs: Props, prior?: Props): Promise<unknown>;
    remove(session: Session, address: Address, state: Props): Promise<void>;
    /** What `settle` must know of an object that is there, from before it is written. Looked up where there will be a wait. */
    beforehand?(session: Session, address: Address): Promise<Props>;
    /**
     * Waits for what the options ask for, and returns the outputs learned meanwhile. `before` is what `beforehand` saw; there is
     * none for a new object, and none where nothing was written.
     */
    settle?(session: Session, address: Address, inputs: Props, before?: Props): Promise<Props>;
    /** Names of the waits that `settle` would do for these inputs. */
    waits?(inputs: Props): string[];
    /** Added to the failure of a write: how to put back what was there before. */
    recover?(session: Session, address: Address): string | undefined;
}

/** Builds the four verbs. Which fields there are depends on the vocabulary of the server. */
export function declared<Address>(spec: Declared<Address>): Verbs {
    const spoken = {
        documented: verbsWith(spec, fieldsIn(spec.inputs, "documented")),
        product: verbsWith(spec, fieldsIn(spec.inputs, "product")),
    };
    return {
        create: (session, inputs) => spoken[session.vocabulary].create(session, inputs),
        read: (session, id, state) => spoken[session.vocabulary].read(session, id, state),
        update: (session, id, olds, news) => spoken[session.vocabulary].update(session, id, olds, news),
        delete: (session, id, state) => spoken[session.vocabulary].delete(session, id, state),
        named: (id) => spec.named(parseId(spec, id)),
        holds: (id) => id,
    };
}

function parseId<Address>(spec: Declared<Address>, id: string): Address {
    const address = spec.parse(id);
    if (address !== undefined) return address;
    throw new StatecraftError("id", `the id ${JSON.stringify(id)} does not have the form ${spec.idForm}`);
}

function verbsWith<Address>(spec: Declared<Address>, fields: Fields): Verbs {
    const addressOf = (id: string) => parseId(spec, id);
    const settled = (address: Address) => {
        const named = spec.named(address);
        return Object.fromEntries(
            Object.entries(named).filter(([name]) => fields[name]?.settled && !isSameField(fields, name, named, {})),
        );
    };

    const isAsAsked = (inputs: Props, seen: Seen) => contradicted(fields, inputs, seen.fields).length === 0;

    /** The same of an object that is not known to be ours. */
    const isFoundAsAsked = (inputs: Props, { fields: seen, atFirst }: Seen) =>
        contradicted(fields, inputs, { ...seen, ...atFirst }).length === 0;

    /** Whether an object lacks something that another write can bring it. */
    const isToWriteAgain = (inputs: Props, seen: Seen) =>
        unheeded(fields, inputs, seen.fields).some((path) => fields[path.replace(/\..*/, "")]?.replaces === undefined);

    /** Whether something was asked for that no look can confirm. */
    const isInDoubt = (inputs: Props, seen: Seen, prior: Props = {}) =>
        seen.unseen?.some((name) => !isSameField(fields, name, prior, inputs)) ||
        isUnproven(fields, prior, inputs, seen.fields);

    /** Writes an object that is there. */
    async function rewrite(session: Session, address: Address, inputs: Props, prior?: Props): Promise<Written> {
        const isAwaited = (spec.waits?.(inputs) ?? []).length > 0;
        const before = isAwaited ? await spec.beforehand?.(session, address) : undefined;
        await writeSeen(session, address, inputs, false, prior);
        return { before };
    }

    /** After a lost answer only a look can tell what was done. */
    async function writeSeen(
        session: Session,
        address: Address,
        inputs: Props,
        wasAbsent: boolean,
        prior?: Props,
    ): Promise<number | undefined> {
        try {
            const told = await spec.write(session, address, inputs, prior);
            return typeof told === "number" ? told : undefined;
        } catch (lost) {
            if (!isLostAnswer(lost)) throw lost;
            const outputs = { ...inputs, ...settled(address) };
            const seen = await spec.observe(session, address).catch((blind: unknown) => {
                if (!wasAbsent) throw lost;
                throw new HalfMadeError(
                    spec.id(address),
                    outputs,
                    ["create"],
                    `whether the ${spec.title(address)} was made is unknown; the next \`pulumi up\` looks again`,
                    blind,
                );
            });
            if (seen === undefined) throw lost;
            if (wasAbsent && !isFoundAsAsked(inputs, seen)) throw exists(address, lost);
            if (!isAsAsked(inputs, seen)) throw lost;
            // A new object is made whole or not at all; of an older one, what cannot be seen may still be the old.
            if (!wasAbsent && isInDoubt(inputs, seen, prior)) throw lost;
            return undefined;
        }
    }

    function exists(address: Address, cause?: unknown): StatecraftError {
        return new StatecraftError("exists", `the ${spec.title(address)} exists already and was left untouched`, {
            hint:
                "To take it over, set `adopt: true` on this resource, or run once with STATECRAFT_ADOPT=identical in the environment " +
                "if it is exactly what the program says. Its values are then overwritten, and `pulumi destroy` will delete it",
            cause,
        });
    }

    function foreign(address: Address): StatecraftError {
        return new StatecraftError(
            "exists",
            `whether the ${spec.title(address)} was made by the deployment that broke off is unknown, and it is not what that one asked for, so it was left untouched`,
            { hint: "`pulumi state delete` forgets it here; delete it on the server by hand if nobody else needs it" },
        );
    }

    /** Looks at what was written, unless it was `looked` at just now, tells what the service did not heed, and waits for what is asked. */
    async function finish(
        session: Session,
        address: Address,
        inputs: Props,
        { before, looked, creation }: Written & { readonly looked?: Seen | undefined },
    ): Promise<Made> {
        const id = spec.id(address);
        const meant = { ...inputs, ...settled(address) };
        const waits = spec.waits?.(inputs) ?? [];
        const seen = looked ?? (await readBack(session, address, meant, waits));
        const mayBeAnothers = creation && seen.writes && inputs["adopt"] !== true;
        if (mayBeAnothers && isAnothers(seen.writes, creation.write, isAsAsked(inputs, seen))) {
            throw overtaken(spec.title(address));
        }
        for (const name of unheeded(fields, inputs, seen.fields)) {
            session.warn(
                `${name}: the service accepted the write but does not hold this value when read back: somebody else has written it at the same time, or the service does not know the field`,
            );
        }
        for (const note of seen.notes ?? []) session.warn(note);
        const outputs = { ...compose(fields, meant, seen.fields), ...seen.outputs };
        if (spec.settle === undefined || waits.length === 0) return { id, outputs };
        try {
            return { id, outputs: { ...outputs, ...(await spec.settle(session, address, inputs, before)) } };
        } catch (error) {
            throw new HalfMadeError(id, outputs, waits, "it was written, but waiting for it failed", error);
        }
    }

    async function readBack(session: Session, address: Address, meant: Props, waits: string[]): Promise<Seen> {
        try {
            const seen = await spec.observe(session, address);
            if (seen !== undefined) return seen;
            throw new StatecraftError(
                "vanished",
                `the ${spec.title(address)} was written, but is absent when read back`,
            );
        } catch (error) {
            const problem = "it was written, but could not be read back";
            throw new HalfMadeError(spec.id(address), meant, ["readBack", ...waits], problem, error);
        }
    }

    /** What state could not find again by its id is not made. */
    function addressOfNew(inputs: Props, session: Session): Address {
        const address = spec.address(inputs, session);
        const id = spec.id(address);
        if (isDeepStrictEqual(spec.parse(id), address)) return address;
        throw new StatecraftError(
            "id",
            `the id would be ${JSON.stringify(id)}, which does not have the form ${spec.idForm}`,
        );
    }

    /** Decides what an unfinished creation became. Whether the object is there and is ours. */
    async function isMade(session: Session, address: Address, inputs: Props, adopts = false): Promise<boolean> {
        const seen = await spec.observe(session, address);
        if (seen !== undefined && !adopts && !isAsAsked(inputs, seen)) throw exists(address);
        return seen !== undefined;
    }

    async function writeNew(session: Session, address: Address, inputs: Props): Promise<Written> {
        try {
            return { creation: { write: await writeSeen(session, address, inputs, true) } };
        } catch (error) {
            const way = spec.recover?.(session, address);
            if (way === undefined || !(error instanceof StatecraftError)) throw error;
            throw reworded(error, { hint: sentences(error.hint, way) });
        }
    }

    /** Writes what is not there, or takes over what is, where that is asked for. */
    async function make(session: Session, address: Address, inputs: Props): Promise<Written> {
        const seen = await spec.observe(session, address);
        if (seen === undefined) return writeNew(session, address, inputs);
        const identical = isFoundAsAsked(inputs, seen);
        if (inputs["adopt"] !== true && !(session.adoptIdentical && identical)) throw exists(address);
        const isWanted = !identical || (inputs["adopt"] === true && isInDoubt(inputs, seen));
        return isWanted ? rewrite(session, address, inputs) : {};
    }

    return {
        async create(session, inputs) {
            const address = addressOfNew(inputs, session);
            // Two resources of one program that mean the same object would both find it absent.
            const written = await session.inTurn(spec.id(address), () => make(session, address, inputs));
            return finish(session, address, inputs, written);
        },

        async read(session, id, state) {
            const address = addressOf(id);
            const seen = await spec.observe(session, address);
            if (seen === undefined) return undefined;
            // Only what an unfinished creation asked for can tell later whose object this is.
            if (unfinishedSteps(state).includes("create") && !isAsAsked(state, seen)) return { id, outputs: state };
            const isFound = Object.keys(state).length === 0;
            const outputs = compose(fields, { ...state, ...settled(address) }, seen.fields, isFound);
            return { id, outputs: { ...outputsOnly(fields, state), ...outputs, ...seen.outputs } };
        },

        async update(session, id, olds, news) {
            const address = addressOf(id);
            const left = unfinishedSteps(olds);
            const { sends } = diffInputs(fields, olds, news, session.vocabulary);
            const adopts = left.includes("create") && news["adopt"] === true;
            const made = !left.includes("create") || (await isMade(session, address, olds, adopts));
            let looked: Seen | undefined;
            let written: Written = {};
            if (!made) written = await writeNew(session, address, news);
            else if (sends || adopts) written = await rewrite(session, address, news, adopts ? undefined : olds);
            else if (left.length === 0) return { ...outputsOnly(fields, olds), ...news, ...settled(address) };
            else if (left.includes("readBack")) {
                // A write that was granted and never seen is done again where it left nothing, or not all.
                looked = await spec.observe(session, address);
                if (looked === undefined) written = await writeNew(session, address, news);
                else if (isToWriteAgain(news, looked)) {
                    written = await rewrite(session, address, news, olds);
                    looked = undefined;
                }
            }
            return (await finish(session, address, news, { ...written, looked })).outputs;
        },

        async delete(session, id, state) {
            const address = addressOf(id);
            try {
                if (unfinishedSteps(state).includes("create")) {
                    const seen = await spec.observe(session, address);
                    if (seen === undefined) return;
                    if (!isAsAsked(state, seen)) throw foreign(address);
                }
                await spec.remove(session, address, state);
            } catch (error) {
                if (!(error instanceof NotFoundError)) throw error;
            }
        },
    };
}

/** For the `catch` of a read: an object that is absent is no failure there. */
export function unlessAbsent(error: unknown): undefined {
    if (error instanceof NotFoundError) return undefined;
    throw error;
}
