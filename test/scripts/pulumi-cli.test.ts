import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

const scripts = () => import("../../scripts/pulumi-cli.mjs");
type FindOptions = NonNullable<Parameters<Awaited<ReturnType<typeof scripts>>["findPulumi"]>[0]>;

describe("scripts: the Pulumi CLI", () => {
    let root: string;
    let home: string;

    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "statecraft-cli-"));
        home = join(root, "home");
    });
    afterEach(() => rmSync(root, { recursive: true, force: true }));

    function shellScript(folder: string, name: string, lines: string): void {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`);
        chmodSync(join(folder, name), 0o755);
    }

    /** A folder that looks like an installed CLI of this version. */
    function installed(folder: string, version: string, companions = ["pulumi-language-nodejs"]): string {
        shellScript(folder, "pulumi", `echo v${version}`);
        for (const name of companions) shellScript(folder, name, "exit 0");
        return folder;
    }

    const noInstaller = async () => {
        throw new Error("no network");
    };

    /** An environment whose PATH holds these folders and nothing of this machine. */
    const path = (...folders: string[]) => ({ PATH: folders.join(delimiter) });

    /** Looks for a CLI as on a machine that has only what the test made; returns what the user was told as well. */
    async function find(options: FindOptions) {
        const { findPulumi } = await scripts();
        const lines: string[] = [];
        const log = console.log;
        console.log = (line: string) => lines.push(line);
        try {
            const found = await findPulumi({ home, work: join(root, "work"), ...options });
            return { found, told: lines.join("\n") };
        } finally {
            console.log = log;
        }
    }

    it("compares versions by their numbers", async () => {
        const { compareVersions } = await scripts();
        assert.equal(compareVersions("v3.150.0", "3.150.0"), 0);
        assert.ok(compareVersions("3.99.0", "3.150.0") < 0);
        assert.ok(compareVersions("4.0.0", "3.150.0") > 0);
        assert.ok(compareVersions("3.150.1-alpha.1+dirty", "3.150.0") > 0);
        assert.equal(compareVersions("1.25", "1.25.0"), 0);
    });

    it("takes the first on PATH that is new enough, and leaves an older one before it alone", async () => {
        const old = installed(join(root, "old"), "3.149.9");
        const good = installed(join(root, "good"), "3.150.0");
        const newer = installed(join(root, "newer"), "3.200.0");
        const { found } = await find({ env: path(old, good, newer), get: false });
        assert.equal(found?.program, join(good, "pulumi"));
        assert.equal(found?.version, "3.150.0");
        assert.equal(found?.folders[0], good);
    });

    it("looks on PATH, then in the home folder, then among its own", async () => {
        const { wantedVersion } = await scripts();
        const own = installed(join(home, ".pulumi", "versions", wantedVersion, "bin"), wantedVersion);
        const look = async (env: { PATH: string }) => (await find({ env, get: false })).found?.folders[0];
        assert.equal(await look(path()), own);
        const vendors = installed(join(home, ".pulumi", "bin"), "3.160.0");
        assert.equal(await look(path()), vendors);
        const onPath = installed(join(root, "bin"), "3.155.0");
        assert.equal(await look(path(onPath)), onPath);
    });

    it("does not take one that cannot run Node programs or does not run at all", async () => {
        const alone = installed(join(root, "alone"), "3.200.0", []);
        shellScript(join(root, "broken"), "pulumi", "exit 3");
        assert.equal((await find({ env: path(alone, join(root, "broken")), get: false })).found, undefined);
        // The language host may also stand elsewhere on PATH.
        shellScript(join(root, "elsewhere"), "pulumi-language-nodejs", "exit 0");
        const { found } = await find({ env: path(alone, join(root, "elsewhere")), get: false });
        assert.deepEqual(found?.folders.slice(0, 2), [alone, join(root, "elsewhere")]);
    });

    it("adds the folder of the host for our providers only where the CLI has none beside it", async () => {
        const complete = installed(join(root, "complete"), "3.200.0", [
            "pulumi-language-nodejs",
            "pulumi-language-yaml",
            "pulumi-resource-pulumi-nodejs",
        ]);
        assert.deepEqual((await find({ env: path(complete), get: false })).found?.folders, [complete]);
        const bare = installed(join(root, "bare"), "3.200.0");
        const folders = (await find({ env: path(bare), get: false })).found?.folders ?? [];
        assert.equal(folders.length, 2);
        assert.ok(existsSync(join(folders[1] ?? "", "pulumi-resource-pulumi-nodejs")));
    });

    it("calls the installer when there is none, and does not call it again", async () => {
        let calls = 0;
        const install = async (target: string) => {
            calls++;
            installed(target, "3.259.0");
        };
        for (let time = 0; time < 2; time++) {
            const { found } = await find({ env: path(), install, go: async () => undefined });
            assert.ok(found?.program.startsWith(home));
        }
        assert.equal(calls, 1);
    });

    it("builds with Go when the installer fails, and a build that is cut off leaves nothing half-made", async () => {
        const { wantedVersion } = await scripts();
        const tools = join(root, "go");
        const target = join(home, ".pulumi", "versions", wantedVersion, "bin");
        // Writes what it is told to write with -o, like the real one, and then fails when a file `fail` stands beside it.
        shellScript(
            tools,
            "go",
            `if [ "$1" = version ]; then echo "go version go1.26.0 linux/amd64"; exit 0; fi
             while [ "$1" != "-o" ]; do shift; done
             printf '#!/bin/sh\\necho v${wantedVersion}\\n' > "$2"; /bin/chmod +x "$2"
             [ ! -e "${tools}/fail" ]`,
        );
        writeFileSync(join(tools, "fail"), "");
        await assert.rejects(find({ env: path(tools), install: noInstaller }), /could not be built/);
        assert.equal(existsSync(join(target, "pulumi")), false);
        assert.deepEqual(readdirSync(dirname(dirname(target))), [wantedVersion]);

        rmSync(join(tools, "fail"));
        const { found, told } = await find({ env: path(tools), install: noInstaller });
        assert.equal(found?.program, join(target, "pulumi"));
        assert.match(told, /five to seven minutes on two cores, once/);
        assert.deepEqual(readdirSync(target).sort(), [
            "pulumi",
            "pulumi-language-nodejs",
            "pulumi-resource-pulumi-nodejs",
        ]);
    });

    it("says in one sentence what is missing when none can be had", async () => {
        const { noCliSentence } = await scripts();
        const tools = join(root, "go");
        shellScript(tools, "go", 'echo "go version go1.24.9 linux/amd64"');
        await assert.rejects(find({ env: path(tools), install: noInstaller }), (error: Error) => {
            assert.match(
                error.message,
                /^There is no Pulumi CLI 3\.150 or newer here, .*no network.*no Go 1\.25 or newer/,
            );
            assert.equal(error.message.split("\n").length, 1);
            assert.equal(error.constructor.name, "Stop");
            return true;
        });
        assert.match(
            noCliSentence("win32", "no network"),
            /on Windows it is not built from source: install the Pulumi CLI/,
        );
    });

    it("hands the children nothing of the user's settings", async () => {
        const { environmentFor } = await scripts();
        const env = environmentFor(
            ["first"],
            root,
            {
                PATH: "/usr/bin",
                HOME: "/somewhere/home",
                PULUMI_ACCESS_TOKEN: "mine",
                PULUMI_STACK: "mine",
                STATECRAFT_MANAGER_TOKEN: "mine",
                NO_PROXY: "intern",
            },
            { STATECRAFT_VOLUMES_TOKEN: "ours" },
        );
        assert.equal(env.PULUMI_ACCESS_TOKEN, undefined);
        assert.equal(env.PULUMI_STACK, undefined);
        assert.equal(env.STATECRAFT_MANAGER_TOKEN, undefined);
        assert.equal(env.STATECRAFT_VOLUMES_TOKEN, "ours");
        assert.equal(env.PULUMI_HOME, join(root, "home"));
        assert.equal(env.PULUMI_BACKEND_URL, `file://${join(root, "backend")}`);
        assert.ok(existsSync(join(root, "backend")));
        assert.equal(env.PATH?.split(delimiter)[0], "first");
        assert.equal(env.PATH?.split(delimiter)[1], dirname(process.execPath));
        assert.equal(env.NO_PROXY, "intern,127.0.0.1,localhost");
        assert.equal(env.HOME, "/somewhere/home");
    });
});
