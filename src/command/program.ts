/**
 * Runs a command: parses its arguments, and sets the exit code.
 *
 * | exit code | meaning                                         |
 * | --------- | ----------------------------------------------- |
 * | 0         | success, also of `--help` and `--version`       |
 * | 1         | a failure, or a finding of `doctor` that is one |
 * | 2         | wrong arguments, or no terminal to ask on       |
 *
 * `simulator -- <command>` ends with the exit code of its command.
 */

import { Command, CommanderError } from "commander";
import { userAgent } from "../version";
import { defineDoctor } from "./doctor";
import { defineHistory } from "./history";
import { defineImport } from "./import";
import { defineLock } from "./lock";
import type { CommandName, CommandProcess } from "./names";
import { defineRollback } from "./rollback";
import { defineUnlock } from "./unlock";

/** Gives a command its flags, its help and its action, which sets the exit code. */
export type Define = (command: Command, around: CommandProcess) => void;

/** The commands of the npm package and of the executable. */
export const commands: Readonly<Record<CommandName, Define>> = {
    doctor: defineDoctor,
    history: defineHistory,
    import: defineImport,
    lock: defineLock,
    rollback: defineRollback,
    unlock: defineUnlock,
};

/** Arguments of each command that work on the simulator. */
const examples: Readonly<Record<string, string>> = {
    doctor: "doctor",
    import: "import vault",
    lock: "lock example/app",
    rollback: "rollback example/app sv-3 --only example_server.cache --yes",
    unlock: "unlock example/app --yes",
};

/** The end of a help. @param name what users type before the command's name */
const helpAfter = (name: string, example = "history example/app") => `
Exit codes: 0 done; 1 failed, refused, or something was found; 2 wrong
arguments, or no terminal to ask on.

To try it without a server:
  npx pulumi-statecraft simulator -- ${name} ${example}`;

/** Runs the command in the arguments of the process, and prints its failure. @param name what users type before the command's name */
export async function runProgram(name: string, defined: Readonly<Record<string, Define>>, around: CommandProcess) {
    const program = new Command(name)
        .description(
            "The settings come from environment variables: TFE_TOKEN, VAULT_ADDR and VAULT_TOKEN, NOMAD_ADDR and NOMAD_TOKEN.",
        )
        .version(userAgent)
        .exitOverride()
        .enablePositionalOptions()
        .allowExcessArguments(false)
        .showHelpAfterError(`\`${name} --help\` shows the commands.`)
        .addHelpText("after", helpAfter(name))
        .configureOutput({
            writeOut: (text) => console.log(text.trimEnd()),
            writeErr: (text) => console.error(text.trimEnd()),
            outputError: (text, write) => write(text.replace(/^error/, "statecraft")),
        });
    for (const [called, define] of Object.entries(defined)) {
        const command = program.command(called);
        command.showHelpAfterError(`\`${name} ${called} --help\` shows the arguments.`);
        define(command.addHelpText("after", helpAfter(name, examples[called])), around);
    }
    try {
        const [first = ""] = around.argv.slice(2);
        // commander shows the help for an unknown command with --help, and calls it a success.
        const isUnknown = /^(?!help$)\w/.test(first) && !(first in defined);
        await program.parseAsync(isUnknown ? [first] : around.argv.slice(2), { from: "user" });
    } catch (error) {
        // commander's exit code for wrong arguments is 1.
        around.exitCode = error instanceof CommanderError ? error.exitCode && 2 : 1;
        if (error instanceof CommanderError) return;
        console.error(`statecraft: ${error instanceof Error ? error.message : String(error)}`);
    }
}

/** Runs the command of this process. A closed pipe, such as that of `| head`, ends the output and not the work. */
export function runProcess(name: string, defined: Readonly<Record<string, Define>>): Promise<void> {
    for (const stream of [process.stdout, process.stderr]) {
        stream.on("error", (error: NodeJS.ErrnoException) => {
            if (error.code !== "EPIPE") throw error;
        });
    }
    return runProgram(name, defined, process);
}
