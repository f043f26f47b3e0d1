/** Errors that a server written in Go joins to one text: `2 errors occurred:\n\t* … denied\n\t* invalid token\n\n`. */

/** Removes the count and the bullets. A text without a count stays as it is. */
export const withoutBullets = (reason: string): string =>
    reason.replace(/\d+ errors? occurred:\s*\* (.*)/s, (_, list: string) => list.replaceAll("\n\t* ", ", "));
