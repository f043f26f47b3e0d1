/**
 * Transpiles by swc, and keeps what comes of each source among our files until the source changes: every process of the tests would else transpile
 * the same hundreds of them anew.
 */
const { createHash } = require("node:crypto");
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..");
const kept = join(root, ".work", "transpiled");
const hashOf = (...texts) => createHash("sha256").update(texts.join("\0")).digest("hex");

/** What ts-node asks of a transpiler. */
exports.create = (options) => {
    const settings = [join(root, "tsconfig.json"), join(__dirname, "ts-node.cjs")].map((file) => readFileSync(file));
    const by = [require("@swc/core/package.json").version, process.version, ...settings];
    let swc;
    const transpile = (input, fileName) => {
        swc ??= require("ts-node/transpilers/swc").create(options);
        return swc.transpile(input, { fileName });
    };
    return {
        transpile(input, { fileName }) {
            // Only whoever runs the tests here has a folder for it.
            if (!existsSync(join(root, ".work"))) return transpile(input, fileName);
            const file = join(kept, hashOf(fileName));
            const key = hashOf(input, ...by);
            const known = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
            if (known.key === key) return known.made;
            const made = transpile(input, fileName);
            mkdirSync(kept, { recursive: true });
            // One rename: another process reads the old text or the new one, never a half.
            writeFileSync(`${file}-${process.pid}`, JSON.stringify({ key, made }));
            renameSync(`${file}-${process.pid}`, file);
            return made;
        },
    };
};
