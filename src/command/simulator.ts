/** `npx pulumi-statecraft simulator`: runs the simulator of all three services, or a command that uses no other server. */

import { once } from "node:events";
import { type Command, Option } from "commander";
import type * as Simulator from "../simulator/main";
import type { ServerOptions } from "../simulator/server";
import { argument } from "./arguments";
import type { CommandProcess } from "./names";

export function defineSimulator(command: Command, around: CommandProcess): void {
    const names = new Option("--names <names>", "whose names of headers and fields it uses").choices([
        "documents",
        "product",
    ]);
    command
        .summary("runs the simulator, or a command that uses no other server")
        .description("Runs the simulator of all three services, or a command that uses no other server.")
        .usage("[--port N] [--names documents|product] [-- COMMAND ...]")
        .argument("[command...]", "a command and its arguments, after `--`. Its servers are those of --names product")
        // Always the same port, so that a stack's settings still fit after a restart.
        .option("--port <number>", "the port", portOf, 8640)
        .addOption(names)
        .action(async (words: string[], flags: Partial<ServerOptions> & Pick<ServerOptions, "port">) => {
            const hasCommand = around.argv.includes("--");
            const options: ServerOptions = { names: hasCommand ? "product" : "documents", ...flags };
            if (hasCommand && (words.length === 0 || options.names !== "product"))
                command.error("error: a command must follow --, and it can only use --names product");
            if (!hasCommand && words.length > 0) command.error(`error: a command must follow --`);
            // Registered before anything is printed, because a caller that reads the address may send a signal at once.
            const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
            // Loaded only for this command, because it needs additional libraries.
            const simulator = require("../simulator/main") as typeof Simulator;
            if (hasCommand) {
                around.exitCode = await simulator.runCommand(options, words, around.env);
                return;
            }
            const running = await simulator.main(options, console.log);
            await stopped;
            await running.close();
        });
}

const portOf = argument("be a number from 0 to 65535", (text) =>
    /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
);
