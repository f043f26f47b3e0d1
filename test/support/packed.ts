/** Packs the package as for a release, and caches the archive until a packed file changes. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./repository";

/** Returns the paths and contents of the files that decide what `npm pack` packs: those in the root folder and below `dist`. */
function texts(): string[] {
    const files = ["", "dist"].flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: folder !== "", encoding: "utf8" })
            .filter((name) => name !== "package-lock.json")
            .map((name) => join(root, folder, name))
            .filter((file) => statSync(file).isFile()),
    );
    return files.sort().flatMap((file) => [file, readFileSync(file, "utf8")]);
}

export async function packed(): Promise<string> {
    const { cached, fingerprint } = await import("../../scripts/sdk.mjs");
    const folder = await cached("packed", fingerprint(...texts()), async (making) => {
        const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", making];
        await promisify(execFile)("npm", args, { cwd: root });
    });
    const [archive, ...others] = readdirSync(folder);
    assert(archive !== undefined && others.length === 0);
    return join(folder, archive);
}

/** Lists the files in the archive by their paths in the package. */
export async function packedFiles(): Promise<string[]> {
    const { stdout } = await promisify(execFile)("tar", ["-tzf", await packed()]);
    return stdout
        .trim()
        .split("\n")
        .map((file) => file.replace(/^package\//, ""));
}
