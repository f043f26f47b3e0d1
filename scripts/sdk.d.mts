/** What TypeScript uses of sdk.mjs. */

export function fingerprint(...texts: readonly string[]): string;
export function cached(name: string, key: string, fill: (making: string) => Promise<void>): Promise<string>;
export class Missing extends Error {}
export function pythonWithSdk(): Promise<{ readonly python: string; readonly path: string }>;
export function goPrograms(sources: Readonly<Record<string, string>>): Promise<string>;
