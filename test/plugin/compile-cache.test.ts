/** Runs the built plugin, and looks at the folder in which Node stores the compiled code. */

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder";

const canCache = "enableCompileCache" in nodeModule && process.platform !== "win32";

describe("the compile cache of the plugin", () => {
    /** Starts the plugin with a new home of Pulumi, and ends it as the engine does. Returns the mode and the files of the cache's folder. */
    async function cacheOfPlugin(prepare: (folder: string) => void) {
        const home = temporaryFolder();
        const folder = join(home, "statecraft-compile-cache");
        prepare(folder);
        const env = { ...process.env, PULUMI_HOME: home, NODE_COMPILE_CACHE: undefined };
        const plugin = spawn(process.execPath, [require.resolve("../../dist/plugin/main")], { env });
        await once(plugin.stdout, "data");
        plugin.kill("SIGINT");
        await once(plugin, "exit");
        const found = statSync(folder, { throwIfNoEntry: false });
        return { mode: found && found.mode & 0o777, files: found ? readdirSync(folder) : [] };
    }

    it("is in a folder that only this user can read and write, where Node can cache", async () => {
        const { mode, files } = await cacheOfPlugin(() => {});
        assert.equal(mode, canCache ? 0o700 : undefined);
        assert.equal(files.length, canCache ? 1 : 0);
    });

    it("is not used if others can read the folder, or if it is a link", async () => {
        const open = await cacheOfPlugin((folder) => mkdirSync(folder, { mode: 0o755 }));
        assert.deepEqual(open, { mode: 0o755, files: [] });
        const linked = await cacheOfPlugin((folder) => {
            mkdirSync(`${folder}-other`, { mode: 0o700 });
            symlinkSync(`${folder}-other`, folder, "dir");
        });
        assert.deepEqual(linked, { mode: 0o700, files: [] });
    });

    it("is not used in Pulumi's dynamic host, a program and a script", () => {
        const program = `
            for (const part of ["/runtime", "/native", "", "/client"]) require("pulumi-statecraft" + part);
            require("pulumi-statecraft/runtime").provider("AuthRole");
            console.log(require("node:module").getCompileCacheDir?.() ?? "none");`;
        const printed = execFileSync(process.execPath, ["-e", program], { encoding: "utf8" });
        assert.equal(printed.trim(), "none");
    });
});
