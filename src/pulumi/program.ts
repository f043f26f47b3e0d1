/** The running program, as Pulumi's SDK shows it: its configuration, its log, and its calls of functions. */

import * as pulumi from "@pulumi/pulumi";
import { type Severity, withWayOut } from "../core/voice";
import { changeSecrets, type SecretProperties } from "../schema/secrets";
import type { Values } from "../schema/values";
import { unknownKeyWarnings, unprefixed } from "../settings/config-keys";

/** Reads a key such as `statecraft:vault` from the stack's configuration. */
export const stackConfig = (key: string): string | undefined => new pulumi.Config("statecraft").get(unprefixed(key));

/** Shows a message under the stack. */
export function say(severity: Severity, message: string): void {
    const { debug, info, warn } = pulumi.log;
    const log = { debug, progress: info, info, warning: warn }[severity];
    void log(message, undefined, undefined, severity === "progress");
}

/** The connection of a program to the engine, which identifies the run: a process may run several programs. `undefined` in a script. */
export const thisRun = (): object | undefined => pulumi.runtime.getMonitor();

/** Whether a unit test runs the program, with `setMocks` of any copy of Pulumi's SDK: such a run has a monitor but no engine. */
export const hasMocks = (): boolean => thisRun() !== undefined && pulumi.runtime.getEngine() === undefined;

/** The runs whose configuration was checked. */
const checkedRuns = new WeakSet<object>();

/** Warns once per run about unknown configuration keys. */
export function warnOfUnknownKeys(): void {
    const run = thisRun();
    if (run === undefined || checkedRuns.has(run)) return;
    checkedRuns.add(run);
    const warnings = unknownKeyWarnings(Object.keys(pulumi.runtime.allConfig()), pulumi.getProject());
    const strict = process.env["STATECRAFT_STRICT"] || stackConfig("statecraft:strict");
    for (const warning of warnings) {
        // An error fails the run.
        if (strict === "true") void pulumi.log.error(`${withWayOut(warning)} [config]`);
        else say("warning", `${warning} [config]`);
    }
}

/** Calls a function through the engine: the native plugin of a provider, or the mocks of a unit test. */
export const callEngine = (name: string, args: Values, provider?: pulumi.ProviderResource): Promise<Values> =>
    pulumi.runtime.invoke(`statecraft:index:${name}`, args, provider === undefined ? {} : { provider });

/**
 * The result of a call for the program: its secrets are Pulumi secrets. An error becomes a `RunError` whose stack is its message, because
 * the SDK prints the message of a `RunError`, but the stack of every unhandled rejection.
 */
export async function resultOf(call: Promise<Values>, secrets: SecretProperties): Promise<Values> {
    const result = await call.catch((error: unknown) => {
        throw error instanceof Error ? Object.assign(error, { __pulumiRunError: true, stack: error.message }) : error;
    });
    return changeSecrets(secrets, result, pulumi.secret);
}
