import assert from "node:assert/strict";
import * as z from "zod";
import { namedObject } from "../../src/core/named-object";
import { PartialCreateError } from "../../src/core/resource";
import { StatecraftError, UnreachableError } from "../../src/errors";
import { property, type Values } from "../../src/schema/facts";
import { adoptProperty } from "../../src/services/shared-options";
import { failureOf } from "../support/failures";
import { type Fake, fakeService, gone, lost, refused, service, unreadable, unsent } from "./fake";

const id = "here/web";
const asked = { name: "web", groups: ["a"], ttl: "1h" };
const stored = { groups: ["a"], ttl: 3600, secret: "", version: 1 };
const foreign = { groups: ["z"], ttl: 5, secret: "", version: 9 };

/** What is kept of an object that was made in part. */
const partial = (verb: Promise<unknown>) => failureOf(verb, PartialCreateError);

describe("a named object", () => {
    let fake: Fake;
    beforeEach(() => {
        fake = fakeService();
    });
    const create = (inputs: Values = asked) => fake.handlers.create(fake.context, inputs);
    const read = (state: Values = asked) => fake.handlers.read(fake.context, id, state);
    const update = (olds: Values, news: Values) => fake.handlers.update(fake.context, id, olds, news);
    const remove = (state: Values = asked) => fake.handlers.delete(fake.context, id, state);

    describe("create", () => {
        it("looks, writes, and looks again; what was written is kept, with what came from settings", async () => {
            assert.deepEqual(await create(), { id, outputs: { ...asked, place: "here", version: 1 } });
            assert.deepEqual(fake.asked, ["look", "write", "look"]);
            assert.deepEqual(fake.things.get(id), stored);
        });

        it("sends nothing where state could not find the object again by its id", async () => {
            await assert.rejects(create({ ...asked, name: "a/b" }), { code: "id" });
            assert.deepEqual(fake.asked, []);
        });

        it("writes nothing when the first look fails", async () => {
            fake.blind = [lost()];
            await assert.rejects(create(), { code: "unreachable" });
            assert.deepEqual(fake.asked, ["look"]);
        });

        it("warns of what the service did not heed", async () => {
            fake.dropped = ["ttl"];
            const { outputs } = await create();
            assert.equal(fake.warnings.length, 1);
            assert.match(
                fake.warnings[0] ?? "",
                /^ttl: the service accepted the write but does not hold this value when read back/,
            );
            assert.equal(outputs["ttl"], "1h");
        });

        it("waits only where asked, and keeps what it learns", async () => {
            assert.equal((await create({ ...asked, wait: "1m" })).outputs["ready"], true);
            assert.deepEqual(fake.asked, ["look", "write", "look", "wait"]);
        });

        it("keeps the object when waiting failed", async () => {
            fake.waiting = new StatecraftError("timeout", "not ready");
            const kept = await partial(create({ ...asked, wait: "1m" }));
            assert.equal(kept.id, id);
            assert.deepEqual(kept.outputs, { ...asked, wait: "1m", place: "here", version: 1, unfinished: ["wait"] });
            assert.equal(kept.cause, fake.waiting);
            assert.equal(kept.message, "it was written, but waiting for it failed");
        });

        it("keeps the object when it could not be read back", async () => {
            fake.blind = [undefined, lost()];
            const kept = await partial(create({ ...asked, wait: "1m" }));
            assert.deepEqual(kept.outputs, { ...asked, wait: "1m", place: "here", unfinished: ["readBack", "wait"] });
            assert.equal(kept.message, "it was written, but could not be read back; the next {up} goes on from there");
        });

        it("looks again for what the server that is asked does not know yet", async () => {
            fake.blind = [undefined, gone(), gone()];
            assert.deepEqual(await create(), { id, outputs: { ...asked, place: "here", version: 1 } });
            assert.deepEqual(fake.asked, ["look", "write", "look", "look", "look"]);
        });

        it("keeps the object when it stays absent where it was just written", async () => {
            fake.accident = { meanwhile: () => undefined };
            const kept = await partial(create());
            assert.deepEqual(fake.asked, ["look", "write", "look", "look", "look"]);
            assert.deepEqual(kept.outputs["unfinished"], ["readBack"]);
            assert.match(String(kept.cause), /was written, but is absent when read back/);
        });
    });

    describe("create over an existing object", () => {
        it("is refused, and says how to take it over", async () => {
            fake.things.set(id, stored);
            await assert.rejects(create(), {
                code: "exists",
                message: "the thing web in here exists already and was left untouched",
                hint: /^To take it over, set `adopt: true` on this resource, which overwrites its values, or `adopt: "identical"`/,
            });
            assert.deepEqual(fake.asked, ["look"]);
        });

        it("takes it over with `adopt`, and overwrites it", async () => {
            fake.things.set(id, foreign);
            const { outputs } = await create({ ...asked, adopt: true });
            assert.deepEqual(outputs, { ...asked, adopt: true, place: "here", version: 10 });
            assert.deepEqual(fake.things.get(id), { ...stored, version: 10 });
        });

        it("fails as it is when the answer to taking over was lost and nothing can be seen", async () => {
            fake.things.set(id, foreign);
            fake.accident = { before: lost() };
            fake.blind = [undefined, unsent()];
            await assert.rejects(create({ ...asked, adopt: true }), { name: "UnreachableError", sent: true });
        });
    });

    describe("create whose answer is lost", () => {
        for (const [what, accident] of [
            ["cut off", lost],
            ["unreadable", unreadable],
        ] as const) {
            it(`is done when a look shows exactly what was asked for (${what})`, async () => {
                fake.accident = { after: accident() };
                assert.deepEqual(await create(), { id, outputs: { ...asked, place: "here", version: 1 } });
                assert.equal(fake.asked.filter((request) => request === "write").length, 1);
            });
        }

        it("is that failure when a look shows nothing", async () => {
            fake.accident = { before: lost() };
            await assert.rejects(create(), { code: "unreachable", sent: true });
            assert.deepEqual(fake.asked, ["look", "write", "look"]);
        });

        it("refuses what somebody else made meanwhile", async () => {
            fake.accident = { meanwhile: (things) => things.set(id, foreign), after: lost() };
            const error = await failureOf(create(), StatecraftError);
            assert.equal(error.code, "exists");
            assert(error.cause instanceof UnreachableError);
            assert.deepEqual(fake.things.get(id), foreign);
        });

        it("is made in part when nobody can look, and says so", async () => {
            fake.accident = { after: lost() };
            fake.blind = [undefined, unsent()];
            const kept = await partial(create());
            assert.equal(kept.id, id);
            assert.deepEqual(kept.outputs, { ...asked, place: "here", unfinished: ["create"] });
            assert.match(
                kept.message,
                /whether the thing web in here was made is unknown; the next \{up\} looks again/,
            );
        });

        it("is the service's own refusal when it refused", async () => {
            fake.accident = { before: refused() };
            await assert.rejects(create(), { status: 400 });
            assert.deepEqual(fake.asked, ["look", "write"]);
        });

        it("that surely was never sent is not looked after", async () => {
            fake.accident = { before: unsent() };
            await assert.rejects(create(), { code: "unreachable", sent: false });
            assert.deepEqual(fake.asked, ["look", "write"]);
        });
    });

    describe("after an unfinished creation", () => {
        const open = { ...asked, place: "here", unfinished: ["create"] };

        it("the next update makes what is absent", async () => {
            assert.deepEqual(await update(open, asked), { ...asked, place: "here", version: 1 });
            assert.deepEqual(fake.asked, ["look", "write", "look"]);
        });

        it("the next update finds that it is there, and writes nothing", async () => {
            fake.things.set(id, stored);
            assert.deepEqual(await update(open, asked), { ...asked, place: "here", version: 1 });
            assert.deepEqual(fake.asked, ["look", "look"]);
        });

        it("the next update writes what the program says by now", async () => {
            fake.things.set(id, stored);
            const outputs = await update(open, { ...asked, ttl: "2h" });
            assert.equal(outputs["ttl"], "2h");
            assert.equal(fake.things.get(id)?.["ttl"], 7200);
        });

        it("the next update takes over what belongs to somebody else where the program says `adopt`", async () => {
            fake.things.set(id, foreign);
            const outputs = await update(open, { ...asked, adopt: true });
            assert.deepEqual(outputs, { ...asked, adopt: true, place: "here", version: 10 });
            assert.deepEqual(fake.things.get(id), { ...stored, version: 10 });
        });

        it("the next update is as far as before when it cannot look either", async () => {
            fake.blind = [lost()];
            await assert.rejects(update(open, asked), { code: "unreachable" });
            assert.deepEqual(fake.asked, ["look"]);
        });

        it("delete removes what was made, and succeeds where nothing was", async () => {
            fake.things.set(id, stored);
            await remove(open);
            assert.equal(fake.things.size, 0);
            fake.asked.length = 0;
            await remove(open);
            assert.deepEqual(fake.asked, ["look"]);
        });

        it("delete leaves what is somebody else's by now, and says how to forget it", async () => {
            fake.things.set(id, foreign);
            await assert.rejects(remove(open), {
                code: "exists",
                message:
                    "whether the thing web in here was made by the deployment that broke off is unknown, and it is not what that one asked for, so it was left untouched",
                hint: /^\{forget\} forgets it here; delete it on the server by hand/,
            });
            assert.deepEqual(fake.things.get(id), foreign);
        });

        it("a refresh in between keeps what is left to do", async () => {
            fake.things.set(id, stored);
            assert.deepEqual((await read(open))?.outputs["unfinished"], ["create"]);
        });
    });

    describe("update", () => {
        const olds = { ...asked, place: "here", version: 1 };
        beforeEach(() => {
            fake.things.set(id, stored);
        });

        it("of a spelling alone sends nothing and stores it", async () => {
            assert.equal((await update(olds, { ...asked, ttl: 3600 }))["ttl"], 3600);
            assert.deepEqual(fake.asked, []);
        });

        it("keeps the place of the first deployment when settings lead elsewhere", async () => {
            fake.place = "elsewhere";
            assert.equal((await update(olds, { ...asked, ttl: 1 }))["place"], "here");
            assert.deepEqual([...fake.things.keys()], [id]);
        });

        it("goes on from what was left to do, without writing again", async () => {
            const outputs = await update({ ...olds, unfinished: ["readBack", "wait"] }, { ...asked, wait: "1m" });
            assert.deepEqual(fake.asked, ["look", "wait"]);
            assert.deepEqual(outputs, { ...asked, wait: "1m", place: "here", version: 1, ready: true });
        });

        it("writes again what was granted and has not come", async () => {
            const granted = { ...asked, ttl: "2h", place: "here", unfinished: ["readBack"] };
            assert.equal((await update(granted, { ...asked, ttl: "2h" }))["ttl"], "2h");
            assert.equal(fake.things.get(id)?.["ttl"], 7200);
        });

        it("does not wait any more where the program gave it up", async () => {
            await update({ ...olds, wait: "1m", unfinished: ["wait"] }, asked);
            assert.deepEqual(fake.asked, ["look"]);
        });

        it("whose answer was lost is done when a look shows it, and fails otherwise", async () => {
            fake.accident = { after: lost() };
            assert.equal((await update(olds, { ...asked, ttl: 60 }))["ttl"], 60);
            fake.accident = { before: lost() };
            await assert.rejects(update(olds, { ...asked, ttl: 61 }), { code: "unreachable", sent: true });
            fake.accident = { after: lost() };
            fake.blind = [unsent()];
            await assert.rejects(update(olds, { ...asked, ttl: 62 }), { name: "UnreachableError" });
        });

        it("that cannot be read back is made in part with the new values", async () => {
            fake.blind = [lost()];
            const kept = await partial(update(olds, { ...asked, ttl: "2h" }));
            assert.equal(kept.outputs["ttl"], "2h");
            assert.deepEqual(kept.outputs["unfinished"], ["readBack"]);
        });
    });

    describe("read", () => {
        it("keeps what was written, tells drift, and carries a secret over", async () => {
            fake.things.set(id, { ...stored, groups: ["b"] });
            assert.deepEqual(await read({ ...asked, secret: "s3cret", wait: "1m", version: 0, ready: true }), {
                id,
                outputs: {
                    ...{ name: "web", place: "here", ttl: "1h", groups: ["b"], secret: "s3cret", wait: "1m" },
                    ...{ version: 1, ready: true },
                },
            });
            assert.deepEqual(fake.warnings, []);
        });
    });

    describe("delete", () => {
        it("fails when it is refused", async () => {
            fake.removal = refused();
            await assert.rejects(remove(), { status: 400 });
            fake.removal = gone();
            await remove();
        });
    });
});

/** What two more objects have in common, whose name is their id. */
const plain = {
    type: "Thing",
    service,
    description: "A thing.",
    outputs: z.strictObject({}),
    errors: [],
    idForm: "<name>",
    title: (name: string) => `thing ${name}`,
    address: ({ name }: { readonly name: string }) => name,
    id: (name: string) => name,
    parse: (name: string) => name,
    remove: async () => undefined,
};

describe("an object with a value that no look can tell", () => {
    const inputs = z.strictObject({
        name: property(z.string(), { description: "Name.", wire: "name" }),
        secret: property(z.string().optional(), { description: "Secret.", wire: "secret", default: "", secret: true }),
        adopt: adoptProperty,
    });
    const { context } = fakeService();
    /** What the last deployment had left, for each write; and what the service holds. */
    let written: (Values | undefined)[];
    let held: Values | undefined;
    let accident: Error | undefined;
    const { handlers } = namedObject<typeof inputs, typeof plain.outputs, string>({
        ...plain,
        inputs,
        named: () => ({}),
        read: async () => (held === undefined ? undefined : { body: held }),
        async write(_, __, { body, olds }) {
            written.push(olds);
            held = { name: body["name"] };
            if (accident !== undefined) throw accident;
        },
    });
    beforeEach(() => {
        written = [];
        held = undefined;
        accident = undefined;
    });

    it("is told at each write what the last deployment left, and nothing when it is new or taken over", async () => {
        await handlers.create(context, { name: "web", secret: "a" });
        await handlers.update(context, "web", { name: "web", secret: "a" }, { name: "web", secret: "b" });
        await handlers.create(context, { name: "other", secret: "a", adopt: true });
        assert.deepEqual(written, [undefined, { name: "web", secret: "a", adopt: false }, undefined]);
    });

    it("is written when it is taken over, though all that can be seen is as asked", async () => {
        held = { name: "web" };
        await handlers.create(context, { name: "web", adopt: true });
        assert.equal(written.length, 0);
        await handlers.create(context, { name: "web", secret: "a", adopt: true });
        assert.equal(written.length, 1);
    });

    it("is written with all that is not told when one that another has made instead of a lost creation is taken over", async () => {
        const state = { name: "web", secret: "a", unfinished: ["create"] };
        held = { name: "web" };
        await handlers.update(context, "web", state, { name: "web", secret: "a", adopt: true });
        assert.deepEqual(written, [undefined]);
    });

    it("counts as made when its answer was lost and it was absent before", async () => {
        accident = lost();
        await handlers.create(context, { name: "web", secret: "a" });
        assert.equal(written.length, 1);
    });

    it("does not count as updated when the answer was lost and only that value was new", async () => {
        held = { name: "web" };
        accident = lost();
        const update = handlers.update(context, "web", { name: "web", secret: "a" }, { name: "web", secret: "b" });
        assert.equal(await failureOf(update, Error), accident);
    });
});

describe("an object that was written and not read back", () => {
    const { context } = fakeService();
    const inputs = z.strictObject({
        name: property(z.string(), { description: "Name.", immutable: true, wire: "name" }),
        place: property(z.string().optional(), {
            description: "Place.",
            wire: "place",
            default: "",
            immutable: true,
        }),
        label: property(z.string().optional(), { description: "Label.", wire: "label", default: "" }),
    });
    let held: Values;
    let writes: number;
    const object = namedObject<typeof inputs, typeof plain.outputs, string>({
        ...plain,
        inputs,
        named: (name) => ({ name }),
        read: async () => ({ body: held }),
        async write(_, __, { body }) {
            writes++;
            held = { ...held, label: body["label"] };
        },
    });
    const resume = async (found: Values) => {
        [held, writes] = [{ name: "web", ...found }, 0];
        const news = { name: "web", place: "here", label: "a" };
        await object.handlers.update(context, "web", { ...news, unfinished: ["readBack"] }, news);
        return writes;
    };

    it("is written again for what another write can bring it, and not for what only another object can have", async () => {
        assert.equal(await resume({ place: "here", label: "a" }), 0);
        assert.equal(await resume({ place: "here", label: "b" }), 1);
        assert.equal(await resume({ place: "there", label: "a" }), 0);
    });
});
