/**
 * An object whose id the server assigns: whatever asks for one makes another.
 *
 * | when it is made                                     | so                                                       |
 * | --------------------------------------------------- | -------------------------------------------------------- |
 * | an earlier run left one that can be claimed         | that is used, and none is made                           |
 * | the request was refused                             | the failure is told                                      |
 * | the answer was lost, and just one has appeared      | that is ours                                             |
 * | the answer was lost, and nothing else can be seen   | the failure is told: there is no id to be kept           |
 * | it was made, and something failed afterwards        | it is kept, and `unfinished` says what is left           |
 *
 * | what is left in `unfinished`     | what the next deployment does                                           |
 * | -------------------------------- | ----------------------------------------------------------------------- |
 * | steps that `create` left         | `complete` does them; then it reads and waits                           |
 * | `readBack`                       | reads and waits                                                         |
 * | the name of the wait             | reads and waits                                                         |
 */

import type * as z from "zod";
import { isLostAnswer, mayHaveActed, ServiceError } from "../errors";
import type { Values } from "../schema/facts";
import { compareLive, mergeOutputs } from "../schema/merge";
import { decodedWithDefaults, withoutUndefined } from "../schema/values";
import { encode } from "../schema/wire";
import { BaseHandlers } from "./base-handlers";
import { droppedField, notComplete, openCreation, vanished } from "./failures";
import { liveState } from "./live-state";
import { type Live, type ObjectWait, unlessAbsent, type Write } from "./named-object-spec";
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
import { Unfinished } from "./unfinished";

/** What a file says of an object whose id the server assigns. `Id` is that id. */
export interface ServerAssigned<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject, Id>
    extends ResourceSpec<InputSchema, OutputSchema> {
    /** How messages call it: `monitor 12`. */
    title(id: Id): string;
    id(id: Id): string;
    /** The server's id in that of the resource, or `undefined` when it has another form. */
    parse(id: string): Id | undefined;
    /**
     * Makes the object, by a request that goes through `once`, or takes one that is as asked already.
     * @throws Unfinished for an object that was made in part
     */
    create(
        context: RequestContext,
        write: Write<InputSchema>,
        once: Once<Id>,
    ): Promise<{ readonly id: Id; readonly outputs?: Partial<Outputs<OutputSchema>> }>;
    /** Does what `unfinished` says that `create` left. @throws Unfinished for what is still left */
    complete?(
        context: RequestContext,
        id: Id,
        inputs: Inputs<InputSchema>,
        state: State<InputSchema, OutputSchema>,
    ): Promise<Partial<Outputs<OutputSchema>>>;
    /** What the service tells of an object that was just written, or `undefined` when it has none. */
    read(context: RequestContext, id: Id): Promise<Told<InputSchema, OutputSchema> | undefined>;
    /** The same for a refresh, or without a state for an import, where that needs more. Default: `read`. */
    refresh?(
        context: RequestContext,
        id: Id,
        state: State<InputSchema, OutputSchema> | undefined,
    ): Promise<Told<InputSchema, OutputSchema> | undefined>;
    /** Writes the object anew. Without it, a change of anything but options needs another object: the inputs say so. */
    update?(context: RequestContext, id: Id, write: Write<InputSchema>): Promise<void>;
    /** A wait that an input asks for. */
    readonly wait?: Omit<ObjectWait<InputSchema, OutputSchema, Id>, "before">;
    remove(context: RequestContext, id: Id, state: State<InputSchema, OutputSchema>): Promise<void>;
}

/** What the service tells of an object. */
export interface Told<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject>
    extends Pick<Live<InputSchema, OutputSchema>, "body" | "inputs"> {
    readonly outputs?: Partial<Outputs<OutputSchema>> & { readonly unfinished?: readonly string[] };
}

/** Makes an object that must not be made twice. */
export type Once<Id> = <Found extends { readonly id: Id }>(making: Making<Found>) => Promise<Found>;

/** How it is made. */
export interface Making<Found> {
    /** How messages call such an object: `monitor`. */
    readonly noun: string;
    /** Those on the server that may be what the request makes: asked before it, and again where its answer was lost. */
    find(): Promise<readonly Found[]>;
    /** Uses one that was there before, where that is surely what an earlier run of ours left; `undefined` where it will not do. */
    claim?(found: Found): Promise<Found | undefined>;
    /** Sends the request. */
    send(): Promise<Found>;
}

/** Makes the resource. */
export function serverAssigned<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject, Id>(
    spec: ServerAssigned<InputSchema, OutputSchema, Id>,
): Resource {
    // From here on everything is plain data, decoded by its schema before a function of the file gets it.
    const object = spec as unknown as AnyObject;
    return resourceOf(object, (node) => new ServerAssignedHandlers(object, node));
}

type AnyObject = ServerAssigned<z.ZodObject, z.ZodObject, unknown>;

class ServerAssignedHandlers extends BaseHandlers<AnyObject> implements Handlers {
    async create(context: RequestContext, inputs: Values): Promise<Created> {
        let made: unknown;
        const once: Once<unknown> = (making) =>
            createOnce(making, (found) => {
                made = found?.id;
            });
        const { id, outputs = {} } = await this.keeping(
            () => made,
            inputs,
            () => this.spec.create(context, this.writeOf(inputs), once),
        );
        return this.finish(context, id, inputs, outputs);
    }

    async read(context: RequestContext, text: string, state: Values): Promise<Created | undefined> {
        const id = this.addressOf(text);
        const isKnown = Object.keys(state).length > 0;
        const told = this.spec.refresh
            ? await this.spec.refresh(context, id, isKnown ? this.decodedState(state) : undefined)
            : await this.spec.read(context, id);
        if (told === undefined) return undefined;
        const merged = mergeOutputs(
            this.node,
            state,
            decodedWithDefaults(this.node, state),
            liveState(this.node, told).values,
            !isKnown,
        );
        return { id: text, outputs: withoutUndefined({ ...this.outputsIn(state), ...merged, ...told.outputs }) };
    }

    async update(context: RequestContext, text: string, olds: Values, news: Values): Promise<Values> {
        const { spec } = this;
        const id = this.addressOf(text);
        const left = unfinishedSteps(olds);
        const isChanged = this.isChanged(olds, news);
        const { unfinished: _, ...before } = this.outputsIn(olds);
        if (left.length === 0 && !isChanged) return { ...before, ...news };
        const isLeft = left.some((step) => step !== "readBack" && step !== spec.wait?.name);
        const run = async () =>
            isLeft
                ? spec.complete?.(context, id, decodedWithDefaults(this.node, news), this.decodedState(olds))
                : undefined;
        const known = { ...before, ...(await this.keeping(() => id, { ...before, ...news }, run)) };
        if (isChanged) await this.rewrite(context, id, olds, news);
        return (await this.finish(context, id, news, known)).outputs;
    }

    async delete(context: RequestContext, id: string, state: Values): Promise<void> {
        await this.spec.remove(context, this.addressOf(id), this.decodedState(state)).catch(unlessAbsent);
    }

    private writeOf(inputs: Values, olds?: Values): Write<z.ZodObject> {
        const values = decodedWithDefaults(this.node, inputs);
        return { body: encode(this.node, values), inputs: values, olds: olds && decodedWithDefaults(this.node, olds) };
    }

    /** What the service holds, and what of it is not as asked: `undefined` where it has no such object. */
    private async look(context: RequestContext, id: unknown, written: Values) {
        const told = await this.spec.read(context, id);
        if (told === undefined) return undefined;
        const live = liveState(this.node, told).values;
        const { mismatches } = compareLive(this.node, written, decodedWithDefaults(this.node, written), live);
        return { live, mismatches, outputs: told.outputs };
    }

    /** Runs what may leave an object that is made in part. */
    private async keeping<Result>(id: () => unknown, known: Values, run: () => Promise<Result>): Promise<Result> {
        try {
            return await run();
        } catch (error) {
            const made = id();
            if (made === undefined) throw error;
            const step = this.spec.complete ? "complete" : "readBack";
            const { outputs, steps, message, cause } =
                error instanceof Unfinished
                    ? error
                    : new Unfinished({}, [step], notComplete({ left: "its creation broke off" }), error);
            const all = withoutUndefined({ ...known, ...outputs });
            throw new PartialCreateError(this.spec.id(made), all, steps, message, cause);
        }
    }

    /** Reads what was made or written, tells what the service did not heed, and waits for what is asked. */
    private async finish(context: RequestContext, id: unknown, written: Values, known: Values): Promise<Created> {
        const { node, spec } = this;
        const values = decodedWithDefaults(node, written);
        const seen = await this.look(context, id, written)
            .then((found) => {
                if (found !== undefined) return found;
                throw vanished({ title: spec.title(id), done: "made" });
            })
            .catch((error: unknown) => {
                const outputs = withoutUndefined({ ...known, ...written });
                const problem = notComplete({ left: "could not be read to the end" });
                const steps = ["readBack", ...this.waits(values)];
                throw new PartialCreateError(spec.id(id), outputs, steps, problem, error);
            });
        for (const path of seen.mismatches) {
            context.warn(droppedField({ path }));
        }
        const merged = mergeOutputs(node, written, values, seen.live);
        const outputs = withoutUndefined({ ...known, ...merged, ...seen.outputs });
        return this.awaited(context, id, values, outputs);
    }

    /** Writes an object that is there; after a lost answer only a look can tell what was done. */
    private async rewrite(context: RequestContext, id: unknown, olds: Values, news: Values): Promise<void> {
        try {
            await this.spec.update?.(context, id, this.writeOf(news, olds));
        } catch (lost) {
            if (!isLostAnswer(lost)) throw lost;
            const seen = await this.look(context, id, news).catch(() => undefined);
            if (seen === undefined || seen.mismatches.length > 0) throw lost;
        }
    }
}

/** Makes an object once. `made` is told which one it is as soon as there is one. */
async function createOnce<Found extends { readonly id: unknown }>(
    { noun, find, claim, send }: Making<Found>,
    made: (found: Found | undefined) => void,
): Promise<Found> {
    // A server that refuses to be looked at can be written to all the same.
    const before = await find().catch(unlessRefused);
    for (const left of before ?? []) {
        const claimed = await claim?.(left);
        made(claimed);
        if (claimed !== undefined) return claimed;
    }
    const found = await send().catch(async (lost: unknown) => {
        if (!mayHaveActed(lost)) throw lost;
        const next = claim
            ? `The next deployment looks for the ${noun} first, and makes none where there is one`
            : `Look whether the server has such a ${noun} before this runs again, which makes another: import it, or delete it`;
        const open = (seen: string) => openCreation.of(lost, { failed: lost.message, seen, next });
        const now = await find().catch(() => undefined);
        if (before === undefined || now === undefined) throw open(`whether the ${noun} was made cannot be seen either`);
        const [first, ...others] = now.filter(({ id }) => !before.some((each) => each.id === id));
        if (first === undefined) throw open(`no such ${noun} can be seen`);
        if (others.length > 0) throw open(`which ${noun} it has made cannot be told: several have appeared`);
        return first;
    });
    made(found);
    return found;
}

function unlessRefused(error: unknown): undefined {
    if (error instanceof ServiceError) return undefined;
    throw error;
}
