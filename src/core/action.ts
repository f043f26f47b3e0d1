/** The lifecycle of an action. */

import type { Declared } from "../schema/declared";
import { type Values, withoutUndefined } from "../schema/values";
import type { IdParts } from "./identity";
import { type Changes, isActed, Lifecycle } from "./lifecycle";
import { type AnyAction, type Deployed, HalfMade, type Stored, stateOf } from "./resource";

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
export class Action extends Lifecycle<AnyAction> {
    create(declared: Declared): Promise<Stored> {
        const address = this.resource.address(declared.meaning, this.context.settings);
        return this.act(address, declared);
    }

    async read(id: string, deployed: Deployed): Promise<Stored | undefined> {
        const { resource } = this;
        const address = this.addressOf(id);
        if (resource.read === undefined) return { id, outputs: deployed.written };
        const seen = await resource.read(
            this.context,
            address,
            deployed.isEmpty ? undefined : stateOf(resource, deployed),
        );
        return (
            seen && { id, outputs: { ...deployed.written, ...withoutUndefined({ ...seen.inputs, ...seen.outputs }) } }
        );
    }

    async update(id: string, deployed: Deployed, declared: Declared, changes: Changes): Promise<Stored> {
        const address = this.addressOf(id);
        const { unfinished } = deployed;
        if (isActed(changes) || unfinished.some((step) => step !== "wait")) {
            return this.act(address, declared, deployed);
        }
        const outputs = outputsBefore(declared, deployed);
        return unfinished.length === 0 ? { id, outputs } : this.waited(address, declared, outputs);
    }

    async delete(id: string, deployed: Deployed): Promise<void> {
        const { resource } = this;
        await resource.remove?.(this.context, this.addressOf(id), stateOf(resource, deployed));
    }

    private async act(address: IdParts, declared: Declared, deployed?: Deployed): Promise<Stored> {
        const { resource } = this;
        const before = outputsBefore(declared, deployed);
        const acted = await resource
            .act(this.context, address, declared.sent, deployed && stateOf(resource, deployed))
            .catch((error: unknown) => {
                throw error instanceof HalfMade ? error.of(resource.identity.id(address), before) : error;
            });
        const outputs = withoutUndefined({ ...before, ...acted.outputs });
        return this.waited(acted.address ?? address, declared, outputs);
    }
}

/** The inputs, and the outputs of the last deployment, which those of an action replace. */
function outputsBefore(declared: Declared, deployed?: Deployed): Values {
    const { unfinished: _, ...outputs } = deployed?.outputs ?? {};
    return { ...outputs, ...declared.written };
}
