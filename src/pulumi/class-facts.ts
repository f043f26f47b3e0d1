/**
 * The facts about a resource that its class needs. Plain data, so that a program loads neither the schema nor the code of a service.
 */

import type { SecretProperties } from "../schema/secrets";

/** The facts about one resource. `npm run generate` writes them. */
export interface ClassFacts {
    readonly type: string;
    /** Outputs, and inputs that may have a value in the outputs although the program leaves them out. */
    readonly declared: readonly string[];
    /** The other inputs. They are absent in the outputs if the program leaves them out. */
    readonly optional: readonly string[];
    readonly secrets: SecretProperties;
    /** A replacement deletes the old object first, because the new one has the same id. */
    readonly deleteBeforeReplace?: true;
}
