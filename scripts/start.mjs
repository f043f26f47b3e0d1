/**
 * `npm start`: shows the real engine at work with all four resources against the simulator, from the first preview to destroy. It ends with an
 * error at the first command that fails.
 */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { execa } from "execa";
import { ensureBuilt, main, repository, Stop, say, seconds, temporaryFolder } from "./prepare.mjs";
import { run } from "./processes.mjs";
import { environmentFor, findPulumi } from "./pulumi-cli.mjs";

/** The simulator accepts every token. */
const token = "demonstration";
const colours = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;
/** @param {string} text */
const bold = (text) => (colours ? `\u001b[1m${text}\u001b[0m` : text);

/** Starts the simulator with its demonstration objects. */
async function startSimulator() {
    const program = join(repository, "dist", "command", "main.js");
    const child = execa(process.execPath, [program, "simulator", "--names", "product", "--port", "0"], {
        stdio: ["ignore", "pipe", "inherit"],
        buffer: false,
        reject: false,
    });
    const [printed] = await Promise.race([once(child.stdout ?? child, "data"), once(child, "exit")]);
    const [address] = /http:\/\/[^\s/]+/.exec(String(printed)) ?? [];
    if (address === undefined) throw new Stop(`The simulator did not start: ${printed}`);
    return { address, stop: () => child.kill() };
}

/**
 * Copies the repository's project, so that the settings of its stack stay out of the repository.
 * @param {string} folder
 */
function copyProject(folder) {
    const text = readFileSync(join(repository, "Pulumi.yaml"), "utf8");
    const moved = text.replace(/^main: (.*)$/m, (_, path) => `main: ${relative(folder, join(repository, path))}`);
    writeFileSync(join(folder, "Pulumi.yaml"), moved);
}

await main(async () => {
    const start = Date.now();
    await ensureBuilt();
    const cli = await findPulumi();
    say(`Pulumi CLI ${cli.version}: ${cli.program}`);
    const folder = temporaryFolder("start-");
    copyProject(folder);
    const simulator = await startSimulator();
    say(`Simulator of Vault, Nomad and HCP Terraform: ${simulator.address}`);
    say("  It has the workspace ws-1 with state versions sv-1 to sv-4, of which sv-4 has lost most of its resources,");
    say("  and the CSI plugin disks on two nodes.");

    const env = environmentFor(cli.folders, folder, process.env, {
        VAULT_TOKEN: token,
        NOMAD_TOKEN: token,
        TFE_TOKEN: token,
        // Without it each command asks the terminal for its background colour, and waits for seconds where no terminal answers.
        TERM: "dumb",
        // `npm test` checks the types of the examples.
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    });
    /** @param {string[]} args */
    const pulumi = async (...args) => {
        say(`$ pulumi ${args.join(" ")}`);
        const options = ["--non-interactive", "--color", colours ? "always" : "never"];
        const { code } = await run("pulumi", [...args, ...options], { cwd: folder, env, stdio: "inherit" });
        if (code !== 0) throw new Stop(`pulumi ${args[0]} ended with code ${code}`);
    };
    /** @param {string[]} args */
    const up = (...args) => pulumi("up", "--yes", "--skip-preview", ...args);
    const rolePath = `${simulator.address}/v1/auth/azure/role/web`;

    const acts = {
        "A stack, and the addresses of the three services": async () => {
            await pulumi("stack", "init", "demonstration");
            for (const key of ["vault", "nomad", "terraform"]) {
                await pulumi("config", "set", "--path", `statecraft:${key}.address`, simulator.address);
            }
        },
        "Preview: what would happen": () => pulumi("preview"),
        "Up: a Vault role, snapshots, a Nomad volume, and a workspace of HCP Terraform rolled back": () => up(),
        "Up again: nothing to do": () => up("--expect-no-changes"),
        "The program changes: other durations, a volume with `force`, and sv-2 instead of sv-3": async () => {
            const changes = ["tokenTtl=2h", "interval=2h", "force=true", "stateVersionId=sv-2"];
            await pulumi("config", "set-all", ...changes.flatMap((change) => ["--plaintext", change]));
            await pulumi("preview");
            await up("--diff");
        },
        "Somebody changes the role behind Pulumi's back; refresh shows it": async () => {
            const headers = { "X-Vault-Token": token, "Content-Type": "application/json" };
            const body = '{"token_policies":["admin"]}';
            say(`$ curl -X POST -H "X-Vault-Token: ${token}" -d '${body}' ${rolePath}`);
            const { status } = await fetch(rolePath, { method: "POST", headers, body });
            if (status >= 300) throw new Stop(`The simulator answered ${status}.`);
            await pulumi("refresh", "--yes", "--skip-preview", "--diff");
        },
        "Up repairs it": () => up("--diff"),
        "Destroy: the workspace stays rolled back": () => pulumi("destroy", "--yes", "--skip-preview"),
    };
    try {
        for (const [index, [heading, act]] of Object.entries(acts).entries()) {
            say(`\n${bold(`${index + 1} of ${Object.keys(acts).length}  ${heading}`)}`);
            await act();
        }
    } finally {
        simulator.stop();
    }
    say(`
${bold(`Done in ${seconds(start)}. Where to go next`)}
  README.md          how to install the package and set addresses and tokens
  examples/          a project for each product, and a program for each resource; this was demonstration.ts
  npm run simulator  the simulator, for your own programs: add -- --names product
  npm test           the tests of this repository`);
});
