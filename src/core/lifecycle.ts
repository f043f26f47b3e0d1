/** What named objects and actions have in common. */

import { StatecraftError } from "../errors";
import { diff } from "../schema/compare";
import { meaningOf } from "../schema/meaning";
import { type Values, withoutUndefined } from "../schema/values";
import type { Context } from "./context";
import { type AnyResource, HalfMade, type Stored, stateOf } from "./resource";

/** Create, read, update and delete over plain data. `olds` and `state` are outputs of the last deployment. */
export interface Lifecycle {
    create(context: Context, inputs: Values): Promise<Stored>;
    /** `undefined` if the object is gone. `state` is empty for an import. */
    read(context: Context, id: string, state: Values): Promise<Stored | undefined>;
    update(context: Context, id: string, olds: Values, news: Values): Promise<Values>;
    delete(context: Context, id: string, state: Values): Promise<void>;
}

/** @throws StatecraftError for an id of another form */
export function addressOf({ parse, idForm }: AnyResource, id: string): unknown {
    const address = parse(id);
    if (address !== undefined) return address;
    throw new StatecraftError("id", `the id ${JSON.stringify(id)} does not have the form ${idForm}`);
}

/** Whether an input other than an option differs. */
export function isChanged({ node }: AnyResource, olds: Values, news: Values): boolean {
    return diff(node, olds, news).some(({ isOption }) => !isOption);
}

/** Runs the wait that the inputs ask for. If it fails, the object stays in state and the next `up` waits again. */
export async function waited(
    resource: AnyResource,
    context: Context,
    address: unknown,
    inputs: Values,
    outputs: Values,
): Promise<Stored> {
    const id = resource.id(address);
    try {
        const meaning = meaningOf(resource.node, inputs);
        const learned = await resource.wait?.(context, address, meaning, stateOf(resource, outputs, meaning));
        return { id, outputs: withoutUndefined({ ...outputs, ...learned }) };
    } catch (error) {
        const failed =
            error instanceof HalfMade
                ? error
                : new HalfMade({}, ["wait"], "it was written, but waiting for it failed", error);
        throw failed.of(id, outputs);
    }
}
