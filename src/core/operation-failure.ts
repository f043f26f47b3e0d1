/** Whatever an operation throws, as one paragraph that begins with the resource and holds no secret. */

import { StatecraftError } from "../errors";
import type { Values } from "../schema/facts";
import { formatError } from "./format-error";
import { OperationError } from "./operation-error";
import { PartialCreateError, type Resource } from "./resource";
import { secretsIn } from "./resource-properties";
import type { Runtime } from "./runtime";

/** What was done, and how it failed. */
interface Failed {
    /** How messages call the resource. */
    readonly subject: string;
    /** All that may hold secrets. */
    readonly props: readonly Values[];
    readonly error: unknown;
}

/** The failure that a host gets. */
export function operationFailure(resource: Resource, runtime: Runtime, failed: Failed): OperationError {
    const { subject, props, error } = failed;
    const partial = error instanceof PartialCreateError ? error : undefined;
    const message = partial ? `${partial.message}: ${formatError(partial.cause)}` : formatError(error);
    const secrets = secretsIn(resource.node, props);
    if (!(error instanceof StatecraftError) && error instanceof Error && !partial) {
        runtime.say("debug", runtime.redacted(error.stack ?? message, secrets));
    }
    return new OperationError(
        runtime.redacted(`${subject}: ${message}`, secrets),
        partial && { id: partial.id, outputs: partial.outputs },
        partial ? partial.cause : error,
    );
}
