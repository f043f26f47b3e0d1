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
import { isLostAnswer, StatecraftError } from "../errors";
import type { Defaults, Values } from "../schema/facts";
import { mergeOutputs } from "../schema/merge";
import { holdsUnknown } from "../schema/unknown";
import { decodedWithDefaults } from "../schema/values";
import { encode } from "../schema/wire";
import { isWrittenToAdopt } from "./adoption";
import { BaseHandlers } from "./base-handlers";
import { droppedField, exists, notReadBack, perhapsAnothers, unknownCreation, vanished, wrongForm } from "./failures";
import { Comparison, type Desired, type LiveState, liveState } from "./live-state";
import { type Live, type NamedObject, unlessAbsent } from "./named-object-spec";
import type { RequestContext } from "./request-context";
import {
    type Created,
    type Handlers,
    PartialCreateError,
    type Resource,
    resourceOf,
    unfinishedSteps,
} from "./resource";
import { settledSticky, stickyOf, storedSticky } from "./sticky";

/** Makes the resource. */
export function namedObject<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject, Address>(
    spec: NamedObject<InputSchema, OutputSchema, Address>,
): Resource {
    // From here on everything is plain data, decoded by its schema before a function of the file gets it.
    const object = spec as unknown as AnyObject;
    return resourceOf(object, (node) => new NamedObjectHandlers(object, node));
}

type AnyObject = NamedObject<z.ZodObject, z.ZodObject, unknown>;

/** What a read told, as it came and decoded. */
type Observed = Live<z.ZodObject, z.ZodObject> & LiveState;

/** What was done to an object before it is looked at again. */
interface Written {
    /** Nothing was written: it was read just now. */
    readonly live?: Observed;
}

/** How often to look for what was written, and how far apart. */
const readBackTries = 3;
const readBackMilliseconds = 1_000;

class NamedObjectHandlers extends BaseHandlers<AnyObject> implements Handlers {
    private readonly comparison = new Comparison(this.node);

    async create(context: RequestContext, inputs: Values): Promise<Created> {
        const values = decodedWithDefaults(this.node, inputs);
        const address = this.addressOfNew(values, context);
        const desired = this.desired(inputs, address);
        // Two resources of one program that mean the same object would both find it absent.
        const written = await context.exclusive(this.spec.id(address), () => this.make(context, address, desired));
        return this.finish(context, address, desired, written);
    }

    async read(context: RequestContext, id: string, state: Values): Promise<Created | undefined> {
        const address = this.addressOf(id);
        const isFound = Object.keys(state).length === 0;
        const live = await this.observe(context, address);
        if (live === undefined) return undefined;
        const desired = this.desired(state, address, settledSticky(this.node, this.spec.named(address)));
        // Only what an unfinished creation asked for can tell later whose object this is.
        if (unfinishedSteps(state).includes("create") && !this.comparison.isFoundAsAsked(desired, live)) {
            return { id, outputs: state };
        }
        const outputs = mergeOutputs(this.node, desired.written, desired.values, live.values, isFound);
        return { id, outputs: { ...this.outputsIn(state), ...outputs, ...live.outputs } };
    }

    async update(context: RequestContext, id: string, olds: Values, news: Values): Promise<Values> {
        const address = this.addressOf(id);
        // A sticky input that is left out keeps the value that the outputs hold.
        const sticky = { ...storedSticky(this.node, olds), ...stickyOf(this.node, this.spec.named(address)) };
        const kept = Object.entries(sticky).filter(([name]) => news[name] === undefined);
        const desired = this.desired(news, address, Object.fromEntries(kept));
        const written = await this.reconcile(context, address, olds, desired);
        if (written === undefined) return { ...this.outputsIn(olds), ...desired.written };
        return (await this.finish(context, address, desired, written)).outputs;
    }

    async delete(context: RequestContext, id: string, state: Values): Promise<void> {
        const address = this.addressOf(id);
        if (unfinishedSteps(state).includes("create")) {
            const live = await this.observe(context, address);
            if (live === undefined) return;
            if (!this.comparison.isFoundAsAsked(this.desired(state, address), live))
                throw perhapsAnothers({ title: this.spec.title(address) });
        }
        await this.spec.remove(context, address, this.decodedState(state)).catch(unlessAbsent);
    }

    async findExisting(context: RequestContext, inputs: Values): Promise<StatecraftError | undefined> {
        const { adopt } = inputs;
        if (adopt === true || holdsUnknown(adopt)) return undefined;
        const address = this.spec.address(decodedWithDefaults(this.node, inputs), context);
        const live = await this.observe(context, address);
        const adoptsIdentical = adopt === "identical" || context.adoptIdentical;
        if (live === undefined || (adoptsIdentical && holdsUnknown(inputs))) return undefined;
        try {
            isWrittenToAdopt(this.comparison, this.desired(inputs, address), live, context, this.spec.title(address));
            return undefined;
        } catch (error) {
            if (error instanceof StatecraftError) return error;
            throw error;
        }
    }

    idOf(inputs: Values, settings: Defaults): string {
        return this.spec.id(this.spec.address(decodedWithDefaults(this.node, inputs), settings));
    }

    canonicalId(id: string): string {
        return this.spec.id(this.addressOf(id));
    }

    /** `sticky`: the sticky inputs to store with the others. */
    private desired(
        inputs: Values,
        address: unknown,
        sticky: Values = stickyOf(this.node, this.spec.named(address)),
    ): Desired {
        const written = { ...inputs, ...sticky };
        return { inputs, written, values: decodedWithDefaults(this.node, written) };
    }

    /** The address of a new object. Throws if its id could not be parsed again: the next run would not find the object. */
    private addressOfNew(values: Values, context: RequestContext): unknown {
        const { spec } = this;
        const address = spec.address(values, context);
        const id = spec.id(address);
        if (!isDeepStrictEqual(spec.parse(id), address))
            throw wrongForm({ what: `the id would be ${JSON.stringify(id)}, which`, form: spec.idForm });
        return address;
    }

    private async observe(context: RequestContext, address: unknown): Promise<Observed | undefined> {
        const told = await this.spec.read(context, address).catch(unlessAbsent);
        return told && { ...told, ...liveState(this.node, told) };
    }

    /** Writes what is not there, or takes over what is, where that is asked for. */
    private async make(context: RequestContext, address: unknown, desired: Desired): Promise<Written> {
        const live = await this.observe(context, address);
        if (live === undefined) return this.writeNew(context, address, desired);
        return this.takeOver(context, address, desired, live);
    }

    /** Takes over an object that another hand has made, where that is asked for. */
    private async takeOver(
        context: RequestContext,
        address: unknown,
        desired: Desired,
        live: Observed,
    ): Promise<Written> {
        const title = this.spec.title(address);
        const isWritten = isWrittenToAdopt(this.comparison, desired, live, context, title);
        return isWritten ? this.rewrite(context, address, desired) : { live };
    }

    /** Brings an object that state knows to what is wanted, from wherever the last deployment left it. `undefined`: nothing is to be sent. */
    private async reconcile(
        context: RequestContext,
        address: unknown,
        olds: Values,
        desired: Desired,
    ): Promise<Written | undefined> {
        const left = unfinishedSteps(olds);
        if (left.includes("create")) {
            const live = await this.observe(context, address);
            if (live === undefined) return this.writeNew(context, address, desired);
            const isOurs = this.comparison.isFoundAsAsked(this.desired(olds, address), live);
            if (!isOurs || desired.inputs["adopt"] === true) return this.takeOver(context, address, desired, live);
        }
        if (this.isChanged(olds, desired.inputs)) return this.rewrite(context, address, desired, olds);
        if (left.length === 0) return undefined;
        if (!left.includes("readBack")) return {};
        // The last run wrote the object but could not read it. Read it now. Write again if it is missing or differs.
        const live = await this.observe(context, address);
        if (live === undefined) return this.writeNew(context, address, desired);
        return this.comparison.isToWriteAgain(desired, live) ? this.rewrite(context, address, desired, olds) : { live };
    }

    private async writeNew(context: RequestContext, address: unknown, desired: Desired): Promise<Written> {
        await this.write(context, address, desired, undefined, true);
        return {};
    }

    /** Writes an object that is there. */
    private async rewrite(
        context: RequestContext,
        address: unknown,
        desired: Desired,
        olds?: Values,
    ): Promise<Written> {
        await this.write(context, address, desired, olds, false);
        return {};
    }

    /** Writes; after a lost answer only a look can tell what was done. */
    private async write(
        context: RequestContext,
        address: unknown,
        desired: Desired,
        olds: Values | undefined,
        wasAbsent: boolean,
    ): Promise<void> {
        const { node, spec, comparison } = this;
        const { values: inputs, written } = desired;
        try {
            const former = olds && decodedWithDefaults(node, olds);
            await spec.write(context, address, { body: encode(node, inputs), inputs, olds: former });
        } catch (lost) {
            if (!isLostAnswer(lost)) throw lost;
            const live = await this.observe(context, address).catch((unseen: unknown) => {
                if (!wasAbsent) throw lost;
                const problem = unknownCreation({ title: spec.title(address) });
                throw new PartialCreateError(spec.id(address), written, ["create"], problem, unseen);
            });
            if (live === undefined) throw lost;
            if (wasAbsent && !comparison.isFoundAsAsked(desired, live)) {
                throw Object.assign(exists({ title: spec.title(address) }), { cause: lost });
            }
            if (!comparison.isAsAsked(desired, live)) throw lost;
            // A new object that exists has all its properties. An older object may still hold old values that the service does not show.
            if (!wasAbsent && comparison.isInDoubt(desired, live, olds)) throw lost;
        }
    }

    /** Reads the object back, warns of properties that the service dropped, and runs the wait that an input asks for. */
    private async finish(
        context: RequestContext,
        address: unknown,
        desired: Desired,
        written: Written,
    ): Promise<Created> {
        const live = written.live ?? (await this.readBack(context, address, desired));
        for (const path of this.comparison.droppedFields(desired, live)) context.warn(droppedField({ path }));
        const outputs = { ...mergeOutputs(this.node, desired.written, desired.values, live.values), ...live.outputs };
        return this.awaited(context, address, desired.values, outputs);
    }

    private async readBack(context: RequestContext, address: unknown, desired: Desired) {
        try {
            // Servers that answer from a copy may know a new object a moment later.
            for (let tries = 1; tries <= readBackTries; tries++) {
                if (tries > 1) await context.sleep(readBackMilliseconds);
                const live = await this.observe(context, address);
                if (live !== undefined) return live;
            }
            throw vanished({ title: this.spec.title(address), done: "written" });
        } catch (error) {
            const steps = ["readBack", ...this.waits(desired.values)];
            throw new PartialCreateError(this.spec.id(address), desired.written, steps, notReadBack(), error);
        }
    }
}
