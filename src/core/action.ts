/**
 * An action runs when its resource is created and again when an input changes. It leaves nothing that could be deleted, unless the file says
 * so.
 *
 * | inputs and state            | `up`                   |
 * | --------------------------- | ---------------------- |
 * | new                         | acts                   |
 * | an input changed            | acts again             |
 * | only options changed        | stores them            |
 * | `unfinished` is `wait` only | waits again            |
 * | `unfinished` otherwise      | acts again             |
 */

import { meaningOf } from "../schema/meaning";
import { type Values, withoutUndefined } from "../schema/values";
import type { Context } from "./context";
import { addressOf, isChanged, type Lifecycle, waited } from "./lifecycle";
import { type AnyResource, HalfMade, outputsIn, placeOf, type Stored, stateOf, unfinishedSteps } from "./resource";

/** The lifecycle of an action. */
export class Action implements Lifecycle {
    constructor(private readonly resource: AnyResource) {}

    create(context: Context, inputs: Values): Promise<Stored> {
        const address = this.resource.address(meaningOf(this.resource.node, inputs), context.settings);
        return this.act(context, address, inputs);
    }

    async read(context: Context, id: string, state: Values): Promise<Stored | undefined> {
        const { resource } = this;
        const address = addressOf(resource, id);
        const known = { ...state, ...placeOf(resource, address) };
        if (resource.read === undefined) return { id, outputs: known };
        const isImport = Object.keys(state).length === 0;
        const seen = await resource.read(context, address, isImport ? undefined : this.decoded(state));
        return seen && { id, outputs: { ...known, ...withoutUndefined({ ...seen.inputs, ...seen.outputs }) } };
    }

    async update(context: Context, id: string, olds: Values, news: Values): Promise<Values> {
        const { resource } = this;
        const address = addressOf(resource, id);
        const steps = unfinishedSteps(olds);
        const { unfinished: _, ...outputs } = outputsIn(resource, olds);
        const known = { ...outputs, ...news, ...placeOf(resource, address) };
        if (isChanged(resource, olds, news) || steps.some((step) => step !== "wait")) {
            return (await this.act(context, address, news, olds)).outputs;
        }
        return steps.length === 0 ? known : (await waited(resource, context, address, news, known)).outputs;
    }

    async delete(context: Context, id: string, state: Values): Promise<void> {
        await this.resource.remove?.(context, addressOf(this.resource, id), this.decoded(state));
    }

    private async act(context: Context, address: unknown, inputs: Values, olds?: Values): Promise<Stored> {
        const { resource } = this;
        const meaning = meaningOf(resource.node, inputs);
        const known = { ...inputs, ...placeOf(resource, address) };
        try {
            const acted = await resource.act?.(context, address, meaning, olds && this.decoded(olds));
            const outputs = { ...known, ...withoutUndefined(acted?.outputs ?? {}) };
            return await waited(resource, context, acted?.address ?? address, inputs, outputs);
        } catch (error) {
            throw error instanceof HalfMade ? error.of(resource.id(address), known) : error;
        }
    }

    private decoded(state: Values): Values {
        return stateOf(this.resource, state, meaningOf(this.resource.node, state));
    }
}
