/** Asserts that messages, errors, state and the request log contain no planted token or secret. `end-to-end/secrets.test.ts` searches files, logs and processes. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServiceError, StatecraftError } from "../src/errors";
import { objectNode } from "../src/schema/property";
import type { SecretPart } from "../src/schema/secrets";
import { seed } from "./faults/subjects";
import { canary, canaryHeader, formsOf, holdsNone, longCanary } from "./support/canaries";
import { definitions, functions } from "./support/definitions";
import { failureOf } from "./support/failures";
import type { Answer, SentRequest } from "./support/injector";
import { Shown } from "./support/managed-resource";
import { isIn, type Planted, plantedCalls, plantedPrograms, textsIn } from "./support/planting";
import { withSimulator } from "./support/simulator";
import { temporaryFolder } from "./support/temporary-folder";

const token = canaryHeader("token");
/** The characters of a Bearer token alone. */
const bearer = canaryHeader("bearer token").slice(0, 20);
const extra = canaryHeader("extra header");

const programs = plantedPrograms();
const calls = plantedCalls();

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
function isSecret({ method, body }: SentRequest, canaries: Planted["canaries"]): boolean {
    const text = body.toString();
    if (method === "GET" || !text.startsWith("{")) return false;
    const all = textsIn(JSON.parse(text)).flatMap(([each]) => [each, Buffer.from(each, "base64").toString()]);
    return Object.values(canaries).some((value) => all.some((each) => isIn(value, each)));
}

/** Returns each string of a body in each spelling. */
const spelled = (body: Buffer) =>
    textsIn(JSON.parse(body.toString())).flatMap(([text]) => Object.values(formsOf(text)));

/** Ways in which a server may quote a request in its answer. */
const repetitions: Readonly<Record<string, (request: SentRequest) => string>> = {
    "the body": ({ body }) => body.toString(),
    "the body in quotes": ({ body }) => JSON.stringify(body.toString()),
    "the values in each spelling": ({ body }) => spelled(body).join(" "),
    "the headers": ({ headers }) => [JSON.stringify(headers), ...Object.values(headers)].join(" | "),
};

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

describe("secrets", () => {
    const simulator = withSimulator({
        ...seed,
        tokens: [token, bearer].map((each) => ({ token: each, kind: "user", id: "user-1" })),
    });
    afterEach(() => simulator.answerWith());
    const settings = { token, headers: { "X-Extra": extra }, maxRetries: 0 };

    /** A server that repeats the request with the secrets in an error, in one of the `repetitions`. Returns the requests that it repeated. */
    const quoting = (canaries: Planted["canaries"], repeat: (request: SentRequest) => string) => {
        const repeated: SentRequest[] = [];
        simulator.answerWith((request, act) => {
            if (!isSecret(request, canaries)) return act();
            repeated.push(request);
            return refusal(request, repeat(request));
        });
        return repeated;
    };
    /** Asserts that a failure shows the server's reasons without a secret. */
    const isRedacted = (values: Planted["canaries"], { status, message }: Pick<Shown, "status" | "message">) => {
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

    for (const { type: name, inputs } of [
        ...definitions,
        ...functions.map(({ name: type, inputs }) => ({ type, inputs })),
    ]) {
        it(`of ${name} are planted in a program of test/resources, as texts with \`planted\``, () => {
            const planted = [...programs, ...calls].filter(({ type }) => type === name);
            const isPlanted = (path: string) =>
                planted.some((each) => {
                    const text = JSON.stringify(valueAt(each.inputs, path)) ?? "";
                    return Object.values(each.canaries).some((value) => isIn(value, text));
                });
            const secrets = pathsOf({ properties: objectNode(inputs).secrets }, "");
            const unplanted = secrets.filter((path) => !path.endsWith("From.digest") && !isPlanted(path));
            assert.deepEqual(unplanted, [], `see the programs of the resource's file in test/resources`);
        });
    }

    it("of the last deployment and of the program are in no message of a preview whose read quotes them", async () => {
        const { type, inputs, canaries } = programs.find((each) => each.type === "CsiVolume") ?? assert.fail();
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
        // One of the ways quotes canaries of over 20,000 characters.
        const plant = how === "the body in quotes" ? longCanary : canary;
        for (const { title, type, inputs, canaries } of plantedPrograms(plant)) {
            it(`of ${title} are not in the error if the server quotes ${how}`, async () => {
                const resource = resourceOf(type);
                const repeated = quoting(canaries, repeat);
                const values = { token, bearer, extra, ...canaries };
                isRedacted(values, await failureOf(resource.up(inputs), Shown));
                assert.equal(repeated.length, 1);
                holdsNone(values, resource.said, "messages");
            });
        }

        for (const { title, type, inputs, canaries } of plantedCalls(plant)) {
            it(`of the function ${title} are not in the error if the server quotes ${how}`, async () => {
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
        const file = join(temporaryFolder(), "ca.pem");
        writeFileSync(file, bundle);
        const address = simulator.url.replace("http:", "https:");
        for (const caFile of [file, bundle]) {
            const { getAuthRoles } = simulator.connect({ vault: { address, token, caFile, maxRetries: 0 } });
            const error = await failureOf(getAuthRoles(), StatecraftError);
            holdsNone({ token, authority }, error.message, "the error");
        }
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
