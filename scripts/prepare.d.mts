/** What the tests, which are TypeScript, use of prepare.mjs. */

export const repository: string;
export class Stop extends Error {}
export function nodeProblem(version: string): string | undefined;
export function workFolder(): string;
export function ensureBuilt(): Promise<void>;
