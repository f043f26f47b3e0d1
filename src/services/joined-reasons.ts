/** Errors that a server written in Go joins to one text: `2 errors occurred:\n\t* … denied\n\t* invalid token\n\n`. */

/** Removes the count and the bullets. */
export const withoutBullets = (reason: string): string =>
    reason.replace(/\d+ errors? occurred:\s*\* /, "").replaceAll("\n\t* ", ", ");
