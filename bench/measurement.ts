/**
 * What a goal came to. Each file of measures exports `measure()`, which gives some of these, and is named in `main.ts`. A figure is a ratio
 * or a count wherever it can be one, because machines differ and are noisy; both sides of a ratio are measured in turn, in one run.
 */

/** The goals of docs/performance.md. */
export type Goal = "Engine work" | "Requests" | "Client" | "Start-up" | "Growth" | "Types" | "Tests";

/** One figure, and whether it is as it should be. */
export interface Measurement {
    readonly goal: Goal;
    /** What was measured, and against what: `CPU of a call, beside the same call by axios alone`. */
    readonly what: string;
    readonly figure: number;
    /** Empty for ratios and counts. */
    readonly unit: string;
    /** What the goal says: `≤ 1.1`. */
    readonly limit: string;
    readonly held: boolean;
}

/** Of the files of measures. */
export type Measure = () => Promise<readonly Measurement[]>;

/** A figure that must not be larger than its limit. */
export function atMost(goal: Goal, what: string, figure: number, limit: number, unit = ""): Measurement {
    return { goal, what, figure: round(figure), unit, limit: `≤ ${limit}`, held: figure <= limit };
}

/** A figure that must not be smaller than its limit. */
export function atLeast(goal: Goal, what: string, figure: number, limit: number, unit = ""): Measurement {
    return { goal, what, figure: round(figure), unit, limit: `≥ ${limit}`, held: figure >= limit };
}

/** A figure that must be smaller than its limit: something is ahead of something else. */
export function below(goal: Goal, what: string, figure: number, limit: number, unit = ""): Measurement {
    return { goal, what, figure: round(figure), unit, limit: `< ${limit}`, held: figure < limit };
}

/** A line of the runner's output. */
export function lineOf({ goal, what, figure, unit, limit, held }: Measurement): string {
    return `${held ? "held  " : "missed"}  ${goal}: ${what}: ${figure}${unit && ` ${unit}`} (${limit})`;
}

/** The one in the middle; of two, their mean. */
export function median(values: readonly number[]): number {
    const sorted = [...values].sort((one, other) => one - other);
    const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
    return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/**
 * Runs contenders in turn (A B C A B C …), so that a machine that slows down or is busy for a while does so to all of them.
 * Gives what each came to in each round.
 */
export async function inTurns<Name extends string, Result>(
    rounds: number,
    contenders: Readonly<Record<Name, () => Promise<Result> | Result>>,
): Promise<Record<Name, Result[]>> {
    const names = Object.keys(contenders) as Name[];
    const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
    for (let round = 0; round < rounds; round++) {
        for (const name of names) results[name].push(await contenders[name]());
    }
    return results;
}

const round = (figure: number) => Number(figure.toPrecision(figure < 1 ? 2 : 3));
