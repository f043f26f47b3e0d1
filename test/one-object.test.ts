/** Tests that each object has one resource, whatever the kind of the resource and the address of its server. */

import assert from "node:assert/strict";
import { OwnedObjects } from "../src/core/owned-objects";
import { demonstration } from "../src/simulator/demonstration";
import { definitions } from "./support/definitions";
import type { ManagedResource } from "./support/managed-resource";
import { factsOf, programOf } from "./support/resource-facts";
import { DeployingProcess, withSimulator } from "./support/simulator";

const volume = { volumeId: "tmp", name: "tmp", externalId: "vol-1", pluginId: "disks" };
const modes = { accessMode: "single-node-writer", attachmentMode: "file-system" };
const rollback = { workspaceId: "ws-1", stateVersionId: "sv-1", onDelete: "restore" };
const current = "/api/v2/workspaces/ws-1/current-state-version";

describe("one object, one resource", () => {
    const simulator = withSimulator(demonstration);
    const idOfCurrent = async () => (await simulator.outside("GET", current)) as { data: { id: string } };
    /** A resource in the same process as others of its run. */
    const member = (type: string, run: { owned: OwnedObjects; process: DeployingProcess }, settings = {}) =>
        simulator.resource(type, { run: run.owned, process: run.process, settings });
    const isLocked = async () =>
        /"locked":true/.test(JSON.stringify(await simulator.outside("GET", "/api/v2/workspaces/ws-1")));
    const newRun = () => ({ owned: new OwnedObjects(), process: new DeployingProcess() });
    const withState = ({ state }: ManagedResource, run: ReturnType<typeof newRun>, type: string) => {
        const end = member(type, run);
        end.state = state;
        return end;
    };

    // The service assigns the id of a StateVersion.
    for (const { type } of definitions.filter(({ type }) => type !== "StateVersion")) {
        it(`two resources of the type ${type} with one id are refused`, async () => {
            const run = new OwnedObjects();
            const urns = ["one", "two"].map((name) => `urn:pulumi:dev::app::t::${name}`);
            const [first, second] = urns.map((urn) => ({ urn, life: simulator.resource(type, { run }) }));
            const check = (each: typeof first) => {
                assert(each?.life.provider.check);
                const about = { urn: each.urn, isPreview: true };
                return each.life.provider.check({}, { ...programOf(factsOf(type)), __statecraft: about });
            };
            assert.deepEqual((await check(first)).failures, []);
            await simulator.forget();
            assert.match(
                String((await check(second)).failures?.map(({ reason }) => reason)),
                /the resource one, .*\[duplicate\]$/,
            );
            assert.deepEqual(await simulator.requests(), []);
        });
    }

    it("a rollback that is renamed without an alias is not undone, and its lock is released", async () => {
        const former = await member("StateVersionRollback", newRun()).deployed({ ...rollback, keepLocked: true });
        const made = (await idOfCurrent()).data.id;
        const run = newRun();
        await member("StateVersionRollback", run).up(rollback);
        former.state = { ...(former.state ?? assert.fail()), outputs: { ...former.state?.outputs, keepLocked: false } };
        const end = withState(former, run, "StateVersionRollback");
        await end.destroy();
        assert.equal((await idOfCurrent()).data.id, made);
        assert.match(end.said, /\[renamed\]/);
        assert.equal(await isLocked(), false);
    });

    it("a renamed rollback with `keepLocked` leaves the lock, and the message says how to unlock", async () => {
        const former = await member("StateVersionRollback", newRun()).deployed({ ...rollback, keepLocked: true });
        const run = newRun();
        await member("StateVersionRollback", run).up({ ...rollback, keepLocked: true });
        const end = withState(former, run, "StateVersionRollback");
        await end.destroy();
        assert.equal(await isLocked(), true);
        assert.match(end.said, /unlock ws-1`.*\[lock-kept\]/);
    });

    it("a volume that is renamed, and reached by another address of its server, stays registered", async () => {
        const other = simulator.url.replace("127.0.0.1", "localhost");
        const settings = (address: string, otherAddresses: string[]) => ({
            "statecraft:nomad": { address, otherAddresses },
        });
        const run = newRun();
        const former = await member("CsiVolume", newRun()).deployed({ ...volume, ...modes });
        await member("CsiVolume", run, settings(other, [simulator.url])).deployed({
            ...volume,
            ...modes,
            adopt: true,
        });
        await withState(former, run, "CsiVolume").destroy();
        assert.notEqual(await simulator.outside("GET", "/v1/volume/csi/tmp"), undefined);
    });
});
