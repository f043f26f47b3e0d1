/** A gate at both sides of every request's effect: a test stops a run exactly there, does what it likes, and lets it go on. */

import type { Request } from "../../src/simulator/route";
import type { Gate as Guard } from "../../src/simulator/server";

/** Before the service acts, or after it acted and before it answers. */
export type Moment = "before" | "after";

/** What stands at the gate. */
export interface Stop {
    readonly moment: Moment;
    readonly request: Request;
    /** How many requests came before this one, since the gate was set. */
    readonly index: number;
}

/** Cuts the connection of the request, when thrown by what the test does. */
export class Cut extends Error {}

/** Lets everything through until it is told otherwise. */
export class Gate {
    private act: (stop: Stop) => Promise<void> | void = () => {};
    private count = 0;

    /** For `World.start`. */
    readonly guard: Guard = (() => {
        const numbers = new WeakMap<Request, number>();
        return async (moment, request) => {
            const index = numbers.get(request) ?? this.count++;
            numbers.set(request, index);
            await this.act({ moment, request, index });
        };
    })();

    /** From now on, this is done at both sides of every request; counting begins anew. */
    set(act: (stop: Stop) => Promise<void> | void): void {
        this.count = 0;
        this.act = act;
    }

    /** Everything passes again. */
    open(): void {
        this.set(() => {});
    }
}
