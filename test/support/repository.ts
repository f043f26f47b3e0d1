/** The files of the repository, by their paths from its root. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export const root = join(__dirname, "..", "..");

export const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** Returns a file itself, or all files below a folder, but for those of installed packages. */
export function filesIn(path: string): string[] {
    if (!statSync(join(root, path)).isDirectory()) return [path];
    return readdirSync(join(root, path))
        .filter((name) => name !== "node_modules")
        .flatMap((name) => filesIn(`${path}/${name}`));
}
