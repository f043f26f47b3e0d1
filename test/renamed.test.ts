/** A resource renamed without an alias: the engine creates the new resource, and then deletes the old one, although both are the same object. */

import assert from "node:assert/strict";
import { OwnedObjects } from "../src/core/owned-objects";
import { demonstration } from "../src/simulator/demonstration";
import type { ManagedResource } from "./support/managed-resource";
import { withSimulator } from "./support/simulator";

const rolePath = "/v1/auth/azure/role/web";
const web = { name: "web", boundLocations: ["north"], adopt: true };

describe("a renamed resource", () => {
    const simulator = withSimulator(demonstration);
    const other = withSimulator();

    /** Creates a role, by default in a new run of the program. */
    const role = (run = new OwnedObjects()) => simulator.resource("AuthRole", { run });
    /** Deletes a resource in another run of the program. */
    const destroy = async ({ state }: ManagedResource, run = new OwnedObjects()) => {
        const end = role(run);
        end.state = state;
        await end.destroy();
        return end;
    };
    const exists = async (header = {}) => (await simulator.outside("GET", rolePath, undefined, header)) !== undefined;

    for (const [id, where] of [
        ["auth/azure/role/WEB", {}],
        ["auth//azure//role/web", {}],
        ["/team/@auth/azure/role/web", { namespace: "team" }],
    ] as const) {
        it(`keeps the object if the old resource was imported as ${id}`, async () => {
            const header = "namespace" in where ? { "x-vault-namespace": where.namespace } : {};
            await simulator.outside("POST", rolePath, { bound_locations: ["north"] }, header);
            const run = new OwnedObjects();
            const end = await role(run).imported(id);
            await role(run).up({ ...web, ...where });
            await end.destroy();
            assert.equal(await exists(header), true);
        });
    }

    it("keeps the object if the first run stopped after the adoption and a later run deletes the old resource", async () => {
        const former = await role().deployed(web);
        const renamed = await role().deployed(web);
        const run = new OwnedObjects();
        const next = role(run);
        next.state = renamed.state;
        assert.equal(await next.up(web), "same");
        await destroy(former, run);
        assert.equal(await exists(), true);
    });

    it("deletes objects that the run did not create, and objects of another server", async () => {
        const former = await role().deployed(web);
        const run = new OwnedObjects();
        await other.resource("AuthRole", { run }).up(web);
        await role(run).up({ ...web, name: "next" });
        await destroy(former, run);
        assert.equal(await exists(), false);
        assert.notEqual(await other.outside("GET", rolePath), undefined);
    });

    it("keeps an object that a partly created resource may have created", async () => {
        const former = await role().deployed(web);
        const run = new OwnedObjects();
        await simulator.fault({ method: "GET", path: "/role/", skip: 1, times: 0, status: 500 });
        await assert.rejects(role(run).up({ ...web, tokenTtl: 60 }), { status: 500 });
        await simulator.heal();
        await destroy(former, run);
        assert.equal(await exists(), true);
    });

    it("deletes the object first if the replacement has `deleteBeforeReplace`", async () => {
        const run = new OwnedObjects();
        const former = await role().deployed({ ...web, adopt: false });
        // The engine checks the new resource, calls no `diff`, and deletes the old one.
        const replaced = role(run);
        await replaced.check(web);
        await destroy(former, run);
        assert.equal(await exists(), false);
        assert.equal(await replaced.up({ ...web, adopt: false }), "created");
    });

    it("deletes an object for which the run called only `read` and `diff`", async () => {
        const life = role();
        await simulator.resource("AuthRole").up(web);
        await life.get("auth/azure/role/web");
        const { provider, state } = life;
        assert(state && provider.diff);
        assert.equal((await provider.diff(state.id, life.outputs(), state.inputs)).changes, false);
        await life.destroy();
        assert.equal(await exists(), false);
    });
});
