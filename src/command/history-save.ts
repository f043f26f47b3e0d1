/** Writes a state to a new file, and says how to plan with it: `npx pulumi-statecraft history <workspace> --save`. */

import { rmSync } from "node:fs";
import { link, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Context } from "../core/context";
import { StatecraftError } from "../errors";
import { isEncrypted } from "../services/state-versions/content";
import type { Workspace } from "../services/state-versions/get-workspace";
import { readContent } from "../services/state-versions/records";
import { described } from "./history-diff";
import { readTarget } from "./version";

/** The lines about the rehearsal of a rollback to a version, whose state they do not contain. */
export async function saveLines(
    context: Context,
    workspace: Workspace,
    { id, file }: { id: string; file: string },
): Promise<string[]> {
    const version = await readTarget(context, workspace, id);
    const { bytes } = await readContent(context, version);
    await writeNew(file, bytes).catch((error: NodeJS.ErrnoException) => {
        throw new StatecraftError("input", `${file} cannot be written (${error.code})`, { hint: "Name a new file" });
    });
    const encrypted = "It is encrypted: only OpenTofu with the keys of the configuration can read it.";
    return [
        `${file} has the state of ${described(version)}. It may hold secrets: delete it when you are done.`,
        ...(isEncrypted(bytes) ? [encrypted] : []),
        "",
        `To see what a plan would change after a rollback to ${id}, copy the folder of the configuration.`,
        "In the copy, write rehearsal_override.tf, which replaces the backend, and `cloud` too:",
        "",
        "terraform {",
        `  backend "local" { path = ${JSON.stringify(resolve(file)).replace(/[$%](?=\{)/g, "$&$&")} }`,
        "}",
        "",
        "Then run these in the copy, without TF_WORKSPACE. Give the variables of the workspace, which the copy does not have:",
        "",
        "terraform init -reconfigure",
        "terraform plan -lock=false",
    ];
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Writes a file that does not exist yet. A failure or a signal leaves no part of it, because nothing shows that a state is incomplete. */
async function writeNew(file: string, bytes: Buffer): Promise<void> {
    const temporary = `${file}-${process.pid}`;
    const remove = () => rmSync(temporary, { force: true });
    const stop = (signal: NodeJS.Signals) => {
        remove();
        if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    };
    // Before other listeners, which may end the process.
    for (const signal of signals) process.prependOnceListener(signal, stop);
    try {
        await writeFile(temporary, bytes, { flag: "wx", mode: 0o600, flush: true });
        // Fails for whatever has the name: a file, a link, a folder or a terminal.
        await link(temporary, file);
    } finally {
        remove();
        for (const signal of signals) process.removeListener(signal, stop);
    }
}
