import assert from "node:assert/strict";
import fc from "fast-check";
import { endpoint } from "../../src/core/endpoint";
import { invokeFunction } from "../../src/core/functions";
import type { Answer } from "../../src/core/service";
import { ServiceError, StatecraftError } from "../../src/errors";
import { createRuntime } from "../../src/runtime/runtime";
import { cidrs, duration, parseDuration } from "../../src/schema/property-types";
import { manager } from "../../src/services/manager/service";
import { readSettings, readStrict } from "../../src/settings/settings";
import { functions } from "../support/definitions";
import { unsealed } from "../support/managed-resource";
import { seed } from "../support/random";
import { functionFacts, programOf, resourceFacts } from "../support/resource-facts";
import { anyJson, failsReadably, hostWith, mutated, resourceWith, validAnswer, validLists } from "./fuzz-inputs";

type Props = Record<string, unknown>;

const providerText = 'exports.handler = () => "test"';

/** The number of random runs of each test. */
const tries = 40 * Number(process.env["STATECRAFT_RUNS"] ?? 1);

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
const bodies = bodiesLike(validAnswer);
const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 20 }).map((some) => Buffer.from(some)),
    anyJson.map((value) => Buffer.from(JSON.stringify(value))),
);

describe(`random inputs give a result or a readable failure (STATECRAFT_SEED=${seed})`, function () {
    this.timeout(300_000);

    for (const facts of resourceFacts) {
        const { type, id, edited } = facts;
        const inputs = programOf(facts);
        it(`${type}: valid arguments`, async () => {
            const resource = resourceWith(type, inTurn([validAnswer]));
            for (const given of [inputs, { ...inputs, ...edited }]) await resource.check(given);
        });

        it(`${type}: any answers, and none makes a refresh report the object as gone`, () =>
            holds(fc.record({ bodies, bytes }), async ({ bodies: some, bytes: content }) => {
                const made = () => resourceWith(type, inTurn(some), { bytes: content });
                const [resource, later] = [made(), made()];
                await failsReadably(type, () => resource.up(inputs));
                later.state = {
                    id,
                    inputs,
                    outputs: { ...inputs, server: "https://one.example", __provider: providerText },
                    initErrors: [],
                };
                assert.notEqual(await failsReadably(type, () => later.refresh()), "gone");
                const { adopt: _adopt, ...changed } = inputs;
                await failsReadably(type, () => later.up({ ...changed, ...edited }));
                if (later.state !== undefined) await failsReadably(type, () => later.destroy());
            }));

        it(`${type}: state of another version, or edited by hand`, () =>
            holds(
                fc.record({
                    outputs: fc.oneof(
                        mutated({
                            ...inputs,
                            status: "finalized",
                            currentStateVersionId: "sv-1",
                            unfinished: ["create", "readBack"],
                        }),
                        anyJson,
                    ),
                    extra: anyJson,
                }),
                async ({ outputs, extra }) => {
                    // The engine passes state with unwrapped secrets.
                    const clear = unsealed(outputs);
                    const stored = typeof clear === "object" && clear !== null ? (clear as Props) : {};
                    const { server: _server, ...state } = {
                        ...stored,
                        ofAnotherVersion: extra,
                        __provider: providerText,
                    } as Props;
                    const resource = resourceWith(type, inTurn([validAnswer]));
                    const begin = () => {
                        resource.state = { id, inputs, outputs: structuredClone(state), initErrors: [] };
                    };
                    begin();
                    await failsReadably(type, () => resource.diff(inputs));
                    await failsReadably(type, () => resource.up(inputs));
                    begin();
                    await failsReadably(type, () => resource.refresh());
                    begin();
                    await failsReadably(type, () => resource.destroy());
                },
            ));

        it(`${type}: any arguments`, () =>
            holds(
                fc.record({
                    args: fc.oneof(anyJson, mutated(inputs), mutated(inputs)),
                    olds: anyJson,
                }),
                async ({ args, olds }) => {
                    const resource = resourceWith(type, inTurn([validAnswer]));
                    const given =
                        typeof args === "object" && args !== null && !Array.isArray(args) ? (args as Props) : {};
                    // The engine unwraps secrets, so the whole state is never a secret.
                    const isState = typeof olds === "object" && olds !== null && unsealed(olds) !== undefined;
                    const former = isState ? (olds as Props) : {};
                    resource.state = {
                        id,
                        inputs: { ...former, __provider: providerText },
                        outputs: { ...former, __provider: providerText },
                        initErrors: [],
                    };
                    const checked = await resource.check(given).catch((error: unknown) => {
                        assert(error instanceof Error);
                        assert.doesNotMatch(
                            error.message,
                            /mistake in statecraft|is not a function|\[object/,
                            error.message,
                        );
                        return undefined;
                    });
                    if (checked === undefined) return;
                    // Inputs that `check` accepts must not break `create` and `update`.
                    await failsReadably(type, () => resource.up(given));
                    const fresh = resourceWith(type, inTurn([validAnswer]));
                    await failsReadably(type, () => fresh.up(given));
                },
            ));

        it(`${type}: any id`, () =>
            holds(
                fc.oneof(
                    anyJson.map(asText),
                    mutated(id.split("/")).map((parts) =>
                        Array.isArray(parts) ? parts.map(asText).join("/") : asText(parts),
                    ),
                ),
                async (any) => {
                    await failsReadably(type, () => resourceWith(type, inTurn([validAnswer])).get(any));
                },
            ));
    }

    for (const definition of functions) {
        const answer = validLists[definition.name] ?? validAnswer;

        it(`${definition.name}: any answer`, () =>
            holds(fc.record({ bodies: bodiesLike(answer), bytes }), async ({ bodies: some, bytes: content }) => {
                const runtime = hostWith(inTurn(some), { bytes: content });
                await failsReadably("", () =>
                    invokeFunction(definition, runtime, functionFacts[definition.name]?.args ?? {}),
                );
            }));

        it(`${definition.name}: a valid answer`, async () => {
            await invokeFunction(definition, hostWith(inTurn([answer])), functionFacts[definition.name]?.args ?? {});
        });
    }

    it("settings in configuration and environment", () =>
        holds(
            fc.record({
                configured: fc.oneof(
                    anyJson.map((value) => JSON.stringify(value)),
                    fc.string(),
                    mutated(validSettings).map((value) => JSON.stringify(value)),
                    settingsOfNumbers.map((value) => JSON.stringify(value)),
                ),
                environment: fc.dictionary(
                    fc.constantFrom(...environmentNames),
                    fc.oneof(
                        fc.string(),
                        anyJson.map((value) => JSON.stringify(value)),
                    ),
                ),
                connection: fc.constantFrom(undefined, "other", "__proto__", "constructor"),
            }),
            async ({ configured, environment, connection }) => {
                const config = (key: string) =>
                    key === "statecraft:connections" ? `{"other":{"manager":${configured}}}` : configured;
                for (const read of [
                    () => readSettings("manager", connection, config, environment),
                    () => readStrict(config, environment),
                ]) {
                    try {
                        read();
                    } catch (error) {
                        assert(error instanceof StatecraftError, String(error));
                    }
                }
                const proxy = "http://127.0.0.1:1";
                const runtime = createRuntime(config, {
                    environment: { ...environment, HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
                    say: () => undefined,
                    pace: { now: () => 0, sleep: async () => undefined, retryBaseDelay: 0 },
                });
                try {
                    const session = runtime.open(manager, connection);
                    await session.client.call(endpoint("GET /v1/{name}"), { parameters: { name: "x" } });
                } catch (error) {
                    assert(error instanceof StatecraftError, error instanceof Error ? error.stack : String(error));
                }
            },
            3 * tries,
        ));

    it("durations and CIDR blocks", () =>
        holds(
            fc.oneof(anyJson, fc.stringMatching(/^[0-9.hmsdnuµ]{0,12}$/), fc.stringMatching(/^[0-9a-f.:/]{0,20}$/)),
            async (value) => {
                const seconds = parseDuration(value);
                assert(seconds === undefined || (Number.isSafeInteger(seconds) && seconds >= 0), String(seconds));
                for (const kind of [duration(), cidrs]) {
                    const once = kind.safeParse(value);
                    if (once.success) assert.deepEqual(kind.parse(once.data), once.data, "decoding is idempotent");
                }
            },
            5 * tries,
        ));
});

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
