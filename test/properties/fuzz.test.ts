import assert from "node:assert/strict";
import fc from "fast-check";
import { endpoint } from "../../src/core/endpoint";
import { invokeFunction } from "../../src/core/functions";
import type { Answer } from "../../src/core/service";
import { ServiceError, StatecraftError } from "../../src/errors";
import { ProcessRuntime } from "../../src/runtime/runtime";
import { holdsUnknown } from "../../src/schema/values";
import { manager } from "../../src/services/manager/service";
import { readSettings, readStrict } from "../../src/settings/settings";
import { definitionOf, functions } from "../support/definitions";
import { unsealed } from "../support/managed-resource";
import type { Props } from "../support/pulumi-values";
import { seed } from "../support/random";
import { functionFacts, programOf, resourceFacts } from "../support/resource-facts";
import { anyJson, failsReadably, hostWith, mutated, resourceWith, validAnswer } from "./fuzz-inputs";

const providerText = 'exports.handler = () => "test"';

/** The number of random runs of each test. */
const tries = 24 * Number(process.env["STATECRAFT_RUNS"] ?? 1);

async function holds<Value>(
    values: fc.Arbitrary<Value>,
    property: (value: Value) => Promise<void>,
    numRuns = tries,
): Promise<void> {
    await fc.assert(fc.asyncProperty(values, property), {
        seed,
        numRuns,
        interruptAfterTimeLimit: 280_000,
        markInterruptAsFailure: true,
    });
}

/** Returns a function that answers with these bodies in order, and then always with the last one. */
function inTurn(bodies: readonly unknown[]): () => Promise<Answer> {
    let at = 0;
    return async () => {
        const body = bodies[Math.min(at++, bodies.length - 1)];
        if (body === "refused") throw new ServiceError({ operation: "GET /x", status: 400, reasons: ["no"] });
        return { exchange: { service: "service", operation: "GET /x" }, status: 200, headers: {}, body };
    };
}

const bodiesLike = (answer: unknown) =>
    fc.array(fc.oneof(anyJson, mutated(answer), mutated(answer), fc.constant(answer), fc.constant("refused")), {
        minLength: 1,
        maxLength: 5,
    });
const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 20 }).map((some) => Buffer.from(some)),
    anyJson.map((value) => Buffer.from(JSON.stringify(value))),
);

describe(`random inputs give a result or a readable failure (STATECRAFT_SEED=${seed})`, function () {
    this.timeout(300_000);

    for (const facts of resourceFacts) {
        const { type, id, edited } = facts;
        const inputs = programOf(facts);
        const answer = validAnswer(definitionOf(type).service.name);
        const fresh = (answers: readonly unknown[] = [answer], content?: Buffer) =>
            resourceWith(type, inTurn(answers), content);
        /** Puts a resource into state. */
        const deployed = (outputs: Props, stored: Props = inputs, resource = fresh()) => {
            const own = { __provider: providerText };
            const state = structuredClone({ inputs: { ...stored, ...own }, outputs: { ...outputs, ...own } });
            resource.state = { id, ...state, initErrors: [] };
            return resource;
        };

        it(`${type}: any answers, and none makes a refresh report the object as gone`, () =>
            holds(fc.record({ bodies: bodiesLike(answer), bytes }), async ({ bodies: some, bytes: content }) => {
                await failsReadably(type, () => fresh(some, content).up(inputs));
                const later = deployed({ ...inputs, server: "https://one.example" }, inputs, fresh(some, content));
                assert.notEqual(await failsReadably(type, () => later.refresh()), "gone");
                const { adopt: _adopt, ...changed } = inputs;
                await failsReadably(type, () => later.up({ ...changed, ...edited }));
                if (later.state !== undefined) await failsReadably(type, () => later.destroy());
            }));

        const steps = { status: "finalized", currentStateVersionId: "sv-1", unfinished: ["create", "readBack"] };
        it(`${type}: state of another version, or edited by hand`, () =>
            holds(fc.tuple(fc.oneof(mutated({ ...inputs, ...steps }), anyJson), anyJson), async ([any, extra]) => {
                // The engine passes state with unwrapped secrets.
                const { server: _server, ...outputs } = propsIn(unsealed(any));
                const begun = () => deployed({ ...outputs, ofAnotherVersion: extra });
                const resource = begun();
                await failsReadably(type, () => resource.diff(inputs));
                await failsReadably(type, () => resource.up(inputs));
                await failsReadably(type, () => begun().refresh());
                await failsReadably(type, () => begun().destroy());
            }));

        it(`${type}: any arguments`, () =>
            holds(fc.tuple(fc.oneof(anyJson, mutated(inputs), mutated(inputs)), anyJson), async ([args, olds]) => {
                const given = propsIn(args);
                // The engine unwraps secrets, so the whole state is never a secret.
                const former = unsealed(olds) === undefined ? {} : propsIn(olds);
                const resource = deployed(former, former);
                const checked = await resource.check(given).catch((error: unknown) => {
                    assert(error instanceof Error);
                    assert.doesNotMatch(
                        error.message,
                        /mistake in statecraft|is not a function|\[object/,
                        error.message,
                    );
                    return undefined;
                });
                // The engine creates and updates only when every value is known.
                if (checked === undefined || holdsUnknown(checked)) return;
                // Inputs that `check` accepts must not break `create` and `update`.
                await failsReadably(type, () => resource.up(given));
                await failsReadably(type, () => fresh().up(given));
            }));

        const part = (parts: unknown) => (Array.isArray(parts) ? parts.map(asText).join("/") : asText(parts));
        it(`${type}: any id`, () =>
            holds(fc.oneof(anyJson.map(asText), mutated(id.split("/")).map(part)), async (any) => {
                await failsReadably(type, () => fresh().get(any));
            }));
    }

    for (const definition of functions) {
        const answer = validAnswer(definition.service.name, definition.name);

        it(`${definition.name}: any answer`, () =>
            holds(fc.record({ bodies: bodiesLike(answer), bytes }), async ({ bodies: some, bytes: content }) => {
                const runtime = hostWith(inTurn(some), content);
                await failsReadably("", () =>
                    invokeFunction(definition, runtime, functionFacts[definition.name]?.args ?? {}),
                );
            }));

        it(`${definition.name}: a valid answer`, async () => {
            await invokeFunction(definition, hostWith(inTurn([answer])), functionFacts[definition.name]?.args ?? {});
        });
    }

    it("any settings in configuration and environment are used, or fail with an error of this package", () =>
        holds(
            fc.record({
                configured: fc.oneof(
                    fc.string(),
                    ...[anyJson, mutated(validSettings), settingsOfNumbers].map((values) => values.map(inJson)),
                ),
                environment: fc.dictionary(
                    fc.constantFrom(...environmentNames),
                    fc.oneof(fc.string(), anyJson.map(inJson)),
                ),
                connection: fc.constantFrom(undefined, "other", "__proto__", "constructor"),
            }),
            async ({ configured, environment, connection }) => {
                const config = (key: string) =>
                    key === "statecraft:connections" ? `{"other":{"manager":${configured}}}` : configured;
                await isOurs(() => readSettings("manager", connection, config, environment));
                await isOurs(() => readStrict(config, environment));
                const proxy = "http://127.0.0.1:1";
                const runtime = new ProcessRuntime(config, {
                    environment: { ...environment, HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
                    say: () => undefined,
                    pace: { now: () => 0, sleep: async () => undefined, retryBaseDelay: 0 },
                });
                await isOurs(() => {
                    const { client } = runtime.open(manager, connection);
                    return client.call(endpoint("GET /v1/{name}"), { parameters: { name: "x" } });
                });
            },
            3 * tries,
        ));
});

/** Asserts that a call succeeds, or fails with an error of this package. */
async function isOurs(act: () => unknown): Promise<void> {
    try {
        await act();
    } catch (error) {
        assert(error instanceof StatecraftError, error instanceof Error ? error.stack : String(error));
    }
}

const inJson = (value: unknown) => JSON.stringify(value);

/** Returns the entries of an object; none for any other value. */
function propsIn(value: unknown): Props {
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Props) : {};
}

/** Returns a string unchanged, and any other value as JSON. */
function asText(value: unknown): string {
    return typeof value === "string" ? value : JSON.stringify(value);
}

/** Settings whose addresses have no server. */
const validSettings = {
    address: "http://127.0.0.1:1",
    token: "planted",
    namespace: "team",
    headers: { "X-Own": "1" },
    timeout: 1,
    maxRetries: 0,
    maxConcurrency: 2,
    skipTlsVerify: false,
    otherAddresses: ["http://127.0.0.1:2"],
};
const edges = fc.constantFrom(0, 0.5, 1, -1, 1e10, 1e308, "0", "Infinity", "1e3");
const settingsOfNumbers = fc
    .record({ timeout: edges, maxConcurrency: edges }, { requiredKeys: [] })
    .map((some) => ({ ...validSettings, ...some }));
const environmentNames = [
    "STATECRAFT_VAULT_ADDRESS",
    "STATECRAFT_STRICT",
    "STATECRAFT_MANAGER_ADDRESS",
    "STATECRAFT_MANAGER_TOKEN",
    "STATECRAFT_MANAGER_TIMEOUT",
    "STATECRAFT_MANAGER_HEADERS",
    "STATECRAFT_MANAGER_MAX_CONCURRENCY",
    "STATECRAFT_MANAGER_OTHER_ADDRESSES",
];
