/** Advice about a refused token or a missing setting in `refresh`, `destroy` and `import`, which use the settings of the last `up`. */

import { OperationError } from "../core/operations";
import { ConfigError, DeniedError } from "../errors";

/** Adds the advice to the failure of a read or a delete. */
export function withDeniedAdvice<Result>(operation: Promise<Result>): Promise<Result> {
    return operation.catch((error: unknown) => {
        if (!(error instanceof OperationError)) throw error;
        if (!(error.cause instanceof DeniedError || error.cause instanceof ConfigError)) throw error;
        const advice =
            "`pulumi refresh`, `pulumi destroy` and `pulumi import` use the settings of the last `pulumi up`: " +
            "run the first two with `--run-program`, or export the token.";
        // The error code remains at the end of the message.
        const message = error.message.replace(/( \[[a-z-]+\])?$/, (code) => ` ${advice}${code}`);
        throw new OperationError(error.cause, error.partial, message);
    });
}
