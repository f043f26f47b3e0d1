/** Manners of the simulated volumes service: what a second registration keeps, and what a read tells. */
import assert from "node:assert/strict";
import { type RunningSimulator, startSimulator } from "../../../src/simulator/server";
import { at, call } from "../requests";

const seed = { plugins: [{ id: "disks", nodes: ["node-1"] }] };
const pair = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
const bare = { ID: "data", PluginID: "disks", RequestedCapabilities: [pair] };

for (const vocabulary of ["documented", "product"] as const) {
    describe(`simulator: manners of volumes (${vocabulary})`, () => {
        let simulator: RunningSimulator;
        const headers = { authorization: "Bearer t" };
        const set = (...volumes: string[]) => call("PUT", `${simulator.url}/simulator/manners`, { body: { volumes } });
        const register = (fields: object = {}) =>
            call("PUT", `${simulator.url}/v1/volume/csi/data`, {
                headers,
                body: { Volumes: [{ ...bare, ...fields }] },
            });
        const read = () => call("GET", `${simulator.url}/v1/volume/csi/data`, { headers });
        const told = async (name: string) => at((await read()).json, name);
        before(async () => {
            simulator = await startSimulator({ vocabulary });
        });
        beforeEach(async () => {
            await call("POST", `${simulator.url}/simulator/reset`, { body: seed });
        });
        after(() => simulator.close());

        it("tell what is documented, and nothing else", async () => {
            await set("tells-documented");
            const registered = await register({ Context: { a: "b" } });
            const { json, headers: heard } = await read();
            assert.deepEqual(
                [registered.text, Object.keys(registered.headers).filter((name) => /index/.test(name))],
                ["", []],
            );
            assert(!Object.keys(heard).some((name) => /index/.test(name)));
            const names = Object.keys(Object(json));
            assert(names.includes("ModifyIndex") && names.includes("Topologies") && names.includes("ReadAllocs"));
            assert(!names.includes("Context") && !names.includes("RequestedCapabilities"));
        });

        it("tell nothing empty", async () => {
            await set("tells-nothing-empty");
            await register();
            const empty = Object.values(Object((await read()).json)).filter(
                (value) => !value || Object.keys(Object(value)).length === 0,
            );
            assert(
                empty.every((value) => value === true || (typeof value === "number" && value > 0)),
                String(empty),
            );
            assert.equal(await told("Topologies"), undefined);
            const { json } = await call("GET", `${simulator.url}/v1/volumes?type=csi`, { headers });
            assert.equal(at(json, "0", "ExternalID"), undefined);
            assert.equal(at(json, "0", "ID"), "data");
        });

        if (vocabulary === "documented") return;

        const written = {
            Context: { a: "b" },
            Secrets: { key: "planted" },
            MountOptions: { FSType: "ext4", MountFlags: ["ro"] },
            RequestedCapacityMin: 5,
        };

        it("show secrets, or hide them", async () => {
            await set("shows-secrets");
            await register(written);
            assert.deepEqual(
                [await told("Secrets"), await told("MountOptions")],
                [written.Secrets, written.MountOptions],
            );
            await set("masks-secrets");
            assert.deepEqual(
                [await told("Secrets"), await told("MountOptions")],
                [null, { FSType: "ext4", MountFlags: ["[REDACTED]"] }],
            );
        });

        for (const [manner, kept] of [
            ["merges", [{ a: "b" }, { key: "planted" }, "ext4", 5]],
            ["replaces", [{}, {}, "", 0]],
            ["shows-secrets", [{ a: "b" }, {}, "", 5]],
        ] as const) {
            it(`${manner}: a second registration keeps ${JSON.stringify(kept)}`, async () => {
                await set(...new Set([manner, "shows-secrets"]));
                await register(written);
                await register();
                assert.deepEqual(
                    [
                        await told("Context"),
                        await told("Secrets"),
                        at(await told("MountOptions"), "FSType"),
                        await told("RequestedCapacityMin"),
                    ],
                    kept,
                );
            });
        }
    });
}
