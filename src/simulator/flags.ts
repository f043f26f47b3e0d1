/** The flags of the simulator's command. */

import { parseArgs } from "node:util";
import { messageOf } from "./refusal";
import type { ServerOptions } from "./server";

/** The flags, for messages. */
export const simulatorFlags = "[--port N] [--names documents|product] [-- COMMAND ...]";

/** The command cannot start. The message is one sentence. */
export class CommandError extends Error {
    constructor(
        message: string,
        /** The exit code: 2 for wrong flags, 127 for a command that cannot be run, 1 for anything else. */
        readonly exitCode: 1 | 2 | 127,
    ) {
        super(message);
    }
}

export function readFlags(args: readonly string[]): ServerOptions {
    try {
        const { port, names } = parseArgs({
            args: [...args],
            options: {
                // Always the same port, so that a stack's settings still fit after a restart.
                port: { type: "string", default: "8640" },
                names: { type: "string", default: "documents" },
            },
        }).values;
        if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
            throw new Error(`--port must be a number from 0 to 65535, not "${port}"`);
        }
        if (names !== "documents" && names !== "product") {
            throw new Error(`--names must be documents or product, not "${names}"`);
        }
        return { port: Number(port), names };
    } catch (error) {
        // Removes the advice about quoting from the message of Node's parser.
        const reason = messageOf(error).replace(/\.? To .*$/s, "");
        throw new CommandError(`${reason} (npx statecraft simulator ${simulatorFlags})`, 2);
    }
}
