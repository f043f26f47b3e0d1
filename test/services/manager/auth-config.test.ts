import assert from "node:assert/strict";
import { notUnsealed } from "../../../src/core/request-failures";
import { authConfig } from "../../resources/auth-config";
import { describeResource } from "../../support/conformance";
import { sealedPaths } from "../../support/managed-resource";
import { wordsOf } from "../../support/messages";
import { withSimulator } from "../../support/simulator";

const { path } = authConfig;
const required = { tenantId: "tenant-1", resource: "https://secrets.example/" };

describeResource(authConfig);

describe("AuthConfig", () => {
    const simulator = withSimulator({ mounts: ["clouda", "team/clouda"] });

    const secret = "planted-secret-1";
    const sentSecrets = async () =>
        (await simulator.writes()).map(({ body }) => (body as Record<string, unknown>)["client_secret"]);
    const held = async (mount = "clouda") => {
        const state = (await simulator.control("GET", "/simulator/state")) as {
            manager: { loginConfigs: Record<string, { client_secret: string }> };
        };
        return state.manager.loginConfigs[`auth/${mount}/config`]?.client_secret;
    };

    it("has the id of its mount, and replaces for another one", async () => {
        const config = simulator.resource("AuthConfig");
        await config.up({ ...required, mount: "/team/clouda/" });
        assert.equal(config.state?.id, "auth/team/clouda/config");
        assert.equal(await config.up(required), "same", "left out, the mount is what it was");
        assert.equal(await config.up({ ...required, mount: "clouda" }), "replaced");
        assert.equal(config.state?.id, "auth/clouda/config");
        assert.equal(await held("team/clouda"), undefined);
    });

    it("sends the secret once, and seals it wherever it goes", async () => {
        const config = simulator.resource("AuthConfig");
        const inputs = { ...required, clientSecret: secret };
        await config.up(inputs);
        assert.deepEqual(await sentSecrets(), [secret]);
        for (let round = 0; round < 2; round++) {
            assert.deepEqual(sealedPaths(config.state?.inputs), ["clientSecret"]);
            assert.deepEqual(sealedPaths(config.state?.outputs), ["clientSecret"]);
            assert.equal(await config.up(inputs), "same");
            assert.deepEqual(await config.refresh(), []);
        }
        assert.deepEqual(await sentSecrets(), [secret]);
        assert(!JSON.stringify(config.messages).includes(secret));
    });

    it("never sends it again for another change, so that a rotation stays", async () => {
        const config = simulator.resource("AuthConfig");
        const inputs = { ...required, clientSecret: secret };
        await config.up(inputs);
        await simulator.outside("POST", "/v1/auth/clouda/rotate-root");
        const rotated = await held();
        assert.notEqual(rotated, secret);
        await simulator.forget();
        assert.deepEqual(await config.refresh(), [], "a rotated secret is no drift");
        assert.equal(await config.up({ ...inputs, retryDelay: "9s" }), "updated");
        assert.deepEqual(await sentSecrets(), [undefined]);
        assert.equal(await held(), rotated);
        assert.equal(config.outputs()["clientSecret"], secret, "what the program last sent is carried over");
        assert.equal(await config.up({ ...inputs, retryDelay: "9s" }), "same");
    });

    it("sees no drift in another secret that the server shows", async () => {
        const config = simulator.resource("AuthConfig");
        await config.up({ ...required, clientSecret: secret });
        await simulator.outside("POST", path, { client_secret: "somebody-else" });
        assert.deepEqual(await config.refresh(), []);
        assert.equal(config.outputs()["clientSecret"], secret);
        assert.equal(await config.up({ ...required, clientSecret: secret }), "same");
        assert.equal(await held(), "somebody-else");
    });

    it("sends it when the program's own value changes, also after a rotation", async () => {
        const config = simulator.resource("AuthConfig");
        await config.up({ ...required, clientSecret: secret });
        await simulator.outside("POST", "/v1/auth/clouda/rotate-root");
        await simulator.forget();
        assert.equal(await config.up({ ...required, clientSecret: "planted-secret-2" }), "updated");
        assert.deepEqual(await sentSecrets(), ["planted-secret-2"]);
        assert.equal(await held(), "planted-secret-2");
        assert.equal(await config.up({ ...required, clientSecret: "planted-secret-2" }), "same");
    });

    it("leaves it alone when it leaves the program, also one that was rotated, and warns of that once", async () => {
        for (const refreshes of [false, true]) {
            await simulator.reset();
            const config = simulator.resource("AuthConfig");
            await config.up({ ...required, clientSecret: secret });
            await simulator.outside("POST", "/v1/auth/clouda/rotate-root");
            const rotated = await held();
            await simulator.forget();
            if (refreshes) await config.refresh();
            assert.equal(await config.up(required), "updated");
            assert.deepEqual(await sentSecrets(), [undefined]);
            assert.equal(await held(), rotated);
            assert.equal("clientSecret" in config.outputs(), false, "state forgets it");
            assert.deepEqual(config.warnings, [
                "clientSecret: is left out from now on, so the server keeps the secret that it has; an empty string empties it there",
            ]);
            assert(!JSON.stringify(config.messages).includes(secret));
            assert.equal(await config.up(required), "same");
            assert.deepEqual(await config.refresh(), []);
            assert.equal(await config.up({ ...required, maxRetries: 9 }), "updated");
            assert.deepEqual(await sentSecrets(), [undefined, undefined]);
            assert.equal(await held(), rotated);
            assert.equal(config.warnings.length, 1);
        }
    });

    it("makes leaving it out a failure where strict is set", async () => {
        const config = simulator.resource("AuthConfig", { environment: { STATECRAFT_STRICT: "true" } });
        await config.up({ ...required, clientSecret: secret });
        await assert.rejects(config.up(required), { paths: ["clientSecret"] });
        assert.equal(await config.up({ ...required, clientSecret: "" }), "updated");
        assert.equal(await config.up(required), "updated", "there is none to be left alone");
    });

    it("sends it again when it comes back to the program", async () => {
        const config = simulator.resource("AuthConfig");
        await config.up({ ...required, clientSecret: secret });
        await config.up(required);
        await simulator.forget();
        assert.equal(await config.up({ ...required, clientSecret: secret }), "updated");
        assert.deepEqual(await sentSecrets(), [secret]);
    });

    it("empties it for empty text, once, whatever was there", async () => {
        for (const before of [{ clientSecret: secret }, {}]) {
            await simulator.reset();
            const config = simulator.resource("AuthConfig");
            await config.up({ ...required, ...before });
            if (!("clientSecret" in before)) await simulator.outside("POST", path, { client_secret: "theirs" });
            await simulator.forget();
            assert.equal(await config.up({ ...required, clientSecret: "" }), "updated");
            assert.deepEqual(await sentSecrets(), [""]);
            assert.equal(await held(), "");
            assert.equal(await config.up({ ...required, clientSecret: "" }), "same");
            assert.equal(await config.up({ ...required, clientSecret: "", maxRetries: 9 }), "updated");
            assert.deepEqual(await sentSecrets(), ["", undefined]);
            assert.deepEqual(config.warnings, []);
        }
    });

    it("leaves the tenant and the resource to the service's environment, whatever that shows", async () => {
        await simulator.control("POST", "/simulator/seed", {
            loginSurroundings: { tenant_id: "t-0", resource: "r-0" },
        });
        const config = simulator.resource("AuthConfig");
        assert.equal(await config.up({ clientId: "c-1" }), "created");
        await simulator.fault({
            ...{ method: "GET", times: 0, status: 200 },
            body: JSON.stringify({ data: { tenant_id: "t-0", resource: "r-0", client_id: "c-1" } }),
        });
        assert.deepEqual(await config.refresh(), []);
        assert.equal(await config.up({ clientId: "c-1" }), "same");
        assert.deepEqual(config.warnings, []);
        const found = simulator.resource("AuthConfig");
        await found.get("auth/clouda/config");
        assert.deepEqual([found.outputs()["tenantId"], found.outputs()["resource"]], ["t-0", "r-0"]);
    });

    it("empties a tenant and a resource that leave the program, once", async () => {
        await simulator.control("POST", "/simulator/seed", {
            loginSurroundings: { tenant_id: "t-0", resource: "r-0" },
        });
        const config = simulator.resource("AuthConfig");
        await config.up(required);
        await simulator.forget();
        assert.equal(await config.up({ resource: required.resource }), "updated");
        assert.equal(await config.up({}), "updated");
        assert.equal(await config.up({ maxRetries: 9 }), "updated");
        assert.deepEqual(
            (await simulator.writes()).map(({ body }) => {
                const { tenant_id, resource } = body as Record<string, unknown>;
                return [tenant_id, resource];
            }),
            [
                ["", required.resource],
                [undefined, ""],
                [undefined, undefined],
            ],
        );
        assert.deepEqual(await config.refresh(), []);
    });

    it("passes on what a service says that has them nowhere", async () => {
        await assert.rejects(simulator.resource("AuthConfig").up({}), { status: 500 });
    });

    it("sends it again where the object has to be made again", async () => {
        const config = simulator.resource("AuthConfig");
        const inputs = { ...required, clientSecret: secret };
        await config.up(inputs);
        await simulator.outside("DELETE", path);
        assert.equal(await config.refresh(), "gone");
        await simulator.forget();
        await config.up(inputs);
        assert.deepEqual(await sentSecrets(), [secret]);
    });

    it("sends it when taking over, since nobody can see whether it is the same, but not when only looking for identical", async () => {
        await simulator.resource("AuthConfig").up({ ...required, clientSecret: "another" });
        await simulator.outside("POST", "/v1/auth/clouda/rotate-root");
        await simulator.forget();
        const looking = simulator.resource("AuthConfig", { environment: { STATECRAFT_ADOPT: "identical" } });
        await looking.up({ ...required, clientSecret: secret });
        assert.deepEqual(await sentSecrets(), []);
        const adopting = simulator.resource("AuthConfig");
        await adopting.up({ ...required, clientSecret: secret, adopt: true });
        assert.deepEqual(await sentSecrets(), [secret]);
        assert.equal(await held(), secret);
    });

    it("takes no configuration for identical whose secret is shown and another one", async () => {
        await simulator.resource("AuthConfig").up({ ...required, clientSecret: "another" });
        await simulator.forget();
        const looking = () => simulator.resource("AuthConfig", { environment: { STATECRAFT_ADOPT: "identical" } });
        for (const clientSecret of [secret, ""]) {
            await assert.rejects(looking().up({ ...required, clientSecret }), { code: "exists" });
        }
        assert.equal(await looking().up({ ...required, clientSecret: "another" }), "created");
        assert.equal(await looking().up(required), "created", "a secret that the program leaves out is left alone");
        assert.deepEqual(await simulator.writes(), []);
    });

    it("is not made by a creation whose answer was lost, where another secret is there then", async () => {
        const made = async (clientSecret: string) => {
            await simulator.reset();
            const body = { tenant_id: required.tenantId, resource: required.resource, client_secret: "theirs" };
            await simulator.fault({ method: "POST", drop: "before", times: 3 });
            const data = { ...body, client_id: "" };
            await simulator.fault({
                ...{ method: "GET", skip: 1, times: 0, status: 200 },
                body: JSON.stringify({ data }),
            });
            return simulator.resource("AuthConfig").up({ ...required, clientSecret });
        };
        await assert.rejects(made(secret), { code: "exists" });
        assert.equal(await made("theirs"), "created");
    });

    it("half made: another's that differs in its secret alone stays another's, and ours is ours", async () => {
        const inputs = { ...required, clientSecret: secret };
        for (const [shown, isOurs] of [
            ["theirs", false],
            [secret, true],
        ] as const) {
            const halfMade = async () => {
                await simulator.reset();
                await simulator.fault({ method: "POST", drop: "before", times: 0 });
                await simulator.fault({ method: "GET", skip: 1, drop: "before", times: 0 });
                const config = simulator.resource("AuthConfig");
                await assert.rejects(config.up(inputs), { code: "unreachable" });
                assert.deepEqual(config.outputs()["unfinished"], ["create"]);
                await simulator.heal();
                const { tenantId, resource } = required;
                await simulator.outside("POST", path, { tenant_id: tenantId, resource, client_secret: shown });
                return config;
            };
            const going = await halfMade();
            if (isOurs) assert.equal(await going.up(inputs), "updated");
            else await assert.rejects(going.up(inputs), { code: "exists" });
            const ended = await halfMade();
            if (isOurs) await ended.destroy();
            else await assert.rejects(ended.destroy(), { code: "exists" });
            assert.equal((await simulator.outside("GET", path)) !== undefined, !isOurs);
        }
    });

    it("is named by its mount or its id in messages", async () => {
        for (const [inputs, subject] of [
            [{}, "auth/clouda/config"],
            [{ mount: "/team/clouda/" }, "auth/team/clouda"],
            [{ namespace: "a/b" }, "a/b@auth/clouda/config"],
        ] as const) {
            await simulator.fault({ method: "POST", status: 400, body: '{"errors":["planted"]}' });
            await assert.rejects(simulator.resource("AuthConfig").up({ ...required, ...inputs }), (error: Error) => {
                assert(error.message.startsWith(`AuthConfig ${subject}: `), error.message);
                return true;
            });
        }
    });

    it("leaves a secret alone that it takes over and knows nothing of", async () => {
        await simulator.outside("POST", path, { tenant_id: "t", resource: "r", client_secret: "theirs" });
        const config = simulator.resource("AuthConfig");
        await config.up({ ...required, adopt: true });
        assert.equal(await held(), "theirs");
    });

    it("a lost answer to a new secret: it is not taken for sent, and the next up sends it", async () => {
        for (const drop of ["before", "after"] as const) {
            await simulator.reset();
            const config = simulator.resource("AuthConfig");
            await config.up({ ...required, clientSecret: secret });
            await simulator.fault({ method: "POST", drop, times: 0 });
            await assert.rejects(config.up({ ...required, clientSecret: "planted-secret-2" }), { code: "unreachable" });
            await simulator.heal();
            await config.refresh();
            await simulator.forget();
            assert.equal(await config.up({ ...required, clientSecret: "planted-secret-2" }), "updated", drop);
            assert.deepEqual(await sentSecrets(), ["planted-secret-2"]);
            assert.equal(await held(), "planted-secret-2");
        }
    });

    it("reads an environment that was never set as the usual one", async () => {
        await simulator.outside("POST", path, { tenant_id: "tenant-1", resource: "https://secrets.example/" });
        const config = simulator.resource("AuthConfig", { environment: { STATECRAFT_ADOPT: "identical" } });
        await config.up({ ...required, environment: "CloudAPublicCloud" });
        assert.deepEqual(await config.refresh(), []);
        assert.equal(await config.up(required), "same");
    });

    for (const [told, isDrift] of [
        [{ max_retry_delay: 60_000_000_000, retry_delay: 4_000_000_000 }, false],
        [{ max_retry_delay: "60s", retry_delay: "4s" }, false],
        [{ max_retry_delay: "1m0s", retry_delay: 4 }, false],
        [{ max_retry_delay: "60000000000", retry_delay: "4" }, false],
        [{ max_retry_delay: 61_000_000_000, retry_delay: "4s" }, true],
        [{}, false],
    ] as const) {
        it(`compares delays as lengths of time: ${JSON.stringify(told)} is ${isDrift ? "" : "no "}drift`, async () => {
            const config = simulator.resource("AuthConfig");
            await config.up({ ...required, maxRetryDelay: "60s" });
            const data = { tenant_id: "tenant-1", resource: "https://secrets.example/", client_id: "", ...told };
            await simulator.fault({ method: "GET", status: 200, body: JSON.stringify({ data }) });
            assert.deepEqual(await config.refresh(), isDrift ? ["maxRetryDelay"] : []);
            if (isDrift) assert.equal(config.outputs()["maxRetryDelay"], "61s");
        });
    }

    it("is quiet on a server that shows no more than the document's sample", async () => {
        const config = simulator.resource("AuthConfig");
        const data = {
            tenant_id: "tenant-1",
            resource: "https://secrets.example/",
            client_id: "",
            client_secret: secret,
        };
        await simulator.fault({ method: "GET", skip: 1, times: 0, status: 200, body: JSON.stringify({ data }) });
        await config.up({ ...required, clientSecret: secret });
        assert.deepEqual(config.warnings, []);
        assert.deepEqual(await config.refresh(), []);
        assert.equal(await config.up({ ...required, clientSecret: secret }), "same");
    });

    it("shows the server's own words for what it refuses", async () => {
        const config = simulator.resource("AuthConfig");
        await simulator.fault({
            method: "POST",
            status: 500,
            body: '{"errors":["1 error occurred:\\n\\t* tenant_id is required\\n\\n"]}',
        });
        await assert.rejects(
            config.up(required),
            /POST \/v1\/auth\/clouda\/config: 500: tenant_id is required\. .*`tenantId` in the program/,
        );
        assert.equal(config.state, undefined);
    });

    it("never shows the secret in a failure, though the server repeats it", async () => {
        const config = simulator.resource("AuthConfig");
        await simulator.fault({
            method: "POST",
            status: 400,
            body: JSON.stringify({ errors: [`bad client_secret ${secret}`] }),
        });
        await assert.rejects(config.up({ ...required, clientSecret: secret }), (error: Error) => {
            assert(!error.message.includes(secret));
            return /bad client_secret \[secret\]/.test(error.message);
        });
    });

    it("says what to do about a server that is sealed", async () => {
        await simulator.fault({ status: 503, times: 0, body: '{"errors":["The server is sealed"]}' });
        const sealed = simulator.resource("AuthConfig").up(required);
        await assert.rejects(sealed, { status: 503, message: wordsOf(notUnsealed) });
    });

    it("says what a missing mount is", async () => {
        const nowhere = simulator.resource("AuthConfig").up({ ...required, mount: "nowhere" });
        await assert.rejects(nowhere, { code: "service", status: 404 });
    });
});

describe("AuthConfig on Vault", () => {
    const simulator = withSimulator({}, { vocabulary: "product" });
    const inputs = { tenantId: "t", resource: "r", environment: "AzureChinaCloud", retryDelay: "9s" };
    const stored = async () => Object(await simulator.outside("GET", "/v1/auth/azure/config")).data;

    it("is at the method's own mount, and reads delays in nanoseconds", async () => {
        const config = simulator.resource("AuthConfig");
        await config.up({ ...inputs, clientSecret: "planted-client-secret" });
        assert.equal(config.state?.id, "auth/azure/config");
        const { environment, retry_delay } = await stored();
        assert.deepEqual([environment, retry_delay], ["AzureChinaCloud", 9e9]);
        assert.deepEqual(await config.refresh(), []);
        assert.equal(await config.up({ ...inputs, clientSecret: "planted-client-secret" }), "same");
        assert.equal(config.outputs()["environment"], "AzureChinaCloud");
    });

    it("keeps rootPasswordTtl by sending it with each write, and resets it when it leaves the program", async () => {
        const config = simulator.resource("AuthConfig");
        await config.up({ ...inputs, rootPasswordTtl: "24h" });
        await config.up({ ...inputs, rootPasswordTtl: "24h", retryDelay: "8s" });
        assert.equal((await stored()).root_password_ttl, 86_400);
        await simulator.outside("POST", "/v1/auth/azure/config", { root_password_ttl: "1h" });
        assert.deepEqual(await config.refresh(), ["retryDelay", "rootPasswordTtl"]);
        await config.up(inputs);
        assert.equal((await stored()).root_password_ttl, 15_768_000);
    });

    it("warns of the German cloud, which Vault refuses and the document lists", async () => {
        const config = simulator.resource("AuthConfig");
        await config.check({ ...inputs, environment: "CloudAGermanCloud" });
        assert.deepEqual(
            config.warnings.map((warning) => warning.split(":")[0]),
            ["environment"],
        );
    });
});
