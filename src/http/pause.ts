/** A pause of a whole client: a service that limits the rate refuses whatever comes too early, whoever asks. */

import { unlessAborted } from "../core/abort";
import type { Clock } from "./delivery";

/**
 * While one request that was refused waits and tries again, the others wait for it to get through, and cost neither the service nor
 * themselves a try. Then they go on in the order of their coming, so that none is overtaken again and again.
 */
export class Pause {
    private scouting: Promise<void> | undefined;

    constructor(private readonly clock: Clock) {}

    /** Tries until the limit does not refuse it. `waitOf` tells the milliseconds to wait after a refusal, `undefined` for any other end. */
    async run<End>(
        attempt: () => Promise<End>,
        waitOf: (end: End) => number | undefined,
        signal?: AbortSignal,
    ): Promise<End> {
        for (;;) {
            while (this.scouting !== undefined) await this.scouting;
            const end = await attempt();
            const wait = waitOf(end);
            if (wait === undefined) return end;
            // Another one that was refused may be on its way already.
            if (this.scouting === undefined) return this.scout(attempt, waitOf, wait, signal);
        }
    }

    private async scout<End>(
        attempt: () => Promise<End>,
        waitOf: (end: End) => number | undefined,
        first: number,
        signal: AbortSignal | undefined,
    ): Promise<End> {
        let back = () => {};
        this.scouting = new Promise((resolve) => {
            back = resolve;
        });
        try {
            for (let wait = first; ; ) {
                await unlessAborted(this.clock.sleep(wait), signal);
                const end = await attempt();
                const again = waitOf(end);
                if (again === undefined) return end;
                wait = again;
            }
        } finally {
            this.scouting = undefined;
            back();
        }
    }
}
