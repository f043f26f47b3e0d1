/** Writes a state to a new file, and says how to plan with it: `npx pulumi-statecraft history <workspace> --save`. */

import { rm, writeFile } from "node:fs/promises";
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
    // A link, a folder and a terminal are no new files.
    await writeFile(file, bytes, { flag: "wx", mode: 0o600 }).catch(async (error: NodeJS.ErrnoException) => {
        if (error.syscall === "write") await rm(file);
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
