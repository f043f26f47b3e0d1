/** The configuration and the log of a running program. */

import * as pulumi from "@pulumi/pulumi";
import type { Severity } from "../core/voice";
import { unknownKeyWarnings } from "../settings/config-keys";

/** Reads a key such as `statecraft:vault` from the stack's configuration. */
export const stackConfig = (key: string): string | undefined =>
    new pulumi.Config("statecraft").get(key.replace(/^statecraft:/, ""));

/** Shows a message under the stack. */
export function sayInProgram(severity: Severity, message: string): void {
    const { debug, info, warn } = pulumi.log;
    const log = { debug, progress: info, info, warning: warn }[severity];
    void log(message, undefined, undefined, severity === "progress");
}

/** The connection of a program to the engine, which identifies the run: a process may run several programs. `undefined` in a script. */
export const thisRun = (): object | undefined => pulumi.runtime.getMonitor();

/** The runs whose configuration was checked. */
const seen = new WeakSet<object>();

/** Warns once per run about unknown configuration keys. */
export function warnOfUnknownKeys(): void {
    const run = thisRun();
    if (run === undefined || seen.has(run)) return;
    seen.add(run);
    const warnings = unknownKeyWarnings(Object.keys(pulumi.runtime.allConfig()), pulumi.getProject());
    for (const warning of warnings) sayInProgram("warning", warning);
}
