/** Tests the packages in the lock file that users install, and the workflows that build and publish the package. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, textOf } from "./support/repository";
import { temporaryFolder } from "./support/temporary-folder";

interface Package {
    readonly license?: string;
    readonly dev?: boolean;
    readonly link?: boolean;
    readonly hasInstallScript?: boolean;
}

const read = (file: string) => JSON.parse(textOf(file));
const { packages }: { packages: Readonly<Record<string, Package>> } = read("package-lock.json");
const { scripts, files }: { scripts: Readonly<Record<string, string>>; files: readonly string[] } =
    read("package.json");
const installed = Object.entries(packages).filter(([path, { dev, link }]) => path !== "" && !dev && !link);

describe("the dependencies of the package", () => {
    it("have only permissive licences", () => {
        const permissive = ["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0"];
        assert.ok(installed.length > 5);
        const wrong = installed.filter(([, { license = "none" }]) => !permissive.includes(license));
        assert.deepEqual(wrong, []);
    });

    it("run no install scripts", () => {
        const hooks = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];
        const wrong = Object.keys(scripts).filter((script) => hooks.includes(script));
        assert.deepEqual(wrong, []);
        const hooked = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
        assert.deepEqual(hooked, []);
    });
});

it("the package contains the security policy", () => {
    assert(files.includes("SECURITY.md"));
});

describe("the Node in the archives of the plugin", () => {
    const folder = temporaryFolder();
    const workflow = readFileSync(join(root, ".github", "workflows", "release.yml"), "utf8");
    const [, pinned = ""] = /NODE_VERSION: (\S+)/.exec(workflow) ?? [];
    const [major = 0, minor = 0, patch = 0] = pinned.split(".").map(Number);
    const release = (version: string, security: boolean) => ({ version: `v${version}`, security });

    for (const [what, others, code] of [
        ["a newer release with security fixes", [release(`${major}.${minor}.${patch + 1}`, true)], 1],
        [
            "a newer release with security fixes after one with more digits",
            [release(`${major}.${minor + 90}.0`, true)],
            1,
        ],
        ["newer releases without security fixes", [release(`${major}.${minor + 1}.0`, false)], 0],
        ["an older release with security fixes", [release(`${major}.${minor - 1}.9`, true)], 0],
        ["security fixes of another major version", [release(`${major + 2}.0.1`, true)], 0],
    ] as const) {
        it(`${code === 0 ? "may be released" : "fails the release"} beside ${what}`, () => {
            const list = join(folder, "index.json");
            writeFileSync(list, JSON.stringify([...others, release(pinned, true)]));
            const { status, stderr } = spawnSync(process.execPath, ["scripts/check-node.mjs", list], { cwd: root });
            assert.equal(status, code, String(stderr));
        });
    }

    it("fails the release if the list does not have it", () => {
        const list = join(folder, "index.json");
        writeFileSync(list, JSON.stringify([release(`${major}.0.0`, true)]));
        assert.equal(spawnSync(process.execPath, ["scripts/check-node.mjs", list], { cwd: root }).status, 1);
    });

    it("is compared with the list before anything is built", () => {
        const [before = ""] = workflow.split(/^ {2}archive:/m);
        assert.match(before, /run: node scripts\/check-node\.mjs$/m);
    });
});

describe("the workflows", () => {
    const folder = join(root, ".github", "workflows");
    const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
    /** The jobs of all workflows. */
    const jobs = workflows.flatMap(({ name, text }) =>
        text
            .slice(text.indexOf("\njobs:"))
            .split(/^ {2}(?=\w)/m)
            .slice(1)
            .map((job) => ({ name: `${name}: ${job.slice(0, job.indexOf(":"))}`, text: job })),
    );
    /** The jobs that have further rights than to read the repository. */
    const privileged = jobs.filter(({ text }) => /\bwrite\b/.test(text));

    it("use actions by their commit, and keep the token of no checkout", () => {
        const steps = jobs.flatMap(({ text }) =>
            text.split(/^ {6}(?=- )/m).filter((step) => step.startsWith("- uses:")),
        );
        assert.ok(steps.length > 10);
        const wrong = steps.filter((step) => !/^- uses: [\w/-]+@[0-9a-f]{40} # v\d/.test(step));
        assert.deepEqual(wrong, []);
        assert.deepEqual(
            steps.filter((step) => step.includes("checkout@") && !step.includes("persist-credentials: false")),
            [],
        );
    });

    it("read only the repository, except for the job that publishes, which runs no code of the package or its dependencies", () => {
        const wrong = workflows.filter(({ text }) => !/^permissions:\n {2}contents: read\n(?! )/m.test(text));
        assert.deepEqual(wrong, []);
        const names = privileged.map(({ name }) => name);
        assert.deepEqual(names, ["release.yml: release"]);
        const [{ text } = { text: "" }] = privileged;
        assert.match(text, /^ {4}environment: /m);
        const commands = [...text.matchAll(/^ {6}(?:- | {2})run: (.*)$/gm)].map(
            ([, command = ""]) => command.split(" -")[0],
        );
        assert.deepEqual(commands, ["npm publish ./release/*.tgz", 'gh release create "$GITHUB_REF_NAME"']);
        assert.match(text, / --ignore-scripts --provenance /);
    });
});
