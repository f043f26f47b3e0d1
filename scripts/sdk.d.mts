/** What TypeScript uses of sdk.mjs. */

export function generatePrograms(from: string, folder: string): Promise<void>;
export function generateImported(state: string, folder: string): Promise<void>;
export function fingerprint(...texts: readonly string[]): string;
export function cached(name: string, key: string, fill: (making: string) => Promise<void>): Promise<string>;
