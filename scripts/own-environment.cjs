/**
 * The environment of tests, benches and the demonstration. It leads to none of the servers, accounts and settings of whoever runs them, and has a
 * home folder of its own.
 */
const { homedir, tmpdir } = require("node:os");
const { accessSync, constants, mkdirSync } = require("node:fs");
const { join } = require("node:path");

const theirs = /^(VAULT|NOMAD|TFE|TF_TOKEN|PULUMI|STATECRAFT)_/i;
/** Options of the tests themselves. */
const options = /^STATECRAFT_(CELLS|CONTRACT_\w+|FAULTS|PULUMI_PATH|RUNS|SEED|SOAK_\w+|USER_HOME)$/;

/** This environment without what leads to anything of the user's. npm keeps its settings and its cache. */
exports.ownEnvironment = (env, home) => ({
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !theirs.test(name) || options.test(name))),
    HOME: home,
    USERPROFILE: home,
    npm_config_cache: env.npm_config_cache ?? join(exports.userHome(env), ".npm"),
    npm_config_userconfig: env.npm_config_userconfig ?? join(exports.userHome(env), ".npmrc"),
    STATECRAFT_USER_HOME: exports.userHome(env),
});

/** The home folder of whoever runs this, also in a process that has one of its own. */
exports.userHome = (env) => env.STATECRAFT_USER_HOME ?? homedir();

/** Gives this process such an environment, unless the process that started it has done so. */
exports.useOwnEnvironment = () => {
    if (process.env.STATECRAFT_USER_HOME !== undefined) return;
    const own = exports.ownEnvironment(process.env, homeFolder());
    for (const name of Object.keys(process.env)) if (!(name in own)) delete process.env[name];
    Object.assign(process.env, own);
};

/** An empty folder, in the repository where that can be written to. */
function homeFolder() {
    const [folder, elsewhere] = [join(__dirname, "..", ".work"), tmpdir()].map((root) => join(root, "statecraft-home"));
    try {
        mkdirSync(folder, { recursive: true });
        accessSync(folder, constants.W_OK);
        return folder;
    } catch {
        return elsewhere;
    }
}
