/**
 * Every Node process of a test's program requires this file, which halves the time of a Pulumi command: it loads rarely used modules
 * only at their first use. Tests with `asUsersRun` run without it.
 */
const { existsSync } = require("node:fs");
/** @typedef {(request: string, parent: NodeJS.Module, isMain: boolean) => unknown} Load */
const Module = /** @type {{ _load: Load }} */ (/** @type {unknown} */ (require("node:module")));

// The language host that `scripts/pulumi-cli.mjs` builds from source is older than the SDK, and ignores `typescript: false` in Pulumi.yaml.
if (/[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run[\\/]/.test(process.argv[1] ?? "") && existsSync("index.js")) {
    process.env.PULUMI_NODEJS_TYPESCRIPT = "false";
}

// Modules that a program loads but does not use: the SDK's TypeScript compiler and package readers, for closures that capture code
// (statecraft's capture none), its Automation API, tracing, version parser and source maps, the translations of zod's messages,
// axios's forms, and ts-node's prompt, which makes every event emitter look up its domain.
const seldom = new RegExp(
    [
        /[\\/]typescript-shim$/,
        /^@npmcli\/arborist$/,
        /^normalize-package-data$/,
        /^\.\/automation$/,
        /^@opentelemetry\//,
        /^(semver|fdir|form-data|repl)$/,
        /^source-map-support\/register$/,
        /^\.\.\/locales\/index\.cjs$/,
    ]
        .map(({ source }) => source)
        .join("|"),
);
// The SDK starts V8's inspector to serialize closures, and waits for it. Code that serializes a closure starts the inspector again.
const started = /[\\/]runtime[\\/]closure[\\/]v8Hooks$/;
const load = Module._load;
/** @type {Load} */
Module._load = function (request, parent, isMain) {
    if (started.test(request)) return { isInitializedAsync: () => Promise.resolve() };
    if (!seldom.test(request)) return load.call(this, request, parent, isMain);
    let loaded;
    return new Proxy(
        {},
        {
            get(_, name) {
                if (name === "__esModule") return true;
                loaded ??= load.call(Module, request, parent, isMain);
                return loaded[name];
            },
        },
    );
};
