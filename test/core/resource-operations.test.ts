import assert from "node:assert/strict";
import * as z from "zod";
import { namedObject } from "../../src/core/named-object";
import { OperationError } from "../../src/core/operation-error";
import type { Operations } from "../../src/core/operations";
import { redacted } from "../../src/core/redaction";
import { type Handlers, PartialCreateError, type ResourceSpec, resourceOf } from "../../src/core/resource";
import { operationsOf } from "../../src/core/resource-operations";
import type { Runtime } from "../../src/core/runtime";
import type { Session } from "../../src/core/session";
import { StandIns } from "../../src/core/stand-ins";
import { StatecraftError } from "../../src/errors";
import { serverDefaults } from "../../src/product-names";
import { property, type Values, withRules } from "../../src/schema/facts";
import { mergeOutputs } from "../../src/schema/merge";
import { objectNode } from "../../src/schema/node";
import { wholeNumber } from "../../src/schema/property-types";
import { unsealed } from "../../src/schema/secrets";
import { unknown } from "../../src/schema/unknown";
import { decodedWithDefaults } from "../../src/schema/values";
import { encode, readAnswer } from "../../src/schema/wire";
import { failureOf } from "../support/failures";
import { ManagedResource } from "../support/managed-resource";
import { chance, seed } from "../support/random";
import { fakeService, lost, service } from "./fake";
import { inputs, withLock } from "./sample";

const sealed = (value: unknown) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    value,
});

type Spec = ResourceSpec<z.ZodObject, z.ZodObject>;

/** What the engine makes of the envelopes before it hands values on. */
const opened = (values: Values = {}) => z.record(z.string(), z.unknown()).parse(unsealed(values));

const thing: Spec = {
    ...{ type: "Thing", service, description: "A thing.", inputs, outputs: z.strictObject({}), errors: [] },
    idForm: "<name>",
};

/** The operations over these handlers, and what they said. */
function setUp(handlers: Partial<Handlers> = {}, spec: Partial<Spec> = {}, strict = false) {
    const said: [severity: string, message: string, urn: string | undefined][] = [];
    const opens: (string | undefined)[] = [];
    const { session } = fakeService();
    const settings = {
        servers: ["https://one.example"] as [string, ...string[]],
    };
    const runtime: Runtime = {
        async open(_, connection, tell, { secrets = [] } = {}): Promise<Session> {
            opens.push(connection);
            return {
                ...session,
                ...settings,
                servers: settings.servers,
                warn: (text) => tell("warning", redacted(text, secrets)),
                progress: (text) => tell("progress", redacted(text, secrets)),
            };
        },
        defaults: () => ({ ...serverDefaults.documented, namespace: undefined }),
        strict,
        say: (severity, message, urn) => said.push([severity, message, urn]),
        redacted: (message, secrets = []) => redacted(message, secrets),
        standIns: new StandIns(),
    };
    const unexpected = () => Promise.reject(new Error("not expected"));
    const operations = { create: unexpected, read: unexpected, update: unexpected, delete: unexpected };
    const others = { ...operations, named: () => ({}), previewChange: async () => undefined };
    const missing = Object.entries(others).filter(([name]) => !(name in handlers));
    const all: Handlers = Object.assign(Object.create(handlers), Object.fromEntries(missing));
    return {
        life: operationsOf(
            resourceOf({ ...thing, ...spec }, () => all),
            runtime,
        ),
        said,
        opens,
        settings,
    };
}

const failure = (verb: Promise<unknown>) => failureOf(verb, OperationError);

const here = { name: "web", server: "https://one.example" };

describe("the operations of a resource", () => {
    describe("check", () => {
        const check = (life: Operations, news: Values) =>
            life.check(undefined, news, { urn: "urn:1", lockMark: "[mark]" });

        it("returns what was given, fills in no default, and seals secrets", async () => {
            const { life } = setUp();
            const storage = { type: "bucket", bucket: "b", key: "k" };
            const checked = await check(life, { name: "web", ttl: "1h", password: "pw", groups: null, storage });
            assert.deepEqual(checked, {
                inputs: { name: "web", ttl: "1h", password: sealed("pw"), storage: { ...storage, key: sealed("k") } },
                failures: [],
            });
        });

        it("tells every failure, and warnings at the resource", async () => {
            const { life, said } = setUp();
            const { failures } = await check(life, { nmae: "web", ttl: -1, oldPolicies: "a" });
            assert.equal(failures.length, 3);
            assert.deepEqual(said, [["warning", "oldPolicies: is deprecated: use policies", "urn:1"]]);
        });

        it("warns only of what is new or changed, and is strict with all", async () => {
            const { life, said } = setUp();
            const wrote = { name: "web", oldPolicies: "a", ttl: "60m", password: "pw" };
            const { inputs: stored } = await check(life, wrote);
            const [warning] = said.splice(0);
            const olds = opened(stored);
            const again = (news: Values) => life.check(olds, news, { urn: "urn:1" });
            await again(wrote);
            await again({ ...wrote, oldPolicies: ["a"], ttl: "1h" });
            assert.deepEqual(said, []);
            for (const news of [{ ttl: "2h" }, { ttl: unknown }, { ttl: "often" }, { wait: 5 }]) {
                await again({ ...wrote, ...news });
                assert.deepEqual(said.splice(0), [warning], JSON.stringify(news));
            }
            const { failures } = await setUp({}, {}, true).life.check(olds, wrote, {});
            assert.equal(failures.length, 1);
        });

        it("done twice changes nothing", async () => {
            const { life } = setUp({}, { inputs: withLock });
            const storage = { type: "bucket", bucket: "b", key: "k", document: { a: [unknown] } };
            const news = { name: "Web", ttl: "60m", oldPolicies: "b,a", groups: [unknown], lock: true, storage };
            const once = await check(life, news);
            assert.deepEqual(once.failures, []);
            assert.deepEqual(await check(life, opened(once.inputs)), once);
        });

        it("names no value that is not known yet", async () => {
            const { message } = await failure(setUp().life.create({ name: unknown }));
            assert.match(message, /^Thing: /);
        });

        it("adds the mark of locks", async () => {
            const { life } = setUp({}, { inputs: withLock });
            const { inputs } = await check(life, { name: "web", lock: true });
            assert.deepEqual(inputs, { name: "web", lock: true, lockMark: "[mark]" });
        });
    });

    describe("diff", () => {
        const diff = (news: Values, olds: Values = {}, spec: Partial<Spec> = {}, handlers: Partial<Handlers> = {}) =>
            setUp(handlers, spec).life.diff("web", { ...here, ...olds }, { name: "web", ...news });

        it("says whether anything changes, and what replaces", async () => {
            const none = {
                isChanged: false,
                changes: [],
                names: [],
                outdated: [],
                replaces: [],
                deleteBeforeReplace: false,
            };
            const change = { path: "ttl", kind: "add", replaces: false, isOption: false };
            assert.deepEqual(await diff({}), none);
            assert.deepEqual(await diff({ ttl: 1 }), { ...none, isChanged: true, changes: [change], names: ["ttl"] });
            assert.deepEqual(await diff({ mount: "a" }, {}, { deleteBeforeReplace: true }), {
                isChanged: true,
                changes: [{ path: "mount", kind: "add", replaces: true, isOption: false }],
                names: ["mount"],
                outdated: [],
                replaces: ["mount"],
                deleteBeforeReplace: true,
            });
        });

        it("is a change while something is unfinished, and no more when nothing is", async () => {
            assert.equal((await diff({}, { unfinished: ["wait"] })).isChanged, true);
            assert.equal((await diff({}, { unfinished: [] })).isChanged, false);
        });

        it("is a change for a reason that only the resource knows", async () => {
            const handlers = { outdated: (olds: Values) => (olds["superseded"] ? ["superseded"] : []) };
            const { isChanged, names } = await diff({}, { superseded: true }, {}, handlers);
            assert.deepEqual([isChanged, names], [true, ["superseded"]]);
            assert.equal((await diff({}, { superseded: false }, {}, handlers)).isChanged, false);
        });

        it("takes secrets that the host opened for what they are", async () => {
            assert.equal((await diff({ password: "pw" }, { password: "pw" })).isChanged, false);
        });
    });

    describe("what handlers return", () => {
        it("gets the server's name, and sealed secrets", async () => {
            const outputs = { name: "web", password: "pw" };
            const stamped = { name: "web", password: sealed("pw"), server: "https://one.example" };
            const { life } = setUp({
                create: async () => ({ id: "x", outputs }),
                read: async () => ({ id: "x", outputs }),
                update: async () => outputs,
            });
            assert.deepEqual(await life.create(outputs), { id: "x", outputs: stamped });
            assert.deepEqual(await life.update("x", here, outputs), stamped);
            assert.deepEqual((await life.read("x", here))?.outputs, stamped);
        });

        it("is also the inputs, for a read: the inputs and options among the outputs, sealed", async () => {
            const outputs = { name: "web", password: "pw", adopt: true, version: 5, unfinished: ["wait"] };
            const { life } = setUp({ read: async () => ({ id: "x", outputs }) });
            assert.deepEqual((await life.read("x", here))?.inputs, {
                name: "web",
                password: sealed("pw"),
                adopt: true,
            });
        });
    });

    describe("read of what is absent", () => {
        const { life } = setUp({ read: async () => undefined });

        it("is gone on a refresh", async () => assert.equal(await life.read("web", here), undefined));

        it("is an error where only the id is known", async () => {
            assert.equal(
                (await failure(life.read("web", {}))).message,
                "Thing web: it does not exist, or may not be seen. Check the id or the name, its form, and the token.",
            );
        });
    });

    describe("the server", () => {
        const done: Partial<Handlers> = {
            read: async (_, id, state) => ({ id, outputs: state }),
            update: async (_, __, ___, news) => news,
            delete: async () => undefined,
        };
        const elsewhere = { name: "web", server: "https://other.example" };
        const verbs: [name: string, run: (life: Operations) => Promise<unknown>][] = [
            ["read", (life) => life.read("web", elsewhere)],
            ["update", (life) => life.update("web", elsewhere, { name: "web" })],
            ["delete", (life) => life.delete("web", elsewhere)],
        ];
        for (const [name, run] of verbs) {
            it(`${name} refuses to act when the settings lead elsewhere, and names both`, async () => {
                const { life } = setUp(done);
                const { message } = await failure(run(life));
                assert.match(
                    message,
                    /^Thing web: it is on https:\/\/other\.example, but the settings of the secrets manager lead to https:\/\/one\.example, so nothing was done\. /,
                );
                assert.match(
                    message,
                    /\{set manager\.otherAddresses\[0\]=https:\/\/other\.example\}.*`address` in `statecraft:manager`/,
                );
            });

            it(`${name} acts when the other address is listed as one of the same server`, async () => {
                const { life, settings } = setUp(done);
                settings.servers.push("https://other.example");
                await run(life);
            });
        }

        it("that an update stores is the one it is known by now", async () => {
            const { life, settings } = setUp(done);
            settings.servers.push("https://other.example");
            assert.equal((await life.update("web", elsewhere, { name: "web" }))["server"], "https://one.example");
        });

        it("is that of the connection: the new one for an update, the stored one for a read and a deletion", async () => {
            const { life, opens } = setUp({ ...done, create: async () => ({ id: "x", outputs: {} }) });
            await life.create({ name: "web", connection: "a" });
            await life.update("web", { ...here, connection: "a" }, { name: "web", connection: "b" });
            await life.read("web", { ...here, connection: "c" });
            await life.delete("web", { ...here, connection: "d" });
            await life.read("web", here);
            assert.deepEqual(opens, ["a", "b", "c", "d", undefined]);
        });
    });

    describe("a failure", () => {
        it("is one paragraph: the resource, what happened, what to do", async () => {
            const { life } = setUp({
                create: async () => {
                    throw new StatecraftError("x", "It broke", { hint: "Mend it." });
                },
            });
            assert.equal((await failure(life.create({ name: "web" }))).message, "Thing web: It broke. Mend it.");
        });

        it("may end in a question", async () => {
            const { life } = setUp({
                create: async () => {
                    throw new StatecraftError("x", "It broke", { hint: "Is it running?" });
                },
            });
            assert.equal((await failure(life.create({ name: "web" }))).message, "Thing web: It broke. Is it running?");
        });

        it("that nobody foresaw asks to be reported; its stack goes to the debug log", async () => {
            const { life, said } = setUp({
                delete: async () => {
                    throw new TypeError("x is not a function");
                },
            });
            assert.equal(
                (await failure(life.delete("web", here))).message,
                "Thing web: x is not a function. This is a mistake in statecraft: please report it.",
            );
            assert.equal(said.length, 1);
            assert.equal(said[0]?.[0], "debug");
            assert.match(said[0]?.[1] ?? "", /TypeError.*\n\s+at /);
        });

        it("that nobody foresaw is told by check in the same way", async () => {
            const broken = () => {
                throw new TypeError("x is not a function");
            };
            const rules = [{ uses: [], test: broken }];
            const { life } = setUp({}, { inputs: withRules(z.strictObject(inputs.shape), rules) });
            assert.equal(
                (await failure(life.check({}, { name: "web" }, {}))).message,
                "Thing web: x is not a function. This is a mistake in statecraft: please report it.",
            );
        });

        it("that is no error at all is told all the same", async () => {
            const { life } = setUp({ create: () => Promise.reject("a text") });
            assert.match(
                (await failure(life.create({ name: "web" }))).message,
                /^Thing web: a text\. This is a mistake/,
            );
        });

        const props = {
            name: "web",
            password: "pass-word",
            storage: { type: "bucket", bucket: "b", key: "key-word", document: { private_key: "doc-word" } },
        };
        const leaky = () => Promise.reject(new StatecraftError("x", "400: pass-word, key-word and doc-word are bad"));
        const verbs: [name: string, run: (life: Operations) => Promise<unknown>][] = [
            ["create", (life) => life.create(props)],
            ["read", (life) => life.read("web", { ...props, ...here })],
            ["update, by the new values", (life) => life.update("web", here, props)],
            ["update, by the old values", (life) => life.update("web", { ...props, ...here }, { name: "web" })],
            ["delete", (life) => life.delete("web", { ...props, ...here })],
        ];
        for (const [name, run] of verbs) {
            it(`holds no secret that a server repeated (${name})`, async () => {
                const { life } = setUp({ create: leaky, read: leaky, update: leaky, delete: leaky });
                assert.equal(
                    (await failure(run(life))).message,
                    "Thing web: 400: [secret], [secret] and [secret] are bad.",
                );
            });
        }

        it("leaves no secret in warnings, progress, nor the debug log", async () => {
            const { life, said } = setUp({
                create: async (context) => {
                    context.warn("pass-word is weak");
                    context.progress("waiting for key-word");
                    throw new TypeError("cannot read doc-word");
                },
            });
            await failure(life.create(props));
            assert.deepEqual(said.slice(0, 2), [
                ["warning", "Thing web: [secret] is weak", undefined],
                ["progress", "Thing web: waiting for [secret]", undefined],
            ]);
            assert.doesNotMatch(JSON.stringify(said), /pass-word|key-word|doc-word/);
        });

        it("of opening the connection is told in the same way", async () => {
            const runtime: Runtime = {
                open: () => Promise.reject(new StatecraftError("config", "no address is set")),
                defaults: () => ({ ...serverDefaults.documented, namespace: undefined }),
                strict: false,
                say: () => undefined,
                redacted: (message) => message,
                standIns: new StandIns(),
            };
            const life = operationsOf(fakeService().resource, runtime);
            assert.equal((await failure(life.create({ name: "web" }))).message, "Thing web: no address is set.");
        });
    });

    describe("an object that is made in part", () => {
        const partial = (outputs: Values) => () =>
            Promise.reject(new PartialCreateError("here/web", outputs, ["readBack"], "it was written", lost()));

        it("keeps its id, sealed outputs, the server, and what is left to do", async () => {
            const { life } = setUp({ create: partial({ name: "web", password: "pass-word" }) });
            const error = await failure(life.create({ name: "web", password: "pass-word" }));
            assert.deepEqual(error.partial, {
                id: "here/web",
                outputs: {
                    name: "web",
                    password: sealed("pass-word"),
                    server: "https://one.example",
                    unfinished: ["readBack"],
                },
            });
            assert.equal(
                error.message,
                "Thing web: it was written: PUT /things/web: no answer from the things service: the connection was cut.",
            );
        });

        it("is kept by an update too", async () => {
            const { life } = setUp({ update: partial({ name: "web", ttl: 5 }) });
            const error = await failure(life.update("here/web", here, { name: "web", ttl: 5 }));
            assert.deepEqual(error.partial?.outputs, {
                name: "web",
                ttl: 5,
                server: "https://one.example",
                unfinished: ["readBack"],
            });
        });

        it("is a change at the next diff, and gets finished by the next update", async () => {
            const fake = fakeService();
            const { life } = setUp(fake.handlers, { inputs: fake.resource.inputs });
            fake.blind = [undefined, lost()];
            const news = { name: "web", ttl: "1h" };
            const made = (await failure(life.create(news))).partial;
            const olds = opened(made?.outputs);
            assert.equal((await life.diff("here/web", olds, news)).isChanged, true);
            const outputs = await life.update("here/web", olds, news);
            assert.equal((await life.diff("here/web", opened(outputs), news)).isChanged, false);
            assert.equal(outputs["unfinished"], undefined);
        });
    });
});

/** A left-out property whose meaning depends on others: what a refresh stores of it must mean what the service holds. */
describe("a default that depends on another property", () => {
    const shape = z.strictObject({
        name: property(z.string(), { description: "Name.", immutable: true }),
        rate: property(wholeNumber().optional(), { description: "Rate.", wire: "rate", default: 0 }),
        // Depends on what stands below it.
        inheritable: property(z.boolean().optional(), {
            description: "Whether paths below have it too.",
            wire: "inheritable",
            defaultFrom: { description: "true where there is a path", of: ({ path }) => Boolean(path) },
        }),
        path: property(z.string().optional(), { description: "Path.", wire: "path", default: "" }),
        label: property(z.string().optional(), {
            description: "Label.",
            wire: "label",
            defaultFrom: { description: "the path", of: ({ path }) => path },
        }),
    });

    it("is that of what the service holds: a program that follows half of a drift changes the other half", async () => {
        let held: Values | undefined;
        const resource = namedObject<typeof shape, typeof thing.outputs, string>({
            ...{ type: "Thing", service, description: "A thing.", outputs: thing.outputs, errors: [] },
            inputs: shape,
            idForm: "<name>",
            title: (name) => `thing ${name}`,
            address: ({ name }) => name,
            id: (name) => name,
            parse: (name) => name,
            named: (name) => ({ name }),
            read: async (_, name) => held && { body: held, inputs: { name } },
            async write(_, __, { body }) {
                held = body;
            },
            async remove() {
                held = undefined;
            },
        });
        const runtime: Runtime = {
            open: async () => fakeService().session,
            defaults: () => ({ ...serverDefaults.documented, namespace: undefined }),
            strict: false,
            say: () => undefined,
            standIns: new StandIns(),
            redacted: (message) => message,
        };
        const life = ManagedResource.of(operationsOf(resource, runtime));
        await life.up({ name: "web", rate: 5 });
        held = { ...held, path: "a", label: "a", inheritable: false };
        assert.deepEqual(await life.refresh(), ["inheritable", "label", "path"]);
        assert.equal(await life.up({ name: "web", rate: 5, path: "a" }), "updated");
        assert.deepEqual(held, { rate: 5, path: "a", label: "a", inheritable: true });
        assert.equal(await life.up({ name: "web", rate: 5, path: "a" }), "same");
        assert.deepEqual(await life.refresh(), []);
    });

    it(`is stored so that the outputs mean what the service holds (STATECRAFT_SEED=${seed})`, () => {
        const node = objectNode(shape);
        const draw = chance();
        const drawn = () => ({
            ...(draw.whole(2) ? { path: draw.pick(["", "a", "b"]) } : {}),
            ...(draw.whole(2) ? { label: draw.pick(["", "a", "b"]) } : {}),
            ...(draw.whole(2) ? { inheritable: draw.pick([true, false]) } : {}),
        });
        for (let round = 0; round < 300; round++) {
            const mine = { name: "web", ...drawn() };
            const seen = readAnswer(node, encode(node, decodedWithDefaults(node, drawn())));
            const outputs = mergeOutputs(node, mine, decodedWithDefaults(node, mine), seen);
            const meant = decodedWithDefaults(node, outputs);
            for (const name of ["path", "label", "inheritable"].filter((told) => told in seen)) {
                assert.deepEqual(meant[name], seen[name], `${name} of ${JSON.stringify({ mine, seen, outputs })}`);
            }
        }
    });
});
