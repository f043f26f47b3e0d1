import assert from "node:assert/strict";
import { authConfig } from "../../resources/auth-config";
import { describeResource } from "../../support/conformance";
import { pathsOf, sealedPaths } from "../../support/managed-resource";
import type { Props } from "../../support/pulumi-values";
import { withSimulator } from "../../support/simulator";

const { path } = authConfig;
const required = { tenantId: "tenant-1", resource: "https://secrets.example/" };

describeResource(authConfig);

describe("AuthConfig", () => {
    const simulator = withSimulator({ loginSurroundings: { tenant_id: "t-0", resource: "r-0" } });

    const secret = "planted-secret-1";
    const sentSecrets = async () =>
        (await simulator.writes()).map(({ body }) => (body as Record<string, unknown>)["client_secret"]);
    const storedSecret = async () => simulator.store.manager.loginConfigs["auth/azure/config"]?.["client_secret"];

    const ours = { ...required, clientSecret: secret };
    const changed = { ...required, clientSecret: "planted-secret-2" };
    const emptied = { ...required, clientSecret: "" };
    /** The programs after the first one and a rotation, the secrets that they send, and the server's secret at the end, unless it is the rotated one. */
    const programs: readonly (readonly [title: string, later: readonly Props[], sent: unknown[], stored?: string])[] = [
        [
            "does not send an unchanged `clientSecret` with another change, so that the change does not undo a rotation",
            [{ ...ours, retryDelay: "9s" }],
            [undefined],
        ],
        [
            "sends `clientSecret` when the program changes it, also after a rotation",
            [changed, { ...changed, maxRetries: 9 }],
            ["planted-secret-2", undefined],
            "planted-secret-2",
        ],
        [
            "leaves the server's secret unchanged when the program drops `clientSecret`, also after a rotation, and warns once",
            [required, { ...required, maxRetries: 9 }],
            [undefined, undefined],
        ],
        [
            'empties the server\'s secret once for `clientSecret: ""`',
            [emptied, { ...emptied, maxRetries: 9 }],
            ["", undefined],
            "",
        ],
    ];
    for (const [title, later, sent, stored] of programs) {
        for (const refreshes of [false, true]) {
            it(title + (refreshes ? ", after refreshes" : ""), async () => {
                const config = await simulator.resource("AuthConfig").deployed(ours);
                await simulator.outside("POST", "/v1/auth/azure/rotate-root");
                const rotated = await storedSecret();
                assert.notEqual(rotated, secret);
                await simulator.forget();
                for (const program of later) {
                    if (refreshes) assert.deepEqual(await config.refresh(), [], "a rotated secret is no drift");
                    assert.equal(await config.up(program), "updated");
                    assert.equal(await config.up(program), "same");
                    const { clientSecret } = Object(program);
                    assert.equal(config.outputs()["clientSecret"], clientSecret, "state has what was last sent");
                    assert.deepEqual(
                        sealedPaths(config.state?.outputs),
                        clientSecret === undefined ? [] : ["clientSecret"],
                    );
                }
                assert.deepEqual(await sentSecrets(), sent);
                assert.equal(await storedSecret(), stored ?? rotated);
                const notes = config.messages.filter(({ severity }) => severity === "info");
                const paths = pathsOf(notes.map(({ message }) => message));
                assert.deepEqual([paths, config.warnings], [later[0] === required ? ["clientSecret"] : [], []]);
                assert(!JSON.stringify(config.messages).includes(secret));
            });
        }
    }

    it('empties a secret that another client wrote for `clientSecret: ""`', async () => {
        const config = await simulator.resource("AuthConfig").deployed(required);
        await simulator.outside("POST", path, { client_secret: "theirs" });
        assert.equal(await config.up(emptied), "updated");
        assert.equal(await storedSecret(), "");
    });

    it("fails with the server's error if neither the program nor the server's environment has `tenantId` and `resource`", async () => {
        await simulator.control("POST", "/simulator/seed", { loginSurroundings: {} });
        await assert.rejects(simulator.resource("AuthConfig").up({}), { status: 500 });
    });

    it('sends a secret that the server hides with `adopt: true`, and not with `adopt: "identical"`', async () => {
        await simulator.resource("AuthConfig").up({ ...required, clientSecret: "another" });
        await simulator.outside("POST", "/v1/auth/azure/rotate-root");
        await simulator.forget();
        await simulator.resource("AuthConfig", { environment: { STATECRAFT_ADOPT: "identical" } }).deployed(ours);
        assert.deepEqual(await sentSecrets(), []);
        await simulator.resource("AuthConfig").deployed({ ...required, clientSecret: secret, adopt: true });
        assert.deepEqual(await sentSecrets(), [secret]);
        assert.equal(await storedSecret(), secret);
    });

    it("leaves the server's secret unchanged when it adopts and the program has no `clientSecret`", async () => {
        await simulator.outside("POST", path, { tenant_id: "t", resource: "r", client_secret: "theirs" });
        await simulator.resource("AuthConfig").deployed({ ...required, adopt: true });
        assert.equal(await storedSecret(), "theirs");
    });

    it("counts as changed after a lost answer if the program has not changed `clientSecret`", async () => {
        const config = simulator.resource("AuthConfig");
        const inputs = ours;
        await config.up(inputs);
        await simulator.fault({ method: "POST", drop: "after", times: 0 });
        assert.equal(await config.up({ ...inputs, retryDelay: "9s" }), "updated");
        assert.equal(await config.up({ ...inputs, retryDelay: "9s" }), "same");
    });

    it("reads an unset `environment` as the default", async () => {
        await simulator.outside("POST", path, { tenant_id: "tenant-1", resource: "https://secrets.example/" });
        const config = await simulator
            .resource("AuthConfig", { environment: { STATECRAFT_ADOPT: "identical" } })
            .deployed({ ...required, environment: "AzurePublicCloud" });
        await config.isQuiet(required);
    });

    it("sends `rootPasswordTtl` with each write, and resets it when the program drops it", async () => {
        const inputs = { ...required, environment: "AzureChinaCloud", retryDelay: "9s" };
        const stored = async () => Object(await simulator.outside("GET", path)).data;
        const config = await simulator.resource("AuthConfig").deployed({ ...inputs, rootPasswordTtl: "24h" });
        await config.up({ ...inputs, rootPasswordTtl: "24h", retryDelay: "8s" });
        assert.equal((await stored()).root_password_ttl, 86_400);
        await simulator.outside("POST", path, { root_password_ttl: "1h" });
        assert.deepEqual(await config.refresh(), ["retryDelay", "rootPasswordTtl"]);
        await config.up(inputs);
        assert.equal((await stored()).root_password_ttl, 15_768_000);
    });
});
