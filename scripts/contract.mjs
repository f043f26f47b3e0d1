/**
 * `npm run test:contract`: tries the contracts of test/contract on real servers, named in the environment. Says first which
 * services it runs against and why others are passed over. What stands behind `--` goes to mocha. It makes objects whose names
 * begin with `contract-` and removes them again; a rollback leaves its versions in the history of the workspace.
 */
import { join } from "node:path";
import { ensureInstalled, main, repository, say, tool } from "./prepare.mjs";
import { run } from "./processes.mjs";

/** Names in the environment, beside address and token, without which nothing of a service can be tried, or only a part. */
const services = [
    {
        name: "manager",
        title: "secrets manager",
        variable: "MANAGER",
        without: { MOUNT: "the login method is looked for at its usual mount" },
    },
    {
        name: "volumes",
        title: "volumes service",
        variable: "VOLUMES",
        without: {
            PLUGIN: "no volume is registered",
            NODE: "no node is asked to detach a volume",
            EXTERNAL_ID: "the plugin is given ids that its storage does not have",
        },
    },
    {
        name: "stateVersions",
        title: "state versions",
        variable: "STATE_VERSIONS",
        needs: { WORKSPACE: "a workspace that may be rolled back and has two versions" },
    },
];

/** Where an address leads, without the password that it may hold. */
function hostOf(address) {
    return URL.canParse(address) ? new URL(address).origin : "an address that is none";
}

/** Why a service cannot be tried, or `undefined`. */
function missing({ variable, needs = {} }) {
    const names = [`STATECRAFT_${variable}_ADDRESS`, `STATECRAFT_${variable}_TOKEN`];
    const unset = names.filter((name) => !process.env[name]);
    for (const [name, what] of Object.entries(needs)) {
        if (!process.env[`STATECRAFT_CONTRACT_${name}`]) unset.push(`STATECRAFT_CONTRACT_${name} (${what})`);
    }
    return unset.length > 0 ? `not set: ${unset.join(", ")}` : undefined;
}

await main(async () => {
    await ensureInstalled();
    const chosen = [];
    for (const service of services) {
        const { name, title, variable, without = {} } = service;
        const reason = missing(service);
        if (reason !== undefined) {
            say(`${title}: passed over, ${reason}`);
            continue;
        }
        chosen.push(name);
        const vocabulary =
            process.env[`STATECRAFT_${variable}_VOCABULARY`] || process.env.STATECRAFT_VOCABULARY || "documented";
        say(`${title}: ${hostOf(process.env[`STATECRAFT_${variable}_ADDRESS`])}, vocabulary ${vocabulary}`);
        for (const [option, effect] of Object.entries(without)) {
            if (!process.env[`STATECRAFT_CONTRACT_${option}`])
                say(`  STATECRAFT_CONTRACT_${option} is not set: ${effect}`);
        }
    }
    if (chosen.length === 0) {
        say("No server is named, so nothing was tried. `npm test` tries the contracts on the simulator.");
        return 1;
    }
    const result = await run(
        process.execPath,
        // Real servers take their time; and one at a time, because the contracts of a service share its objects.
        [
            tool("mocha/bin/mocha.js"),
            "--timeout",
            "120000",
            "--slow",
            "60000",
            ...process.argv.slice(2),
            join("test", "contract", "servers.test.ts"),
        ],
        {
            cwd: repository,
            // These two change what a program's resources do, and so what the contracts expect.
            env: {
                ...process.env,
                STATECRAFT_ADOPT: "",
                STATECRAFT_STRICT: "",
                STATECRAFT_CONTRACT_SERVICES: chosen.join(","),
            },
            stdio: "inherit",
        },
    );
    return result.code;
});
