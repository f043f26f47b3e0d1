/** What the engine's commands have to do with a token that is refused, and with a setting that is missing or wrong. */

import { OperationError } from "../core/operation-error";
import { ConfigError, DeniedError } from "../errors";

/** In a command that runs no program, the settings may not be those that the user thinks of. */
export function withDeniedAdvice<Result>(operation: Promise<Result>): Promise<Result> {
    return operation.catch((error: unknown) => {
        if (!(error instanceof OperationError)) throw error;
        if (!(error.cause instanceof DeniedError || error.cause instanceof ConfigError)) throw error;
        const whose =
            "`pulumi refresh`, `pulumi destroy` and `pulumi import` use the settings of the last `pulumi up`, " +
            "the first two unless run with `--run-program`; a token in the environment is always used.";
        throw new OperationError(`${error.message} ${whose}`, error.partial, error.cause);
    });
}
