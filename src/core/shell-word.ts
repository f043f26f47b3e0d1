/** Commands in messages. */

/** A text that a server or a program chose, as one word of a POSIX shell: quoted, unless it consists of harmless characters. */
export function shellWord(text: string): string {
    return /^[\w@:./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
