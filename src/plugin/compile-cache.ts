/** Node's cache of compiled code, with which the plugin starts faster. Only the plugin's process uses it. */

import { lstatSync, mkdirSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { pulumiHome } from "../pulumi/plugin-link";

/** Makes Node store the compiled code of this process, and take it from there. Does nothing before Node 22.8, which cannot. */
export function useCompileCache(): void {
    const { enableCompileCache, flushCompileCache } = newerNode;
    const folder = enableCompileCache && cacheFolder();
    if (folder === undefined) return;
    enableCompileCache?.(folder);
    // Node writes the cache when the process exits, but not when a signal ends it. The engine ends plugins with SIGINT.
    process.once("SIGINT", () => {
        if (process.listenerCount("SIGINT") === 0) process.exit();
        // A listener that gives tokens back ends the process by the signal.
        flushCompileCache?.();
    });
}

/** Functions of newer versions of Node, which the types of Node 20 lack. */
const newerNode = nodeModule as { enableCompileCache?: (folder: string) => unknown; flushCompileCache?: () => void };

/**
 * The folder of the cache, which is created. Node executes what it contains, so another user must not be able to write it: without a folder that
 * belongs to this user and has mode 0700, and on Windows, the result is `undefined`.
 */
function cacheFolder(): string | undefined {
    try {
        const folder = join(pulumiHome(), "statecraft-compile-cache");
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const found = lstatSync(folder);
        const isPrivate = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o777) === 0o700;
        return isPrivate ? folder : undefined;
    } catch {
        return undefined;
    }
}
