/** The operations of one resource, as hosts call them: plain data in, plain data out. */

import type { Change } from "../schema/diff";
import type { Values } from "../schema/facts";
import type { Finding } from "../schema/finding";
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
    /** Outputs that ask for an update though no input differs. */
    readonly outdated: readonly string[];
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
    /** The outputs that `create` will have: those of the program, and the others unknown. Tells what it will do. */
    previewCreate(inputs: Values, about?: DeploymentContext): Promise<Values>;
    create(inputs: Values, about?: DeploymentContext): Promise<Created>;
    /** `undefined` when the object is gone. */
    read(id: string, state: Values, about?: DeploymentContext): Promise<(Created & { inputs: Values }) | undefined>;
    /** The outputs that `update` will have. Tells what it will do. */
    previewUpdate(id: string, olds: Values, news: Values, about?: DeploymentContext): Promise<Values>;
    update(id: string, olds: Values, news: Values, about?: DeploymentContext): Promise<Values>;
    delete(id: string, state: Values, about?: DeploymentContext): Promise<void>;
    /** Refuses inputs or outputs of another object than that of this id. @throws InputError */
    requireNamed(id: string, props: Values): Promise<void>;
}
