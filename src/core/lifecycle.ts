/** Create, read, update and delete on plain data: the base class of `NamedObject` and `Action`, and the class `Action`. */

import { StatecraftError } from "../errors";
import { diff } from "../schema/compare";
import { meaningOf } from "../schema/meaning";
import { type Values, withoutUndefined } from "../schema/values";
import type { Context } from "./context";
import { type AnyResource, HalfMade, outputsIn, type Stored, stateOf, unfinishedSteps } from "./resource";

/** The lifecycle of a resource. `olds` and `state` are outputs of the last deployment. */
export abstract class Lifecycle {
    constructor(protected readonly resource: AnyResource) {}

    abstract create(context: Context, inputs: Values): Promise<Stored>;
    /** Reads the object; `undefined` if it does not exist any more. `state` is empty for an import. */
    abstract read(context: Context, id: string, state: Values): Promise<Stored | undefined>;
    abstract update(context: Context, id: string, olds: Values, news: Values): Promise<Values>;
    abstract delete(context: Context, id: string, state: Values): Promise<void>;

    /** The address in an id. @throws StatecraftError for an id of another form */
    protected addressOf(id: string): unknown {
        const address = this.resource.parse(id);
        if (address !== undefined) return address;
        throw new StatecraftError("id", `the id ${JSON.stringify(id)} does not have the form ${this.resource.idForm}`);
    }

    /** Decodes state for the functions of a resource file. */
    protected decoded(state: Values): Values {
        return stateOf(this.resource, state, meaningOf(this.resource.node, state));
    }

    /** Whether an input other than an option differs. */
    protected isChanged(olds: Values, news: Values): boolean {
        return diff(this.resource.node, olds, news).some(({ isOption }) => !isOption);
    }

    /** Waits if the inputs ask for it. If the wait fails, the object stays in state and the next `up` waits again. */
    protected async waited(context: Context, address: unknown, inputs: Values, outputs: Values): Promise<Stored> {
        const { resource } = this;
        const id = resource.id(address);
        try {
            const meaning = meaningOf(resource.node, inputs);
            const learned = await resource.wait?.(context, address, meaning, stateOf(resource, outputs, meaning));
            return { id, outputs: withoutUndefined({ ...outputs, ...learned }) };
        } catch (error) {
            const problem = "it was written, but waiting for it failed";
            const failed = error instanceof HalfMade ? error : new HalfMade({}, ["wait"], problem, error);
            throw failed.of(id, outputs);
        }
    }
}

/**
 * An action runs when its resource is created and again when an input changes. Its deletion sends no request, unless the resource file
 * defines `remove`.
 *
 * | inputs and state            | `up`                   |
 * | --------------------------- | ---------------------- |
 * | new                         | acts                   |
 * | an input changed            | acts again             |
 * | only options changed        | stores them            |
 * | `unfinished` is `wait` only | waits again            |
 * | `unfinished` otherwise      | acts again             |
 */
export class Action extends Lifecycle {
    create(context: Context, inputs: Values): Promise<Stored> {
        const address = this.resource.address(meaningOf(this.resource.node, inputs), context.settings);
        return this.act(context, address, inputs);
    }

    async read(context: Context, id: string, state: Values): Promise<Stored | undefined> {
        const { resource } = this;
        const address = this.addressOf(id);
        if (resource.read === undefined) return { id, outputs: state };
        const isImport = Object.keys(state).length === 0;
        const seen = await resource.read(context, address, isImport ? undefined : this.decoded(state));
        return seen && { id, outputs: { ...state, ...withoutUndefined({ ...seen.inputs, ...seen.outputs }) } };
    }

    async update(context: Context, id: string, olds: Values, news: Values): Promise<Values> {
        const address = this.addressOf(id);
        const steps = unfinishedSteps(olds);
        const { unfinished: _, ...outputs } = outputsIn(this.resource, olds);
        const known = { ...outputs, ...news };
        if (this.isChanged(olds, news) || steps.some((step) => step !== "wait")) {
            return (await this.act(context, address, known, olds)).outputs;
        }
        return steps.length === 0 ? known : (await this.waited(context, address, news, known)).outputs;
    }

    async delete(context: Context, id: string, state: Values): Promise<void> {
        await this.resource.remove?.(context, this.addressOf(id), this.decoded(state));
    }

    /** @param known the inputs, and the outputs of the last deployment, which the outputs of the action replace */
    private async act(context: Context, address: unknown, known: Values, olds?: Values): Promise<Stored> {
        const { resource } = this;
        const meaning = meaningOf(resource.node, known);
        try {
            const acted = await resource.act?.(context, address, meaning, olds && this.decoded(olds));
            const outputs = withoutUndefined({ ...known, ...acted?.outputs });
            return await this.waited(context, acted?.address ?? address, known, outputs);
        } catch (error) {
            throw error instanceof HalfMade ? error.of(resource.id(address), known) : error;
        }
    }
}
