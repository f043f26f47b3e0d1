/** Asserts that messages, errors, state and the request log contain no planted token or secret. `end-to-end/secrets.test.ts` searches files, logs and processes. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ServiceError, StatecraftError } from "../src/errors";
import { objectNode } from "../src/schema/property";
import type { SecretPart } from "../src/schema/secrets";
import { seed } from "./faults/subjects";
import { canary, canaryHeader, formsOf, holdsNone, longCanary } from "./support/canaries";
import { definitions, functions } from "./support/definitions";
import { failureOf } from "./support/failures";
import type { Answer, SentRequest } from "./support/injector";
import { Shown } from "./support/managed-resource";
import { factsOf, functionFacts, type Props, programsOf } from "./support/resource-facts";
import { withSimulator } from "./support/simulator";

const token = canaryHeader("token");
/** The characters of a Bearer token alone. */
const bearer = canaryHeader("bearer token").slice(0, 20);
const extra = canaryHeader("extra header");

/** A program of a resource or the arguments of a function, with canaries in place of the texts `planted-…` in `test/resources`. */
interface Case {
    readonly what: string;
    readonly type: string;
    readonly inputs: Props;
    readonly canaries: Readonly<Record<string, string>>;
}

/** Replaces every text with `planted` by what `plant` returns for it, also inside JSON. Adds the canaries to `found`. */
function planted(value: unknown, found: Record<string, string>, plant: typeof canary): unknown {
    if (Array.isArray(value)) return value.map((item) => planted(item, found, plant));
    if (typeof value === "object" && value !== null) {
        return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, planted(inner, found, plant)]));
    }
    if (typeof value !== "string" || !value.includes("planted")) return value;
    if (value.startsWith("{")) return JSON.stringify(planted(JSON.parse(value), found, plant));
    found[value] = plant(value);
    return found[value];
}

function casesOf(type: string, programs: readonly Props[], plant = canary): Case[] {
    return programs.flatMap((program, index) => {
        const canaries = {};
        const inputs = planted(program, canaries, plant) as Props;
        const what = programs.length > 1 ? `${type}, program ${index + 1}` : type;
        return Object.keys(canaries).length > 0 ? [{ what, type, inputs, canaries }] : [];
    });
}

const programs = new Map(definitions.map(({ type }) => [type, programsOf(factsOf(type))] as const));
const calls = new Map(Object.entries(functionFacts).map(([name, facts]) => [name, facts.calls ?? [facts.args]]));
const cases = [...programs].flatMap(([type, each]) => casesOf(type, each));
const callCases = [...calls].flatMap(([name, each]) => casesOf(name, each));
/** The same with canaries of over 20,000 characters. */
const longCases = [...programs].flatMap(([type, each]) => casesOf(type, each, longCanary));
const longCallCases = [...calls].flatMap(([name, each]) => casesOf(name, each, longCanary));

/** Returns the paths of secret properties, such as `storage.accountKey`. */
function pathsOf(secret: SecretPart, path: string): string[] {
    if (secret === "whole") return [path];
    if ("items" in secret) return pathsOf(secret.items, path);
    return Object.entries(secret.properties).flatMap(([name, inner]) =>
        pathsOf(inner, path ? `${path}.${name}` : name),
    );
}

const valueAt = (value: unknown, path: string) =>
    path.split(".").reduce<unknown>((inner, name) => Object(inner)[name], value);

/** Whether a request contains a canary, also inside a text in base64. */
function isSecret({ method, body }: SentRequest, canaries: Case["canaries"]): boolean {
    const text = body.toString();
    if (method === "GET" || !text.startsWith("{")) return false;
    const all = textsIn(JSON.parse(text)).flatMap((each) => [each, Buffer.from(each, "base64").toString()]);
    // Canaries begin with 20 letters and digits, which no encoding changes.
    return Object.values(canaries).some((value) => all.some((each) => each.includes(value.slice(0, 20))));
}

/** Returns each string of a body as `write` spells it. */
const texts =
    (write: (text: string) => string) =>
    ({ body }: SentRequest) =>
        textsIn(JSON.parse(body.toString())).map(write).join(" | ");

/** Ways in which a server may quote a request in its answer. */
const repetitions: Readonly<Record<string, (request: SentRequest) => string>> = {
    "the body": ({ body }) => body.toString(),
    "the body in quotes": ({ body }) => JSON.stringify(body.toString()),
    "the values in each spelling": texts((text) => Object.values(formsOf(text)).join(" ")),
    "the headers": ({ headers }) => [JSON.stringify(headers), ...Object.values(headers)].join(" | "),
};

function textsIn(value: unknown): string[] {
    if (typeof value === "string") return [value];
    if (typeof value !== "object" || value === null) return [];
    return Object.values(value).flatMap(textsIn);
}

const answer = (status: number, body: unknown, type = "application/json", id = "1"): Answer => ({
    status,
    headers: { "content-type": type, "x-request-id": id },
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
});

/** Returns an error answer in the form of the service. */
function refusal({ path, headers }: SentRequest, detail: string): Answer {
    const id = headers["x-vault-token"];
    if (path.startsWith("/api/")) return answer(400, { errors: [{ status: "400", title: "bad", detail }] });
    if (path.startsWith("/v1/volume")) return answer(500, `refused: ${detail}`, "text/plain");
    return answer(400, { errors: [detail] }, "application/json", id);
}

/** Returns a state as text without its secrets, because the engine encrypts them. */
const readable = (state: unknown) =>
    JSON.stringify(state, (_, value) => (value?.["4dabf18193072939515e22adb298388d"] ? "[sealed]" : value));

describe("secrets", () => {
    const simulator = withSimulator({
        ...seed,
        tokens: [token, bearer].map((each) => ({ token: each, kind: "user", id: "user-1" })),
    });
    afterEach(() => simulator.answerWith());
    const settings = { token, headers: { "X-Extra": extra }, maxRetries: 0 };

    /** A server that repeats the request with the secrets in an error, in one of the `repetitions`. Returns the requests that it repeated. */
    const quoting = (canaries: Case["canaries"], repeat: (request: SentRequest) => string) => {
        const repeated: SentRequest[] = [];
        simulator.answerWith((request, act) => {
            if (!isSecret(request, canaries)) return act();
            repeated.push(request);
            return refusal(request, repeat(request));
        });
        return repeated;
    };
    /** Asserts that a failure shows the server's reasons without a secret. */
    const isRedacted = (values: Case["canaries"], { status, message }: Pick<Shown, "status" | "message">) => {
        assert(status === 400 || status === 500, message);
        assert.match(message, /\[secret\]|is not shown/);
        holdsNone(values, message, "the error");
    };
    const resourceOf = (type: string) =>
        simulator.resource(type, {
            environment: { STATECRAFT_LOG: "requests" },
            settings: {
                "statecraft:vault": settings,
                "statecraft:nomad": settings,
                "statecraft:terraform": { ...settings, token: bearer },
            },
        });

    for (const [name, schema, programs_] of [
        ...definitions.map(({ type, inputs }) => [type, inputs, programs.get(type)] as const),
        ...functions.map(({ name, inputs }) => [name, inputs, calls.get(name)] as const),
    ]) {
        it(`of ${name} are planted in a program of test/resources, as texts with \`planted\``, () => {
            const unplanted = pathsOf({ properties: objectNode(schema).secrets }, "").filter(
                (path) =>
                    !path.endsWith("From.digest") &&
                    !programs_?.some((one) => /planted/.test(JSON.stringify(valueAt(one, path)) ?? "")),
            );
            assert.deepEqual(unplanted, []);
        });
    }

    for (const { what, type, inputs, canaries } of cases) {
        const values = { token, bearer, extra, ...canaries };
        it(`of ${what} are encrypted in state, and in no message`, async () => {
            const resource = resourceOf(type);
            await resource.preview(inputs);
            await resource.up(inputs);
            holdsNone(values, readable(resource.state), "state");
            await resource.refresh();
            holdsNone(values, readable(resource.state), "state after a refresh");
            await resource.destroy();
            assert.match(resource.said, /(POST|PUT) \S+: 20\d, \d+ ms/);
            holdsNone(values, resource.said, "messages");
        });
    }

    it("of the last deployment and of the program are in no message of a preview whose read quotes them", async () => {
        const { type, inputs, canaries } = cases.find((each) => each.type === "CsiVolume") ?? assert.fail();
        const volume = resourceOf(type);
        await volume.up(inputs);
        const values = { ...canaries, next: canary("next secret") };
        simulator.answerWith(() => answer(500, `no: ${Object.values(values).join(" ")}`, "text/plain"));
        for (const change of [{ externalId: "vol-9" }, { mountOptions: { fsType: "xfs" } }]) {
            await volume.preview({ ...inputs, ...change, secrets: { key: values.next } });
        }
        assert.match(volume.said, /500: no: .*\[secret\].*500: no: .*\[secret\]/s);
        holdsNone(values, volume.said, "messages");
    });

    for (const [how, repeat] of Object.entries(repetitions)) {
        const isLong = how === "the body in quotes";
        for (const { what, type, inputs, canaries } of isLong ? longCases : cases) {
            it(`of ${what} are not in the error if the server quotes ${how}`, async () => {
                const resource = resourceOf(type);
                const repeated = quoting(canaries, repeat);
                const values = { token, bearer, extra, ...canaries };
                isRedacted(values, await failureOf(resource.up(inputs), Shown));
                assert.equal(repeated.length, 1);
                holdsNone(values, resource.said, "messages");
            });
        }

        for (const { what, type, inputs, canaries } of isLong ? longCallCases : callCases) {
            it(`of the function ${what} are not in the error if the server quotes ${how}`, async () => {
                const repeated = quoting(canaries, repeat);
                const client = simulator.connect({ vault: { address: simulator.url, ...settings } });
                const call = client[type as "login"](inputs as never);
                isRedacted({ token, extra, ...canaries }, await failureOf(call, ServiceError));
                assert.equal(repeated.length, 1);
            });
        }
    }
});

describe("secrets in a text of the server", () => {
    const simulator = withSimulator();
    afterEach(() => simulator.answerWith());

    it("are redacted in the words of a server with a success", async () => {
        const auth = { client_token: "t", accessor: "a", token_policies: [], lease_duration: 1, renewable: false };
        simulator.answerWith(({ body, headers }) =>
            answer(200, { auth, warnings: [body.toString(), JSON.stringify(headers)] }),
        );
        const said: string[] = [];
        const vault = { address: simulator.url, headers: { "X-Extra": extra } };
        const { login } = simulator.connect({ vault, inform: (message) => void said.push(message) });
        await login({ role: "web", jwt: canary("jwt"), subscriptionId: "s", resourceGroupName: "g" });
        assert.equal(said.length, 2);
        assert.match(said.join(), /login: Vault says: .*\[secret\]/);
        holdsNone({ jwt: canary("jwt"), extra }, said.join("\n"), "warnings");
    });

    it("are redacted in a warning that quotes their former values", async () => {
        const [former, next] = [longCanary("former secret"), longCanary("next secret")];
        const config = await simulator
            .resource("AuthConfig")
            .deployed({ tenantId: "t", resource: "r", clientSecret: former });
        const warning = JSON.stringify({ warnings: [`${former} is void, ${next} holds`] });
        await simulator.fault({ method: "POST", path: "/config$", status: 200, after: true, body: warning });
        await config.up({ tenantId: "t", resource: "r", clientSecret: next });
        assert.match(config.said, /Vault says: \[secret\] is void, \[secret\] holds/);
        holdsNone({ former, next }, config.said, "warnings");
    });

    it("are redacted in the refusal of a login whose JWT has over 20,000 characters", async () => {
        const groups = longCanary("claim of a JWT");
        const jwt = ["header", Buffer.from(JSON.stringify({ iss: "i", groups })).toString("base64url"), "signature"];
        simulator.answerWith(({ body }) =>
            answer(400, { errors: [`bad: ${body} ${JSON.stringify(body.toString())}`] }),
        );
        const vault = {
            address: simulator.url,
            login: { mount: "jwt", role: "web", jwtVariable: "CI_JWT" },
            maxRetries: 0,
        };
        const environment = { CI_JWT: jwt.join(".") };
        const error = await failureOf(simulator.connect({ vault, environment }).getAuthRoles(), StatecraftError);
        assert.match(error.message, /400: bad: .*\[secret\]/);
        holdsNone({ groups, jwt: jwt.join(".") }, error.message, "the error");
    });

    it("of over 20,000 characters in a bundle of authorities are not quoted, in a file and as a text", async () => {
        const authority = longCanary("authority");
        const bundle = `# An authority\n-----BEGIN CERTIFICATE-----\n${authority}\n-----END CERTIFICATE-----\n`;
        const file = join(mkdtempSync(join(tmpdir(), "statecraft-bundle-")), "ca.pem");
        writeFileSync(file, bundle);
        const address = simulator.url.replace("http:", "https:");
        for (const caFile of [file, bundle]) {
            const { getAuthRoles } = simulator.connect({ vault: { address, token, caFile, maxRetries: 0 } });
            const error = await failureOf(getAuthRoles(), StatecraftError);
            holdsNone({ token, authority }, error.message, "the error");
        }
        rmSync(dirname(file), { recursive: true });
    });

    it("are not even in part in an error that is shortened", async () => {
        const secret = "5e1c-Tr0ub4";
        const inputs = { tenantId: "t", resource: "r", clientSecret: secret };
        // In at least one round, the limit of the message is inside the secret.
        for (let before = 3980; before <= 4000; before++) {
            const body = JSON.stringify({ errors: [`${"x".repeat(before)} ${secret}`] });
            await simulator.fault({ method: "POST", status: 400, body });
            const error = await failureOf(simulator.resource("AuthConfig").up(inputs), Shown);
            assert(!error.message.includes(secret.slice(0, 4)), error.message.slice(-40));
        }
    });
});
