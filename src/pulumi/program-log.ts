/** Where a program's functions get their settings and show their messages: the stack's configuration and Pulumi's log. */

import * as pulumi from "@pulumi/pulumi";
import type { Severity } from "../core/runtime";

/** Reads `statecraft:…` from the stack's configuration. */
export const stackConfig = (key: string): string | undefined =>
    new pulumi.Config("statecraft").get(key.replace(/^statecraft:/, ""));

/** Shows a message under the stack. */
export function sayInProgram(severity: Severity, message: string): void {
    if (severity === "warning") void pulumi.log.warn(message);
    else if (severity === "progress") void pulumi.log.info(message, undefined, undefined, true);
    else if (severity === "info") void pulumi.log.info(message);
    else void pulumi.log.debug(message);
}
