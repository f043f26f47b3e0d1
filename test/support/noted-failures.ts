/** Why operations failed, which hosts do not tell a test: they show a message. */

import type { Operations } from "../../src/core/operations";
import { OperationError } from "../../src/core/operations";
import { StatecraftError } from "../../src/errors";

/** Operations that note their failures, and the last one of them. */
export class NotedFailures {
    private latest: StatecraftError | undefined;

    /** The last failure. */
    readonly last = () => this.latest;

    /** The same operations. */
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
