/** What the engine's commands have to do with a token that is refused. */

import { OperationError } from "../core/operation-error";
import { DeniedError } from "../errors";

/** In a refresh or a destroy, the token that is refused may not be the one that the user thinks of. */
export function withDeniedAdvice<Result>(operation: Promise<Result>): Promise<Result> {
    return operation.catch((error: unknown) => {
        if (!(error instanceof OperationError && error.cause instanceof DeniedError)) throw error;
        const whose =
            "`pulumi refresh` and `pulumi destroy` use the stack configuration of the last `pulumi up` unless run with " +
            "`--run-program`; a token in the environment is always used.";
        throw new OperationError(`${error.message} ${whose}`, error.partial, error.cause);
    });
}
