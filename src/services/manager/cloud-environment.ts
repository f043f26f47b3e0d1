/** Environments of the cloud provider. */

import { productWord } from "../../product-names";

/** The environment of whoever names none. */
export const usualEnvironment = "CloudAPublicCloud";

/** All of them, as the document lists them. */
export const environments = [
    usualEnvironment,
    "CloudAUSGovernmentCloud",
    "CloudAChinaCloud",
    "CloudAGermanCloud",
] as const;

/** Vault refuses this one. */
export const closedCloud = "CloudAGermanCloud";

/** The others, as messages list them. */
export const openClouds = environments
    .filter((name) => name !== closedCloud)
    .map((name) => JSON.stringify(productWord(name)))
    .join(", ");
