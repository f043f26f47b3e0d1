/** A resource that is renamed without an alias, or replaced by force: the engine makes the new one first, then deletes the old one, which is the same object. */

import assert from "node:assert/strict";
import { OwnedObjects } from "../src/core/owned-objects";
import { demonstration } from "../src/simulator/demonstration";
import { canaryToken } from "./support/canaries";
import { withCode } from "./support/messages";
import { withSimulator } from "./support/simulator";

const rolePath = "/v1/auth/clouda/role/web";
const web = { name: "web", boundLocations: ["north"], adopt: true };

describe("a resource under another name in the same run", () => {
    const tokens = [canaryToken, "outside"].map((token) => ({ token, kind: "user", id: "user-1" }) as const);
    const simulator = withSimulator({ ...demonstration, tokens });
    const other = withSimulator();

    it("adopts the object, and the deletion of the old resource keeps it", async () => {
        const former = simulator.resource("AuthRole", { run: new OwnedObjects() });
        await former.up(web);
        const run = new OwnedObjects();
        const renamed = simulator.resource("AuthRole", { run });
        assert.equal(await renamed.up(web), "created");
        const end = simulator.resource("AuthRole", { run });
        end.state = former.state;
        await end.destroy();
        assert.notEqual(await simulator.outside("GET", rolePath), undefined);
        assert.match(end.messages.at(-1)?.message ?? "", withCode("renamed"));
        assert.equal(await renamed.up(web), "same");

        const later = simulator.resource("AuthRole", { run: new OwnedObjects() });
        later.state = renamed.state;
        await later.destroy();
        assert.equal(await simulator.outside("GET", rolePath), undefined, "the next run deletes it as ever");
    });

    for (const isNative of [false, true]) {
        it(`is refused without \`adopt\`${isNative ? ", and the native plugin names `pulumi import`" : ""}`, async () => {
            await simulator.resource("AuthRole", { run: new OwnedObjects() }).up(web);
            const renamed = simulator.resource("AuthRole", { run: new OwnedObjects(), isNative });
            const named = "`pulumi import statecraft:index:AuthRole x auth/clouda/role/web`";
            await assert.rejects(renamed.up({ ...web, adopt: false }), ({ code, message }) => {
                assert.equal(code, "exists");
                assert.match(message, /`adopt: true`/);
                assert.equal(message.includes(named), isNative);
                return true;
            });
        });
    }

    for (const [id, where] of [
        ["auth/clouda/role/WEB", {}],
        ["auth//clouda//role/web", {}],
        ["/team/@auth/clouda/role/web", { namespace: "team" }],
    ] as const) {
        it(`keeps the object if the old resource was imported as ${id}`, async () => {
            const header = "namespace" in where ? { "x-secrets-namespace": where.namespace } : {};
            await simulator.outside("POST", rolePath, { bound_locations: ["north"] }, header);
            const run = new OwnedObjects();
            const end = simulator.resource("AuthRole", { run });
            await end.get(id);
            await simulator.resource("AuthRole", { run }).up({ ...web, ...where });
            await end.destroy();
            assert.notEqual(await simulator.outside("GET", rolePath, undefined, header), undefined);
        });
    }

    it("keeps the object if the first run stopped after the adoption and a later run deletes the old resource", async () => {
        const former = simulator.resource("AuthRole", { run: new OwnedObjects() });
        await former.up(web);
        const renamed = simulator.resource("AuthRole", { run: new OwnedObjects() });
        await renamed.up(web);
        const run = new OwnedObjects();
        const next = simulator.resource("AuthRole", { run });
        next.state = renamed.state;
        assert.equal(await next.up(web), "same");
        const end = simulator.resource("AuthRole", { run });
        end.state = former.state;
        await end.destroy();
        assert.notEqual(await simulator.outside("GET", rolePath), undefined);
    });

    it("deletes objects that the run did not create, and objects of another server", async () => {
        const former = simulator.resource("AuthRole", { run: new OwnedObjects() });
        await former.up(web);
        const run = new OwnedObjects();
        await other.resource("AuthRole", { run }).up(web);
        await simulator.resource("AuthRole", { run }).up({ ...web, name: "next" });
        const end = simulator.resource("AuthRole", { run });
        end.state = former.state;
        await end.destroy();
        assert.equal(await simulator.outside("GET", rolePath), undefined);
        assert.notEqual(await other.outside("GET", rolePath), undefined);
    });

    it("keeps an object that a half-made resource may have created", async () => {
        const former = simulator.resource("AuthRole");
        await former.up(web);
        const run = new OwnedObjects();
        await simulator.fault({ method: "GET", path: "/role/", skip: 1, times: 0, status: 500 });
        const renamed = simulator.resource("AuthRole", { run });
        await assert.rejects(renamed.up({ ...web, tokenTtl: 60 }), { status: 500 });
        await simulator.heal();
        const end = simulator.resource("AuthRole", { run });
        end.state = former.state;
        await end.destroy();
        assert.notEqual(await simulator.outside("GET", rolePath), undefined);
    });

    it("deletes the object first if the replacement has `deleteBeforeReplace`", async () => {
        const run = new OwnedObjects();
        const former = simulator.resource("AuthRole");
        await former.up({ ...web, adopt: false });
        // The engine checks the new resource, asks for no difference, and deletes.
        const replaced = simulator.resource("AuthRole", { run });
        await replaced.check(web);
        const end = simulator.resource("AuthRole", { run });
        end.state = former.state;
        await end.destroy();
        assert.equal(await simulator.outside("GET", rolePath), undefined);
        assert.equal(await replaced.up({ ...web, adopt: false }), "created");
    });

    it("adopts the object of the next item of a list whose first item was removed", async () => {
        const lives = ["a", "b", "c"].map(() => simulator.resource("AuthRole"));
        const up = async (names: readonly string[], run: OwnedObjects) => {
            for (const [index, name] of names.entries()) {
                const life = simulator.resource("AuthRole", { run, stack: `item-${index}` });
                life.state = lives[index]?.state;
                await life.up({ ...web, name });
                lives[index] = life;
            }
            return simulator.resource("AuthRole", { run });
        };
        await up(["a", "b", "c"], new OwnedObjects());
        const last = await up(["b", "c"], new OwnedObjects());
        last.state = lives[2]?.state;
        await last.destroy();
        const there = ["a", "b", "c"].map((name) => simulator.outside("GET", rolePath.replace("web", name)));
        assert.deepEqual(
            (await Promise.all(there)).map((role) => role !== undefined),
            [false, true, true],
        );
    });

    it("deletes an object of which the run saw only a refresh and its `diff`", async () => {
        const life = simulator.resource("AuthRole", { run: new OwnedObjects() });
        await simulator.resource("AuthRole").up(web);
        await life.get("auth/clouda/role/web");
        const { provider, state } = life;
        assert(state && provider.diff);
        assert.equal((await provider.diff(state.id, life.outputs(), state.inputs)).changes, false);
        await life.destroy();
        assert.equal(await simulator.outside("GET", rolePath), undefined);
    });
});
