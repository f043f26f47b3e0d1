/** One-shot actions: when they act, what stays of an act that was done in part, and what deleting them does. */

import assert from "node:assert/strict";
import * as z from "zod";
import { oneShotAction } from "../../src/core/one-shot-action";
import { requestContext } from "../../src/core/request-context";
import { PartialCreateError } from "../../src/core/resource";
import { Unfinished } from "../../src/core/unfinished";
import { property, type Values } from "../../src/schema/facts";
import { fakeService, service } from "./fake";

const inputs = z.strictObject({
    target: property(z.string(), { description: "What is painted.", immutable: true }),
    color: property(z.string(), { description: "The color." }),
    loud: property(z.boolean().optional(), { description: "Tells of it.", option: true, default: false }),
});
const outputs = z.strictObject({
    coats: property(z.number(), { description: "How many coats of paint there are." }),
    seen: property(z.string().optional(), { description: "The color that was seen last." }),
    faded: property(z.boolean().optional(), { description: "Whether the color has faded." }),
});

describe("a one-shot action", () => {
    const did: string[] = [];
    let broken: Unfinished | undefined;
    beforeEach(() => {
        did.splice(0);
        broken = undefined;
    });
    const act = async (what: string) => {
        did.push(what);
        if (broken) throw broken;
    };
    const paint = oneShotAction<typeof inputs, typeof outputs, string>({
        type: "Paint",
        service,
        description: "A coat of paint.",
        inputs,
        outputs,
        errors: [],
        idForm: "<target>",
        address: ({ target }) => target,
        id: (target) => target,
        parse: (id) => id,
        named: (target) => ({ target }),
        async act(_, __, { color }, state) {
            await act(`paint ${color}`);
            return { outputs: { coats: (state?.coats ?? 0) + 1, seen: undefined } };
        },
        async resume(_, __, ___, { coats = 0, unfinished = [] }) {
            await act(`resume ${unfinished.join()}`);
            return unfinished.length > 0 ? { coats: coats + 10 } : {};
        },
        isDue: ({ faded }) => (faded === true ? ["faded"] : []),
        async read(_, __, state) {
            return state === undefined ? { color: "white", coats: 0 } : { seen: undefined, unfinished: ["dry"] };
        },
        remove: (_, target, { color }) => act(`scrape ${color} off ${target}`),
    }).handlers;

    const context = requestContext(fakeService().session);
    const wall = { target: "wall", color: "red" };
    const partial = async (run: Promise<unknown>): Promise<Values> => {
        const error = await run.catch((thrown: unknown) => thrown);
        if (!(error instanceof PartialCreateError)) throw error;
        return error.outputs;
    };

    it("acts when it is made, and keeps what was written and learned", async () => {
        const made = await paint.create(context, wall);
        assert.deepEqual(made, { id: "wall", outputs: { ...wall, coats: 1 } });
        assert.deepEqual(did, ["paint red"]);
    });

    it("acts again for a changed input, and keeps nothing that was learned before", async () => {
        const olds = { ...wall, coats: 1, seen: "red" };
        const now = await paint.update(context, "wall", olds, { ...wall, color: "blue" });
        assert.deepEqual(now, { ...wall, color: "blue", coats: 2 });
        assert.deepEqual(did, ["paint blue"]);
    });

    it("acts again where an output says so, and names it", async () => {
        const olds = { ...wall, coats: 1, faded: true };
        assert.deepEqual(paint.outdated?.(olds, wall), ["faded"]);
        assert.deepEqual(await paint.update(context, "wall", olds, wall), { ...wall, coats: 2 });
        assert.deepEqual(paint.outdated?.({ ...olds, faded: false }, wall), []);
    });

    it("stores a changed option, and all that was known stays", async () => {
        const olds = { ...wall, coats: 1, seen: "red" };
        assert.deepEqual(await paint.update(context, "wall", olds, { ...wall, loud: true }), { ...olds, loud: true });
        assert.deepEqual(did, ["resume "]);
    });

    it("keeps what an act in part has learned, with its steps, and then does these", async () => {
        broken = new Unfinished({ coats: 1, seen: undefined }, ["dry"], "it is wet", new Error("rain"));
        const half = await partial(paint.create(context, wall));
        assert.deepEqual(half, { ...wall, coats: 1, unfinished: ["dry"] });
        broken = undefined;
        assert.deepEqual(await paint.update(context, "wall", half, wall), { ...wall, coats: 11 });
        assert.deepEqual(did, ["paint red", "resume dry"]);
    });

    it("keeps what it knew where what was left is done in part again", async () => {
        const olds = { ...wall, coats: 1, seen: "red", unfinished: ["dry", "clean"] };
        broken = new Unfinished({}, ["clean"], "it is wet", new Error("rain"));
        const half = await partial(paint.update(context, "wall", olds, wall));
        assert.deepEqual(half, { ...olds, unfinished: ["clean"] });
    });

    it("is read over what is known, from its id alone too, and a look may find steps that are left", async () => {
        assert.deepEqual((await paint.read(context, "wall", {}))?.outputs, { color: "white", coats: 0 });
        const state = { ...wall, coats: 1, seen: "red" };
        assert.deepEqual((await paint.read(context, "wall", state))?.outputs, { ...state, unfinished: ["dry"] });
    });

    it("takes what somebody gave another type by hand for absent", async () => {
        const olds = { ...wall, coats: "many", faded: true, unfinished: "dry" };
        assert.deepEqual(await paint.update(context, "wall", olds, wall), { ...wall, coats: 1 });
    });

    it("takes back what it did when it is deleted", async () => {
        await paint.delete(context, "wall", wall);
        assert.deepEqual(did, ["scrape red off wall"]);
    });

    it("has the id that the service made, also where it was done in part", async () => {
        const failures: Unfinished[] = [];
        const numbered = oneShotAction<typeof inputs, typeof outputs, string>({
            type: "Paint",
            service,
            description: "A coat of paint.",
            inputs,
            outputs,
            errors: [],
            idForm: "<number>",
            id: (number) => number,
            parse: (id) => id,
            named: () => ({}),
            async act() {
                const failure = failures.pop();
                if (failure) throw failure;
                return { address: "7", outputs: { coats: 1 } };
            },
        }).handlers;
        assert.deepEqual(await numbered.create(context, wall), { id: "7", outputs: { ...wall, coats: 1 } });
        failures.push(new Unfinished({ coats: 1 }, ["dry"], "it is wet", new Error("rain"), "8"));
        await assert.rejects(numbered.create(context, wall), {
            id: "8",
            outputs: { ...wall, coats: 1, unfinished: ["dry"] },
        });
    });
});

describe("a wait", () => {
    it("ends when the user cancels, and what must be put in order goes on", async () => {
        const cancel = new AbortController();
        const { session } = fakeService();
        const forever = () => {
            cancel.abort();
            return new Promise<void>(() => {});
        };
        const context = requestContext({ ...session, sleep: forever }, { signal: cancel.signal });
        const wait = { for: "paint to dry", limit: 60, interval: 1 };
        await assert.rejects(
            context.poll(wait, async () => undefined),
            /waiting for paint to dry was cancelled/,
        );
        assert.equal(await context.cleanUp.poll(wait, async () => "dry"), "dry");
    });
});
