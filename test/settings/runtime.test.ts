/** A runtime, and what its resources share. */

import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { Operations } from "../../src/core/operations";
import { dynamicProvider } from "../../src/pulumi/dynamic-provider";
import { stateVersions } from "../../src/services/state-versions/service";
import { createRuntime } from "../../src/settings/runtime";
import { demonstration } from "../../src/simulator/demonstration";
import { closeAll, serveRaw } from "../http/support";
import { canaryToken } from "../support/canaries";
import { definitions } from "../support/definitions";
import { failureOf } from "../support/failures";
import { Gate } from "../support/gate";
import { ManagedResource, Shown } from "../support/managed-resource";
import { withSimulator } from "../support/simulator";

describe("a host", () => {
    const gate = new Gate();
    const simulator = withSimulator({}, { vocabulary: "documented", gate });
    after(async () => {
        await closeAll();
    });

    it("has one client for each service and connection: the resources of one share its sockets and its limit", async () => {
        const { hostname, port } = new URL(simulator.url);
        const door = () => serveRaw((socket) => socket.pipe(connect(Number(port), hostname)).pipe(socket));
        const [usual, other] = [await door(), await door()];
        const maxConcurrency = 3;
        const manager = { token: canaryToken, maxConcurrency };
        const settings: Record<string, object> = {
            "statecraft:manager": { ...manager, address: usual.address },
            "statecraft:connections": { other: { manager: { ...manager, address: other.address } } },
        };
        const runtime = createRuntime((key) => settings[key] && JSON.stringify(settings[key]), {
            environment: {},
            say: () => undefined,
        });
        const definition = definitions.find(({ type }) => type === "AuthRole");
        assert(definition);
        const provider = dynamicProvider(() => new Operations(definition, runtime));
        const deploy = (name: string, connection?: string) =>
            new ManagedResource(provider, []).up({ name, boundLocations: ["north"], connection });

        const told = new EventEmitter();
        const [full, released] = [once(told, "full"), once(told, "released")];
        let [inFlight, most] = [0, 0];
        gate.set(
            async ({ moment, key }) => {
                if (key === "other") return;
                inFlight += moment === "before" ? 1 : -1;
                most = Math.max(most, inFlight);
                if (inFlight === maxConcurrency) told.emit("full");
                if (moment === "before") await released;
            },
            ({ path }) => (path.endsWith("/other") ? "other" : "usual"),
        );

        const deployed = Promise.all(Array.from({ length: 12 }, (_, number) => deploy(`role-${number}`)));
        await Promise.race([full, deployed]);
        // Nothing of the first connection moves while the second one does all of its work.
        assert.equal(await deploy("other", "other"), "created");
        told.emit("released");
        assert.deepEqual(await deployed, Array(12).fill("created"));
        assert.deepEqual([most, usual.connections()], [maxConcurrency, maxConcurrency]);
    });

    for (const [name, word] of [
        ["STATECRAFT_ADOPT", "identical"],
        ["STATECRAFT_LOG", "requests"],
    ] as const) {
        it(`refuses every word in ${name} but the one that has an effect`, async () => {
            const life = (value: string) => simulator.resource("AuthRole", { environment: { [name]: value } });
            const web = { name: "web", boundLocations: ["north"] };
            const wrong = { code: "config", message: new RegExp(`^AuthRole web: ${name}: must be "${word}"`) };
            await assert.rejects(life("all").up(web), wrong);
            const usual = life("");
            await usual.up(web);
            await usual.destroy();
        });
    }

    it("says once that the address of HCP Terraform is the default, and nothing of one that is set", async () => {
        const saying = async (settings: object) => {
            const said: string[] = [];
            const config = (key: string) => (key === "statecraft:terraform" ? JSON.stringify(settings) : undefined);
            const runtime = createRuntime(config, { environment: {}, say: (_, message) => said.push(message) });
            for (let runs = 0; runs < 2; runs++) runtime.open(stateVersions, undefined);
            return said;
        };
        const [said = "", ...more] = await saying({ token: "t" });
        assert.match(said, /https:\/\/app\.terraform\.io\/api\/v2/);
        assert.deepEqual(more, []);
        assert.deepEqual(await saying({ token: "t", address: "https://tfe.example" }), []);
    });

    it("has another client for another token at the same address", async () => {
        const tokens = new Set<string>();
        gate.set(({ request: { path, headers } }) => {
            if (path.includes("/role/")) tokens.add(`${path.split("/").at(-1)} ${headers["x-secrets-token"]}`);
        });
        const settings: Record<string, object> = {
            "statecraft:manager": { address: simulator.url, token: canaryToken },
            "statecraft:connections": { other: { manager: { address: simulator.url, token: "another-token" } } },
        };
        const runtime = createRuntime((key) => settings[key] && JSON.stringify(settings[key]), {
            environment: {},
            say: () => undefined,
        });
        const definition = definitions.find(({ type }) => type === "AuthRole");
        assert(definition);
        const life = () => ManagedResource.of(new Operations(definition, runtime));
        await life().up({ name: "one", boundLocations: ["north"] });
        await life().up({ name: "two", boundLocations: ["north"], connection: "other" });
        assert.deepEqual([...tokens], [`one ${canaryToken}`, "two another-token"]);
    });

    it("says and fails in one line, whatever a server puts into its words", async () => {
        const hostile = `\u001b[2J\r\nerror: forged\u009b1m\u202e\u2028x`;
        const warned = JSON.stringify({ warnings: [hostile] });
        const status = JSON.stringify({
            data: { last_snapshot_start: "2030-01-01T00:00:00Z", last_snapshot_error: hostile },
        });
        await simulator.fault({ method: "POST", status: 200, after: true, body: warned });
        await simulator.fault({ path: "/status/", status: 200, body: status, times: 0 });
        const snapshots = simulator.resource("SnapshotConfig");
        const storage = { type: "local", pathPrefix: "/snapshots", maxSpace: 1_000_000 };
        const written = snapshots.up({ name: "hourly", interval: "1h", storage, waitForSnapshot: 5 });
        const { message } = await failureOf(written, Shown);
        const said = snapshots.messages.map((each) => each.message).filter((text) => text.includes("forged"));
        assert.equal(said.length, 1);
        for (const text of [message, ...said]) {
            assert.match(text, /^SnapshotConfig hourly: .* \[2J error: forged 1m x/);
            assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        }
    });

    it("is held up by no text of a server, however long its repetitions are", async () => {
        const long = (sign: string) => `${sign.repeat(200_000)}x`;
        const answered = (path: string, status: number, body: object) =>
            simulator.fault({ path, status, times: 0, body: JSON.stringify(body) });
        await simulator.control("POST", "/simulator/reset", demonstration);
        const storage = { type: "local", pathPrefix: "/snapshots", maxSpace: 1_000_000 };
        const snapshots = { name: "hourly", interval: "1h", storage };
        const refused = async (type: string, inputs: Record<string, unknown>, words: RegExp) => {
            assert.match((await failureOf(simulator.resource(type).up(inputs), Shown)).message, words);
        };

        await answered("/role/", 400, { errors: [long("\n")] });
        await refused("AuthRole", { name: "web", boundLocations: ["north"] }, /: 400: x\. \[service\]$/);
        const failed = { last_snapshot_start: "2030-01-01T00:00:00Z", last_snapshot_error: long(".") };
        await answered("/status/", 200, { data: failed });
        await refused("SnapshotConfig", { ...snapshots, waitForSnapshot: 5 }, /an earlier one failed: \.+x\. Set /);
        await answered("/workspaces/ws-1$", 200, {
            data: { attributes: { locked: true, "locked-reason": `${"[statecraft ".repeat(50_000)}x` } },
        });
        await refused("StateVersionRollback", { workspaceId: "ws-1", stateVersionId: "sv-1" }, /locked/);
        const shown = simulator.resource("SnapshotConfig");
        await shown.up({ ...snapshots, name: "daily" });
        const data = { interval: 3600, path_prefix: long("/"), storage_type: "local", local_max_space: 1_000_000 };
        await answered("/config/daily", 200, { data });
        assert.deepEqual(await shown.refresh(), ["storage"]);
    });
});
