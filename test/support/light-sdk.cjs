/**
 * Loaded into every Node process of a program's run, to halve what a command of the engine computes. What a user's run
 * does is seen by the tests that ask for `asUsersRun`.
 */
const { existsSync } = require("node:fs");
const Module = require("node:module");

// A host of this SDK's age would hear `typescript: false` in Pulumi.yaml; the older one that can be built from source does not.
if (/[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run[\\/]/.test(process.argv[1] ?? "") && existsSync("index.js")) {
    process.env.PULUMI_NODEJS_TYPESCRIPT = "false";
}

// What is loaded and then not asked for anything: the SDK's compiler and readers of packages, for closures that capture code
// (ours capture none), its Automation API and tracing, versions of packages, maps of its sources, the languages of zod's messages,
// axios's forms, and ts-node's prompt, which has every event look for a domain. Each is loaded when something is first asked of it.
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
// What a program's run starts, and waits for, so that closures can be read: the engine's debugger. Whatever reads one starts it again.
const started = /[\\/]runtime[\\/]closure[\\/]v8Hooks$/;
const load = Module._load;
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
