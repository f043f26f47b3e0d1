/** Runs a test's code before and after the effect of every request to a simulator. */

import type { SentRequest } from "./injector";

/** Before the simulator handles a request, or between its effect and the answer. */
export type Moment = "before" | "after";

/** A request that waits at the gate. */
export interface Stop {
    readonly moment: Moment;
    readonly request: SentRequest;
    /** The result of `keyOf` for the request, such as the resource that sent it. */
    readonly key: string;
    /** The number of earlier requests with the same key since the last call of `set`. */
    readonly index: number;
}

/** An error that `act` throws to cut the request's connection. */
export class Cut extends Error {}

type Act = (stop: Stop) => Promise<void> | void;
type KeyOf = (request: SentRequest) => Promise<string> | string;

/** Lets all requests pass until `set` is called. */
export class Gate {
    private act: Act = () => {};
    private keyOf: KeyOf = () => "";
    private counts = new Map<string, number>();
    private readonly known = new WeakMap<SentRequest, Pick<Stop, "key" | "index">>();

    /** Calls `act` before and after the effect of every later request, and restarts the counts, one for each key. */
    set(act: Act, keyOf: KeyOf = () => ""): void {
        this.counts = new Map();
        this.act = act;
        this.keyOf = keyOf;
    }

    /** Lets all requests pass again. */
    open(): void {
        this.set(() => {});
    }

    /** Waits for the code of the test. An error cuts the connection. */
    async stop(moment: Moment, request: SentRequest): Promise<void> {
        const known = this.known.get(request) ?? (await this.count(request));
        await this.act({ moment, request, ...known });
    }

    private async count(request: SentRequest): Promise<Pick<Stop, "key" | "index">> {
        const key = await this.keyOf(request);
        const index = this.counts.get(key) ?? 0;
        this.counts.set(key, index + 1);
        this.known.set(request, { key, index });
        return { key, index };
    }
}
