/** Tests operations with resources in memory, for behaviour that no real resource has. */

import assert from "node:assert/strict";
import * as z from "zod";
import { Context, type Runtime, type Session } from "../../src/core/context";
import { defineFunction, invokeFunction } from "../../src/core/functions";
import { Operations } from "../../src/core/operations";
import { defineResource, HalfMade } from "../../src/core/resource";
import type { Service } from "../../src/core/service";
import { InputError, InternalError, StatecraftError, textOf, UnreachableError } from "../../src/errors";
import { serverDefaults } from "../../src/product-names";
import { property, withRules } from "../../src/schema/property";
import type { Values } from "../../src/schema/values";
import { adoptProperty } from "../../src/services/shared-options";
import { failureOf } from "../support/failures";
import { ManagedResource } from "../support/managed-resource";
import { unknown } from "../support/pulumi-values";

const service: Service = {
    name: "manager",
    title: "things service",
    contentType: "application/json",
    tokenHeader: (token) => ["X-Token", token],
    reasons: () => [],
    absent: () => false,
    passing: () => false,
};
const lost = () => new UnreachableError({ service: "things service", operation: "PUT /web" }, true, "connection cut");
const settings = { ...serverDefaults.documented, namespace: undefined };
const noRequest = () => Promise.reject(new Error("no request was expected"));

const session: Session = {
    client: { call: noRequest, download: noRequest, upload: noRequest },
    settings,
    servers: ["https://one.example"],
    product: "Things",
    settingsKey: "statecraft:manager",
    adoptIdentical: false,
    exclusive: (_, work) => work(),
    now: () => 0,
    sleep: async () => undefined,
};

function runtimeOf(said: string[] = [], strict = false): Runtime {
    return {
        open: () => session,
        settings: () => settings,
        strict,
        say: (severity, message) => said.push(`${severity} ${message}`),
        redacted: (message) => message,
    };
}

describe("a named object", () => {
    const inputs = z.strictObject({
        name: property(z.string(), { description: "Name.", immutable: true }),
        kind: property(z.string().optional(), { description: "Kind.", wire: "kind", default: "a", immutable: true }),
        path: property(z.string().optional(), { description: "Path.", wire: "path", default: "" }),
        label: property(z.string().optional(), {
            description: "Label.",
            wire: "label",
            default: ({ path }: { readonly path?: unknown }) => path,
            defaultText: "the path",
        }),
        secret: property(z.string().optional(), { description: "Secret.", wire: "secret", default: "", secret: true }),
        adopt: adoptProperty,
    });
    const outputs = z.strictObject({});
    let serverObject: Values | undefined;
    let writes: (Values | undefined)[];
    /** The errors of the next requests, one for each; `undefined` for a request that succeeds. */
    let failures: { read?: (Error | undefined)[]; write?: Error[]; remove?: Error };
    const thing = defineResource<typeof inputs, typeof outputs, string>({
        type: "Thing",
        service,
        description: "A thing.",
        inputs,
        outputs,
        idForm: "<name>",
        title: (name) => `thing ${name}`,
        address: ({ name }) => name,
        id: (name) => name,
        parse: (id) => id,
        named: (name) => ({ name }),
        async read() {
            const failure = failures.read?.shift();
            if (failure) throw failure;
            const { secret, ...shown } = serverObject ?? {};
            return serverObject && { body: shown };
        },
        async write(_, __, { body, olds }) {
            writes.push(olds);
            serverObject = { kind: serverObject?.["kind"] ?? body["kind"], ...body };
            const failure = failures.write?.shift();
            if (failure) throw failure;
        },
        async remove() {
            if (failures.remove) throw failures.remove;
            serverObject = undefined;
        },
    });
    const said: string[] = [];
    const life = () => ManagedResource.of(new Operations(thing, runtimeOf(said)));
    beforeEach(() => {
        [serverObject, writes, failures] = [undefined, [], {}];
        said.length = 0;
    });

    it("stores a default that depends on another property, so that the outputs equal the server's values", async () => {
        const web = life();
        await web.up({ name: "web" });
        serverObject = { ...serverObject, path: "a", label: "b" };
        assert.deepEqual(await web.refresh(), ["label", "path"]);
        assert.equal(await web.up({ name: "web", path: "a" }), "updated");
        assert.equal(serverObject?.["label"], "a");
        assert.equal(await web.up({ name: "web", path: "a" }), "same");
        assert.deepEqual(await web.refresh(), []);
    });

    it("passes the inputs of the last deployment to a write, and none for a new or adopted object", async () => {
        const web = life();
        await web.up({ name: "web", secret: "a" });
        await web.up({ name: "web", secret: "b" });
        await life().up({ name: "web", secret: "c", adopt: true });
        assert.deepEqual(
            writes.map((olds) => olds?.["secret"]),
            [undefined, "a", undefined],
        );
    });

    it("passes no earlier inputs to a write that adopts another program's object after a lost creation", async () => {
        const web = life();
        Object.assign(failures, { read: [undefined, lost()], write: [lost()] });
        await assert.rejects(web.up({ name: "web", secret: "a" }));
        assert.deepEqual(web.outputs()["unfinished"], ["create"]);
        serverObject = { kind: "a", path: "other" };
        await web.up({ name: "web", secret: "a", adopt: true });
        assert.deepEqual(writes, [undefined, undefined]);
    });

    it("is not stored as updated after a lost answer if only a value changed that no read shows", async () => {
        const web = life();
        await web.up({ name: "web", secret: "a" });
        failures.write = [lost()];
        await assert.rejects(web.up({ name: "web", secret: "b" }), { code: "unreachable" });
        failures.write = [lost()];
        await web.up({ name: "web", path: "p", secret: "a" });
        assert.equal(serverObject?.["path"], "p");
    });

    it("is written again after a failed read back only if a write can remove the difference", async () => {
        for (const [found, times] of [
            [{}, 1],
            [{ path: "b" }, 2],
            [{ kind: "b" }, 1],
        ] as const) {
            [serverObject, writes, failures] = [undefined, [], { read: [undefined, lost()] }];
            const web = life();
            await assert.rejects(web.up({ name: "web", path: "a" }));
            assert.deepEqual(web.outputs()["unfinished"], ["readBack"]);
            Object.assign(serverObject ?? assert.fail(), found);
            await web.up({ name: "web", path: "a" });
            assert.equal(writes.length, times, JSON.stringify(found));
        }
    });

    it("fails with one paragraph and a code for an unexpected error, whose stack goes to the debug log", async () => {
        const web = life();
        await web.up({ name: "web", secret: "planted-secret" });
        failures.remove = new TypeError("planted-secret is not a function");
        await assert.rejects(web.destroy(), {
            message: /^Thing web: \[secret\] is not a function\. This is a defect of statecraft.*\[internal\]$/,
        });
        assert.match(said.join(), /^debug TypeError: \[secret\] is not a function.*at /s);
    });

    it("shows no unknown value in a message", async () => {
        const { message } = await failureOf(
            new Operations(thing, runtimeOf()).update(unknown, {}, { name: unknown }),
            Error,
        );
        assert(message.startsWith("Thing"), message);
    });
});

describe("an action", () => {
    const inputs = z.strictObject({
        target: property(z.string(), { description: "Target.", immutable: true }),
        color: property(z.string(), { description: "Color." }),
    });
    const outputs = z.strictObject({ coats: property(z.number(), { description: "Coats." }) });
    const did: string[] = [];
    let broken: Error | undefined;
    const paint = defineResource<typeof inputs, typeof outputs, string>({
        type: "Paint",
        service,
        description: "A coat of paint.",
        inputs,
        outputs,
        idForm: "<number>",
        title: (number) => `coat ${number}`,
        address: () => "none",
        id: (number) => number,
        parse: (id) => id,
        named: () => ({}),
        async act(_, __, { color }, state) {
            did.push(`paint ${color}`);
            if (broken) throw broken;
            return { address: "7", outputs: { coats: (state?.coats ?? 0) + 1 } };
        },
        async wait() {
            did.push("wait");
            return {};
        },
        async remove(_, number, { color }) {
            did.push(`scrape ${color} off ${number}`);
        },
    });
    const life = () => ManagedResource.of(new Operations(paint, runtimeOf()));
    const wall = { target: "wall", color: "red" };
    const since = () => did.splice(0);
    beforeEach(() => {
        broken = undefined;
        since();
    });

    for (const [step, then] of [
        ["wait", ["wait"]],
        ["dry", ["paint red", "wait"]],
    ] as const) {
        it(`stores a partly performed action with its id, and the next \`up\` repeats the step \`${step}\``, async () => {
            const coat = life();
            broken = new HalfMade({ coats: 5 }, [step], "it is wet", lost(), "8");
            await assert.rejects(coat.up(wall), { code: "unreachable" });
            const { id, outputs } = { id: coat.state?.id, outputs: coat.outputs() };
            assert.deepEqual([id, outputs["coats"], outputs["unfinished"]], ["8", 5, [step]]);
            broken = undefined;
            since();
            await coat.up(wall);
            assert.deepEqual([since(), coat.outputs()["unfinished"]], [then, undefined]);
        });
    }

    it("ignores outputs that a user edited to another type", async () => {
        const operations = new Operations(paint, runtimeOf());
        const olds = { ...wall, coats: "many", unfinished: "dry", server: "https://one.example" };
        const { coats } = await operations.update("7", olds, { ...wall, color: "blue" });
        assert.equal(coats, 1);
    });
});

describe("a function", () => {
    const args = withRules(
        z.strictObject({
            name: property(z.string(), { description: "Name." }),
            kind: property(z.string().optional(), { description: "Kind." }),
        }),
        [
            {
                uses: ["kind"],
                severity: "warning",
                test: ({ kind }) => (kind === "old" ? { path: "kind", reason: "is not used any more" } : undefined),
            },
        ],
    );
    const lookup = defineFunction({
        name: "getThing",
        service,
        description: "Looks up a thing.",
        inputs: args,
        result: z.strictObject({ name: property(z.string(), { description: "Name." }) }),
        invoke: async (_, { name }) => ({ name }),
    });

    it("shows its warnings, and with `strict` fails with the warnings and all other problems", async () => {
        const said: string[] = [];
        const given = { name: "web", kind: "old" };
        assert.deepEqual(await invokeFunction(lookup, runtimeOf(said), given), { name: "web" });
        assert.deepEqual(said, ["warning getThing: kind: is not used any more [input]"]);
        const { reasons } = await failureOf(invokeFunction(lookup, runtimeOf([], true), { kind: "old" }), InputError);
        assert.deepEqual(reasons, ["name: is required", "kind: is not used any more"]);
    });

    it("fails with an internal error that keeps its cause", async () => {
        const mistake = new TypeError("nothing is not a thing");
        const broken = { ...lookup, invoke: () => Promise.reject(mistake) };
        const error = await failureOf(invokeFunction(broken, runtimeOf(), { name: "web" }), InternalError);
        assert.deepEqual([error.code, error.cause], ["internal", mistake]);
        assert.match(error.message, /^getThing: nothing is not a thing\. /);
    });
});

describe("a message", () => {
    it("consists of sentences and a code, whether or not the texts end with a full stop", () => {
        const text = (message: string, hint?: string) => textOf(new StatecraftError("x", message, { hint }));
        assert.equal(text("it broke", "Mend it"), "it broke. Mend it. [x]");
        assert.equal(text("it broke.", "Mend it. "), "it broke. Mend it. [x]");
    });
});

describe("a wait", () => {
    it("ends when the user cancels, and clean-up continues", async () => {
        const cancel = new AbortController();
        const sleep = async () => cancel.abort();
        const context = new Context(
            { ...session, sleep },
            { secrets: [], say: () => undefined, signal: cancel.signal },
        );
        const wait = { for: "paint to dry", limit: 60, interval: 1 };
        await assert.rejects(context.poll(wait, async () => undefined));
        assert(context.isCancelled);
        assert.equal(await context.cleanUp.poll(wait, async () => "dry"), "dry");
    });

    it("never lasts longer than the time-out of the operation", () => {
        const limit = (timeout?: number, wait?: number) =>
            new Context(session, { secrets: [], say: () => undefined, timeout }).waitLimit(wait, 30);
        assert.deepEqual([limit(), limit(undefined, 50), limit(5), limit(5, 50), limit(50, 5)], [30, 50, 5, 5, 5]);
    });
});
