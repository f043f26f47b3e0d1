/** An object whose id the server assigns, with a number as its id: a newcomer's resource. */

import assert from "node:assert/strict";
import * as z from "zod";
import { notAwaited } from "../../src/core/failures";
import { operationsOf } from "../../src/core/resource-operations";
import type { Runtime } from "../../src/core/runtime";
import { serverAssigned } from "../../src/core/server-assigned";
import { StandIns } from "../../src/core/stand-ins";
import { serverDefaults } from "../../src/product-names";
import { property, type Values } from "../../src/schema/facts";
import { duration, nonEmptyString } from "../../src/schema/property-types";
import { ManagedResource } from "../support/managed-resource";
import { wordsOf } from "../support/messages";
import { fakeService, gone, lost, refused, service, unsent } from "./fake";

const inputs = z.strictObject({
    name: property(nonEmptyString, { wire: "name", description: "Shown to people; need not be unique." }),
    interval: property(duration(1).optional(), {
        wire: "interval_s",
        default: 60,
        description: "Time between checks.",
    }),
    waitUntilUp: property(z.boolean().optional(), { option: true, default: false, description: "Waits for it." }),
});
const outputs = z.strictObject({
    up: property(z.boolean(), { description: "Whether the last check succeeded." }),
});

interface Monitor {
    readonly body: Values;
    active: boolean;
}

/** What happens at the next request of this kind. */
interface Accidents {
    list?: Error[];
    /** Before the object is made, and after it was. */
    post?: { before?: Error; after?: Error; meanwhile?: () => void; altered?: Values };
    activate?: Error[];
    put?: { before?: Error; after?: Error };
    read?: (Error | undefined)[];
    wait?: Error;
}

function monitors({ claims = false } = {}) {
    const held = new Map<number, Monitor>();
    const asked: string[] = [];
    const accidents: Accidents = {};
    let last = 11;
    const add = (body: Values, active = false) => {
        last++;
        held.set(last, { body, active });
        return last;
    };
    const resource = serverAssigned<typeof inputs, typeof outputs, number>({
        type: "Monitor",
        service,
        description: "A monitor.",
        inputs,
        outputs,
        errors: [],
        idForm: "<number>",
        title: (id) => `monitor ${id}`,
        id: (id) => String(id),
        parse: (id) => (/^\d+$/.test(id) ? Number(id) : undefined),
        async create(_, { body }, once) {
            const isAlike = (monitor: Monitor) => monitor.body["name"] === body["name"];
            const { id } = await once({
                noun: "monitor",
                find: async () => {
                    asked.push("list");
                    const failure = accidents.list?.shift();
                    if (failure) throw failure;
                    return [...held].filter(([, monitor]) => isAlike(monitor)).map(([id]) => ({ id }));
                },
                ...(claims
                    ? { claim: async (found) => (held.get(found.id)?.active === false ? found : undefined) }
                    : {}),
                send: async () => {
                    asked.push("post");
                    const { before, after, meanwhile, altered } = accidents.post ?? {};
                    delete accidents.post;
                    meanwhile?.();
                    if (before) throw before;
                    const id = add({ ...body, ...altered });
                    if (after) throw after;
                    return { id };
                },
            });
            await activate(id);
            return { id };
        },
        async complete(_, id) {
            await activate(id);
            return {};
        },
        async read(_, id) {
            asked.push("read");
            const failure = accidents.read?.shift();
            if (failure) throw failure;
            const monitor = held.get(id);
            return monitor && { body: monitor.body, outputs: { up: monitor.active } };
        },
        async update(_, id, { body }) {
            asked.push("put");
            const { before, after } = accidents.put ?? {};
            delete accidents.put;
            if (before) throw before;
            held.set(id, { body, active: true });
            if (after) throw after;
        },
        wait: {
            name: "waitUntilUp",
            isWanted: ({ waitUntilUp }) => waitUntilUp === true,
            async until() {
                asked.push("wait");
                const failure = accidents.wait;
                delete accidents.wait;
                if (failure) throw failure;
                return { up: true };
            },
        },
        async remove(_, id) {
            asked.push("remove");
            if (!held.delete(id)) throw gone();
        },
    });
    async function activate(id: number) {
        asked.push("activate");
        const failure = accidents.activate?.shift();
        if (failure) throw failure;
        const monitor = held.get(id);
        if (monitor) monitor.active = true;
    }
    const { session, warnings } = fakeService();
    const runtime: Runtime = {
        open: async () => session,
        defaults: () => ({ ...serverDefaults.documented, namespace: undefined }),
        strict: false,
        standIns: new StandIns(),
        say: () => undefined,
        redacted: (message) => message,
    };
    const life = ManagedResource.of(operationsOf(resource, runtime));
    const requests = () => asked.splice(0);
    return { life, held, add, accidents, requests, warnings };
}

const web = { name: "web" };

describe("an object whose id the server assigns", () => {
    it("is made, read, changed and removed", async () => {
        const { life, held, requests } = monitors();
        assert.equal(await life.up(web), "created");
        assert.deepEqual(requests(), ["list", "post", "activate", "read"]);
        assert.equal(life.state?.id, "12");
        assert.deepEqual([life.outputs()["up"], life.outputs()["name"]], [true, "web"]);
        assert.deepEqual(held.get(12)?.body, { name: "web", interval_s: 60 });
        assert.equal(await life.up(web), "same");
        assert.deepEqual(await life.refresh(), []);
        requests();
        assert.equal(await life.up({ ...web, interval: "5m" }), "updated");
        assert.deepEqual(requests(), ["put", "read"]);
        assert.equal(life.outputs()["interval"], "5m");
        assert.equal(await life.up({ ...web, interval: "5m", waitUntilUp: true }), "updated");
        assert.deepEqual(requests(), []);
        await life.destroy();
        assert.equal(held.size, 0);
    });

    it("is made beside one that looks alike, which is somebody else's", async () => {
        const { life, held, add } = monitors();
        add({ name: "web" });
        await life.up(web);
        assert.equal(life.state?.id, "13");
        assert.equal(held.size, 2);
    });

    it("is told of with a warning where the service holds another value than was written", async () => {
        const { life, accidents, warnings } = monitors();
        accidents.post = { altered: { interval_s: 30 } };
        await life.up(web);
        assert.equal(warnings.length, 1);
        assert.match(warnings.join(), /^interval: /);
    });

    it("shows drift, and its end", async () => {
        const { life, held } = monitors();
        await life.up(web);
        held.set(12, { body: { name: "web", interval_s: 30 }, active: true });
        assert.deepEqual(await life.refresh(), ["interval"]);
        held.clear();
        await life.refresh();
        assert.equal(life.state, undefined);
    });

    it("is found by its id alone; an id of another form is refused", async () => {
        const { life, add } = monitors();
        add({ name: "db", interval_s: 5 }, true);
        await life.get("12");
        assert.deepEqual([life.outputs()["name"], life.outputs()["interval"]], ["db", 5]);
        await assert.rejects(monitors().life.get("twelve"), /does not have the form <number>/);
        await assert.rejects(monitors().life.get("12"), { code: "absent" });
    });

    describe("when an answer is lost", () => {
        it("is the one that has appeared", async () => {
            const { life, held, add, accidents, requests } = monitors();
            add({ name: "web" });
            accidents.post = { after: lost() };
            await life.up(web);
            assert.deepEqual(requests(), ["list", "post", "list", "activate", "read"]);
            assert.equal(life.state?.id, "13");
            assert.equal(held.size, 2);
        });

        it("fails, and keeps nothing, where none has appeared, where several have, and where nobody can look", async () => {
            for (const [accident, told] of [
                [{ post: { before: lost() } }, /no such monitor can be seen/],
                [{ post: { after: lost() }, list: [refused()] }, /whether the monitor was made cannot be seen/],
            ] as const) {
                const { life, accidents, requests } = monitors();
                Object.assign(accidents, accident);
                await assert.rejects(life.up(web), told);
                assert.equal(life.state, undefined);
                assert.equal(requests().filter((request) => request === "post").length, 1);
            }
            const { life, add, accidents } = monitors();
            accidents.post = { after: lost(), meanwhile: () => add(web) };
            await assert.rejects(life.up(web), /several have appeared/);
            assert.equal(life.state, undefined);
        });

        it("is claimed by the next deployment, where that is surely ours", async () => {
            const { life, held, accidents, requests } = monitors({ claims: true });
            accidents.post = { after: lost(), meanwhile: () => (accidents.list = [unsent()]) };
            await assert.rejects(life.up(web), /The next deployment looks for the monitor first/);
            requests();
            await life.up(web);
            assert.deepEqual(requests(), ["list", "activate", "read"]);
            assert.equal(held.size, 1);
        });

        it("of a change, is as asked or not", async () => {
            const { life, accidents } = monitors();
            await life.up(web);
            accidents.put = { after: lost() };
            assert.equal(await life.up({ ...web, interval: 5 }), "updated");
            accidents.put = { before: lost() };
            await assert.rejects(life.up({ ...web, interval: 6 }), { code: "unreachable" });
            assert.equal(await life.up({ ...web, interval: 6 }), "updated");
        });
    });

    it("is not made twice where a refused request is told", async () => {
        const { life, held, accidents, requests } = monitors();
        accidents.post = { before: refused() };
        await assert.rejects(life.up(web), { status: 400 });
        assert.deepEqual(requests(), ["list", "post"]);
        assert.equal(held.size, 0);
    });

    it("is kept when a later step fails, and completed by the next deployment", async () => {
        const { life, held, accidents, requests } = monitors();
        accidents.activate = [refused(), refused()];
        await assert.rejects(life.up(web), /it is made, but its creation broke off/);
        assert.equal(life.state?.id, "12");
        assert.deepEqual(life.outputs()["unfinished"], ["complete"]);
        await life.refresh();
        await assert.rejects(life.up(web), { status: 400 });
        assert.deepEqual([life.outputs()["name"], life.outputs()["up"]], ["web", false]);
        requests();
        assert.equal(await life.up(web), "updated");
        assert.deepEqual(requests(), ["activate", "read"]);
        assert.equal(life.outputs()["unfinished"], undefined);
        assert.equal(held.size, 1);
    });

    it("is kept when it cannot be read back, has vanished, or is waited for in vain", async () => {
        const { life, held, accidents, requests } = monitors();
        accidents.read = [refused()];
        const waiting = { ...web, waitUntilUp: true };
        await assert.rejects(life.up(waiting), /could not be read to the end/);
        assert.deepEqual(life.outputs()["unfinished"], ["readBack", "waitUntilUp"]);
        accidents.wait = refused();
        requests();
        await assert.rejects(life.up(waiting), { status: 400, message: wordsOf(notAwaited) });
        assert.deepEqual(requests(), ["read", "wait"]);
        assert.deepEqual(life.outputs()["unfinished"], ["waitUntilUp"]);
        held.clear();
        await assert.rejects(life.up(waiting), { code: "vanished" });
    });

    it("may be gone already when it is removed", async () => {
        const { life, held } = monitors();
        await life.up(web);
        held.clear();
        await life.destroy();
        assert.equal(life.state, undefined);
    });
});
