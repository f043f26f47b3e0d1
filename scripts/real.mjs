/**
 * `npm run real`: builds Vault and Nomad with Go once (up to half an hour), starts them on the loopback interface, runs the contract tests, the
 * differential tests and the printed commands on them, and ends them. `npm run record` writes their answers to the contract tests to `test/fixtures/recorded` instead.
 *
 * | server     | where it comes from                                                                                             |
 * | ---------- | --------------------------------------------------------------------------------------------------------------- |
 * | Vault      | `STATECRAFT_CONTRACT_VAULT_ADDRESS` (empty: no Vault) and the other variables, or built with Go                   |
 * | Nomad      | `STATECRAFT_CONTRACT_NOMAD_ADDRESS` and the other variables, or built with Go                                     |
 * | OTF        | `STATECRAFT_CONTRACT_TERRAFORM_ADDRESS` and the other variables                                                   |
 *
 * `STATECRAFT_REAL` is the folder of the built programs. Default: `.work/real`.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { buildProgram, goModule, goVersion, realFolder } from "./offline/build.mjs";
import { main, repository, Stop, say, seconds, temporaryFolder, workFolder } from "./prepare.mjs";
import { run } from "./processes.mjs";

const isRecord = process.argv.includes("--record");
/** @param {string} name */
const variable = (name) => `STATECRAFT_CONTRACT_${name}`;

/**
 * Sends a request, and returns the JSON of the answer.
 * @param {string} method
 * @param {string} url
 * @param {{ token?: string, body?: object | undefined }} options
 * @returns {Promise<any>}
 */
async function call(method, url, { token = "", body } = {}) {
    const headers = { "x-vault-token": token, "x-nomad-token": token, "content-type": "application/json" };
    const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname}: ${answer.status} ${text}`);
    return /^\s*[[{]/.test(text) ? JSON.parse(text) : text;
}

/**
 * Waits until `ask` returns a value that is true.
 * @template Value
 * @param {string} what
 * @param {() => Promise<Value>} ask
 * @returns {Promise<Value>}
 */
async function until(what, ask) {
    for (let tries = 0; tries < 240; tries++) {
        const value = await ask().catch(() => undefined);
        if (value) return value;
        await sleep(250);
    }
    throw new Stop(`${what}: not ready within a minute.`);
}

async function freePort() {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    server.close();
    return port;
}

/** @type {import("execa").ExecaChildProcess[]} */
const started = [];

/**
 * Starts a server, whose output goes to the file `log`. Its environment has none of the user's settings, and it ends with this process.
 * @param {string} program
 * @param {string[]} args
 * @param {string} folder
 */
function start(program, args, folder) {
    const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, VAULT_DISABLE_MLOCK: "1" };
    const log = openSync(join(folder, "log"), "w");
    started.push(
        execa(program, args, { cwd: folder, env, extendEnv: false, stdio: ["ignore", log, log], reject: false }),
    );
}

/** @param {object} value */
const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicPem = publicKey.export({ type: "spki", format: "pem" });

/** A JWT that the prepared login methods accept, but for `claims`. */
function jwt(claims = {}) {
    const now = Math.floor(Date.now() / 1000);
    const text = `${part({ alg: "RS256" })}.${part({ sub: "contract", aud: "contract", iat: now - 60, nbf: now - 60, exp: now + 86_400, ...claims })}`;
    return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
}

/** The credentials of logins, by the variables that hold them. */
const credentials = () => ({
    JWT: jwt(),
    EXPIRED_JWT: jwt({ exp: 1_700_000_000, iat: 1_600_000_000, nbf: 1_600_000_000 }),
    STRANGE_JWT: jwt({ aud: "another" }),
    WRONG_SECRET_ID: "00000000-0000-4000-8000-00000000000f",
});

/** Starts Vault with its azure login method. Returns the variables of the contract tests. */
async function vault() {
    const [folder, port] = [temporaryFolder("vault-"), await freePort()];
    const address = `http://127.0.0.1:${port}`;
    const flags = ["-dev-no-store-token", "-dev-root-token-id=root", `-dev-listen-address=127.0.0.1:${port}`];
    const plugins = `-dev-plugin-dir=${join(realFolder, "plugins")}`;
    start(join(realFolder, "vault"), ["server", "-dev", ...flags, plugins], folder);
    await until("Vault", () => call("GET", `${address}/v1/sys/health`));
    /** @param {string} path @param {object} [body] */
    const write = (path, body) => call("POST", `${address}/v1/${path}`, { token: "root", body });
    /** @param {string} path */
    const read = async (path, method = "GET") => (await call(method, `${address}/v1/${path}`, { token: "root" })).data;
    for (const mount of ["azure", "contract"]) await write(`sys/auth/${mount}`, { type: "azure" });
    for (const mount of ["approle", "jwt"]) await write(`sys/auth/${mount}`, { type: mount });
    const policy = 'path "auth/azure/role" { capabilities = ["list"] }';
    await write("sys/policies/acl/contract", { policy });
    const role = { token_policies: "contract", token_ttl: "60s" };
    await write("auth/approle/role/contract", role);
    await write("auth/jwt/config", { jwt_validation_pubkeys: [publicPem] });
    const bound = { role_type: "jwt", user_claim: "sub", bound_audiences: "contract" };
    await write("auth/jwt/role/contract", { ...role, ...bound });
    const reader = 'path "auth/azure/*" { capabilities = ["read", "list"] }';
    await write("sys/policies/acl/reader", { policy: reader });
    await write("auth/token/create", { id: "reader", policies: ["reader"] });
    const { role_id: roleId } = await read("auth/approle/role/contract/role-id");
    const { secret_id: secretId } = await read("auth/approle/role/contract/secret-id", "POST");
    const [jwtLogin, appRole] = [
        { mount: "jwt", role: "contract" },
        { mount: "approle", roleId },
    ];
    /** @param {string} name */
    const at = (name) => ({ secretIdVariable: variable(name) });
    /** @param {string} name */
    const by = (name) => ({ jwtVariable: variable(name) });
    return {
        VAULT_ADDRESS: address,
        VAULT_TOKEN: "root",
        VAULT_READER: "reader",
        VAULT_SECRET_ID: secretId,
        VAULT_LOGINS: JSON.stringify([
            { ...jwtLogin, ...by("JWT") },
            { ...appRole, ...at("VAULT_SECRET_ID") },
        ]),
        VAULT_REFUSED: JSON.stringify([
            [{ ...jwtLogin, role: "absent", ...by("JWT") }, "login.role"],
            [{ ...jwtLogin, ...by("EXPIRED_JWT") }, "githubAudience"],
            [{ ...jwtLogin, ...by("STRANGE_JWT") }, "audience"],
            [{ ...jwtLogin, mount: "absent", ...by("JWT") }, "login.mount"],
            [{ ...appRole, ...at("WRONG_SECRET_ID") }, "Issue another secret ID"],
            [{ ...appRole, roleId: "absent", ...at("VAULT_SECRET_ID") }, "Issue another secret ID"],
        ]),
        CONFIG_MOUNT: "contract",
    };
}

/** Starts a Nomad agent with two CSI plugins and a claimed volume. Returns the variables of the contract tests. */
async function nomad() {
    const plugin = join(realFolder, "csi-plugin");
    const folder = temporaryFolder("nomad-");
    const [http, rpc, serf] = [await freePort(), await freePort(), await freePort()];
    const config = {
        name: "node",
        data_dir: join(folder, "data"),
        bind_addr: "127.0.0.1",
        ports: { http, rpc, serf },
        advertise: { http: "127.0.0.1", rpc: "127.0.0.1", serf: "127.0.0.1" },
        disable_update_check: true,
        // Ends the tasks, too.
        leave_on_terminate: true,
        acl: { enabled: true },
        server: { enabled: true, bootstrap_expect: 1 },
        client: {
            ...{ enabled: true, network_interface: "lo", servers: [`127.0.0.1:${rpc}`], cpu_total_compute: 4000 },
            drain_on_shutdown: { deadline: "10s" },
            options: {
                "fingerprint.denylist": "env_aws,env_azure,env_gce,env_digitalocean,consul,vault,cni,bridge",
                "driver.allowlist": "raw_exec,exec",
            },
            chroot_env: { [plugin]: "/csi-plugin" },
        },
        plugin: [{ raw_exec: [{ config: [{ enabled: true }] }] }],
    };
    writeFileSync(join(folder, "nomad.json"), JSON.stringify(config));
    start(join(realFolder, "nomad"), ["agent", "-config", "nomad.json"], folder);
    const address = `http://127.0.0.1:${http}`;
    const token = "11111111-2222-4333-8444-555555555555";
    /** @param {string} path @param {object} body */
    const write = (path, body) => call("PUT", `${address}/v1/${path}`, { token, body });
    /** @param {string} path */
    const read = (path) => call("GET", `${address}/v1/${path}`, { token });
    const bootstrap = { body: { BootstrapSecret: token } };
    await until("Nomad", () => call("POST", `${address}/v1/acl/bootstrap`, bootstrap));
    await write("namespace/team", { Name: "team" });
    const rules = 'namespace "*" { policy = "read" }';
    await write("acl/policy/contract", { Name: "contract", Rules: rules });
    const { SecretID: reader } = await write("acl/token", { Name: "reader", Type: "client", Policies: ["contract"] });
    const method = { JWTValidationPubKeys: [publicPem], BoundAudiences: ["contract"], ClaimMappings: { sub: "sub" } };
    for (const name of ["contract", "unbound"]) {
        const lifetime = { MaxTokenTTL: "5m", TokenLocality: "local" };
        await write("acl/auth-method", { Name: name, Type: "JWT", ...lifetime, Config: method });
    }
    await write("acl/binding-rule", { AuthMethod: "contract", BindType: "policy", BindName: "contract" });
    const node = await until("the node of Nomad", async () => {
        const nodes = await read("nodes");
        return nodes[0]?.Status === "ready" && nodes[0];
    });
    /** @param {object} config @param {object} [more] */
    const task = (config, more) => ({ Name: "main", Driver: "raw_exec", Config: config, ...more });
    const isRoot = process.getuid?.() === 0;
    /** @param {string} id @param {string} type @param {object} group */
    const job = (id, type, group) =>
        write("jobs", {
            Job: { ID: id, Name: id, Type: type, Datacenters: ["*"], TaskGroups: [{ Name: "main", ...group }] },
        });
    for (const id of ["files", "disks"]) {
        const [type, ...args] = id === "files" ? ["node"] : ["monolith", "controller"];
        const csi = { CSIPluginConfig: { ID: id, Type: type, MountDir: "/csi" } };
        await job(id, "system", { Tasks: [task({ command: plugin, args }, csi)] });
        await until(`the CSI plugin ${id}`, async () => (await read(`plugin/csi/${id}`)).NodesHealthy > 0);
    }
    const modes = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
    const claimed = { ID: "claimed", Name: "claimed", PluginID: "files", RequestedCapabilities: [modes] };
    await write("volume/csi/claimed", { Volumes: [claimed] });
    const volume = { Name: "data", Type: "csi", Source: "claimed", ...modes };
    // Only root can run a task with a driver that mounts volumes.
    if (isRoot) {
        const waiting = task({ command: "/csi-plugin", args: ["wait"] }, { Driver: "exec" });
        await job("claim", "service", { Volumes: { data: volume }, Tasks: [waiting] });
        await until("the claim", async () => (await read("job/claim/allocations"))[0]?.ClientStatus === "running");
    }
    return {
        NOMAD_ADDRESS: address,
        NOMAD_TOKEN: token,
        NOMAD_READER: reader,
        NOMAD_LOGINS: JSON.stringify([{ authMethod: "contract", jwtVariable: variable("JWT") }]),
        NOMAD_REFUSED: JSON.stringify([
            [{ authMethod: "absent", jwtVariable: variable("JWT") }, "login.authMethod"],
            [{ authMethod: "unbound", jwtVariable: variable("JWT") }, "binding-rule"],
            [{ authMethod: "contract", jwtVariable: variable("STRANGE_JWT") }, "BoundAudiences"],
            [{ authMethod: "contract", jwtVariable: variable("EXPIRED_JWT") }, "githubAudience"],
        ]),
        PLUGIN: "files",
        CONTROLLER_PLUGIN: "disks",
        NODE: node.ID,
        NAMESPACE: "team",
        ...(isRoot && { CLAIMED: "claimed" }),
    };
}

/** Features that the servers of this script cannot have. */
const lacks = {
    snapshots: "Vault's community edition has none",
    aliasMetadata: "the published azure plugin 0.22.0 with sdk 0.20.0 drops it",
    "backing data": "OTF has no such routes",
    ...(process.getuid?.() !== 0 && { claim: "only root can run a task that uses a volume" }),
};

/** The version that a Go module requires. @param {string} folder */
const versionOf = (folder) => {
    const module = readFileSync(join(goModule(folder), "go.mod"), "utf8");
    return new RegExp(`hashicorp/${folder} v(\\S+)`).exec(module)?.[1];
};

/** Builds and starts the servers that no variable names. Returns the variables of the contract tests. */
async function servers() {
    const [needsVault, needsNomad] = ["VAULT", "NOMAD"].map(
        (name) => process.env[variable(`${name}_ADDRESS`)] === undefined,
    );
    const values = { ...credentials(), LACKS: JSON.stringify(lacks) };
    if (!needsVault && !needsNomad) return values;
    if (!(await goVersion())) throw new Stop("Vault and Nomad are built with Go 1.25 or newer.");
    const plugins = join(realFolder, "plugins");
    mkdirSync(plugins, { recursive: true });
    say(`Vault and Nomad are built with Go into ${realFolder}, unless they are there: up to half an hour, once.`);
    const wanted = [...(needsVault ? ["vault", "azure"] : []), ...(needsNomad ? ["nomad", "csi-plugin"] : [])];
    for (const name of wanted) await buildProgram(name, name === "azure" ? plugins : realFolder);
    return { ...values, ...(needsVault && (await vault())), ...(needsNomad && (await nomad())) };
}

await main(async () => {
    const began = Date.now();
    try {
        const values = await servers();
        const names = { manager: `vault-${versionOf("vault")}`, volumes: `nomad-${versionOf("nomad")}` };
        const record = { ...names, stateVersions: process.env.STATECRAFT_OTF ?? "otf" };
        const all = { ...values, ...(isRecord && { RECORD: JSON.stringify(record) }) };
        const given = Object.fromEntries(Object.entries(all).map(([name, value]) => [variable(name), value]));
        // The other script finds the servers by their variables.
        const only = isRecord ? "contract" : "contract,differential,commands";
        const script = join(repository, "scripts", "nightly.mjs");
        const { code } = await run(process.execPath, [script, "--only", only], {
            env: { ...process.env, ...given },
            stdio: "inherit",
        });
        say(`The servers and the tests took ${seconds(began)}.`);
        return code;
    } finally {
        for (const child of started) child.kill();
        await Promise.all(started);
        // Nomad leaves the folders of secrets of its tasks mounted.
        const mounts = existsSync("/proc/mounts") ? readFileSync("/proc/mounts", "utf8").split("\n") : [];
        const own = mounts.map((line) => line.split(" ")[1] ?? "").filter((path) => path.startsWith(workFolder()));
        if (own.length > 0) await run("umount", own);
    }
});
