/**
 * A one-shot action: it acts when it is made, acts again when its inputs change, and leaves nothing behind that could be deleted. What it
 * acts on is named by its inputs, or gets its id from the service.
 *
 * | state and inputs                        | what `up` does                                   |
 * | --------------------------------------- | ------------------------------------------------ |
 * | new                                     | acts                                             |
 * | an input changed that is no option      | acts again                                       |
 * | `isDue` says so                         | acts again                                       |
 * | `unfinished` holds steps                | `resume`, or else acts again                     |
 * | only options changed                    | stores them, and `resume`                        |
 */

import type * as z from "zod";
import type { Defaults, Values } from "../schema/facts";
import { decodedWithDefaults, withoutUndefined } from "../schema/values";
import { BaseHandlers } from "./base-handlers";
import type { Addressed } from "./named-object-spec";
import type { RequestContext } from "./request-context";
import {
    type Created,
    type Handlers,
    type Inputs,
    type Outputs,
    PartialCreateError,
    type Resource,
    resourceOf,
    type State,
    unfinishedSteps,
} from "./resource";
import { settledSticky, stickyOf } from "./sticky";
import { Unfinished } from "./unfinished";

/** What a file says of an action. */
export interface OneShotAction<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject, Address>
    extends Omit<Addressed<InputSchema, OutputSchema, Address>, "address"> {
    /** Absent if the service makes the id: then `act` returns the address of a new resource. */
    address?(inputs: Inputs<InputSchema>, settings: Defaults): Address;
    /** Acts. `state` is what the last deployment left; none for a new resource. @throws Unfinished for what was done in part */
    act(
        context: RequestContext,
        address: Address,
        inputs: Inputs<InputSchema>,
        state: State<InputSchema, OutputSchema> | undefined,
    ): Promise<{ readonly address?: Address; readonly outputs: Outputs<OutputSchema> }>;
    /**
     * Brings to an end what an earlier act left, and returns what it learned; also called if nothing but options changed. Without it, steps
     * in `unfinished` have the action act again.
     */
    resume?(
        context: RequestContext,
        address: Address,
        inputs: Inputs<InputSchema>,
        state: State<InputSchema, OutputSchema>,
    ): Promise<Partial<Outputs<OutputSchema>>>;
    /**
     * What can be seen of it now: outputs, inputs that the service tells, and steps that are left to do. `undefined`: what it acts on is
     * gone. Without it, state is all that is known.
     */
    read?(
        context: RequestContext,
        address: Address,
        state: State<InputSchema, OutputSchema> | undefined,
    ): Promise<
        | (Partial<z.input<InputSchema> & Outputs<OutputSchema>> & { readonly unfinished?: readonly string[] })
        | undefined
    >;
    /** Whether it must act though no input changed, and which outputs say so. */
    isDue?(state: State<InputSchema, OutputSchema>, inputs: Inputs<InputSchema>): readonly string[];
    /** What deleting it does. Default: nothing. */
    remove?(context: RequestContext, address: Address, state: State<InputSchema, OutputSchema>): Promise<void>;
}

/** Makes the resource. */
export function oneShotAction<InputSchema extends z.ZodObject, OutputSchema extends z.ZodObject, Address>(
    spec: OneShotAction<InputSchema, OutputSchema, Address>,
): Resource {
    // From here on everything is plain data, decoded by its schema before a function of the file gets it.
    const action = spec as unknown as AnyAction;
    return resourceOf(action, (node) => new OneShotHandlers(action, node));
}

type AnyAction = OneShotAction<z.ZodObject, z.ZodObject, unknown>;

class OneShotHandlers extends BaseHandlers<AnyAction> implements Handlers {
    async create(context: RequestContext, inputs: Values): Promise<Created> {
        const { spec } = this;
        const values = decodedWithDefaults(this.node, inputs);
        return this.run(spec.address?.(values, context), inputs, {}, (address) =>
            spec.act(context, address, values, undefined),
        );
    }

    async read(context: RequestContext, id: string, state: Values): Promise<Created | undefined> {
        const { spec } = this;
        const address = this.addressOf(id);
        const isKnown = Object.keys(state).length > 0;
        const mine = { ...state, ...settledSticky(this.node, spec.named(address)) };
        if (spec.read === undefined) return { id, outputs: mine };
        const found = await spec.read(context, address, isKnown ? this.decodedState(state) : undefined);
        return found && { id, outputs: { ...mine, ...withoutUndefined(found) } };
    }

    async update(context: RequestContext, id: string, olds: Values, news: Values): Promise<Values> {
        const { spec } = this;
        const address = this.addressOf(id);
        const values = decodedWithDefaults(this.node, news);
        const state = this.decodedState(olds);
        const isLeft = unfinishedSteps(olds).length > 0;
        const isDue = this.isChanged(olds, news) || this.outdated(olds, news).length > 0;
        if (isDue || (isLeft && spec.resume === undefined)) {
            return (await this.run(address, news, {}, () => spec.act(context, address, values, state))).outputs;
        }
        const known = { ...this.outputsIn(olds), unfinished: undefined };
        const resume = async () => ({ outputs: (await spec.resume?.(context, address, values, state)) ?? {} });
        return (await this.run(address, news, known, resume)).outputs;
    }

    async delete(context: RequestContext, id: string, state: Values): Promise<void> {
        await this.spec.remove?.(context, this.addressOf(id), this.decodedState(state));
    }

    outdated(olds: Values, news: Values): string[] {
        return [...(this.spec.isDue?.(this.decodedState(olds), decodedWithDefaults(this.node, news)) ?? [])];
    }

    /** What a run leaves in state: the inputs as they were written, what settings settled, what was known before, and what was learned. */
    private async run(
        known: unknown,
        written: Values,
        before: Values,
        act: (address: unknown) => Promise<{ readonly address?: unknown; readonly outputs: Values }>,
    ): Promise<Created> {
        const { node, spec } = this;
        const whole = (address: unknown, learned: Values) =>
            withoutUndefined({
                ...before,
                ...written,
                ...stickyOf(node, spec.named(address)),
                ...withoutUndefined(learned),
            });
        try {
            const { address, outputs } = await act(known);
            return { id: spec.id(known ?? address), outputs: whole(known ?? address, outputs) };
        } catch (error) {
            if (!(error instanceof Unfinished)) throw error;
            const { outputs, steps, message, cause } = error;
            const address = known ?? error.address;
            throw new PartialCreateError(spec.id(address), whole(address, outputs), steps, message, cause);
        }
    }
}
