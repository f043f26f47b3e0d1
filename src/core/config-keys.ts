/** Keys of the stack's configuration. */

/** Those that settings come from. */
export const configKeys = [
    "statecraft:stateVersions",
    "statecraft:manager",
    "statecraft:volumes",
    "statecraft:connections",
    "statecraft:strict",
] as const;

/** The keys that begin like these and are none. A project of the same name has keys of its own. */
export function unknownKeys(keys: readonly string[], project: string | undefined): string[] {
    const known: readonly string[] = configKeys;
    return keys.filter((key) => project !== "statecraft" && key.startsWith("statecraft:") && !known.includes(key));
}
