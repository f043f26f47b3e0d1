/** The licences of everything that is installed, from the lock file: a page of the docs, and facts for its test. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A package of the lock file. */
export interface Installed {
    readonly name: string;
    readonly version: string;
    /** As its own manifest says it, an SPDX expression for most. */
    readonly licence: string;
    /** Comes with this package wherever it is installed. The SDK does not: programs bring their own. */
    readonly isRuntime: boolean;
    /** Runs code of its own when it is installed. */
    readonly hasInstallScript: boolean;
}

interface Entry {
    readonly version?: string;
    readonly license?: string;
    readonly dev?: boolean;
    readonly link?: boolean;
    readonly hasInstallScript?: boolean;
}

/** Every package that the lock file names, but our own. */
export function installed(): Installed[] {
    const lock: { packages: Record<string, Entry> } = JSON.parse(
        readFileSync(join(__dirname, "..", "package-lock.json"), "utf8"),
    );
    const found = Object.entries(lock.packages).filter(([path, { link }]) => path !== "" && !link);
    return found.map(([path, { version, license, dev, hasInstallScript }]) => ({
        name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
        version: version ?? "",
        licence: license ?? "none",
        isRuntime: dev !== true,
        hasInstallScript: hasInstallScript === true,
    }));
}

/** The page. */
export function licencesPage(): string {
    const all = installed();
    const runtime = all.filter(({ isRuntime }) => isRuntime);
    const rest = all.filter(({ isRuntime }) => !isRuntime);
    const licences = [...new Set(rest.map(({ licence }) => licence))].sort();
    const countOf = (licence: string) => rest.filter((one) => one.licence === licence).length;
    const scripted = all.filter(({ hasInstallScript }) => hasInstallScript);
    const sources = scripted.map(
        ({ name, isRuntime }) => `\`${name}\` (${isRuntime ? "installed with" : "development of"} this package)`,
    );
    return `# Licences

This package is under Apache-2.0. What is installed with it:

| package | version | licence |
| --- | --- | --- |
${runtime.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`).join("\n")}

The code of the provider's processes, \`dist/runtime/bundle-….js\` and \`dist/runtime/axios.js\`, holds what it needs of these packages, and their licences: a fix in one of them comes with a release of this package.

Programs bring the SDK, \`@pulumi/pulumi\` (Apache-2.0), themselves. Development of this package uses others, which are part of nothing that is published:

| licence | packages |
| --- | --- |
${licences.map((licence) => `| ${licence} | ${countOf(licence)} |`).join("\n")}

Neither this package nor what is installed with it runs code when it is installed. Of all packages in the lock file these do: ${sources.join(", ") || "none"}.

<!-- Generated from package-lock.json by \`npm run docs\`. -->
`;
}
