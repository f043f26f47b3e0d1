/** What the tests, which are TypeScript, use of languages.mjs. */

export class Missing extends Error {}
export function isHad(needed: Promise<unknown>): Promise<boolean>;
export function pythonWithSdk(): Promise<{ readonly python: string; readonly path: string }>;
export function goPrograms(sources: Readonly<Record<string, string>>): Promise<string>;
export function checkGo(source: string): Promise<void>;
export function javaPrograms(sources: Readonly<Record<string, string>>): Promise<readonly string[]>;
