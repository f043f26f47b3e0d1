/** Previews of new named objects with `adopt`, unknown ids, replacements, and servers that do not answer. `describeResource` tests the warning itself. */

import assert from "node:assert/strict";
import { OwnedObjects } from "../src/core/owned-objects";
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
            assert.match(notes, /change mountOptions; the server does not show secrets\. .*\[preview\]/);
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

        it("does not warn if the mount is absent, and sends no request to a service whose first read failed", async () => {
            await life("AuthRole").up(web);
            await life("CsiVolume").up(data);
            await simulator.forget();
            await simulator.fault({
                method: "GET",
                path: "/v1/auth/new/",
                times: 0,
                status: 404,
                body: '{"errors":["no handler for route \\"auth/new/role/web\\". route entry not found."]}',
            });
            const run = new OwnedObjects();
            assert.deepEqual(await life("AuthRole", { run }).preview({ ...web, mount: "new" }), []);
            assert.deepEqual(await life("AuthRole", { run, stack: "other" }).preview(web), []);
            assert.equal((await simulator.requests()).length, 1);
            const volume = life("CsiVolume", { run });
            assert.equal((await alarms(volume, data)).length, 1, "another service");
        });

        it("does not warn of a server that does not answer", async () => {
            const settings = { "statecraft:vault": { address: "http://127.0.0.1:9", maxRetries: 0 } };
            const strict = { STATECRAFT_STRICT: "true" };
            assert.deepEqual(await life("AuthRole", { settings, environment: strict }).preview(web), []);
        });
    });
}
