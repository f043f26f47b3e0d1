/** Suggests a known name for a misspelt one. This file imports no library, because every program loads it. */

/**
 * `; perhaps you mean …` if a known name has the same words in another order or number, ends in the words of the name, or is at most three
 * edits away; else an empty text.
 */
export function suggestion(name: string, known: readonly string[]): string {
    const words = wordsOf(name);
    const alike = known.filter((candidate) => isAlike(words, wordsOf(candidate)));
    const [shortest] = alike.sort((a, b) => a.length - b.length);
    if (shortest !== undefined) return `; perhaps you mean ${shortest}`;
    const nearest = known
        .map((candidate) => ({ candidate, distance: distance(name.toLowerCase(), candidate.toLowerCase()) }))
        .sort((a, b) => a.distance - b.distance)[0];
    return nearest && nearest.distance <= 3 ? `; perhaps you mean ${nearest.candidate}` : "";
}

/** The words of a name in camel case or with underscores. */
const wordsOf = (name: string) =>
    name
        .replace(/([a-z\d])(?=[A-Z])/g, "$1_")
        .toLowerCase()
        .split("_");

/** Whether a known name has the same words, as `requestedTopologies` for `topology_request`, or ends in them, as `tokenTtl` for `ttl`. */
function isAlike(words: readonly string[], known: readonly string[]): boolean {
    const isKnown = (word: string) => known.some((each) => each.slice(0, 5) === word.slice(0, 5));
    if (words.length === known.length) return words.length > 1 && words.every(isKnown);
    return words.length < known.length && words.join() === known.slice(-words.length).join();
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
