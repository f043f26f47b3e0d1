/** What scripts in TypeScript use of prepare.mjs. */

export function ensureBuilt(): Promise<void>;
