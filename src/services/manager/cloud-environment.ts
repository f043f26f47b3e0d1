/** Environments of the cloud provider. */

/** The environment that is meant where none is given. */
export const usualEnvironment = "CloudAPublicCloud";

/** All of them, as the document lists them. */
export const environments = [
    usualEnvironment,
    "CloudAUSGovernmentCloud",
    "CloudAChinaCloud",
    "CloudAGermanCloud",
] as const;
