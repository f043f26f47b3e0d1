/** A gate at both sides of every request's effect: a test stops a run exactly there, does what it likes, and lets it go on. */

import type { Hooks, SentRequest } from "./injector";

/** Before the service acts, or after it acted and before it answers. */
export type Moment = "before" | "after";

/** What stands at the gate. */
export interface Stop {
    readonly moment: Moment;
    readonly request: SentRequest;
    /** Whose request it is. */
    readonly key: string;
    /** How many requests of that key came before, since the gate was set. */
    readonly index: number;
}

/** Thrown by what a test does, it cuts the request's connection. */
export class Cut extends Error {}

type Act = (stop: Stop) => Promise<void> | void;
type KeyOf = (request: SentRequest) => Promise<string> | string;

/** Lets everything through until it is told otherwise. */
export class Gate {
    private act: Act = () => {};
    private keyOf: KeyOf = () => "";
    private counts = new Map<string, number>();
    private readonly known = new WeakMap<SentRequest, Pick<Stop, "key" | "index">>();

    /** For `withSimulator` and `Simulator.start`. */
    readonly guard: Hooks = {
        before: (request) => this.stop("before", request),
        after: (request) => this.stop("after", request),
    };

    /** From now on this is done at both sides of every request; counting begins anew, apart for each key. */
    set(act: Act, keyOf: KeyOf = () => ""): void {
        this.counts = new Map();
        this.act = act;
        this.keyOf = keyOf;
    }

    /** Everything passes again. */
    open(): void {
        this.set(() => {});
    }

    private async stop(moment: Moment, request: SentRequest): Promise<void> {
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
