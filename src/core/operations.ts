/** The operations of one resource, as hosts call them: plain data in, plain data out. */

import type { Finding } from "../schema/check";
import type { Change } from "../schema/diff";
import type { Values } from "../schema/facts";
import type { Created } from "./resource";
import type { DeploymentContext } from "./runtime";

/** How new inputs differ from the state of the last deployment. */
export interface Difference {
    /** Whether anything is to be done. */
    readonly isChanged: boolean;
    /** Each difference of an input. */
    readonly changes: readonly Change[];
    /** The inputs and outputs that differ. */
    readonly names: readonly string[];
    /** The inputs that need another object. */
    readonly replaces: readonly string[];
    readonly deleteBeforeReplace: boolean;
}

/** The operations of one resource. */
export interface Operations {
    check(
        olds: Values | undefined,
        news: Values,
        about: DeploymentContext,
    ): Promise<{ inputs: Values; failures: readonly Finding[] }>;
    diff(id: string, olds: Values, news: Values): Promise<Difference>;
    create(inputs: Values): Promise<Created>;
    /** `undefined` when the object is gone. `connection` says where to look for one of which only the id is known. */
    read(id: string, state: Values, connection?: string): Promise<(Created & { inputs: Values }) | undefined>;
    update(id: string, olds: Values, news: Values): Promise<Values>;
    delete(id: string, state: Values): Promise<void>;
    /** Refuses inputs or outputs of another object than that of this id. @throws InputError */
    requireNamed(id: string, props: Values): Promise<void>;
}
