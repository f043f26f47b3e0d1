/** Generates random JSON and random mutations of valid JSON, and creates resources whose service answers with them. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Runtime } from "../../src/core/context";
import { Operations } from "../../src/core/operations";
import type { Answer, Client, ServiceName } from "../../src/core/service";
import { StatecraftError } from "../../src/errors";
import { inDocumentedNames } from "../../src/product-names";
import { defaults } from "../../src/services/manager/service";
import { secretReader } from "../../src/settings/secret-reader";
import { authConfig } from "../resources/auth-config";
import { authRole } from "../resources/auth-role";
import { csiVolume } from "../resources/csi-volume";
import { snapshotConfig } from "../resources/snapshot-config";
import { definitionOf } from "../support/definitions";
import { CheckFailed, ManagedResource } from "../support/managed-resource";
import { assertReadable } from "../support/messages";

/** Names that are special in JavaScript, in the engine or in this package. */
const names = fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "length",
    "type",
    "id",
    "data",
    "unfinished",
    "4dabf18193072939515e22adb298388d",
    "",
);
/** Any character. fast-check's unit `binary` would build a list of a million characters first. */
const character = fc
    .integer({ min: 0, max: 0x10ffff })
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));
const texts = fc.oneof(
    names,
    fc.string({ unit: character, maxLength: 12 }),
    fc.constantFrom(
        "\ud800",
        "\u0000",
        "1h",
        "-1",
        "1e400",
        "../..",
        "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
        "9".repeat(400),
    ),
);
const numbers = fc.oneof(fc.integer(), fc.constantFrom(0, -1, 0.5, 1e308, 1e21, -0));

/** An object that JavaScript cannot convert to a string or a number. */
const inconvertible: unknown = JSON.parse('{"toString":1,"valueOf":1}');

/** Any JSON. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
        { depthSize: "small", maxDepth: 4 },
        fc.constantFrom(null, true, false, inconvertible),
        numbers,
        texts,
        fc.array(tie("value"), { maxLength: 3 }),
        fc
            .array(fc.tuple(fc.oneof(names, texts), tie("value")), { maxLength: 3 })
            // `JSON.parse` makes `__proto__` an ordinary name.
            .map((entries) =>
                JSON.parse(
                    `{${entries.map((entry) => entry.map((each) => JSON.stringify(each)).join(":")).join(",")}}`,
                ),
            ),
    ),
})).value;

interface Mutation {
    readonly at: readonly number[];
    readonly value: unknown;
    readonly removes: boolean;
}
const mutation: fc.Arbitrary<Mutation> = fc.record({
    at: fc.array(fc.nat(40), { minLength: 1, maxLength: 5 }),
    value: anyJson,
    removes: fc.boolean(),
});

/** Applies one to three mutations to a valid value: removes a part, or replaces it. */
export const mutated = (valid: unknown): fc.Arbitrary<unknown> =>
    fc
        .array(mutation, { minLength: 1, maxLength: 3 })
        .map((mutations) => mutations.reduce(mutating, structuredClone(valid)));

function mutating(value: unknown, { at: [step = 0, ...rest], value: other, removes }: Mutation): unknown {
    if (typeof value !== "object" || value === null) return other;
    const keys = Object.keys(value);
    const key = keys[step % Math.max(1, keys.length)];
    if (key === undefined) return other;
    const inner: unknown = Reflect.get(value, key);
    const isDeeper = rest.length > 0 && typeof inner === "object" && inner !== null;
    if (Array.isArray(value))
        return value.map((item, index) =>
            String(index) !== key ? item : isDeeper ? mutating(item, { at: rest, value: other, removes }) : other,
        );
    if (removes && !isDeeper) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
    return { ...value, [key]: isDeeper ? mutating(inner, { at: rest, value: other, removes }) : other };
}

/** Creates a resource whose service gives these answers. `bytes`: the content of every download. */
export function resourceWith(type: string, answers: () => Promise<Answer>, bytes?: Buffer): ManagedResource {
    return ManagedResource.of(new Operations(definitionOf(type), hostWith(answers, bytes)));
}

/** Creates a runtime whose services give these answers. */
export function hostWith(answers: () => Promise<Answer>, bytes: Buffer = Buffer.from("{}")): Runtime {
    let time = 0;
    const settings = { ...defaults.documented, namespace: undefined };
    const client: Client = { call: answers, download: async () => bytes, upload: async () => undefined };
    const runtime: Runtime = {
        strict: false,
        say: () => undefined,
        secrets: [],
        secretReader: secretReader({}, new Set()),
        settings: () => settings,
        open: () => ({
            client,
            settings,
            servers: ["https://one.example"],
            serverKey: "https://one.example",
            settingsKey: "statecraft:manager",
            product: "the secrets manager",
            exclusive: (_: string, work) => work(),
            adoptIdentical: false,
            warnings: [],
            runtime,
            now: () => time,
            // The time doubles with each sleep, so that the longest random wait ends after a few polls.
            sleep: async (milliseconds) => {
                time += milliseconds + time;
                if (time === Number.POSITIVE_INFINITY) throw new StatecraftError("cancelled", "an endless wait ended");
            },
        }),
    };
    return runtime;
}

/** Asserts that a failure is one readable paragraph. */
export async function failsReadably<Value>(type: string, verb: () => Promise<Value>): Promise<Value | undefined> {
    return verb().catch((error: unknown) => {
        if (!(error instanceof CheckFailed)) assertReadable(error, type);
        return undefined;
    });
}

const given = JSON.parse(readFileSync(join(__dirname, "../fixtures/valid-answers.json"), "utf8"));
const fields = [authConfig, snapshotConfig, authRole].map(({ requests }) => requests.full);
const manager = { ...given.manager, data: Object.assign(given.manager.data, ...fields) };
const volume = { ...Object(csiVolume.requests.full["Volumes"])[0], ...given.volumes };

/** An answer of each service with the fields of all its objects, and answers with other fields by function; in the names of the API documents, as the HTTP client returns them. */
const validAnswers: Readonly<Record<string, unknown>> = {
    ...given,
    manager: inDocumentedNames("manager", { headers: {}, body: manager }).body,
    volumes: inDocumentedNames("volumes", { headers: {}, body: volume }).body,
    getStateVersions: { data: [given.stateVersions.data] },
};

/** A valid answer to a resource or a function. */
export const validAnswer = (service: ServiceName, name = ""): unknown =>
    name === "getCsiVolumes" ? [validAnswers[service]] : (validAnswers[name] ?? validAnswers[service]);
