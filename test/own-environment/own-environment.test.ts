/** Tests and the demonstration send no request to the servers of the user who runs them. A bench requires `scripts/ts-node.cjs`, as tests do. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { closeAll, type Place, serve } from "../http/support";
import { root } from "../support/repository";
import { temporaryFolder } from "../support/temporary-folder";

const program = join(__dirname, "ask-every-service.cjs");
const asTest = join("test", "own-environment", "as-a-test.ts");
const contract = join("test", "contract", "servers.ts");
const mocha = join("node_modules", "mocha", "bin", "mocha.js");

describe("the servers of the user", function () {
    // Each test runs a command, which takes long on a busy machine.
    this.timeout(120_000);

    let place: Place;
    let folder: string;
    let environment: NodeJS.ProcessEnv;

    before(async () => {
        place = await serve((_, response) => response.writeHead(404).end());
    });
    after(closeAll);

    beforeEach(() => {
        place.seen.length = 0;
        folder = temporaryFolder();
        writeFileSync(join(folder, ".vault-token"), "secret");
        const { address } = place;
        const keys = ["MANAGER", "VOLUMES", "STATE_VERSIONS"];
        environment = {
            ...process.env,
            HOME: folder,
            VAULT_ADDR: address,
            VAULT_TOKEN: "secret",
            NOMAD_ADDR: address,
            NOMAD_TOKEN: "secret",
            TFE_ADDRESS: address,
            TFE_TOKEN: "secret",
            "TF_TOKEN_127.0.0.1": "secret",
        };
        for (const key of keys) {
            environment[`STATECRAFT_${key}_ADDRESS`] = address;
            environment[`STATECRAFT_${key}_TOKEN`] = "secret";
            environment[`STATECRAFT_${key}_MAX_RETRIES`] = "0";
        }
        // The variable marks this process's environment as one without servers.
        delete environment["STATECRAFT_USER_HOME"];
    });

    /** Runs a command in the user's environment. */
    async function run(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
        const options = { cwd: root, env: { ...environment, ...more } };
        // The command may fail; only its requests matter.
        return promisify(execFile)(process.execPath, args, options).catch(
            (error: { stdout: string; stderr: string; code: number }) => error,
        );
    }

    it("get requests of a program that runs in the user's environment", async () => {
        for (const hidden of [/^STATECRAFT_/, /^(VAULT|NOMAD|TFE|TF_TOKEN)_/]) {
            const names = Object.keys(environment).filter((name) => hidden.test(name));
            place.seen.length = 0;
            await run([program], Object.fromEntries(names.map((name) => [name, undefined])));
            assert.equal(place.seen.length, 3, `without ${hidden.source}`);
        }
    });

    for (const [what, args, shown] of [
        ["a test with `npx mocha`", [mocha, asTest], /^HOME ./m],
        ["a test with `npm test`", [join("scripts", "test.mjs"), "unit", asTest], /^HOME ./m],
        [
            "the contract tests, which read only variables STATECRAFT_CONTRACT_…",
            [mocha, contract],
            /no server is named/,
        ],
    ] as const) {
        it(`get no request of ${what}`, async () => {
            const { stdout, stderr } = await run(args);
            assert.match(stdout, shown, stderr);
            assert(!stdout.includes(`HOME ${folder}`), "tests have another home folder than the user");
            assert.equal(place.seen.length, 0);
        });
    }

    it("get no request of the commands of the demonstration", async () => {
        const bin = join(folder, "bin");
        mkdirSync(bin);
        const pulumi = `#!/bin/sh\nif [ "$1" = version ]; then echo v3.200.0; else '${process.execPath}' '${program}'; echo "asked, HOME $HOME"; exit 1; fi\n`;
        const none = "#!/bin/sh\n";
        const programs = { pulumi, "pulumi-language-nodejs": none, "pulumi-resource-pulumi-nodejs": none };
        for (const [name, text] of Object.entries(programs)) writeFileSync(join(bin, name), text, { mode: 0o755 });
        const { stdout, stderr } = await run([join("scripts", "start.mjs")], {
            PATH: [bin, process.env["PATH"]].join(delimiter),
        });
        const [, home] = /^asked, HOME (.+)$/m.exec(stdout) ?? [];
        assert(home !== undefined && home !== folder, stdout + stderr);
        assert.equal(place.seen.length, 0);
    });
});
