import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import type { DeploymentContext } from "../../src/core/context";
import { OperationError, type Operations } from "../../src/core/operations";
import { ConfigError, DeniedError } from "../../src/errors";
import { dynamicProvider, printNoHostErrors } from "../../src/pulumi/dynamic-provider";
import { unknown } from "../../src/schema/values";
import { failureOf } from "../support/failures";

const text = 'exports.handler = () => "text"';

type Verb = keyof Operations;
interface Asked {
    readonly verb: Verb;
    readonly args: readonly unknown[];
}

/** A provider over a lifecycle that answers what it is told, and writes down what it was asked. */
function setUp(answers: Partial<Record<Verb, unknown>> = {}) {
    const asked: Asked[] = [];
    const answered = (verb: Verb) =>
        (async (...args: unknown[]) => {
            asked.push({ verb, args });
            const answer = answers[verb];
            if (answer instanceof Error || typeof answer === "string") throw answer;
            return answer;
        }) as never;
    const verbs = ["check", "diff", "create", "read", "update", "delete"] as const;
    const life = Object.fromEntries(verbs.map((verb) => [verb, answered(verb)])) as unknown as Operations;
    const provider = dynamicProvider(() => life) as Required<pulumi.dynamic.ResourceProvider>;
    return { provider, asked };
}

/** What the runtime makes of an error. */
interface HostsError extends Error {
    readonly id?: string;
    readonly properties?: Record<string, unknown>;
    readonly reasons?: readonly string[];
}

const thrown = (verb: Promise<unknown>): Promise<HostsError> => failureOf(verb, Error);

describe("the dynamic provider", () => {
    for (const cause of [
        new DeniedError({ operation: "GET /thing", status: 403, reasons: ["no"] }),
        new ConfigError("statecraft:things.address", "no address"),
    ]) {
        it(`says where commands that run no program find the settings: ${cause.name}`, async () => {
            const refusal = new OperationError("Thing x: no.", undefined, cause);
            const { provider } = setUp({ create: refusal, read: refusal, update: refusal, delete: refusal });
            for (const verb of [provider.read("x", {}), provider.delete("x", {})]) {
                assert.match(
                    (await thrown(verb)).message,
                    /^Thing x: no\. `pulumi refresh`, .*`--run-program`; a token in/,
                );
            }
            for (const verb of [provider.create({}), provider.update("x", {}, {})]) {
                assert.doesNotMatch((await thrown(verb)).message, /--run-program/);
            }
        });
    }

    it("hands inputs and outputs on without the provider's text", async () => {
        const { provider, asked } = setUp({
            check: { inputs: {}, failures: [] },
            diff: { isChanged: true, changes: [], names: ["a"], replaces: ["a"], deleteBeforeReplace: true },
            create: { id: "x", outputs: { a: 1 } },
            read: { id: "x", outputs: { a: 1, b: 2 }, inputs: { a: 1 } },
            update: { a: 2 },
        });
        const [olds, news] = [
            { a: 1, __provider: text },
            { a: 2, __provider: text },
        ];
        assert.deepEqual(await provider.check(olds, news), { inputs: {}, failures: [] });
        assert.deepEqual(await provider.diff("x", olds, news), {
            changes: true,
            replaces: ["a"],
            deleteBeforeReplace: true,
        });
        assert.deepEqual(await provider.create(news), { id: "x", outs: { a: 1 } });
        assert.deepEqual(await provider.read("x", olds), { id: "x", props: { a: 1, b: 2 }, inputs: { a: 1 } });
        assert.deepEqual(await provider.update("x", olds, news), { outs: { a: 2 } });
        await provider.delete("x", olds);
        const nowhere: DeploymentContext = { urn: undefined, lockMark: undefined, isPreview: false };
        assert.deepEqual(asked, [
            { verb: "check", args: [{ a: 1 }, { a: 2 }, nowhere] },
            { verb: "diff", args: ["x", { a: 1 }, { a: 2 }] },
            { verb: "create", args: [{ a: 2 }] },
            { verb: "read", args: ["x", { a: 1 }] },
            { verb: "update", args: ["x", { a: 1 }, { a: 2 }] },
            { verb: "delete", args: ["x", { a: 1 }] },
        ]);
    });

    it("takes over what the native plugin led by an update that asks nothing of the service", async () => {
        const [olds, news] = [
            { a: 1, server: "s" },
            { a: 1, __provider: text },
        ];
        const same = setUp({ check: { inputs: {}, failures: [] }, diff: { isChanged: false, replaces: [] } });
        await same.provider.check(olds, news);
        assert.equal((await same.provider.diff("x", olds, news)).changes, true);
        assert.deepEqual(await same.provider.update("x", olds, news), { outs: olds });
        assert.deepEqual(same.asked[0]?.args[0], olds, "it is not new");
        assert(!same.asked.some(({ verb }) => verb === "update"));
        const changed = setUp({ diff: { isChanged: true, replaces: [] }, update: { a: 2 } });
        assert.deepEqual(await changed.provider.update("x", olds, { ...news, a: 2 }), { outs: { a: 2 } });
    });

    it("tells failures without naming a property, whose value the engine would print", async () => {
        const { provider } = setUp({
            check: {
                inputs: { a: 1 },
                failures: [
                    { path: "storage.key", reason: "must be a string" },
                    { path: "b", reason: "is required" },
                ],
            },
        });
        assert.deepEqual(await provider.check({}, { a: 1 }), {
            inputs: { a: 1 },
            failures: [
                { property: "", reason: "storage.key: must be a string [input]" },
                { property: "", reason: "b: is required [input]" },
            ],
        });
    });

    it("tells a resource that is new, which has no old inputs, from one that was declared without any", async () => {
        const { provider, asked } = setUp({ check: { inputs: {}, failures: [] } });
        await provider.check({}, { __provider: text });
        await provider.check({ __provider: text }, { __provider: text });
        assert.deepEqual(
            asked.map(({ args }) => args[0]),
            [undefined, {}],
        );
    });

    it("takes what the class told of the deployment out of the inputs", async () => {
        const { provider, asked } = setUp({ check: { inputs: {}, failures: [] } });
        await provider.check({}, { a: 1, __statecraft: { urn: "urn:1", lockMark: "[m]", isPreview: true } });
        await provider.check({}, { a: 1, __statecraft: { urn: unknown, lockMark: 5 } });
        await provider.check({}, { a: 1, __statecraft: unknown });
        assert.deepEqual(
            asked.map(({ args }) => args.slice(1)),
            [
                [{ a: 1 }, { urn: "urn:1", lockMark: "[m]", isPreview: true }],
                [{ a: 1 }, { urn: undefined, lockMark: undefined, isPreview: false }],
                [{ a: 1 }, { urn: undefined, lockMark: undefined, isPreview: false }],
            ],
        );
    });

    it("reads what is gone as an empty id", async () => {
        assert.deepEqual(await setUp().provider.read("x", { a: 1 }), { id: "" });
    });

    it("copies the configuration before anything is awaited", () => {
        const copied: (string | undefined)[] = [];
        const { provider } = setUp();
        const configured = dynamicProvider((config) => {
            copied.push(config("statecraft:manager"));
            return {} as Operations;
        });
        assert.ok(provider);
        const config = { get: (key: string) => `${key} as text`, require: (key: string) => key };
        void configured.configure?.({ config });
        assert.deepEqual(copied, [undefined, "statecraft:manager as text"]);
    });

    describe("when a verb fails", () => {
        /** What the host shows of what it prints. */
        function printedOf(...texts: string[]): string[] {
            const { error } = console;
            const shown: string[] = [];
            console.error = (text: string) => shown.push(text);
            try {
                printNoHostErrors();
                for (const text of texts) console.error(text);
            } finally {
                console.error = error;
            }
            return shown;
        }

        it("what else is printed in its process is shown", () => {
            assert.deepEqual(printedOf("statecraft: no", "other"), ["statecraft: no", "other"]);
        });

        const verbs: [verb: Verb, run: (provider: Required<pulumi.dynamic.ResourceProvider>) => Promise<unknown>][] = [
            ["check", (provider) => provider.check({}, {})],
            ["diff", (provider) => provider.diff("x", {}, {})],
            ["create", (provider) => provider.create({})],
            ["read", (provider) => provider.read("x", {})],
            ["update", (provider) => provider.update("x", { __provider: text }, {})],
            ["delete", (provider) => provider.delete("x", {})],
        ];
        for (const [verb, run] of verbs) {
            it(`${verb} throws the whole text as a message, and nothing that the runtime would print`, async () => {
                for (const failure of [
                    new OperationError("Thing web: it broke.", undefined, undefined),
                    new TypeError("it broke"),
                    "it broke",
                ]) {
                    const error = await thrown(run(setUp({ [verb]: failure }).provider));
                    assert.match(error.message, /it broke/);
                    assert.equal(error.stack, "");
                    assert.deepEqual(printedOf(`${error}: ${error.stack}`), []);
                    assert.deepEqual([error.id, error.properties, error.reasons], [undefined, undefined, undefined]);
                }
            });
        }
    });

    describe("when an object is half-made", () => {
        const made = { id: "here/web", outputs: { name: "web", unfinished: ["wait"] } };
        const failure = new OperationError("Thing web: it was written, but waiting failed.", made, undefined);

        it("create keeps it, with the provider's text and the whole message as the reason", async () => {
            const error = await thrown(setUp({ create: failure }).provider.create({ name: "web", __provider: text }));
            assert.equal(error.id, "here/web");
            assert.deepEqual(error.properties, { name: "web", unfinished: ["wait"], __provider: text });
            assert.deepEqual(error.reasons, ["Thing web: it was written, but waiting failed."]);
        });

        it("update keeps it, with the text that the new inputs bring", async () => {
            const olds = { name: "web", __provider: "old" };
            const error = await thrown(setUp({ update: failure }).provider.update("x", olds, { __provider: text }));
            assert.equal(error.properties?.["__provider"], text);
            assert.deepEqual(error.reasons, [error.message]);
        });
    });
});
