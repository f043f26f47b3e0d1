/**
 * The `DeploymentContext` of the hosts. Pulumi does not pass URN, owner and preview flag to a dynamic provider: the class of a resource adds
 * an input that contains them, and `check` of the provider removes it.
 */

import type { DeploymentContext } from "../core/context";
import { isRecord, unknown } from "../schema/values";

/** The name of the input. The engine does not show properties whose names begin with two underscores. */
export const deploymentContextKey = "__statecraft";

/** Reads the context from the input. Ignores unknown and malformed parts. */
export function parseDeploymentContext(value: unknown): DeploymentContext {
    const sent = isRecord(value) ? value : {};
    const textOf = (name: string) =>
        typeof sent[name] === "string" && sent[name] !== unknown ? sent[name] : undefined;
    return { urn: textOf("urn"), owner: textOf("owner"), isPreview: sent["isPreview"] === true };
}

/** `DeploymentContext.settingsAdvice` of `refresh`, `destroy` and `import`. */
export const settingsAdvice =
    "`pulumi refresh`, `pulumi destroy` and `pulumi import` use the settings of the last `pulumi up`: " +
    "run the first two with `--run-program`, or export the token";

/** The text for `DeploymentContext.owner`. Only the program knows the organization. Brackets would end the mark of a lock. */
export const ownerOf = (project: string, stack: string, name: string, organization?: string): string =>
    `${organization === undefined ? "" : `${organization}/`}${project}/${stack} ${name.replace(/[[\]%]/g, encodeURIComponent)}`;
