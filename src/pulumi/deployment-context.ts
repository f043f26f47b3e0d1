/** URN, lock mark and dry-run flag, which the dynamic host does not pass to a provider: the class sends them as an input that `check` removes. */

import type { DeploymentContext } from "../core/context";
import { isRecord, unknown } from "../schema/values";

/** The name of that input. The engine does not show properties that begin with two underscores. */
export const deploymentContextKey = "__statecraft";

/** Reads the input in the provider. Unknown or malformed parts are ignored. */
export function parseDeploymentContext(value: unknown): DeploymentContext {
    const sent = isRecord(value) ? value : {};
    const textOf = (name: string) =>
        typeof sent[name] === "string" && sent[name] !== unknown ? sent[name] : undefined;
    return { urn: textOf("urn"), lockMark: textOf("lockMark"), isPreview: sent["isPreview"] === true };
}
