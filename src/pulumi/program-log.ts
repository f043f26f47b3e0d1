/** Where a program gets its settings and shows its messages: the stack's configuration and Pulumi's log. */

import * as pulumi from "@pulumi/pulumi";
import { unknownKeys } from "../core/config-keys";
import type * as Failures from "../core/failures";
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

/** Stands for the run of a program: its connection to the engine. A process may have several, and a script none. */
export const thisRun = (): object | undefined => pulumi.runtime.getMonitor();

/** The runs whose configuration was looked at. */
const seen = new WeakSet<object>();

/** Warns of keys of the stack's configuration that look like ours and are none: once for a run of a program. */
export function warnOfUnknownKeys(): void {
    const run = thisRun();
    if (run === undefined || seen.has(run)) return;
    seen.add(run);
    for (const unknown of unknownKeys(Object.keys(pulumi.runtime.allConfig()), pulumi.getProject())) {
        // With it comes the schema library, which the classes need for nothing else.
        const { notAKey } = require("../core/failures") as typeof Failures;
        sayInProgram("warning", notAKey(unknown));
    }
}
