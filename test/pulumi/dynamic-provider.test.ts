/** Tests the parts of the dynamic provider that only Pulumi's dynamic host uses. */

import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import { OperationError, type Operations } from "../../src/core/operations";
import { StatecraftError } from "../../src/errors";
import { dynamicProvider, printNoHostErrors } from "../../src/pulumi/dynamic-provider";
import { Logins } from "../../src/runtime/runtime";
import { failureOf } from "../support/failures";
import { unknown } from "../support/pulumi-values";

const text = 'exports.handler = () => "text"';

type Verb = keyof Operations;
type Provider = Required<pulumi.dynamic.ResourceProvider>;

const logins = new Logins();

/** Creates a provider whose operations return or throw these answers, and records the calls. */
function setUp(answers: Partial<Record<Verb, unknown>> = {}) {
    const calls: { readonly verb: Verb; readonly args: readonly unknown[] }[] = [];
    const operation = (verb: Verb) =>
        (async (...args: unknown[]) => {
            calls.push({ verb, args });
            const answer = answers[verb];
            if (answer instanceof Error || typeof answer === "string") throw answer;
            return answer;
        }) as never;
    const verbs = ["check", "diff", "create", "read", "update", "delete"] as const;
    const operations = Object.fromEntries(verbs.map((verb) => [verb, operation(verb)])) as unknown as Operations;
    return { provider: dynamicProvider(() => operations, logins) as Provider, calls };
}

/** The properties of an error that the host reads. */
interface HostError extends Error {
    readonly id?: string;
}

const thrown = (verb: Promise<unknown>): Promise<HostError> => failureOf(verb, Error);

describe("the dynamic provider", () => {
    it("advises `--run-program` only in commands that do not run the program", async () => {
        const { provider, calls } = setUp({ create: { id: "x", outputs: {} }, update: {} });
        await provider.read("x", {});
        await provider.delete("x", {});
        await provider.create({});
        await provider.update("x", {}, {});
        const advised = calls.filter(({ args }) => JSON.stringify(args).includes("`--run-program`"));
        assert.deepEqual(
            advised.map(({ verb }) => verb),
            ["read", "delete"],
        );
    });

    it("returns no property with a failure, because the engine would print the property's value", async () => {
        const failures = [{ path: "storage.key", reason: "must be a string" }];
        const { provider } = setUp({ check: { inputs: {}, failures } });
        assert.deepEqual((await provider.check({}, {})).failures, [
            { property: "", reason: "storage.key: must be a string [input]" },
        ]);
    });

    it("ignores unknown and malformed parts of the deployment context", async () => {
        const { provider, calls } = setUp({ check: { inputs: {}, failures: [] } });
        const contexts = [{ urn: unknown, owner: 5 }, unknown];
        for (const context of contexts) await provider.check({}, { a: 1, __statecraft: context });
        const none = { urn: undefined, owner: undefined, isPreview: false };
        assert.deepEqual(
            calls.map(({ args }) => args.slice(1)),
            contexts.map(() => [{ a: 1 }, none]),
        );
    });

    describe("when an operation fails", () => {
        /** Returns which of these texts the host's process prints. */
        function printed(...texts: string[]): string[] {
            const { error } = console;
            const shown: string[] = [];
            console.error = (line: string) => shown.push(line);
            try {
                printNoHostErrors();
                for (const line of texts) console.error(line);
            } finally {
                console.error = error;
            }
            return shown;
        }

        it("the process prints other texts", () => {
            assert.deepEqual(printed("statecraft: no", "other"), ["statecraft: no", "other"]);
        });

        const verbs: Readonly<Record<string, (provider: Provider) => Promise<unknown>>> = {
            check: (provider) => provider.check({}, {}),
            diff: (provider) => provider.diff("x", {}, {}),
            create: (provider) => provider.create({}),
            read: (provider) => provider.read("x", {}),
            update: (provider) => provider.update("x", { __provider: text }, {}),
            delete: (provider) => provider.delete("x", {}),
        };
        for (const [verb, run] of Object.entries(verbs)) {
            it(`${verb} throws the whole text as the message, and the host prints nothing`, async () => {
                for (const failure of [
                    new OperationError(new StatecraftError("x", "it broke"), undefined),
                    "it broke",
                ]) {
                    const error = await thrown(run(setUp({ [verb]: failure }).provider));
                    assert.deepEqual([error.message, error.stack, error.id], ["it broke", "", undefined]);
                    assert.deepEqual(printed(`${error}: ${error.stack}`), []);
                }
            });
        }
    });
});
