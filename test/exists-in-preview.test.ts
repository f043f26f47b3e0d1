/** Previews of new named objects with `adopt`, unknown ids, replacements, and servers that do not answer. `describeResource` tests the warning itself. */

import assert from "node:assert/strict";
import { OwnedObjects } from "../src/core/owned-objects";
import { testClock } from "./support/clock";
import { identityToken } from "./support/injector";
import type { ManagedResource } from "./support/managed-resource";
import { withCode } from "./support/messages";
import { unknown } from "./support/pulumi-values";
import { withSimulator } from "./support/simulator";

const web = { name: "web", boundGroupIds: ["g"], boundLocations: ["north"] };
const modes = { accessMode: "single-node-writer", attachmentMode: "file-system" };
const data = { volumeId: "data", pluginId: "disks", externalId: "vol-1", ...modes };

for (const isNative of [false, true]) {
    describe(`a preview of a new object on the ${isNative ? "native plugin" : "dynamic host"}`, () => {
        const simulator = withSimulator({ plugins: [{ id: "disks", nodes: ["node-1"] }] });
        const life = (type: string, options: Parameters<typeof simulator.resource>[1] = {}) =>
            simulator.resource(type, { run: new OwnedObjects(), isNative, ...options });
        const alarms = async (resource: ManagedResource, inputs: Record<string, unknown>) =>
            (await resource.preview(inputs)).filter((message) => withCode("exists").test(message));

        it("names what an adoption will change, also properties that the program leaves out, and what is not shown", async () => {
            await life("CsiVolume").up({ ...data, mountOptions: { fsType: "ext4" } });
            const declared = { ...data, secrets: { key: "value-1" }, adopt: true };
            const notes = (await life("CsiVolume").preview(declared)).join("\n");
            const change = 'change mountOptions: {"fsType":"ext4"} → {"fsType":"","mountFlags":"[secret]"}';
            assert(notes.includes(`${change}; the server does not show secrets. `), notes);
            assert.doesNotMatch(notes, /value-1/);
        });

        it("names the values that an adoption will change, from which to which", async () => {
            await life("AuthRole").up({ ...web, tokenMaxTtl: "2h", tokenType: "batch" });
            const [note = ""] = await life("AuthRole").preview({ ...web, boundLocations: ["south"], adopt: true });
            assert.match(
                note,
                /change boundLocations: \["north"\] → \["south"\], tokenMaxTtl: 7200 → 0, tokenType: "batch" → "default"\. /,
            );
        });

        it("warns with `adopt: identical` if the object differs from the program", async () => {
            await life("AuthRole").up(web);
            const adopt = "identical";
            assert.deepEqual(await alarms(life("AuthRole"), { ...web, adopt }), []);
            assert.equal((await alarms(life("AuthRole"), { ...web, adopt, tokenTtl: "1h" })).length, 1);
            assert.deepEqual(await alarms(life("AuthRole"), { ...web, adopt, tokenTtl: unknown }), []);
        });

        it("sends no request if the id of an object, or its `adopt`, is not known", async () => {
            for (const inputs of [
                { ...web, name: unknown },
                { ...web, mount: unknown },
                { ...web, connection: unknown },
                { ...web, adopt: unknown },
            ])
                assert.deepEqual(await alarms(life("AuthRole"), inputs), []);
            assert.deepEqual(await simulator.requests(), []);
        });

        it("does not warn of an object that the program's run replaces", async () => {
            const change = { ...data, externalId: "vol-2" };
            const former = await life("CsiVolume").deployed(data);
            const volume = life("CsiVolume");
            volume.state = former.state;
            assert.deepEqual((await volume.diff(change)).replaces, ["externalId"]);
            // For a replacement, the engine checks the new volume again without state.
            volume.state = undefined;
            assert.deepEqual(await alarms(volume, change), []);
        });

        const refusal = (status: number, body: string, path = "/v1/auth/new/") =>
            simulator.fault({ method: "GET", path, times: 0, status, body });
        const strict = { STATECRAFT_STRICT: "true" };

        it("tells the next step if the mount is absent, once, which `strict` does not fail", async () => {
            await refusal(404, '{"errors":["no handler for route \\"auth/new/role/web\\". route entry not found."]}');
            const run = new OwnedObjects();
            const inNew = { ...web, mount: "new" };
            const [note = "", ...others] = await life("AuthRole", { run, environment: strict }).preview(inNew);
            assert.match(note, /`vault auth enable -path=new azure`.*\[preview\]$/);
            assert.deepEqual(others, []);
            assert.deepEqual(await life("AuthRole", { run, stack: "other" }).preview({ ...inNew, name: "api" }), []);
        });

        it("warns once of a missing right for each path up to the name, and looks on", async () => {
            await life("AuthRole").up(web);
            await refusal(403, '{"errors":["permission denied"]}');
            await refusal(403, '{"errors":["permission denied"]}', "/v1/auth/other/");
            const run = new OwnedObjects();
            const codes = async (inputs: object, stack: string) => {
                const said = await life("AuthRole", { run, stack }).preview({ ...web, ...inputs });
                return said.map((text) => /\[([\w-]+)\]$/.exec(text)?.[1]);
            };
            assert.deepEqual(await codes({ mount: "new" }, "a"), ["denied"]);
            assert.deepEqual(await codes({ mount: "new", name: "api" }, "b"), []);
            assert.deepEqual(await codes({ mount: "other" }, "c"), ["denied"]);
            assert.deepEqual(await codes({}, "d"), ["exists"]);
            await assert.rejects(life("AuthRole", { environment: strict }).preview({ ...web, mount: "new" }), {
                message: /vault auth enable -path=new.*`STATECRAFT_STRICT=false`/,
            });
        });

        for (const [what, status, body] of [
            ["does not know the token", 401, '{"errors":["unauthorized"]}'],
            ["is sealed", 503, '{"errors":["Vault is sealed"]}'],
        ] as const) {
            it(`looks no more at a server that ${what}, and still at another one`, async () => {
                await refusal(status, body);
                const run = new OwnedObjects();
                assert.equal((await life("AuthRole", { run }).preview({ ...web, mount: "new" })).length, 1);
                await simulator.forget();
                assert.deepEqual(await life("AuthRole", { run, stack: "b" }).preview(web), []);
                assert.deepEqual(await simulator.requests(), []);
                await life("CsiVolume").up(data);
                assert.equal((await alarms(life("CsiVolume", { run }), data)).length, 1);
            });
        }

        it("looks no more after a login that failed", async () => {
            const login = { mount: "jwt", role: "web", jwtVariable: "JWT" };
            const options = { run: new OwnedObjects(), environment: { JWT: identityToken({}) } };
            const settings = { "statecraft:vault": { token: undefined, login } };
            const said = (name: string) =>
                life("AuthRole", { ...options, settings, stack: name }).preview({ ...web, name });
            assert.match((await said("a")).join(), withCode("login"));
            await simulator.forget();
            assert.deepEqual(await said("b"), []);
            assert.deepEqual(await simulator.requests(), []);
        });

        it("warns once of a licence that the server lacks", async () => {
            await refusal(404, '{"errors":["enterprise-only feature"]}', "/snapshot-auto/");
            const run = new OwnedObjects();
            const storage = { type: "local", pathPrefix: "/a", maxSpace: 1 };
            const said = (name: string) =>
                life("SnapshotConfig", { run, stack: name }).preview({ name, interval: "1h", storage });
            assert.deepEqual([(await said("a")).length, (await said("b")).length], [1, 0]);
        });

        it("looks at most ten seconds in all at a server that fails", async () => {
            await simulator.fault({ method: "GET", times: 0, status: 502, headers: { "retry-after": "3" } });
            const clock = testClock();
            const begun = clock.now();
            const run = new OwnedObjects();
            const settings = { "statecraft:vault": { maxRetries: 9 } };
            for (const name of ["a", "b", "c"]) {
                await life("AuthRole", { run, settings, clock, stack: name }).preview({ ...web, name });
            }
            const took = clock.now() - begun;
            assert(took >= 9000 && took <= 10_000, String(took));
            // The last two looks have no time for a retry.
            assert.equal((await simulator.requests()).length, 6);
        });

        it("warns of a server that does not answer, which fails with `strict`", async () => {
            const settings = { "statecraft:vault": { address: "http://127.0.0.1:9", maxRetries: 0 } };
            const { warnings } = life("AuthRole", { settings });
            assert.deepEqual(warnings, []);
            const [warning = ""] = await life("AuthRole", { settings }).preview(web);
            assert.match(warning, /ECONNREFUSED.*let it be an output.*\[unreachable\]$/);
            await assert.rejects(life("AuthRole", { settings, environment: strict }).preview(web), /ECONNREFUSED/);
        });
    });
}
