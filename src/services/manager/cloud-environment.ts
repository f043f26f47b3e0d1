/** Environments of the cloud provider. */

import { productName } from "../../vocabulary";

/** The environment that is meant where none is given. */
export const usualEnvironment = "CloudAPublicCloud";

/** All of them, as the document lists them. */
export const environments = [
    usualEnvironment,
    "CloudAUSGovernmentCloud",
    "CloudAChinaCloud",
    "CloudAGermanCloud",
] as const;

/** The one that is closed: real servers refuse it. */
export const closedCloud = "CloudAGermanCloud";

/** The others, as messages list them: by the names of those servers. */
export const openClouds = environments
    .filter((name) => name !== closedCloud)
    .map((name) => JSON.stringify(productName(name)))
    .join(", ");
