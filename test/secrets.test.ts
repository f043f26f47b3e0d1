/** Asserts that messages, errors, state and the request log contain no planted token or secret. `end-to-end/secrets.test.ts` searches files, logs and processes. */

import assert from "node:assert/strict";
import { invokeFunction } from "../src/core/functions";
import { ServiceError } from "../src/errors";
import { createClient } from "../src/http/client";
import { createRuntime } from "../src/runtime/runtime";
import { login } from "../src/services/manager/login";
import { stateVersions } from "../src/services/state-versions/service";
import { canary, canaryHeader, formsOf, holdsNone } from "./support/canaries";
import { failureOf } from "./support/failures";
import type { Answer, SentRequest } from "./support/injector";
import { type ManagedResource, Shown } from "./support/managed-resource";
import { withSimulator } from "./support/simulator";

type Props = Record<string, unknown>;

const token = canaryHeader("token");
const extra = canaryHeader("extra header");
const key = { type: "service_account", private_key: canary("private key") };
const content = JSON.stringify({
    version: 4,
    serial: 5,
    lineage: "l",
    outputs: { a: { value: canary("in state") } },
    resources: [],
});

interface Case {
    readonly what: string;
    readonly type: string;
    readonly inputs: Props;
    /** The path of the request that contains the secrets. */
    readonly path: RegExp;
    readonly secrets: readonly string[];
}

const snapshots = { name: "hourly", interval: "1h" };
const snapshotPath = /snapshot-auto\/config/;
const cases: readonly Case[] = [
    {
        what: "AuthConfig",
        type: "AuthConfig",
        inputs: { tenantId: "t", resource: "r", clientSecret: canary("client secret") },
        path: /\/config$/,
        secrets: [canary("client secret")],
    },
    {
        what: "SnapshotConfig to aws-s3",
        type: "SnapshotConfig",
        inputs: {
            ...snapshots,
            storage: {
                type: "aws-s3",
                pathPrefix: "p",
                bucket: "b",
                region: "r",
                accessKeyId: canary("access key id"),
                secretAccessKey: canary("secret access key"),
                sessionToken: canary("session token"),
            },
        },
        path: snapshotPath,
        secrets: [canary("access key id"), canary("secret access key"), canary("session token")],
    },
    ...[key, JSON.stringify(key)].map((serviceAccountKey) => ({
        what: `SnapshotConfig to google-gcs, its key as ${typeof serviceAccountKey}`,
        type: "SnapshotConfig",
        inputs: { ...snapshots, storage: { type: "google-gcs", pathPrefix: "p/", bucket: "b", serviceAccountKey } },
        path: snapshotPath,
        secrets: [canary("private key")],
    })),
    {
        what: "SnapshotConfig to azure-blob",
        type: "SnapshotConfig",
        inputs: {
            ...snapshots,
            storage: {
                type: "azure-blob",
                pathPrefix: "p/",
                container: "c",
                accountName: "a",
                accountKey: canary("account key"),
            },
        },
        path: snapshotPath,
        secrets: [canary("account key")],
    },
    {
        what: "CsiVolume",
        type: "CsiVolume",
        inputs: {
            volumeId: "data",
            pluginId: "disks",
            accessMode: "single-node-writer",
            attachmentMode: "file-system",
            secrets: { user: canary("volume user"), password: canary("volume password") },
            mountOptions: { mountFlags: [canary("mount flag")] },
        },
        path: /\/volume\/csi\/data/,
        secrets: [canary("volume user"), canary("volume password"), canary("mount flag")],
    },
    {
        what: "StateVersion in one request",
        type: "StateVersion",
        inputs: {
            workspaceId: "ws-1",
            content,
            jsonContent: JSON.stringify({ values: canary("in the JSON form") }),
            jsonStateOutputs: JSON.stringify({ password: { value: canary("in outputs") } }),
            inline: true,
            lock: true,
        },
        path: /\/state-versions$/,
        secrets: [canary("in state"), canary("in the JSON form"), canary("in outputs")],
    },
];

/** Returns each string of a body as `write` spells it. */
const texts =
    (write: (text: string) => string) =>
    ({ body }: SentRequest) =>
        textsIn(JSON.parse(body.toString())).map(write).join(" | ");

/** Ways in which a server may quote a request in its answer. */
const repetitions: Readonly<Record<string, (request: SentRequest) => string>> = {
    "the body": ({ body }) => body.toString(),
    "the body in quotes": ({ body }) => JSON.stringify(body.toString()),
    ...Object.fromEntries(
        Object.keys(formsOf("")).map((how) => [`the values ${how}`, texts((text) => formsOf(text)[how] ?? "")]),
    ),
    "the values where a message is cut": texts((text) => `${"x ".repeat(240)}${text}`),
    "the headers": ({ headers }) => JSON.stringify(headers),
    "the headers' values": ({ headers }) => Object.values(headers).join(" | "),
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
    const seed = {
        plugins: [{ id: "disks", nodes: ["node-1"] }],
        workspaces: [{ id: "ws-1", name: "app", organization: "example" }],
    };
    const simulator = withSimulator(seed);
    afterEach(() => simulator.answerWith());

    /** Creates a resource of which every message is checked for secrets. */
    const resourceOf = (type: string): ManagedResource => {
        const settings = { token, headers: { "X-Extra": extra }, maxRetries: 0 };
        return simulator.resource(type, {
            environment: { STATECRAFT_LOG: "requests" },
            settings: {
                "statecraft:vault": settings,
                "statecraft:nomad": settings,
                "statecraft:terraform": settings,
            },
        });
    };
    const messagesOf = (resource: ManagedResource) => resource.messages.map(({ message }) => message).join("\n");

    for (const { what, type, inputs, path, secrets } of cases) {
        const values = { token, extra, ...Object.fromEntries(secrets.map((secret) => [secret, secret])) };

        it(`of ${what} are encrypted in state, and in no message`, async () => {
            const resource = resourceOf(type);
            await resource.preview(inputs);
            await resource.up(inputs);
            holdsNone(values, readable(resource.state), "state");
            await resource.refresh();
            holdsNone(values, readable(resource.state), "state after a refresh");
            await resource.destroy();
            assert.match(messagesOf(resource), /(POST|PUT) \S+: 20\d, \d+ ms/);
            holdsNone(values, messagesOf(resource), "messages");
        });

        for (const [how, repeat] of Object.entries(repetitions)) {
            it(`of ${what} are not in the error if the server quotes ${how}`, async () => {
                const resource = resourceOf(type);
                let repeated = 0;
                simulator.answerWith((request, act) => {
                    if (request.method === "GET" || !path.test(request.path) || request.body.length === 0) return act();
                    repeated++;
                    return refusal(request, repeat(request));
                });
                const error = await failureOf(resource.up(inputs), Shown);
                assert.equal(repeated, 1);
                assert(error.status === 400 || error.status === 500, error.message);
                // A state is sent in base64, which a second encoding hides.
                if (!/cut|base64|hex/.test(how)) assert.match(error.message, /\[secret\]|is not shown/);
                holdsNone(values, error.message, "the error");
                holdsNone(values, messagesOf(resource), "messages");
            });
        }
    }
});

describe("secrets in a text of the server", () => {
    const simulator = withSimulator({ plugins: [{ id: "disks", nodes: ["node-1"] }] });
    afterEach(() => simulator.answerWith());

    it("are redacted in a warning", async () => {
        const auth = { client_token: "t", accessor: "a", token_policies: [], lease_duration: 1, renewable: false };
        simulator.answerWith(({ body, headers }) =>
            answer(200, { auth, warnings: [body.toString(), JSON.stringify(headers)] }),
        );
        const said: string[] = [];
        const config = { address: simulator.url, headers: { "X-Extra": extra } };
        const runtime = createRuntime((name) => (name === "statecraft:vault" ? JSON.stringify(config) : undefined), {
            environment: {},
            say: (_, message) => said.push(message),
        });
        const args = { role: "web", jwt: canary("jwt"), subscriptionId: "s", resourceGroupName: "g" };
        await invokeFunction(login, runtime, args);
        assert.equal(said.length, 2);
        assert.match(said.join(), /login: Vault says: .*\[secret\]/);
        holdsNone({ jwt: canary("jwt"), extra }, said.join("\n"), "warnings");
    });

    it("are redacted in a warning that quotes their former values", async () => {
        const [former, next] = [canary("former secret"), canary("next secret")];
        const config = simulator.resource("AuthConfig");
        await config.up({ tenantId: "t", resource: "r", clientSecret: former });
        const warning = JSON.stringify({ warnings: [`${former} is void, ${next} holds`] });
        await simulator.fault({ method: "POST", path: "/config$", status: 200, after: true, body: warning });
        await config.up({ tenantId: "t", resource: "r", clientSecret: next });
        const said = config.messages.map(({ message }) => message).join("\n");
        assert.match(said, /Vault says: \[secret\] is void, \[secret\] holds/);
        holdsNone({ former, next }, said, "warnings");
    });

    it("are redacted in the preview of an update that fails to read, also those that only the program has", async () => {
        const volume = {
            ...{ volumeId: "data", pluginId: "disks", externalId: "vol-1" },
            ...{ accessMode: "single-node-writer", attachmentMode: "file-system" },
        };
        const data = simulator.resource("CsiVolume", { isNative: true });
        await data.up(volume);
        const secrets = { key: canary("next secret") };
        await simulator.fault({ method: "GET", times: 0, status: 403, body: `not allowed: ${secrets.key}` });
        const said = await data.preview({ ...volume, mountOptions: { fsType: "xfs" }, secrets });
        assert.match(said.join(), /not allowed: \[secret\]/);
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

    it("are not in the error if a storage service quotes the upload", async () => {
        const client = createClient(stateVersions, { address: `${simulator.url}/api/v2`, token });
        const inBase64 = ({ body }: SentRequest) => body.subarray(5).toString("base64");
        for (const repeat of [repetitions["the body"], inBase64, repetitions["the headers"]]) {
            assert(repeat);
            simulator.answerWith((request) => answer(400, repeat(request), "text/plain"));
            const address = `${simulator.url}/bucket?signature=planted-signature`;
            const error = await failureOf(client.upload(address, Buffer.from(content)), ServiceError);
            const values = { token, state: canary("in state"), content, signature: "planted-signature" };
            holdsNone(values, error.message, "the error");
        }
    });
});
