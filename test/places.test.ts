/** `mount` and `namespace` come from the settings only at create: later runs with other settings do not replace the object. */

import assert from "node:assert/strict";
import { OwnedObjects } from "../src/core/owned-objects";
import { canaryToken } from "./support/canaries";
import { withCode } from "./support/messages";
import type { Props } from "./support/pulumi-values";
import { withSimulator } from "./support/simulator";

const web = { name: "web", boundLocations: ["north"] };
const data = {
    ...{ volumeId: "data", pluginId: "files" },
    ...{ accessMode: "single-node-writer", attachmentMode: "file-system" },
};

/** A program of each resource with places, in an order in which all can be created, and the rest of its id. */
const programs: readonly (readonly [type: string, inputs: Props, id: string])[] = [
    ["AuthConfig", { tenantId: "t", resource: "r" }, "auth/azure/config"],
    ["RootRotation", {}, "auth/azure/rotate-root"],
    ["AuthRole", web, "auth/azure/role/web"],
    ["CsiVolume", data, "data"],
    ["CsiVolumeDetachment", { volumeId: "data", node: "node-1" }, "data/node-1"],
];
const isVolume = (type: string) => type.startsWith("Csi");
/** The namespace of an object that was created with this one in the settings. */
const placeOf = (type: string, namespace: string | undefined) => namespace ?? (isVolume(type) ? "default" : "");
const idIn = (type: string, place: string, id: string) =>
    place === "" ? id : `${place}${isVolume(type) ? "/" : "@"}${id}`;

describe("mount and namespace from the settings", () => {
    const tokens = [canaryToken, "outside"].map((token) => ({ token, kind: "user", id: "user-1" }) as const);
    const simulator = withSimulator({ tokens, plugins: [{ id: "files", nodes: ["node-1"] }] });

    const on = (type: string, namespace: string | undefined) => {
        const settings = { [`statecraft:${isVolume(type) ? "nomad" : "vault"}`]: { namespace } };
        return simulator.resource(type, { run: new OwnedObjects(), settings });
    };
    /** Asserts that all requests since the last `forget` were sent to this namespace. */
    const areSentTo = async (namespace: string) => {
        const requests = await simulator.requests();
        const sent = requests.map(({ headers, query }) => query["namespace"] ?? headers["x-vault-namespace"] ?? "");
        assert.deepEqual(new Set(sent), new Set(sent.length > 0 ? [namespace] : []));
    };

    it("are no inputs of a read unless they differ from what the settings would choose", async () => {
        for (const [type, inputs] of programs) {
            const made = on(type, "team");
            await made.up(inputs);
            await made.refresh();
            assert(!("namespace" in (made.state?.inputs ?? {})), type);
            const elsewhere = on(type, "other");
            elsewhere.state = made.state;
            await elsewhere.refresh();
            assert.equal(elsewhere.state?.inputs["namespace"], "team", type);
        }
    });

    it("are inputs of a read if the program wrote them, in the native plugin", async () => {
        const life = simulator.resource("AuthRole", { isNative: true });
        await life.up({ ...web, mount: "azure" });
        await life.refresh();
        assert.equal(life.state?.inputs["mount"], "azure");
        const other = simulator.resource("AuthRole", { isNative: true });
        await other.up({ ...web, name: "other" });
        await other.refresh();
        assert(!("mount" in (other.state?.inputs ?? {})));
    });

    for (const namespace of ["team", undefined]) {
        it(`are in the id, the outputs and the requests of a new object, and not in its inputs: ${namespace ?? "none"}`, async () => {
            for (const [type, inputs, id] of programs) {
                await simulator.forget();
                const resource = on(type, namespace);
                await resource.up(inputs);
                const place = placeOf(type, namespace);
                assert.equal(resource.state?.id, idIn(type, place, id));
                const { mount, namespace: shown } = resource.outputs();
                // An absent output would be unknown in each preview.
                assert.deepEqual([mount, shown], [isVolume(type) ? undefined : "azure", place]);
                for (const name of ["mount", "namespace"]) assert(!(name in (resource.state?.inputs ?? {})), name);
                await areSentTo(place);
            }
        });
    }

    it("make a preview refuse a second resource with the same object", async () => {
        const run = new OwnedObjects();
        await simulator.resource("AuthRole", { run }).check(web, true);
        const twin = simulator.resource("AuthRole", { run, stack: "twin" });
        await assert.rejects(twin.check(web, true), withCode("duplicate"));
    });

    for (const refreshes of [false, true]) {
        for (const [made, elsewhere] of [
            ["prod", "dev"],
            ["prod", undefined],
            [undefined, "dev"],
        ]) {
            const when = refreshes ? " after a refresh" : "";

            it(`do not move an object created in ${made ?? "no namespace"} and deployed with ${elsewhere ?? "none"}${when}`, async () => {
                for (const [type, inputs, id] of programs) {
                    const first = on(type, made);
                    await first.up(inputs);
                    if (refreshes) await first.refresh();
                    await simulator.forget();
                    const second = on(type, elsewhere);
                    second.state = first.state;
                    assert.equal(await second.up(inputs), "same");
                    assert.deepEqual(await second.refresh(), []);
                    if (type === "AuthRole") assert.equal(await second.up({ ...inputs, tokenTtl: "1h" }), "updated");
                    assert.equal(second.state?.id, idIn(type, placeOf(type, made), id));
                    const third = on(type, elsewhere);
                    third.state = second.state;
                    // The rotation and the detachment need the other objects.
                    if (type === "AuthRole") await third.destroy();
                    await areSentTo(placeOf(type, made));
                }
            });
        }
    }

    it("apply only if the program has no `namespace`", async () => {
        const volume = on("CsiVolume", "prod");
        await volume.up(data);
        assert.equal(await volume.up({ ...data, namespace: "dev" }), "replaced");
        assert.equal(volume.state?.id, "dev/data");
    });
});
