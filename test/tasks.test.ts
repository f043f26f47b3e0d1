/** Runs the program of each task page with the SDK's mocks, whose resources and functions use a simulator with the products' names. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { invokeFunction } from "../src/core/functions";
import { loadFunction } from "../src/generated/registry";
import { programRuntime } from "../src/runtime/program-runtime";
import { demonstration } from "../src/simulator/demonstration";
import type { Seed } from "../src/simulator/seed";
import { statecraft } from "./command/support";
import { canaryToken } from "./support/canaries";
import { identityToken } from "./support/injector";
import { type ManagedResource, type Step, unsealed } from "./support/managed-resource";
import { root, textOf } from "./support/repository";
import { Simulator } from "./support/simulator";

const namesIn = (folder: string, ending: string) =>
    readdirSync(join(root, folder))
        .filter((file) => file.endsWith(ending) && file !== "README.md")
        .map((file) => file.slice(0, -ending.length))
        .sort();

type Values = Record<string, unknown>;
type Settings = Record<string, Values>;

/** Calls a function of statecraft; returns the inputs for other tokens. */
async function called(token: string, inputs: Values): Promise<Values> {
    const definition = loadFunction(token.replace("statecraft:index:", ""));
    return definition === undefined ? inputs : invokeFunction(definition, programRuntime(), inputs);
}

/** A program with its settings, and its resources after the last run. */
class Stack {
    readonly lives = new Map<string, ManagedResource>();
    /** The step of each resource in the last run, by name. */
    readonly steps: Record<string, Step | "read"> = {};
    environment: NodeJS.ProcessEnv = {};

    constructor(
        private readonly name: string,
        private readonly simulator: Simulator,
        private readonly config: Readonly<Record<string, string>> = {},
        private readonly settings: Settings = {},
    ) {}

    /** Runs the program, and returns its exports. */
    async up(): Promise<Values> {
        const { simulator } = this;
        const server = { address: simulator.url, token: canaryToken };
        const settings: Settings = { vault: server, nomad: server, terraform: server, ...this.settings };
        pulumi.runtime.setAllConfig({
            ...Object.fromEntries(Object.entries(this.config).map(([key, value]) => [`tasks:${key}`, value])),
            ...Object.fromEntries(
                Object.entries(settings).map(([key, value]) => [`statecraft:${key}`, JSON.stringify(value)]),
            ),
        });
        await pulumi.runtime.setMocks(
            { newResource: (args) => this.made(args), call: ({ token, inputs }) => called(token, inputs) },
            "tasks",
            "test",
            false,
        );
        const file = require.resolve(join(root, "examples", "tasks", this.name));
        // Without the cached module, `require` evaluates the program again.
        delete require.cache[file];
        const exported = await pulumi.runtime.runInPulumiStack(async () => require(file));
        return new Promise((resolve) => {
            pulumi.output(exported).apply((values) => resolve(values as Values));
        });
    }

    life(name: string): ManagedResource {
        const life = this.lives.get(name);
        assert(life, name);
        return life;
    }

    get warnings(): string[] {
        return [...this.lives.values()].flatMap((life) => life.warnings);
    }

    private async made({ type, inputs, name, id }: pulumi.runtime.MockResourceArgs): Promise<{
        id: string | undefined;
        state: Values;
    }> {
        const [, ours] = /statecraft:(?:index:)?(\w+)$/.exec(type) ?? [];
        if (ours === undefined) return { id, state: inputs };
        const { __provider, __statecraft, ...plain } = unsealed(inputs) as Values;
        const settings = Object.fromEntries(
            Object.entries(this.settings).map(([key, value]) => [`statecraft:${key}`, value]),
        );
        const life = this.lives.get(name) ?? this.simulator.resource(ours, { settings, environment: this.environment });
        if (id) await life.get(id);
        this.steps[name] = id ? "read" : await life.up(plain);
        this.lives.set(name, life);
        assert(life.state);
        return { id: life.state.id, state: life.outputs() };
    }
}

describe("task pages", () => {
    for (const name of namesIn("docs/tasks", ".md")) {
        it(`${name} contains the whole program`, () => {
            assert(
                textOf(`docs/tasks/${name}.md`).includes(`\n\`\`\`ts\n${textOf(`examples/tasks/${name}.ts`)}\`\`\`\n`),
            );
        });
    }
});

describe("tasks", () => {
    const started: Simulator[] = [];
    const start = async (seed: Seed) => {
        const simulator = await Simulator.start(seed, "product");
        started.push(simulator);
        return simulator;
    };
    afterEach(async () => {
        await Promise.all(started.splice(0).map((simulator) => simulator.close()));
    });
    after(() => pulumi.runtime.setAllConfig({}));

    it("roll-back-a-workspace rolls back, keeps the lock, and restores and unlocks at destroy", async () => {
        const config = { organization: "example", workspaceName: "app", goodVersionId: "sv-3" };
        const simulator = await start(demonstration);
        const isLocked = async () => (await simulator.connect().getWorkspace({ id: "ws-1" })).locked;
        const stack = new Stack("roll-back-a-workspace", simulator, config);
        const shown = await stack.up();
        const candidates = shown["candidates"] as { id: string; resources: number }[];
        const counts = candidates.map(({ id, resources }) => `${id} ${resources}`);
        assert.deepEqual(counts, ["sv-4 3", "sv-3 5", "sv-2 3", "sv-1 2"]);
        const undo = stack.life("undo");
        assert.deepEqual(shown["versions"], { now: undo.outputs()["currentStateVersionId"], before: "sv-4" });
        assert.equal((shown["resources"] as string[]).length, 5);
        assert.equal(shown["superseded"], false);
        assert.equal(await isLocked(), true);

        await stack.up();
        assert.deepEqual(stack.steps, { undo: "same" });
        await undo.destroy();
        assert.equal(await isLocked(), false);
        const current = await simulator.connect().getCurrentStateVersion({ workspaceId: "ws-1" });
        assert.equal(current.rollbackStateVersionId, "sv-4");
    });

    it("bring-back-a-part brings back what it names, keeps the rest, and restores at destroy", async () => {
        const simulator = await start(demonstration);
        const lost = JSON.stringify(["example_server.database", "example_server.queue"]);
        const stack = new Stack("bring-back-a-part", simulator, { workspaceId: "ws-1", goodVersionId: "sv-3", lost });
        const { now, before } = (await stack.up())["versions"] as Values;
        assert.equal(before, "sv-4");
        const read = async () => (await simulator.connect().getCurrentStateVersion({ workspaceId: "ws-1" })) as Values;
        assert.equal((await read())["id"], now);
        await stack.life("undo").destroy();
        assert.equal((await read())["rollbackStateVersionId"], "sv-4");
    });

    it("freeze-a-workspace locks, rolls back under the lock, restores and unlocks", async () => {
        const simulator = await start(demonstration);
        const config: Record<string, string> = { workspaceId: "ws-1", reason: "change 4711" };
        const stack = new Stack("freeze-a-workspace", simulator, config);
        assert.match(JSON.stringify(await stack.up()), /^{"frozen":{"by":"user-[0-9a-f]+"}}$/);
        config["goodVersionId"] = "sv-3";
        await stack.up();
        assert.deepEqual(stack.steps, { freeze: "same", undo: "created" });
        for (const name of ["undo", "freeze"]) await stack.life(name).destroy();
        const { locked, currentStateVersionId = "" } = await simulator.connect().getWorkspace({ id: "ws-1" });
        const { rollbackStateVersionId } = await simulator.connect().getStateVersion({ id: currentStateVersionId });
        assert.deepEqual([locked, rollbackStateVersionId, stack.warnings], [false, "sv-4", []]);
    });

    it("which-version is the program that `--diff` prints, and rolls back", async () => {
        const simulator = await start(demonstration);
        const environment = { TFE_ADDRESS: simulator.url, TFE_TOKEN: canaryToken };
        const { out } = await statecraft(["history", "example/app", "--diff", "sv-3"], environment);
        assert(`${out}\n`.endsWith(`\n\n${textOf("examples/tasks/which-version.ts")}`));
        const stack = new Stack("which-version", simulator);
        await stack.up();
        // The program has no exports, which would wait for the resource.
        await pulumi.runtime.disconnect();
        assert.deepEqual(stack.steps, { undo: "created" });
        assert.equal(stack.life("undo").outputs()["rolledBackFrom"], "sv-4");
    });

    it("import-a-server declares objects that the server accepts", async () => {
        const stack = new Stack("import-a-server", await start(demonstration));
        stack.environment = { BUCKET_KEY_ID: "id", BUCKET_KEY: "key" };
        await stack.up();
        assert.deepEqual(Object.values(stack.steps), Array(5).fill("created"));
    });

    it("guard-a-cluster finds no problem at first, and reports a snapshot that failed", async () => {
        const config = { bucketKeyId: "key-id", bucketKey: "key", accountKey: "account-key" };

        const simulator = await start({});
        const stack = new Stack("guard-a-cluster", simulator, config);
        assert.deepEqual(await stack.up(), { newest: ["", ""], problems: [] });
        assert.deepEqual(stack.steps, { bucket: "created", container: "created" });

        await simulator.control("POST", "/simulator/snapshots/hourly-bucket");
        await simulator.control("POST", "/simulator/snapshots/hourly-container", { error: "the account is closed" });
        const said: string[] = [];
        const print = console.warn;
        // Without an engine, `pulumi.log.warn` prints to the console.
        console.warn = (text: string) => said.push(text);
        const { newest, problems } = await stack.up().finally(() => {
            console.warn = print;
        });
        assert.deepEqual(stack.steps, { bucket: "same", container: "same" });
        assert.match((newest as string[])[0] ?? "", /^\w+-s3:\/\/snapshots\/vault\//);
        const problem = "hourly-container: the last snapshot failed: the account is closed";
        assert.deepEqual(problems, [problem]);
        assert(said.some((text) => text.includes(problem)));
        assert.deepEqual(stack.warnings, []);
    });

    const billing = {
        team: "billing",
        tenantId: "tenant-1",
        clientId: "client-1",
        clientSecret: "planted",
        apiPrincipal: "api-1",
        deployerPrincipal: "deployer-1",
    };

    it("onboard-a-team creates the configuration of the auth method and a role for each service, and machines log in", async () => {
        const simulator = await start({ mounts: ["azure-billing"] });
        const stack = new Stack("onboard-a-team", simulator, billing);
        const path = "auth/azure-billing/login";
        assert.deepEqual(await stack.up(), {
            logins: [
                { path, role: "api" },
                { path, role: "deployer" },
            ],
        });
        assert.deepEqual(stack.steps, { method: "created", api: "created", deployer: "created" });
        await stack.up();
        assert.deepEqual(stack.steps, { method: "same", api: "same", deployer: "same" });
        assert.deepEqual(stack.warnings, []);
        await simulator.outside("POST", `/v1/${path}`, {
            role: "api",
            jwt: identityToken({ aud: "https://management.azure.com/", oid: "api-1" }),
            subscription_id: "9a1f0c5e-0000-4000-8000-00000000000a",
            resource_group_name: "billing-prod",
        });
    });

    it("move-volumes registers unclaimed volumes first, and the others later", async () => {
        const plugins = demonstration.plugins ?? [];
        const volume = (id: string) => ({
            ID: id,
            Name: id,
            Namespace: "default",
            ExternalID: `vol-${id}`,
            PluginID: "disks",
            AccessMode: "single-node-writer",
            AttachmentMode: "file-system",
        });
        const old = await start({ plugins, volumes: [volume("data"), volume("logs")] });
        const fresh = await start({ plugins });
        const claim = { volume: "data", node: "node-1", allocation: "a-1", job: "database", write: true };
        await old.control("POST", "/simulator/claims", claim);
        const to = ({ url }: Simulator) => ({ nomad: { address: url, token: canaryToken } });
        const stack = new Stack("move-volumes", fresh, {}, { connections: { old: to(old), new: to(fresh) } });

        assert.deepEqual(await stack.up(), {
            moved: [{ id: "default/logs", schedulable: true }],
            left: [{ volumeId: "data", jobs: ["database"] }],
        });
        assert.deepEqual(stack.steps, { logs: "created" });

        await old.control("DELETE", "/simulator/claims/a-1");
        assert.deepEqual(((await stack.up())["left"] as unknown[]).length, 0);
        assert.deepEqual(stack.steps, { data: "created", logs: "same" });
        assert.deepEqual(await old.writes(), []);
        assert.deepEqual(stack.warnings, []);
    });

    it("take-over overwrites objects, adopts identical ones, reads one, and lists the others", async () => {
        const hourly = {
            interval: 3600,
            retain: 24,
            storage_type: "local",
            path_prefix: "/var/snapshots",
            local_max_space: 10_000_000_000,
        };
        const seed: Seed = {
            roles: [
                { name: "web", fields: { token_policies: ["old"], bound_service_principal_ids: ["p"] } },
                { name: "billing", fields: { token_policies: ["ledger"], bound_service_principal_ids: ["p"] } },
                { name: "legacy", fields: { token_policies: ["old"], bound_service_principal_ids: ["p"] } },
            ],
            snapshotConfigs: [
                { name: "hourly", fields: hourly },
                { name: "weekly", fields: hourly },
            ],
        };

        const simulator = await start(seed);
        const stack = new Stack("take-over", simulator);
        stack.environment = { STATECRAFT_ADOPT: "identical" };
        assert.deepEqual(await stack.up(), {
            billingPolicies: ["ledger"],
            unmanaged: { roles: ["legacy"], snapshots: ["weekly"] },
            managed: ["auth/azure/role/web", "hourly"],
        });
        assert.deepEqual(stack.steps, { web: "created", hourly: "created", billing: "read" });
        const role = (await simulator.outside("GET", "/v1/auth/azure/role/web")) as { data: Values };
        assert.deepEqual(
            [role.data["token_policies"], role.data["bound_resource_groups"], role.data["token_ttl"]],
            [["web"], ["web-prod"], 3600],
        );
    });
});
