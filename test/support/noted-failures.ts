/** Records the errors of operations, because a host shows a test only their messages. */

import type { Operations } from "../../src/core/operations";
import { OperationError } from "../../src/core/operations";
import { StatecraftError } from "../../src/errors";

/** Wraps operations, and records their last error. */
export class NotedFailures {
    private latest: StatecraftError | undefined;

    readonly last = () => this.latest;

    of(operations: Operations): Operations {
        return new Proxy(operations, {
            get:
                (target, name) =>
                async (...args: unknown[]) => {
                    try {
                        return await Reflect.get(target, name).apply(target, args);
                    } catch (error) {
                        const cause = error instanceof OperationError ? error.cause : undefined;
                        this.latest = cause instanceof StatecraftError ? cause : undefined;
                        throw error;
                    }
                },
        });
    }
}
