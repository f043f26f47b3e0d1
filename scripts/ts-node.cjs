/** TypeScript for mocha and for scripts, by a fast transpiler: `npm test` checks the types once. None of them sees the servers of the user. */
const { existsSync } = require("node:fs");
const Module = require("node:module");
const { join } = require("node:path");
const { useOwnEnvironment } = require("./own-environment.cjs");

useOwnEnvironment();
require("../test/support/light-sdk.cjs");
require("ts-node").register({
    transpileOnly: true,
    transpiler: require.resolve("./transpiler.cjs"),
    // What `module: node16` implies, and the transpiler is not told.
    compilerOptions: { esModuleInterop: true },
});

// Requests of the sources go by the axios that is built for the provider's process (scripts/bundle.mjs), so that the tests are about what users run.
const root = join(__dirname, "..");
const [sender, built] = [join(root, "src", "http", "send.ts"), join(root, "dist", "runtime", "axios.js")];
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...options) {
    if (request === "axios" && parent?.filename === sender && existsSync(built)) return built;
    return resolveFilename.call(this, request, parent, ...options);
};
