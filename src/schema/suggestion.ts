/** Suggests a known name for a misspelt one. This file imports no library, because every program loads it. */

/** `; perhaps you mean …` if a known name is at most three edits away, else an empty text. */
export function suggestion(name: string, known: readonly string[]): string {
    const nearest = known
        .map((candidate) => ({ candidate, distance: distance(name.toLowerCase(), candidate.toLowerCase()) }))
        .sort((a, b) => a.distance - b.distance)[0];
    return nearest && nearest.distance <= 3 ? `; perhaps you mean ${nearest.candidate}` : "";
}

/** The number of letters to insert, delete or change to turn one word into the other. */
function distance(left: string, right: string): number {
    let row = Array.from({ length: right.length + 1 }, (_, index) => index);
    for (let i = 1; i <= left.length; i++) {
        const next = [i];
        for (let j = 1; j <= right.length; j++) {
            const changed = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
            next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed));
        }
        row = next;
    }
    return row[right.length] ?? 0;
}
