/** Environments of the cloud provider. */

import { documentedWord, productWord } from "../../product-names";
import { type Rule, warnAbout } from "../../schema/property";

/** The default environment. */
export const usualEnvironment = "CloudAPublicCloud";

const closedEnvironment = "CloudAGermanCloud";

/** All environments, as the document lists them. */
export const environments = [
    usualEnvironment,
    "CloudAUSGovernmentCloud",
    "CloudAChinaCloud",
    closedEnvironment,
] as const;

const openEnvironments = environments
    .filter((name) => name !== closedEnvironment)
    .map((name) => JSON.stringify(productWord(name)))
    .join(", ");

/** Vault refuses an environment that the document lists. */
export const isOpenEnvironment: Rule = warnAbout("environment", [], ({ environment }) =>
    documentedWord(String(environment)) === closedEnvironment
        ? `must be one of ${openEnvironments} on Vault: the German cloud is closed`
        : undefined,
);
