/**
 * The environment of tests, benches and the demonstration: an empty home folder, and no variable that names a server, an account or a setting of
 * the user.
 */
const { homedir, tmpdir } = require("node:os");
const { accessSync, constants, mkdirSync } = require("node:fs");
const { join } = require("node:path");

const theirs = /^(VAULT|NOMAD|TFE|TF_TOKEN|PULUMI|STATECRAFT)_/i;
/** Variables that are options of the tests. */
const options = /^STATECRAFT_(CELLS|CONTRACT_\w+|FAULTS|PLANS|PULUMI_PATH|RUNS|SEED|SOAK_\w+|TOFU|USER_HOME)$/;

/**
 * This environment without the user's servers, accounts and settings. npm's settings and cache stay.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} home
 */
exports.ownEnvironment = (env, home) => ({
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !theirs.test(name) || options.test(name))),
    HOME: home,
    USERPROFILE: home,
    npm_config_cache: env.npm_config_cache ?? join(exports.userHome(env), ".npm"),
    npm_config_userconfig: env.npm_config_userconfig ?? join(exports.userHome(env), ".npmrc"),
    STATECRAFT_USER_HOME: exports.userHome(env),
});

/**
 * The user's home folder, also in a process that runs with an empty one.
 * @param {NodeJS.ProcessEnv} env
 */
exports.userHome = (env) => env.STATECRAFT_USER_HOME ?? homedir();

/** Gives this process such an environment, unless its parent process has one already. */
exports.useOwnEnvironment = () => {
    if (process.env.STATECRAFT_USER_HOME !== undefined) return;
    const own = exports.ownEnvironment(process.env, homeFolder());
    for (const name of Object.keys(process.env)) if (!(name in own)) delete process.env[name];
    Object.assign(process.env, own);
};

/** An empty folder: in the repository if that is writable, else a temporary one. */
function homeFolder() {
    const folder = join(__dirname, "..", ".work", "statecraft-home");
    try {
        mkdirSync(folder, { recursive: true });
        accessSync(folder, constants.W_OK);
        return folder;
    } catch {
        return join(tmpdir(), "statecraft-home");
    }
}
