/** The flags of the simulator's command. */

import { parseArgs } from "node:util";
import { messageOf } from "./refusal";
import type { ServerOptions } from "./server";

/** The port if none is given: always the same, so that settings still fit after a restart. */
const defaultPort = 8640;
/** The flags, for messages. */
export const simulatorFlags = "[--port N] [--data FILE] [--token T ...] [--empty] [--names documents|product]";

/** Why the command ends, in one sentence. */
export class CommandError extends Error {
    constructor(
        message: string,
        /** 2 for flags that cannot be understood, 1 for anything else. */
        readonly exitCode: 1 | 2,
    ) {
        super(message);
    }
}

/** The flags, read. `empty` leaves out the demonstration. */
export function readFlags(args: readonly string[]): ServerOptions & { readonly empty: boolean } {
    try {
        return optionsIn(args);
    } catch (error) {
        // The later sentences of Node's parser are advice for quoting.
        const reason = messageOf(error).replace(/\.? To .*$/s, "");
        throw new CommandError(`${reason} (npx statecraft simulator ${simulatorFlags})`, 2);
    }
}

function optionsIn(args: readonly string[]): ReturnType<typeof readFlags> {
    const { port, data, token, names, empty } = parseArgs({
        args: [...args],
        options: {
            port: { type: "string", default: String(defaultPort) },
            data: { type: "string" },
            token: { type: "string", multiple: true, default: [] },
            names: { type: "string", default: "documents" },
            empty: { type: "boolean", default: false },
        },
    }).values;
    if (data?.trim() === "") throw new Error("--data must not be empty");
    if (token.some((text) => text.trim() === "")) throw new Error("--token must not be empty");
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
        throw new Error(`--port must be a number from 0 to 65535, not "${port}"`);
    }
    if (names !== "documents" && names !== "product") {
        throw new Error(`--names must be documents or product, not "${names}"`);
    }
    const tokens = token.map((text, index) => ({ token: text, kind: "user" as const, id: `user-${index + 1}` }));
    return { port: Number(port), tokens, file: data, names, empty };
}
