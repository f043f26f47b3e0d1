/** Environments of the cloud provider: which there are, and how a storage account's is written. */

import * as z from "zod";
import type { Kind } from "../../core/kind";
import { documentedName } from "../../vocabulary";
import { eitherName } from "../either-name";

/** The environment that is meant where none is given. */
export const usualEnvironment = "CloudAPublicCloud";

const today = [usualEnvironment, "CloudAUSGovernmentCloud", "CloudAChinaCloud"] as const;
const germany = "CloudAGermanCloud";

/** Environments of the login method, as the document lists them. */
export const environments = eitherName([...today, germany]);

/** Environments that real servers still take: the German one is closed. */
export const environmentsOfToday = eitherName(today);

const storageName = (value: string) => documentedName([...today, germany], value)?.toUpperCase() ?? value;

/** Environment of a storage account: any text, sent as it is written; known names are compared as one, in whatever case and vocabulary. */
export const storageEnvironment: Kind<string> = {
    type: "string",
    schema: z.string({ error: "must be text" }),
    canonical: storageName,
    wire: (value) => value,
};

/** As real servers have it: none is the usual one, and the German cloud is closed. */
export const storageEnvironmentOfToday: Kind<string> = {
    ...storageEnvironment,
    schema: storageEnvironment.schema.refine((value) => documentedName([germany], value) === undefined, {
        error: "must not be the German cloud, which is closed",
    }),
    canonical: (value) => storageName(value || usualEnvironment),
    wire: (value) => storageName(value || usualEnvironment),
};
