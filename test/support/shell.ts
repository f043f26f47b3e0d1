/** A shell in a folder, whose `npx pulumi-statecraft` is the built program, with the servers of a simulator. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const program = join(__dirname, "..", "..", "dist", "command", "main.js");

export class Shell {
    constructor(
        readonly folder: string,
        private readonly url: string,
        private readonly environment: NodeJS.ProcessEnv = {},
    ) {
        mkdirSync(join(folder, "bin"));
        const npx = `#!/bin/sh\n[ "$1" = pulumi-statecraft ] || exit 127\nshift\nexec '${process.execPath}' '${program}' "$@"\n`;
        writeFileSync(join(folder, "bin", "npx"), npx, { mode: 0o755 });
    }

    /** Runs a command on a terminal, and answers its question with yes. */
    async run(command: string): Promise<{ code: number; text: string }> {
        const { folder: cwd, url } = this;
        const env = {
            ...{ PATH: [join(cwd, "bin"), process.env["PATH"]].join(delimiter), HOME: cwd },
            ...{ VAULT_ADDR: url, NOMAD_ADDR: url, TFE_ADDRESS: url },
            ...{ VAULT_TOKEN: "any", NOMAD_TOKEN: "any", TFE_TOKEN: "any" },
            ...this.environment,
        };
        const child = spawn("script", ["-qefc", command, "/dev/null"], { cwd, env });
        let text = "";
        for (const stream of [child.stdout, child.stderr])
            stream.setEncoding("utf8").on("data", (part: string) => {
                text += part;
                if (part.includes("Type yes")) child.stdin.write("yes\n");
            });
        const [code] = await once(child, "close");
        return { code: Number(code), text: text.replaceAll("\r\n", "\n") };
    }
}
