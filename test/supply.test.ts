/** Tests the packages in the lock file that users install, and the workflows that build and publish the package. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Package {
    readonly license?: string;
    readonly dev?: boolean;
    readonly link?: boolean;
    readonly hasInstallScript?: boolean;
}

const root = join(__dirname, "..");
const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
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
