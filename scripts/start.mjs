/**
 * `npm start`: gets ready and shows the real engine at work with all four resources against the simulator, from the first
 * preview to destroy. Every act is checked afterwards at the server and in the stack's state, not by what was printed.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ensureBuilt, main, repository, Stop, say, seconds, workFolder } from "./prepare.mjs";
import { beforeEnd, endProcesses, interrupted, run } from "./processes.mjs";
import { environmentFor, findPulumi } from "./pulumi-cli.mjs";

const stack = "demonstration";
/** Anything will do: the simulator is ours. */
const token = "demonstration";

const colours = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;
const paint = (code) => (text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
const [bold, dim, green, red] = [1, 2, 32, 31].map(paint);

/** Throws unless an act ended as it was told. */
function expect(condition, sentence) {
    if (!condition) throw new Stop(sentence);
}

/** Starts the simulator with its seeded world; returns its address and its process. */
function startSimulator(folder) {
    const child = spawn(
        process.execPath,
        [join(repository, "dist", "simulator", "main.js"), "--port", "0", "--data", join(folder, "simulator.json")],
        { cwd: repository, stdio: ["ignore", "pipe", "pipe"] },
    );
    beforeEnd(() => child.kill());
    return new Promise((resolve, reject) => {
        let printed = "";
        const stop = (reason) => reject(new Stop(`The simulator did not start (${reason}): ${printed.trim()}`));
        const timer = setTimeout(() => stop("no address after 20 s"), 20_000);
        const read = (text) => {
            printed += text;
            const address = /https?:\/\/[^\s/]+/.exec(printed)?.[0];
            if (!address) return;
            clearTimeout(timer);
            resolve({ address, pid: child.pid });
        };
        child.stdout.setEncoding("utf8").on("data", read);
        child.stderr.setEncoding("utf8").on("data", (text) => {
            printed += text;
        });
        child.on("error", (error) => stop(error.message));
        child.on("exit", (code) => stop(`it ended with code ${code}`));
    });
}

/** The three services at this address, as anybody with a token sees them. */
function services(address) {
    async function ask(path, headers, body) {
        const response = await fetch(address + path, {
            method: body ? "POST" : "GET",
            headers: { ...headers, ...(body ? { "Content-Type": "application/json" } : {}) },
            ...(body ? { body: JSON.stringify(body) } : {}),
        });
        const text = await response.text();
        const json = response.headers.get("content-type")?.includes("json") && text;
        return { status: response.status, body: json ? JSON.parse(text) : undefined };
    }
    const bearer = { Authorization: `Bearer ${token}` };
    const manager = { "X-Secrets-Token": token };
    const rolePath = "/v1/auth/clouda/role/web";
    return {
        role: () => ask(rolePath, manager),
        snapshots: () => ask("/v1/sys/storage/raft/snapshot-auto/config/hourly", manager),
        volume: () => ask("/v1/volume/csi/data", bearer),
        workspace: () => ask("/api/v2/workspaces/ws-1", bearer),
        current: () => ask("/api/v2/workspaces/ws-1/current-state-version", bearer),
        version: (id) => ask(`/api/v2/state-versions/${id}`, bearer),
        /** Changes the role as somebody with another tool would; returns the line that does the same. */
        meddle: async () => {
            const change = { token_policies: ["admin"] };
            const answer = await ask(rolePath, manager, change);
            expect(answer.status < 300, `the simulator refused the change behind Pulumi's back with ${answer.status}`);
        },
        meddling: `curl -X POST -H "X-Secrets-Token: ${token}" -d '{"token_policies":["admin"]}' ${address}${rolePath}`,
    };
}

/** A project for the demonstration: the repository's own, but with a stack, a backend and a home in `folder`. */
function project(folder, cli) {
    const env = environmentFor(cli.folders, folder, process.env, {
        STATECRAFT_MANAGER_TOKEN: token,
        STATECRAFT_VOLUMES_TOKEN: token,
        STATECRAFT_STATE_VERSIONS_TOKEN: token,
        // Else every command asks the terminal for its background colour and waits for seconds where nobody answers.
        TERM: "dumb",
        // Without it there is no --event-log.
        PULUMI_DEBUG_COMMANDS: "true",
        // `npm test` checks the types of the examples.
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    });
    // Settings of a stack stand beside Pulumi.yaml, so a copy keeps them out of the repository.
    const text = readFileSync(join(repository, "Pulumi.yaml"), "utf8");
    const moved = text.replace(/^main: (.*)$/m, (_, path) => `main: ${relative(folder, join(repository, path))}`);
    writeFileSync(join(folder, "Pulumi.yaml"), moved);

    // The interactive display would take Ctrl-C for itself, and we would not know.
    const options = ["--non-interactive", "--color", colours ? "always" : "never"];
    const log = join(folder, "events.jsonl");
    return {
        /** Runs a command before the user's eyes. */
        async show(...args) {
            say(dim(`$ pulumi ${args.join(" ")}`));
            const { code } = await run("pulumi", [...args, ...options], { cwd: folder, env, stdio: "inherit" });
            expect(code === 0, `pulumi ${args[0]} ended with code ${code}`);
        },
        /** A preview before the user's eyes; returns what the engine was told to say at resources, without colours. */
        async preview() {
            say(dim("$ pulumi preview"));
            const command = ["preview", "--event-log", log, ...options];
            const { code } = await run("pulumi", command, { cwd: folder, env, stdio: "inherit" });
            expect(code === 0, `pulumi preview ended with code ${code}`);
            const events = readFileSync(log, "utf8").split("\n").filter(Boolean).map(JSON.parse);
            return events
                .flatMap(({ diagnosticEvent: said }) => (said?.urn ? [said.message] : []))
                .map((message) => message.replace(/<\{%[^%]*%\}>/g, "").trim());
        },
        /** The resources of the program as the stack's state holds them, by name. */
        async resources() {
            const { code, stdout, stderr } = await run("pulumi", ["stack", "export"], { cwd: folder, env });
            expect(code === 0, `pulumi stack export ended with code ${code}: ${stderr}`);
            const stored = JSON.parse(stdout).deployment.resources ?? [];
            const ours = stored.filter(({ type }) => !type.startsWith("pulumi:"));
            return Object.fromEntries(ours.map((resource) => [resource.urn.split("::").at(-1), resource]));
        },
    };
}

/** The current state version, once the server has read what is in it. */
async function processedCurrent(world) {
    const until = Date.now() + 15_000;
    for (;;) {
        const { body } = await world.current();
        if (body?.data.attributes["resources-processed"] || Date.now() > until) return body?.data;
        await new Promise((resolve) => setTimeout(resolve, 200));
    }
}

/** The names of the resources that a version's record counts. */
const namesIn = ({ attributes }) => attributes.resources.map(({ type, name }) => `${type}.${name}`);

/** What a preview must say of a rollback from one version to another, made from the server's own records. */
function foretold(from, to) {
    const added = (before, after) => namesIn(after).filter((name) => !namesIn(before).includes(name));
    const change = (sign, names) => (names.length > 0 ? [`${sign} ${names.join(", ")}`] : []);
    const told = ({ id, attributes: { serial }, attributes }) => {
        const count = attributes.resources.reduce((sum, resource) => sum + resource.count, 0);
        return `${id} (serial ${serial}, ${count} ${count === 1 ? "resource" : "resources"})`;
    };
    const changes = [...change("+", added(from, to)), ...change("-", added(to, from))].join("; ");
    return `rolling back ws-1 from ${told(from)} to ${told(to)}: ${changes}`;
}

/** Checks that a rollback has put a new version with the content of `wanted` in the place of `before`; returns its id. */
async function checkRollback(world, before, wanted) {
    const current = await processedCurrent(world);
    expect(current.id !== before && current.id !== wanted.id, "no new state version was made");
    expect(
        isDeepStrictEqual(current.attributes.resources, wanted.attributes.resources),
        `the workspace's current version has other resources than ${wanted.id}`,
    );
    return current.id;
}

const names = ["data", "hourly", "undo", "web"];

/** The acts in their order: what the user reads, what is done, and what must be true afterwards. */
function acts(world, pulumi, address) {
    let before;
    let said;
    /** The version that our last rollback made current. */
    let rolledBack;
    return [
        {
            name: "stack",
            heading: "A stack of its own, and where the three services are",
            result: "a stack in a folder of its own, with the simulator's addresses",
            async play() {
                say(
                    dim(
                        "Tokens: in STATECRAFT_MANAGER_TOKEN, STATECRAFT_VOLUMES_TOKEN and STATECRAFT_STATE_VERSIONS_TOKEN.",
                    ),
                );
                await pulumi.show("stack", "init", stack);
                const set = (key, value) => pulumi.show("config", "set", "--path", `statecraft:${key}.address`, value);
                await set("manager", address);
                await set("volumes", address);
                await set("stateVersions", `${address}/api/v2`);
            },
            async check() {
                expect((await world.workspace()).status === 200, "the seeded workspace ws-1 is not there");
            },
        },
        {
            name: "preview",
            heading: "Preview: what would happen",
            result: "said what would be made, and what the state gains and loses; nothing was written",
            async play() {
                before = (await world.current()).body?.data.id;
                said = await pulumi.preview();
            },
            async check() {
                const expected = foretold(await processedCurrent(world), (await world.version("sv-3")).body.data);
                expect(said.includes(expected), `preview did not say "${expected}", but: ${said.join(" | ")}`);
                expect((await world.role()).status === 404, "preview made the role");
                expect((await world.current()).body.data.id === before, "preview rolled the workspace back");
            },
        },
        {
            name: "up",
            heading: "Up: a login role, snapshots, a volume, and a workspace rolled back",
            result: "role, snapshots and volume made; ws-1 is back at the content of sv-3",
            play: () => pulumi.show("up", "--yes", "--skip-preview"),
            async check() {
                const role = (await world.role()).body?.data;
                expect(isDeepStrictEqual(role?.token_policies, ["web"]), "the role is not at the server as declared");
                expect(role.token_ttl === 3600, `the role's token_ttl is ${role.token_ttl}, not 3600`);
                expect(
                    (await world.snapshots()).body?.data.interval === 3600,
                    "the snapshots are not taken every hour",
                );
                expect((await world.volume()).body?.ExternalID === "vol-0a1b", "the volume is not registered");
                rolledBack = await checkRollback(world, before, (await world.version("sv-3")).body.data);
                expect(!(await world.workspace()).body.data.attributes.locked, "the workspace is still locked");
                expect(
                    isDeepStrictEqual(Object.keys(await pulumi.resources()).sort(), names),
                    "not all four are in the state",
                );
            },
        },
        {
            name: "up again",
            heading: "Up again: nothing to do",
            result: "no change; the rollback was not repeated",
            play: () => pulumi.show("up", "--yes", "--skip-preview", "--expect-no-changes"),
            async check() {
                expect((await world.current()).body.data.id === rolledBack, "the workspace was rolled back again");
            },
        },
        {
            name: "changed program",
            heading: "The program changes: other durations, a volume that may be forced out, and sv-2 instead of sv-3",
            result: "all four updated in place; ws-1 was rolled back again, to the content of sv-2",
            async play() {
                before = await pulumi.resources();
                const changes = ["tokenTtl=2h", "interval=2h", "force=true", "stateVersionId=sv-2"];
                await pulumi.show("config", "set-all", ...changes.flatMap((change) => ["--plaintext", change]));
                said = await pulumi.preview();
                await pulumi.show("up", "--yes", "--skip-preview", "--diff");
            },
            async check() {
                expect((await world.role()).body?.data.token_ttl === 7200, "the role's tokens do not live two hours");
                expect(
                    (await world.snapshots()).body?.data.interval === 7200,
                    "the snapshots are not taken every two hours",
                );
                const wanted = (await world.version("sv-2")).body.data;
                const expected = foretold((await world.version(rolledBack)).body.data, wanted);
                expect(said.includes(expected), `preview did not say "${expected}", but: ${said.join(" | ")}`);
                rolledBack = await checkRollback(world, rolledBack, wanted);
                const after = await pulumi.resources();
                expect(after.data?.outputs.force === true, "the volume would not be deregistered with force");
                for (const name of names) {
                    expect(after[name]?.id === before[name].id, `${name} has another id`);
                    expect(after[name].created === before[name].created, `${name} was replaced, not updated`);
                }
            },
        },
        {
            name: "refresh",
            heading: "Somebody changes the role behind Pulumi's back; refresh shows it",
            result: 'drift in one field seen: tokenPolicies is now ["admin"]',
            async play() {
                say(dim(`$ ${world.meddling}`));
                await world.meddle();
                await pulumi.show("refresh", "--yes", "--skip-preview", "--diff");
            },
            async check() {
                const { web } = await pulumi.resources();
                expect(
                    isDeepStrictEqual(web.outputs.tokenPolicies, ["admin"]),
                    "the state does not show the server's policies",
                );
                expect(web.outputs.tokenTtl === "2h", "refresh changed a field that nobody touched");
            },
        },
        {
            name: "repair",
            heading: "Up repairs it",
            result: "the role is as declared again",
            play: () => pulumi.show("up", "--yes", "--skip-preview", "--diff"),
            async check() {
                expect(
                    isDeepStrictEqual((await world.role()).body?.data.token_policies, ["web"]),
                    "the role still has other policies",
                );
            },
        },
        {
            name: "destroy",
            heading: "Destroy",
            result: "role, snapshots and volume are gone; the rolled-back workspace stays as it is",
            play: () => pulumi.show("destroy", "--yes", "--skip-preview"),
            async check() {
                for (const name of ["role", "snapshots", "volume"]) {
                    const { status } = await world[name]();
                    expect(status === 404, `the ${name} answered ${status}, not 404`);
                }
                expect((await world.current()).body.data.id === rolledBack, "destroy touched the workspace");
                expect(Object.keys(await pulumi.resources()).length === 0, "the stack still holds resources");
            },
        },
    ];
}

await main(async () => {
    const start = Date.now();
    await ensureBuilt();
    const cli = await findPulumi();
    say(`Pulumi CLI ${cli.version}: ${cli.program}`);

    const folder = mkdtempSync(join(workFolder(), "start-"));
    const forget = () => rmSync(folder, { recursive: true, force: true });
    let kept = false;
    beforeEnd(() => kept || forget());
    const simulator = await startSimulator(folder);
    say(`Simulator of the three services: ${simulator.address}`);
    say(
        "  In it: workspace ws-1 with state versions sv-1 to sv-4, of which sv-4, the current one, has lost most of its",
    );
    say("  resources, and plugin disks with two nodes. Any token will do.");

    const pulumi = project(folder, cli);
    const play = acts(services(simulator.address), pulumi, simulator.address);
    const done = [];
    for (const [index, act] of play.entries()) {
        const title = `${index + 1} of ${play.length}  ${act.heading}`;
        say(`\n${bold(title)}`);
        const began = Date.now();
        try {
            await act.play();
            await act.check();
            done.push(`  ${green("as told")}  ${act.name.padEnd(17)}${seconds(began).padStart(5)}   ${act.result}`);
        } catch (error) {
            if (interrupted || !(error instanceof Stop)) throw error;
            kept = true;
            await endProcesses([simulator.pid]);
            say(["", ...done, `  ${red("NOT as told")}  ${act.name}: ${error.message}`].join("\n"));
            say(`What was written is kept in ${folder}`);
            return 1;
        }
    }
    await endProcesses([simulator.pid]);
    say(`\n${bold(`All ${play.length} acts went as told, in ${seconds(start)}.`)}`);
    for (const line of done) say(line);
    say(`
${bold("Where to go next")}
  README.md          how to use this in a project of your own: installing, addresses and tokens, every resource
  examples/          one program per resource; demonstration.ts is what you have just seen
  npm run simulator  the same simulator, to try your own programs against
  npm test           every check of this project, with the real engine too`);
    return 0;
});
