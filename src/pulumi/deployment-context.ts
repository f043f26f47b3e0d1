/** What the class knows of the deployment and the provider does not: sent beside the inputs, and taken out again by check. */

import type { DeploymentContext } from "../core/runtime";
import { isRecord, unknown } from "../schema/unknown";

/** The property it travels in. The engine does not show properties that begin with two underscores. */
export const deploymentContextKey = "__statecraft";

/** Reads it on the provider's side; anything unknown or malformed counts as not told. */
export function parseDeploymentContext(value: unknown): DeploymentContext {
    const told = isRecord(value) ? value : {};
    const textOf = (name: string) =>
        typeof told[name] === "string" && told[name] !== unknown ? told[name] : undefined;
    return { urn: textOf("urn"), lockMark: textOf("lockMark"), isPreview: told["isPreview"] === true };
}
