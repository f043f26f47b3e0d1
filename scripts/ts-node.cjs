/** Runs TypeScript in mocha and scripts without type checks, which `npm test` does once, and in an environment without the user's servers. */
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { useOwnEnvironment } = require("./own-environment.cjs");

useOwnEnvironment();
require("../test/support/light-sdk.cjs");
require("ts-node").register({
    transpileOnly: true,
    transpiler: require.resolve("./transpiler.cjs"),
    // `module: node16` implies the first one, but ts-node does not pass it to the transpiler. Only TypeScript is transpiled.
    compilerOptions: { esModuleInterop: true, allowJs: false },
});

// The sources use the bundled axios (scripts/bundle.mjs), so that tests run the code that users run.
const root = join(__dirname, "..");
const [sender, built] = [join(root, "src", "http", "send.ts"), join(root, "dist", "runtime", "axios.js")];
/** @typedef {(request: string, parent: NodeJS.Module | undefined, ...options: unknown[]) => string} Resolve */
const loader = /** @type {{ _resolveFilename: Resolve }} */ (/** @type {unknown} */ (require("node:module")));
const resolveFilename = loader._resolveFilename;
/** @type {Resolve} */
loader._resolveFilename = function (request, parent, ...options) {
    if (request === "axios" && parent?.filename === sender && existsSync(built)) return built;
    return resolveFilename.call(this, request, parent, ...options);
};
