/** A resource that is renamed without an alias, or replaced by force: the engine makes the new one first, then deletes the old one, which is the same object. */

import assert from "node:assert/strict";
import { Run } from "../src/core/run";
import { demonstration } from "../src/simulator/demonstration";
import { canaryToken } from "./support/canaries";
import { withSimulator } from "./support/simulator";

const rolePath = "/v1/auth/clouda/role/web";
const web = { name: "web", boundLocations: ["north"], adopt: true };

describe("a resource under another name in the same run", () => {
    const tokens = [canaryToken, "outside"].map((token) => ({ token, kind: "user", id: "user-1" }) as const);
    const simulator = withSimulator({ ...demonstration, tokens });
    const other = withSimulator();

    it("takes the object over, and the old one's end leaves it", async () => {
        const former = simulator.resource("AuthRole", { run: new Run() });
        await former.up(web);
        const run = new Run();
        const renamed = simulator.resource("AuthRole", { run });
        assert.equal(await renamed.up(web), "created");
        const end = simulator.resource("AuthRole", { run });
        end.state = former.state;
        await end.destroy();
        assert.notEqual(await simulator.outside("GET", rolePath), undefined);
        assert.match(end.messages.at(-1)?.message ?? "", /^AuthRole auth\/clouda\/role\/web: stays as it is, because/);
        assert.equal(await renamed.up(web), "same");

        const later = simulator.resource("AuthRole", { run: new Run() });
        later.state = renamed.state;
        await later.destroy();
        assert.equal(await simulator.outside("GET", rolePath), undefined, "the next run deletes it as ever");
    });

    for (const isNative of [false, true]) {
        it(`says which options of resources it needs ${isNative ? "on the native plugin" : "in the dynamic host"}`, async () => {
            await simulator.resource("AuthRole", { run: new Run() }).up(web);
            const renamed = simulator.resource("AuthRole", { run: new Run(), isNative });
            await assert.rejects(renamed.up({ ...web, adopt: false }), {
                code: "exists",
                message: /exists already.* `adopt: true` .* `aliases`.*`--replace`.* `deleteBeforeReplace: true`\.$/,
            });
        });
    }

    for (const [id, where] of [
        ["auth/clouda/role/WEB", {}],
        ["auth//clouda//role/web", {}],
        ["/team/@auth/clouda/role/web", { namespace: "team" }],
    ] as const) {
        it(`leaves it where the old one was imported as ${id}`, async () => {
            const header = "namespace" in where ? { "x-secrets-namespace": where.namespace } : {};
            await simulator.outside("POST", rolePath, { bound_locations: ["north"] }, header);
            const run = new Run();
            const end = simulator.resource("AuthRole", { run });
            await end.get(id);
            await simulator.resource("AuthRole", { run }).up({ ...web, ...where });
            await end.destroy();
            assert.notEqual(await simulator.outside("GET", rolePath, undefined, header), undefined);
        });
    }

    it("is not deleted by a later run, where the first one broke off after it had taken the object over", async () => {
        const former = simulator.resource("AuthRole", { run: new Run() });
        await former.up(web);
        const renamed = simulator.resource("AuthRole", { run: new Run() });
        await renamed.up(web);
        const run = new Run();
        const next = simulator.resource("AuthRole", { run });
        next.state = renamed.state;
        assert.equal(await next.up(web), "same");
        const end = simulator.resource("AuthRole", { run });
        end.state = former.state;
        await end.destroy();
        assert.notEqual(await simulator.outside("GET", rolePath), undefined);
    });

    it("deletes what the run did not make, and what another server has", async () => {
        const run = new Run();
        const here = simulator.resource("AuthRole", { run });
        await here.up(web);
        const former = here.state;
        run.kept.clear();
        await other.resource("AuthRole", { run }).up(web);
        await simulator.resource("AuthRole", { run }).up({ ...web, name: "next" });
        here.state = former;
        await here.destroy();
        assert.equal(await simulator.outside("GET", rolePath), undefined);
        assert.notEqual(await other.outside("GET", rolePath), undefined);
    });

    it("leaves what a half-made one may have made", async () => {
        const former = simulator.resource("AuthRole");
        await former.up(web);
        const run = new Run();
        await simulator.fault({ method: "GET", path: "/role/", skip: 1, times: 0, status: 500 });
        const renamed = simulator.resource("AuthRole", { run });
        await assert.rejects(renamed.up({ ...web, tokenTtl: 60 }), { status: 500 });
        await simulator.heal();
        const end = simulator.resource("AuthRole", { run });
        end.state = former.state;
        await end.destroy();
        assert.notEqual(await simulator.outside("GET", rolePath), undefined);
    });

    it("does not undo the rollback that the new one stands for", async () => {
        const undo = { workspaceId: "ws-1", stateVersionId: "sv-2", lock: true, onDelete: "restore" };
        const former = simulator.resource("StateVersionRollback");
        await former.up(undo);
        const run = new Run();
        const renamed = simulator.resource("StateVersionRollback", { run });
        await renamed.up(undo);
        const end = simulator.resource("StateVersionRollback", { run });
        end.state = former.state;
        await end.destroy();
        await renamed.refresh();
        assert.equal(renamed.outputs()["superseded"], false);
    });

    describe("that two resources of the program have", () => {
        const former = "https://former.example";
        const settings = { "statecraft:manager": { formerAddresses: [former] } };
        /** One more resource of the stack that has the role already, as it is stored since it was reached by this address. */
        const having = async (run: Run, address?: string, stack?: string) => {
            const life = simulator.resource("AuthRole", { run, settings, ...(stack && { stack }) });
            const maker = simulator.resource("AuthRole");
            await maker.up(web);
            life.state = maker.state;
            if (life.state && address) life.state.outputs = { ...life.state.outputs, server: address };
            return life;
        };
        const isThere = async () => (await simulator.outside("GET", rolePath)) !== undefined;

        for (const [kept, ended] of [
            [former, former],
            [former, undefined],
            [undefined, former],
        ]) {
            const told = (address: string | undefined) => (address ? "its former address" : "its address of now");
            it(`stays: one is kept under ${told(kept)}, the other ends under ${told(ended)}`, async () => {
                const run = new Run();
                const [one, other] = [await having(run, kept), await having(run, ended)];
                assert.equal(await one.up(web), "same");
                await other.destroy();
                assert(await isThere());
            });
        }

        it("stays when one of them becomes another object", async () => {
            const run = new Run();
            const [one, other] = [await having(run, former), await having(run, former, "other")];
            assert.equal(await one.up(web), "same");
            assert.equal(await other.up({ ...web, name: "next" }), "replaced");
            assert(await isThere());
        });

        it("goes with the last of them", async () => {
            const run = new Run();
            const other = await having(run);
            assert.equal(await other.up(web), "same");
            assert.equal(await other.up({ ...web, name: "next" }), "replaced");
            assert(!(await isThere()));
        });
    });

    it("is the next one of a list whose first item has gone: each takes over what the next one had", async () => {
        const lives = ["a", "b", "c"].map(() => simulator.resource("AuthRole"));
        const up = async (names: readonly string[], run: Run) => {
            for (const [index, name] of names.entries()) {
                const life = simulator.resource("AuthRole", { run, stack: `item-${index}` });
                life.state = lives[index]?.state;
                await life.up({ ...web, name });
                lives[index] = life;
            }
            return simulator.resource("AuthRole", { run });
        };
        await up(["a", "b", "c"], new Run());
        const last = await up(["b", "c"], new Run());
        last.state = lives[2]?.state;
        await last.destroy();
        const there = ["a", "b", "c"].map((name) => simulator.outside("GET", rolePath.replace("web", name)));
        assert.deepEqual(
            (await Promise.all(there)).map((role) => role !== undefined),
            [false, true, true],
        );
    });

    it("is deleted where nothing but a refresh has looked at it: the engine asks for its diff then too", async () => {
        const life = simulator.resource("AuthRole", { run: new Run() });
        await simulator.resource("AuthRole").up(web);
        await life.get("auth/clouda/role/web");
        const { provider, state } = life;
        assert(state && provider.diff);
        assert.equal((await provider.diff(state.id, life.outputs(), state.inputs)).changes, false);
        await life.destroy();
        assert.equal(await simulator.outside("GET", rolePath), undefined);
    });

    it("is no workspace: the end of one of its rollbacks releases the lock that this one left", async () => {
        const undo = { workspaceId: "ws-1", stateVersionId: "sv-2", lock: true };
        const run = new Run();
        const one = simulator.resource("StateVersionRollback", { run });
        await one.up(undo);
        const other = simulator.resource("StateVersionRollback", { run, stack: "other" });
        await simulator.fault({ method: "POST", path: "/actions/unlock$", times: 0, status: 403, body: "" });
        await assert.rejects(other.up({ ...undo, stateVersionId: "sv-1" }));
        await simulator.heal();
        assert.equal(await one.up(undo), "same");
        await other.destroy();
        assert.match(JSON.stringify(await simulator.outside("GET", "/api/v2/workspaces/ws-1")), /"locked":false/);
    });

    it("is no workspace: the end of one of its rollbacks restores what it undid, though the other one stays", async () => {
        const undo = { workspaceId: "ws-1", stateVersionId: "sv-2", lock: true };
        const run = new Run();
        const one = simulator.resource("StateVersionRollback", { run });
        await one.up(undo);
        const maker = simulator.resource("StateVersionRollback", { stack: "other" });
        const other = simulator.resource("StateVersionRollback", { run, stack: "other" });
        await maker.up({ ...undo, stateVersionId: "sv-1", onDelete: "restore" });
        other.state = maker.state;
        assert.equal(await one.up(undo), "same");
        await simulator.forget();
        await other.destroy();
        assert.deepEqual(
            (await simulator.writes()).map(({ method }) => method),
            ["POST", "PATCH", "POST"],
        );
    });
});
