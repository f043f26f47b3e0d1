/**
 * Transpiles with swc, and caches the result of each source in `.work`: otherwise every test process would transpile the same hundreds of files.
 */
const { createHash } = require("node:crypto");
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..");
const kept = join(root, ".work", "transpiled");
const hashOf = (...texts) => createHash("sha256").update(texts.join("\0")).digest("hex");

/** The interface of a ts-node transpiler. */
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
            // Without a work folder, as in an installed package, there is no cache.
            if (!existsSync(join(root, ".work"))) return transpile(input, fileName);
            const file = join(kept, hashOf(fileName));
            const key = hashOf(input, ...by);
            const known = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
            if (known.key === key) return known.made;
            const made = transpile(input, fileName);
            mkdirSync(kept, { recursive: true });
            // A rename is atomic: another process reads the old text or the new one.
            writeFileSync(`${file}-${process.pid}`, JSON.stringify({ key, made }));
            renameSync(`${file}-${process.pid}`, file);
            return made;
        },
    };
};
