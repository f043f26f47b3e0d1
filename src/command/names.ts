/** The names of the commands, and the process that they run in. */

/** The commands of the npm package and of the executable. */
export const commandNames = ["doctor", "history", "import", "lock", "rollback", "unlock"] as const;

export type CommandName = (typeof commandNames)[number];

/** The parts of a process that a command uses. */
export type CommandProcess = Pick<NodeJS.Process, "argv" | "env" | "exitCode">;
