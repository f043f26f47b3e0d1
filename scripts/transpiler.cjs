/**
 * Transpiles with swc, and caches the result of each source in `.work`: otherwise every test process would transpile the same hundreds of files.
 */
const { createHash } = require("node:crypto");
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..");
const kept = join(root, ".work", "transpiled");
/** @param {(string | Buffer)[]} texts */
const hashOf = (...texts) => createHash("sha256").update(texts.join("\0")).digest("hex");

/**
 * The interface of a ts-node transpiler.
 * @param {import("ts-node").CreateTranspilerOptions} options
 * @returns {import("ts-node").Transpiler}
 */
exports.create = (options) => {
    const settings = [
        join(root, "tsconfig.json"),
        join(__dirname, "ts-node.cjs"),
        require.resolve("@swc/core/package.json"),
    ];
    const by = [process.version, ...settings.map((file) => readFileSync(file, "utf8"))];
    /** @type {import("ts-node").Transpiler | undefined} */
    let swc;
    /**
     * @param {string} input
     * @param {string} fileName
     * @returns {import("ts-node").TranspileOutput}
     */
    const transpile = (input, fileName) => {
        /** @type {import("ts-node").TranspilerModule} */
        const { create } = require(require.resolve("ts-node/transpilers/swc"));
        swc ??= create(options);
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
