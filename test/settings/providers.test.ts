/** The providers of one process: what resources of several types share, and what two processes' worth of them do not. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { programRuntime } from "../../src/settings/program-runtime";
import { createProviders, type Providers } from "../../src/settings/providers";
import { demonstration } from "../../src/simulator/demonstration";
import { canaryToken } from "../support/canaries";
import { Gate } from "../support/gate";
import { ManagedResource } from "../support/managed-resource";
import { withSimulator } from "../support/simulator";

const maxConcurrency = 3;

describe("the providers of a process", () => {
    const gate = new Gate();
    const simulator = withSimulator(demonstration, { vocabulary: "documented", gate });
    const other = withSimulator({}, { vocabulary: "documented" });
    afterEach(() => gate.open());

    const runtime = () => createProviders({}, () => undefined);
    const life = (from: Providers, type: string, manager: object = {}) => {
        const provider = from.provider(type);
        const settings = { address: simulator.url, token: canaryToken, maxConcurrency, ...manager };
        const all: Record<string, object> = {
            "statecraft:manager": settings,
            "statecraft:stateVersions": { ...settings, address: `${simulator.url}/api/v2` },
        };
        const get = (key: string) => all[key] && JSON.stringify(all[key]);
        void provider.configure?.({ config: { get, require: (key) => get(key) ?? assert.fail(key) } });
        return new ManagedResource(provider, []);
    };
    const role = (from: Providers, name: string, manager?: object) =>
        life(from, "AuthRole", manager).up({ name, boundLocations: ["north"] });
    const snapshots = (from: Providers, name: string) =>
        life(from, "SnapshotConfig").up({
            name,
            interval: "1h",
            storage: { type: "local", pathPrefix: "/a", maxSpace: 1_000_000 },
        });

    it("keep one limit for a service, whatever the types are; another runtime and other settings have their own", async () => {
        const told = new EventEmitter();
        const [full, released] = [once(told, "full"), once(told, "released")];
        let [inFlight, most] = [0, 0];
        gate.set(
            async ({ moment, key }) => {
                if (key === "free") return;
                inFlight += moment === "before" ? 1 : -1;
                most = Math.max(most, inFlight);
                if (inFlight === maxConcurrency) told.emit("full");
                if (moment === "before") await released;
            },
            ({ path }) => (/\/free/.test(path) ? "free" : "held"),
        );
        const first = runtime();
        const names = Array.from({ length: 6 }, (_, number) => `one-${number}`);
        const deployed = Promise.all([
            ...names.map((name) => role(first, name)),
            ...names.map((name) => snapshots(first, name)),
            life(first, "AuthConfig").up({ tenantId: "t", resource: "r" }),
        ]);
        await Promise.race([full, deployed]);
        // Nothing of the first ones moves while these do all of their work.
        const second = runtime();
        assert.equal(await role(second, "free-1"), "created");
        assert.equal(await snapshots(second, "free-2"), "created");
        assert.equal(await role(first, "free-3", { token: "another-token" }), "created");
        told.emit("released");
        assert.deepEqual(await deployed, Array(13).fill("created"));
        assert.equal(most, maxConcurrency);
    });

    it("make an object that two of them mean only once", async () => {
        const first = runtime();
        const ends = await Promise.allSettled([role(first, "web"), role(first, "web")]);
        assert.deepEqual(ends.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
        assert.equal((await simulator.writes()).length, 1);
    });

    it("let those that wait for their turn go on when one fails", async () => {
        const first = runtime();
        const denied = { method: "GET", path: "/role/", status: 403, body: '{"errors":["permission denied"]}' };
        await simulator.fault(denied);
        const ends = await Promise.allSettled([role(first, "web"), role(first, "web")]);
        assert.deepEqual(ends.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
        assert.notEqual(await simulator.outside("GET", "/v1/auth/clouda/role/web"), undefined);
    });

    it("remember the content behind a digest until it is sent", async () => {
        const program = {
            workspaceId: "ws-1",
            content: JSON.stringify({
                version: 4,
                serial: 5,
                lineage: "5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10",
                resources: [],
            }),
        };
        const first = life(runtime(), "StateVersion");
        const checked = await first.check(program);
        assert.match(String(checked["content"]), /^sha256:/);
        assert.equal(await first.up(program), "created");
    });

    it("go by the settings that each was configured with", async () => {
        const first = runtime();
        const there = life(first, "AuthRole", { address: other.url });
        const here = life(first, "AuthRole");
        await there.up({ name: "there", boundLocations: ["north"] });
        await here.up({ name: "here", boundLocations: ["north"] });
        const found = await Promise.all(
            [simulator, other].map((each) => each.outside("GET", "/v1/auth/clouda/role/there")),
        );
        assert.deepEqual(
            found.map((role) => role !== undefined),
            [false, true],
        );
    });

    it("are joined by a program's functions: one runtime for a configuration, another for another", () => {
        const before = pulumi.runtime.allConfig();
        try {
            pulumi.runtime.setAllConfig({ "statecraft:manager": JSON.stringify({ address: "http://one.example" }) });
            const one = programRuntime();
            assert.equal(programRuntime(), one);
            pulumi.runtime.setAllConfig({ "statecraft:manager": JSON.stringify({ address: "http://two.example" }) });
            assert.notEqual(programRuntime(), one);
        } finally {
            pulumi.runtime.setAllConfig(before);
        }
    });

    it("leave a program's functions the settings of its time, though another ran before it in the same process", async () => {
        const programs = `
            const pulumi = require("@pulumi/pulumi");
            const { getAuthRoles } = require("./src");
            (async () => {
                for (const address of ${JSON.stringify([simulator.url, other.url])}) {
                    process.env.STATECRAFT_MANAGER_ADDRESS = address;
                    // As the Automation API begins a run.
                    pulumi.runtime.resetOptions("project", "stack", 1, "", "127.0.0.1:1", false, "");
                    await getAuthRoles();
                }
            })();`;
        await promisify(execFile)(process.execPath, ["--require", "./scripts/ts-node.cjs", "--eval", programs], {
            cwd: join(__dirname, "..", ".."),
            env: { ...process.env, STATECRAFT_MANAGER_TOKEN: canaryToken },
        });
        const asked = await Promise.all([simulator, other].map(async (one) => (await one.requests()).length));
        assert.deepEqual(asked, [1, 1]);
    });
});
