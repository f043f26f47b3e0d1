/**
 * Reads that share requests. While a run refreshes its resources, many reads wait at the same time, and one request may serve several.
 *
 * | the same was asked of the server           | and since then        | a read that asks for it gets                      |
 * | ------------------------------------------ | --------------------- | ------------------------------------------------- |
 * | and is not answered yet                    | nothing was written   | that answer; where that fails, one of its own     |
 * | at most so many seconds ago as it allows   | nothing was written   | that answer                                       |
 * | otherwise, or never                        |                       | an answer of its own                              |
 *
 * "Written" means by this process, to whatever object. Scripts share nothing: between two reads they may do anything.
 */

import { StatecraftError } from "../errors";
import type { Memory } from "./memory";
import type { Service } from "./service";
import type { Session } from "./session";

/** So many reads at a time ask for a list of what they read: fewer are cheaper one by one. */
const worthAList = 3;

/** Seconds that a list serves reads which begin after it. The engine asks for a few at a time, and for the next when those are answered. */
export const servesFor = 5;

/** How a read may share its requests. */
export interface SharedReads {
    /** The answer of `read`, or that of an earlier one of this name. `seconds`: how long an answer serves others. Default: until it is there. */
    once<Answer>(name: string, read: () => Promise<Answer>, seconds?: number): Promise<Answer>;
    /** Reads one of many: by a list that serves all of this name, where it was asked for or so many wait that it pays; else alone. */
    listed<List, Answer>(name: string, read: ListedRead<List, Answer>): Promise<Answer>;
}

/** How to read what a list may tell. */
export interface ListedRead<List, Answer> {
    alone(): Promise<Answer>;
    list(): Promise<List>;
    /** How long the list serves others. */
    readonly seconds: number;
    find(list: List): Promise<Answer>;
}

/** Every read asks for itself. */
export const unshared: SharedReads = {
    once: (_, read) => read(),
    listed: (_, { alone }) => alone(),
};

interface Asked {
    /** In milliseconds. */
    readonly at: number;
    readonly answer: Promise<unknown>;
}

class Sharing implements SharedReads {
    private readonly asked = new Map<string, Asked>();
    private readonly waiting = new Map<string, number>();

    constructor(private readonly now: () => number) {}

    once<Answer>(name: string, read: () => Promise<Answer>, seconds = 0): Promise<Answer> {
        const earlier = this.usable(name, seconds);
        // What stands under a name was asked by that name.
        if (earlier !== undefined) return (earlier.answer as Promise<Answer>).catch(() => read());
        const answer = read();
        const asked = { at: this.now(), answer };
        this.asked.set(name, asked);
        const forget = () => {
            if (this.asked.get(name) === asked) this.asked.delete(name);
        };
        answer.then(seconds === 0 ? forget : undefined, forget);
        return answer;
    }

    async listed<List, Answer>(name: string, read: ListedRead<List, Answer>): Promise<Answer> {
        const { list, seconds } = read;
        const underway = (this.waiting.get(name) ?? 0) + 1;
        this.waiting.set(name, underway);
        try {
            if (underway < worthAList && this.usable(name, seconds) === undefined) return await read.alone();
            return await read.find(await this.once(name, list, seconds));
        } finally {
            this.waiting.set(name, (this.waiting.get(name) ?? 1) - 1);
        }
    }

    /** One that serves nobody after its answer is forgotten then. */
    private usable(name: string, seconds: number): Asked | undefined {
        const asked = this.asked.get(name);
        return asked && (seconds === 0 || this.now() - asked.at <= seconds * 1000) ? asked : undefined;
    }

    forget(): void {
        this.asked.clear();
    }
}

/** For the `catch` of a list: one that fails serves nobody, and each read asks for itself. */
export function unlessFailed(error: unknown): undefined {
    if (error instanceof StatecraftError) return undefined;
    throw error;
}

const createAll = () => new Map<string, Sharing>();

/** What the reads of a runtime share that go to one service with the same settings. */
export function sharedReads(
    { memory, now }: Pick<Session, "memory" | "now">,
    { name }: Service,
    connection: string | undefined,
): SharedReads {
    const all = memory(createAll);
    const key = JSON.stringify([name, connection]);
    const sharing = all.get(key) ?? new Sharing(now);
    all.set(key, sharing);
    return sharing;
}

/** Something was written: what was read before serves no read after it. */
export function forgetSharedReads(memory: Memory): void {
    for (const sharing of memory(createAll).values()) sharing.forget();
}
