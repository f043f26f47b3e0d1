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

// The SDK loads a compiler, what reads packages, and its Automation API with itself. The first two are for closures that
// capture code, and ours capture none: all of them are loaded when something is first asked of them.
const seldom = /[\\/]typescript-shim$|^@npmcli\/arborist$|^normalize-package-data$|^\.\/automation$/;
const load = Module._load;
Module._load = function (request, parent, isMain) {
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
