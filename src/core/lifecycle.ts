/** Create, read, update and delete of one resource, on declared inputs and state: what named objects and actions have in common. */

import { StatecraftError } from "../errors";
import type { PropertyChange } from "../schema/compare";
import type { Declared } from "../schema/declared";
import { type Values, withoutUndefined } from "../schema/values";
import type { Context } from "./context";
import type { IdParts } from "./identity";
import { type AnyResource, type Deployed, HalfMade, type Stored, stateOf } from "./resource";

export type Changes = readonly PropertyChange[];

/** Whether a change is more than one of options. */
export const isActed = (changes: Changes): boolean => changes.some(({ isOption }) => !isOption);

/** One operation on the object of a resource. */
export abstract class Lifecycle<Resource extends AnyResource = AnyResource> {
    constructor(
        protected readonly resource: Resource,
        protected readonly context: Context,
    ) {}

    abstract create(declared: Declared): Promise<Stored>;
    /** Reads the object; `undefined` if it does not exist any more. `deployed` is empty for an import. */
    abstract read(id: string, deployed: Deployed): Promise<Stored | undefined>;
    /** @param changes how the inputs differ from the state */
    abstract update(id: string, deployed: Deployed, declared: Declared, changes: Changes): Promise<Stored>;
    abstract delete(id: string, deployed: Deployed): Promise<void>;

    /** Reports in a preview an object that exists: the error that `create` would throw, or what an adoption would change. */
    async reportExisting(_declared: Declared, _report: (problem: StatecraftError) => void): Promise<void> {}

    /** The address in an id. @throws StatecraftError for an id of another form */
    protected addressOf(id: string): IdParts {
        const address = this.resource.identity.parse(id);
        if (address !== undefined) return address;
        throw new StatecraftError(
            "id",
            `the id ${JSON.stringify(id)} does not have the form ${this.resource.identity.form}`,
        );
    }

    /** Waits if the inputs ask for it. If the wait fails, the object stays in state and the next `up` waits again. */
    protected async waited(address: IdParts, declared: Declared, outputs: Values): Promise<Stored> {
        const { resource } = this;
        const id = resource.identity.id(address);
        try {
            const { meaning } = declared;
            const more = await resource.wait?.(
                this.context,
                address,
                meaning,
                stateOf(resource, { meaning, written: outputs }),
            );
            const all = withoutUndefined({ ...outputs, ...more });
            return { id, outputs: this.context.withoutWrongKinds(resource.outputNode, all) };
        } catch (error) {
            const problem = "it was written, but waiting for it failed";
            const failed = error instanceof HalfMade ? error : new HalfMade(problem, { steps: ["wait"], cause: error });
            throw failed.of(id, outputs);
        }
    }
}
