/** A pause of a whole client. */

import type { Clock } from "./delivery";

/**
 * A service that limits the rate refuses whatever comes too early, so all requests of a client wait together. Those that wait go on in
 * the order of their coming, so that none is overtaken again and again.
 */
export class Pause {
    private passed: Promise<unknown> = Promise.resolve();

    constructor(private readonly clock: Clock) {}

    /** Lets nothing pass for so many milliseconds from now at least. */
    extend(milliseconds: number): void {
        this.passed = Promise.all([this.passed, this.clock.sleep(milliseconds)]);
    }

    /** Resolves when a request may be sent. */
    async over(): Promise<void> {
        for (let seen: unknown; seen !== this.passed; ) {
            seen = this.passed;
            await seen;
        }
    }
}
