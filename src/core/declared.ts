/**
 * The verbs of an object that is declared whole: it has a name, can be observed, written whole, and removed.
 * Observe, write, observe again: what is kept in state is what the service said last.
 */

import { isLostAnswer, NotFoundError, StatecraftError } from "../errors";
import { HalfMadeError, type Made, unfinishedSteps, type Verbs } from "./definition";
import { diffInputs } from "./diff";
import type { Fields, Props } from "./field";
import { compose, unheeded } from "./meaning";
import type { Session } from "./session";

/** What the service says of an object. */
export interface Seen {
    /** Values by the names of inputs; what the answer lacks is left out. */
    readonly fields: Props;
    /** Outputs that are not inputs. */
    readonly outputs?: Props;
    /** What the user should know when this is seen right after a write. */
    readonly notes?: readonly string[];
}

/** What a file says of an object that is declared whole. `Address` is what its id is made of. */
export interface Declared<Address> {
    readonly inputs: Fields;
    /** How messages call an object: `role web of auth/clouda`. */
    title(address: Address): string;
    /** Where an object is, from inputs and settings. Its entries that are fields marked `settled` are stored. */
    address(inputs: Props, session: Session): Address;
    id(address: Address): string;
    /** The address of an id, or `undefined` when it has another form. */
    parse(id: string): Address | undefined;
    /** The form an id has, for the message when it has another. */
    readonly idForm: string;
    settled(address: Address): Props;
    observe(session: Session, address: Address): Promise<Seen | undefined>;
    /** Writes the whole object. Warnings of the server go to the session. */
    write(session: Session, address: Address, inputs: Props): Promise<void>;
    remove(session: Session, address: Address, state: Props): Promise<void>;
    /** Waits for what the options ask for, and returns the outputs learned meanwhile. */
    settle?(session: Session, address: Address, inputs: Props): Promise<Props>;
    /** Names of the waits that `settle` would do for these inputs. */
    waits?(inputs: Props): string[];
    /** Added to the failure of a write: how to put back what was there before. */
    recover?(session: Session, address: Address): string | undefined;
}

/** Builds the four verbs. */
export function declared<Address>(spec: Declared<Address>): Verbs {
    const { inputs: fields } = spec;

    function addressOf(id: string): Address {
        const address = spec.parse(id);
        if (address === undefined) {
            throw new StatecraftError("id", `the id ${JSON.stringify(id)} does not have the form ${spec.idForm}`);
        }
        return address;
    }

    const isAsAsked = (inputs: Props, seen: Seen) => unheeded(fields, inputs, seen.fields).length === 0;

    /** After a lost answer only a look can tell what was done. */
    async function writeSeen(session: Session, address: Address, inputs: Props, wasAbsent: boolean): Promise<void> {
        try {
            await spec.write(session, address, inputs);
        } catch (lost) {
            if (!isLostAnswer(lost)) throw lost;
            const outputs = { ...inputs, ...spec.settled(address) };
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
            if (!isAsAsked(inputs, seen)) throw wasAbsent ? exists(address, lost) : lost;
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

    /** Looks at what was written, tells what the service did not heed, and waits for what is asked. */
    async function finish(session: Session, address: Address, inputs: Props): Promise<Made> {
        const id = spec.id(address);
        const meant = { ...inputs, ...spec.settled(address) };
        const waits = spec.waits?.(inputs) ?? [];
        let outputs: Props = meant;
        try {
            const seen = await spec.observe(session, address);
            if (seen === undefined) {
                throw new StatecraftError(
                    "vanished",
                    `the ${spec.title(address)} was written, but is absent when read back`,
                );
            }
            for (const name of unheeded(fields, inputs, seen.fields)) {
                session.warn(
                    `${name}: the service accepted the write but does not hold this value when read back; it may not know the field`,
                );
            }
            for (const note of seen.notes ?? []) session.warn(note);
            outputs = { ...compose(fields, meant, seen.fields), ...seen.outputs };
        } catch (error) {
            throw new HalfMadeError(
                id,
                outputs,
                ["readBack", ...waits],
                "it was written, but could not be read back",
                error,
            );
        }
        if (spec.settle === undefined || waits.length === 0) return { id, outputs };
        try {
            return { id, outputs: { ...outputs, ...(await spec.settle(session, address, inputs)) } };
        } catch (error) {
            throw new HalfMadeError(id, outputs, waits, "it was written, but waiting for it failed", error);
        }
    }

    /** Decides what an unfinished creation became. Whether the object is there and is ours. */
    async function isMade(session: Session, address: Address, inputs: Props, adopts = false): Promise<boolean> {
        const seen = await spec.observe(session, address);
        if (seen !== undefined && !adopts && !isAsAsked(inputs, seen)) throw exists(address);
        return seen !== undefined;
    }

    async function writeNew(session: Session, address: Address, inputs: Props): Promise<void> {
        try {
            await writeSeen(session, address, inputs, true);
        } catch (error) {
            const way = spec.recover?.(session, address);
            if (way === undefined || !(error instanceof StatecraftError)) throw error;
            throw new StatecraftError(error.code, error.message, {
                hint: [error.hint, way].filter(Boolean).join(". "),
                cause: error,
            });
        }
    }

    return {
        async create(session, inputs) {
            const address = spec.address(inputs, session);
            const seen = await spec.observe(session, address);
            if (seen === undefined) {
                await writeNew(session, address, inputs);
            } else {
                const identical = isAsAsked(inputs, seen);
                if (inputs["adopt"] !== true && !(session.adoptIdentical && identical)) throw exists(address);
                if (!identical) await writeSeen(session, address, inputs, false);
            }
            return finish(session, address, inputs);
        },

        async read(session, id, state) {
            const address = addressOf(id);
            const seen = await spec.observe(session, address);
            if (seen === undefined) return undefined;
            // Only what an unfinished creation asked for can tell later whose object this is.
            if (unfinishedSteps(state).includes("create") && !isAsAsked(state, seen)) return { id, outputs: state };
            const outputs = compose(fields, { ...state, ...spec.settled(address) }, seen.fields);
            return { id, outputs: { ...carried(fields, state), ...outputs, ...seen.outputs } };
        },

        async update(session, id, olds, news) {
            const address = addressOf(id);
            const left = unfinishedSteps(olds);
            const { sends } = diffInputs(fields, olds, news, session.vocabulary);
            const adopts = left.includes("create") && news["adopt"] === true;
            const made = !left.includes("create") || (await isMade(session, address, olds, adopts));
            if (!made) await writeNew(session, address, news);
            else if (sends || adopts) await writeSeen(session, address, news, false);
            else if (left.length === 0) return { ...carried(fields, olds), ...news, ...spec.settled(address) };
            return (await finish(session, address, news)).outputs;
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

/** Outputs that are not inputs. */
function carried(fields: Fields, state: Props): Props {
    return Object.fromEntries(Object.entries(state).filter(([name]) => fields[name] === undefined));
}

/** For the `catch` of a read: an object that is absent is no failure there. */
export function unlessAbsent(error: unknown): undefined {
    if (error instanceof NotFoundError) return undefined;
    throw error;
}
