/**
 * Bundles what runs in a provider's process, with the schema library: Pulumi starts such a process for each command, and finding, reading and
 * compiling two hundred small files takes it longer than the rest of ours. `node scripts/bundle.mjs <folder of the build>`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { repository } from "./prepare.mjs";

/** Of the packages the bundle holds this one alone: it loads messages in fifty languages, and nothing here needs them. */
const bundled = "zod";
const isFile = (id) => /^[./]|^[A-Za-z]:/.test(id);

const bundle = await rolldown({
    input: {
        "plugin/main": join(repository, "src", "plugin", "main.ts"),
        "runtime/providers": join(repository, "src", "runtime", "providers.ts"),
    },
    platform: "node",
    external: (id) => !isFile(id) && id !== bundled && !id.startsWith(`${bundled}/`),
});
await bundle.write({
    dir: process.argv[2],
    format: "cjs",
    // As deep as its sources: they find package.json and schema.json from where they are.
    chunkFileNames: "runtime/bundle-[hash].js",
    // Names stay, so that a stack trace can be read.
    minify: { compress: false, mangle: false, codegen: true },
    banner: ({ isEntry }) =>
        isEntry
            ? ""
            : `/*! Contains ${bundled}:\n${readFileSync(join(repository, "node_modules", bundled, "LICENSE"), "utf8")}*/`,
});
