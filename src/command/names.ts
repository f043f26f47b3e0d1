/** The commands of the npm package and of the executable. The plugin reads the names without loading the commands. */
export const commandNames = ["doctor", "history", "import", "rollback"] as const;

export type CommandName = (typeof commandNames)[number];
