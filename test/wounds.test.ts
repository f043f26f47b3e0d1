/**
 * What hurts users of other providers for services of these kinds, one test for each: the number is that of the report
 * elsewhere, where there is one. `docs/why.md` tells users the same.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { connect } from "../src/client";
import { providerText } from "../src/pulumi/resource-class";
import { definitions } from "../src/services/definitions";
import { demonstration } from "../src/simulator/demonstration";
import type { Seed } from "../src/simulator/seed";
import { Life, sealedPaths } from "./support/life";
import { plantedToken, World } from "./support/world";

type Props = Record<string, unknown>;

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const user = { token: plantedToken, kind: "user", id: "user-1" } as const;
const seed: Seed = {
    ...demonstration,
    tokens: [
        user,
        { token: "outside", kind: "user", id: "user-2" },
        { token: "renewed", kind: "user", id: "user-1" },
        { token: "organization-token", kind: "organization", id: "org-1" },
    ],
};
const rolePath = "/v1/auth/clouda/role/web";
const configPath = "/v1/auth/clouda/config";
const snapshotPath = "/v1/sys/storage/raft/snapshot-auto/config/hourly";
const volumePath = "/v1/volume/csi/data";

describe("wounds of others, none of which is open here", () => {
    let world: World;
    /** The same with the names and rules of real servers. */
    let real: World;
    before(async () => {
        world = await World.start(seed);
        real = await World.start(seed, "product");
    });
    beforeEach(() => Promise.all([world.reset(), real.reset()]));
    after(() => Promise.all([world.close(), real.close()]));

    const failure = async (verb: Promise<unknown>): Promise<string> => {
        const error = await verb.then(
            () => assert.fail("it should have failed"),
            (reason: Error) => reason,
        );
        return error.message;
    };
    const firstWrite = async () => {
        const [write] = await world.writes();
        assert(write, "nothing was written");
        return write;
    };
    const data = async (path: string) => ((await world.outside("GET", path)) as { data: Props }).data;
    const refused = async (type: string, minimal: Props, cases: readonly (readonly [Props, RegExp])[]) => {
        for (const [inputs, reason] of cases)
            await assert.rejects(world.life(type).check({ ...minimal, ...inputs }), reason);
        assert.deepEqual(await world.requests(), [], "the preview finds it, without the server");
    };
    const scripts = () =>
        connect({
            manager: { address: world.url, token: plantedToken },
            volumes: { address: world.url, token: plantedToken },
            stateVersions: { address: `${world.url}/api/v2`, token: plantedToken },
            environment: {},
        });
    /** A refused, broken or sealed server. */
    const outages = [
        { status: 403, body: '{"errors":["permission denied"]}' },
        { status: 500, body: '{"errors":["internal error"]}' },
        { status: 503, body: '{"errors":["the server is sealed"]}' },
    ];
    const survivesOutages = async (type: string, inputs: Props) => {
        const resource = world.life(type);
        await resource.up(inputs);
        for (const outage of outages) {
            await world.fault({ ...outage, times: 0 });
            assert.match(await failure(resource.refresh()), new RegExp(`: ${outage.status}: `));
            assert(resource.state);
            await world.heal();
            assert.deepEqual(await resource.refresh(), []);
        }
    };

    describe("roles", () => {
        const web = { name: "web", boundLocations: ["north"], boundGroupIds: ["g"], tokenPolicies: ["b", "a"] };

        it("removed bound values stay on the server (elsewhere #884)", async () => {
            const role = world.life("AuthRole");
            await role.up(web);
            const { boundLocations, ...without } = web;
            assert.equal(await role.up(without), "updated");
            assert.deepEqual((await data(rolePath))["bound_locations"], []);
            assert.deepEqual(await role.refresh(), []);
            assert.equal(await role.up(without), "same");
        });

        it("an empty list does not empty the list (elsewhere #1773, #1619)", async () => {
            const role = world.life("AuthRole");
            await role.up(web);
            assert.equal(await role.up({ ...web, boundLocations: [] }), "updated");
            assert.deepEqual((await data(rolePath))["bound_locations"], []);
            assert.deepEqual(await role.refresh(), []);
        });

        it("a role renamed by letter case is deleted", async () => {
            const role = world.life("AuthRole");
            await role.up({ ...web, name: "Web" });
            await world.forget();
            assert.deepEqual((await role.diff({ ...web, name: "web" })).replaces, []);
            assert.equal(await role.up({ ...web, name: "web" }), "same");
            assert.deepEqual(await world.writes(), []);
            assert.deepEqual((await data(rolePath))["bound_locations"], ["north"]);
        });

        it("leftover policies are adopted unasked", async () => {
            await world.outside("POST", rolePath, { token_policies: ["admin"], bound_scale_sets: ["old"] });
            await world.forget();
            const role = world.life("AuthRole");
            await assert.rejects(role.up(web), { code: "exists" });
            assert.deepEqual(await world.writes(), []);
            assert.equal(await role.up({ ...web, adopt: true }), "created");
            const { token_policies, bound_scale_sets } = await data(rolePath);
            assert.deepEqual([token_policies, bound_scale_sets], [["b", "a"], []]);
        });

        it("policies in another order are a change for ever (elsewhere #224, #286, #385, #436)", async () => {
            const role = world.life("AuthRole");
            await role.up(web);
            await world.outside("POST", rolePath, { token_policies: ["a", "b"] });
            assert.deepEqual(await role.refresh(), []);
            assert.equal(await role.up({ ...web, tokenPolicies: ["a", "b"] }), "same");
        });

        it("the former name of a field is a change for ever (elsewhere #572, #533)", async () => {
            const role = world.life("AuthRole");
            const { tokenPolicies, ...rest } = web;
            await role.up({ ...rest, policies: "b,a", maxTtl: 7200 });
            assert.deepEqual(await role.refresh(), []);
            assert.equal(await role.up({ ...rest, policies: "b,a", maxTtl: 7200 }), "same");
            assert.equal(await role.up({ ...rest, tokenPolicies, tokenMaxTtl: "2h" }), "same");
            const write = await firstWrite();
            assert(!("policies" in (write.body as Props)));
        });

        it("a field that the server does not know is dropped silently (elsewhere #874)", async () => {
            const known = { token_policies: ["b", "a"], bound_locations: ["north"], bound_group_ids: ["g"] };
            const body = JSON.stringify({ data: { ...known, token_ttl: 0 } });
            await world.fault({ method: "GET", path: rolePath, skip: 1, status: 200, body });
            const role = world.life("AuthRole");
            await role.up({ ...web, tokenTtl: "1h" });
            assert.equal(role.warnings.length, 1);
            assert.match(
                role.warnings[0] ?? "",
                /tokenTtl: the service accepted the write but does not hold this value when read back/,
            );
        });

        it("what the server warns of is swallowed", async () => {
            const body = JSON.stringify({ warnings: ["max_ttl is greater than the system's and will be truncated"] });
            await world.fault({ method: "POST", path: rolePath, status: 200, after: true, body });
            const role = world.life("AuthRole");
            await role.up(web);
            assert.match(role.warnings.join(), /the secrets manager says: max_ttl is greater than the system's/);
        });

        it("a role that anybody may use, or nobody, is seen at the login first (elsewhere #219)", async () => {
            const role = world.life("AuthRole");
            await role.check({ name: "web" });
            assert.match(role.warnings.join(), /without any bound value, every machine of the tenant can log in/);
            await assert.rejects(
                real.life("AuthRole").check({ name: "web" }),
                /boundServicePrincipalIds: a role must be bound to something/,
            );
        });

        it("values that no server takes pass the preview", async () => {
            await refused("AuthRole", web, [
                [{ tokenTtl: -5 }, /tokenTtl: must be a duration/],
                [{ tokenTtl: "soon" }, /tokenTtl: must be a duration/],
                [{ tokenType: "nonsense" }, /tokenType: must be one of/],
                [{ tokenNumUses: -1 }, /tokenNumUses: must be a whole number/],
                [{ tokenBoundCidrs: ["nonsense"] }, /tokenBoundCidrs: must hold IP addresses or CIDR blocks/],
                [{ name: "" }, /name: must consist of/],
                [{ name: "b/c d" }, /name: must consist of/],
            ]);
            // No document forbids these.
            for (const [inputs, warning] of [
                [{ tokenTtl: "2h", tokenMaxTtl: "1h" }, /tokenTtl: must not be greater than tokenMaxTtl/],
                [{ tokenType: "batch", tokenNumUses: 1 }, /tokenNumUses: batch tokens cannot/],
                [{ tokenType: "batch", tokenPeriod: "1h" }, /tokenPeriod: batch tokens cannot/],
            ] as const) {
                const role = world.life("AuthRole");
                await role.check({ ...web, ...inputs });
                assert(role.warnings.some((text) => warning.test(text)));
            }
        });

        it("durations must be counted out in seconds, addresses written as the server will", async () => {
            const role = world.life("AuthRole");
            const inputs = { ...web, tokenTtl: "90m", tokenMaxTtl: "1d", tokenBoundCidrs: "10.0.0.1/32, 10.1.0.0/16" };
            await role.up(inputs);
            const { token_ttl, token_max_ttl } = await data(rolePath);
            assert.deepEqual([token_ttl, token_max_ttl], [5400, 86400]);
            assert.deepEqual(await role.refresh(), []);
            assert.equal(
                await role.up({ ...inputs, tokenTtl: 5400, tokenBoundCidrs: ["10.1.0.0/16", "10.0.0.1"] }),
                "same",
            );
        });

        it("a refused, broken or sealed server at refresh removes the role from the state (elsewhere #1854)", () =>
            survivesOutages("AuthRole", web));

        it("a failed update removes the role from the state (elsewhere #265)", async () => {
            const role = world.life("AuthRole");
            await role.up(web);
            await world.fault({ method: "POST", status: 500, times: 0, body: '{"errors":["internal error"]}' });
            await failure(role.up({ ...web, tokenTtl: "1h" }));
            assert.equal(role.state?.id, "auth/clouda/role/web");
            await world.heal();
            assert.equal(await role.up({ ...web, tokenTtl: "1h" }), "updated");
        });

        it("a role that was just made and is not seen yet is lost to the state (elsewhere #2155)", async () => {
            await world.fault({ method: "GET", path: rolePath, skip: 1, status: 404, body: '{"errors":[]}' });
            const role = world.life("AuthRole");
            assert.match(await failure(role.up(web)), /written, but is absent when read back/);
            assert.equal(role.state?.id, "auth/clouda/role/web");
            assert.equal(await role.up(web), "updated");
            assert.equal(role.outputs()["unfinished"], undefined);
        });

        it("a mount that is not there is told in the server's riddles (elsewhere #1694)", async () => {
            const role = world.life("AuthRole");
            const message = await failure(role.up({ ...web, mount: "nowhere" }));
            assert.match(
                message,
                /auth\/nowhere\/role\/web: 404: .*address in the settings, or the mount, is probably wrong/,
            );
        });

        it("namespaces are mixed up, and roles deleted in the wrong one (elsewhere #1903, #2949)", async () => {
            const settings = { "statecraft:manager": { namespace: "team" } };
            const role = world.life("AuthRole", { settings });
            await role.up(web);
            assert.equal(role.state?.id, "team@auth/clouda/role/web");
            const other = world.life("AuthRole");
            other.state = role.state;
            assert.deepEqual(await other.refresh(), []);
            assert.equal(await other.up(web), "same");
            await world.outside("POST", rolePath, { token_policies: ["root"] });
            await other.destroy();
            assert.deepEqual((await data(rolePath))["token_policies"], ["root"]);
        });

        it("two resources of one name both succeed, and either one's end is the other's", async () => {
            await world.life("AuthRole").up(web);
            await world.forget();
            await assert.rejects(world.life("AuthRole").up({ ...web, name: "WEB" }), { code: "exists" });
            assert.deepEqual(await world.writes(), []);

            // In one program the engine asks one provider for both at once.
            const first = world.life("AuthRole");
            const second = new Life(first.provider, first.messages);
            const ends = await Promise.allSettled([
                first.up({ ...web, name: "twin" }),
                second.up({ ...web, name: "Twin", tokenPolicies: ["other"] }),
            ]);
            assert.deepEqual(ends.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
            assert.equal((await world.writes()).length, 1);
        });

        it("drift is not seen, because such resources are said not to be readable (elsewhere #14501, #18342)", async () => {
            const role = world.life("AuthRole");
            await role.up(web);
            await world.outside("POST", rolePath, { token_policies: ["admin"], token_ttl: 60 });
            assert.deepEqual(await role.refresh(), ["tokenPolicies", "tokenTtl"]);
            assert.equal(await role.up(web), "updated");
            assert.deepEqual((await data(rolePath))["token_policies"], ["b", "a"]);
        });

        it("what exists cannot be imported (elsewhere #3550, #16175, #7534, #17698)", async () => {
            await world.outside("POST", rolePath, { bound_locations: ["north"], token_policies: ["web"] });
            await world.forget();
            const found = world.life("AuthRole");
            await found.get("auth/clouda/role/web");
            assert.deepEqual(found.outputs()["boundLocations"], ["north"]);
            const taken = world.life("AuthRole");
            await taken.up({ name: "web", boundLocations: ["north"], tokenPolicies: ["web"], adopt: true });
            assert.equal(taken.state?.id, found.state?.id);
            assert.deepEqual(await world.writes(), [], "it is what the program says already");
            await assert.rejects(world.life("AuthRole").get("auth/clouda/role/none"), /it does not exist/);
        });

        it("roles can neither be looked up nor listed", async () => {
            await world.life("AuthRole").up(web);
            assert.deepEqual((await scripts().getAuthRoles({})).names, ["web"]);
            assert.deepEqual((await scripts().getAuthRole({ name: "WEB" })).boundLocations, ["north"]);
        });
    });

    describe("the login method's configuration", () => {
        const config = {
            tenantId: "t-1",
            resource: "https://app.example",
            clientId: "c-1",
            clientSecret: "planted-secret",
        };

        it("a client secret is sent again after a rotation, by any change", async () => {
            const own = world.life("AuthConfig");
            await own.up(config);
            const rotation = world.life("RootRotation");
            await rotation.up({});
            await world.forget();
            assert.deepEqual(await own.refresh(), []);
            assert.equal(await own.up({ ...config, retryDelay: "8s" }), "updated");
            const write = await firstWrite();
            assert.equal(write.path, configPath);
            assert(!("client_secret" in (write.body as Props)), "the old secret would be void no longer");
            assert.notEqual((await data(configPath))["client_secret"], config.clientSecret);
        });

        it("a client secret that is removed from the program is emptied, though it may be a rotated one", async () => {
            const own = world.life("AuthConfig");
            await own.up(config);
            const { clientSecret, ...without } = config;
            assert.equal(await own.up(without), "updated");
            assert.equal((await data(configPath))["client_secret"], clientSecret);
            assert.equal(own.warnings.length, 1);
            assert.equal(await own.up({ ...without, clientSecret: "" }), "updated");
            assert.equal((await data(configPath))["client_secret"], "");
        });

        it("secrets are kept in clear, or ids hidden with them (elsewhere #3201)", async () => {
            const own = world.life("AuthConfig");
            await own.up(config);
            await own.refresh();
            assert.deepEqual(sealedPaths(own.state?.outputs), ["clientSecret"]);
            assert.deepEqual(sealedPaths(own.state?.inputs), ["clientSecret"]);
        });

        it("delays that the server tells in nanoseconds are drift", async () => {
            const own = world.life("AuthConfig");
            const inputs = { ...config, retryDelay: "5s" };
            await own.up(inputs);
            const told = { ...(await data(configPath)), retry_delay: 5_000_000_000, max_retry_delay: 60_000_000_000 };
            await world.fault({ method: "GET", status: 200, times: 0, body: JSON.stringify({ data: told }) });
            assert.deepEqual(await own.refresh(), []);
            assert.equal(await own.up({ ...inputs, maxRetryDelay: "1m" }), "same");
        });

        it("any text passes for an environment", () =>
            refused("AuthConfig", config, [
                [{ environment: "Moon" }, /environment: must be one of "CloudAPublicCloud"/],
            ]));

        it("the root secret cannot be rotated by a program", async () => {
            await world.life("AuthConfig").up(config);
            await world.forget();
            const rotation = world.life("RootRotation");
            await rotation.up({ triggers: ["may"] });
            await rotation.refresh();
            assert.equal(await rotation.up({ triggers: ["may"] }), "same");
            assert.equal(await rotation.up({ triggers: ["june"] }), "updated");
            assert.deepEqual(
                (await world.writes()).map(({ path }) => path),
                ["/v1/auth/clouda/rotate-root", "/v1/auth/clouda/rotate-root"],
            );
        });
    });

    describe("snapshots", () => {
        const local = { type: "local", pathPrefix: "/var/snapshots", maxSpace: 10_000_000 };
        const s3 = { type: "cloudb-s3", pathPrefix: "a", bucket: "b", region: "r" };
        const hourly = { name: "hourly", interval: "24h", retain: 24, storage: local };

        it("a changed storage type deletes the configuration, and backups end silently", async () => {
            const config = world.life("SnapshotConfig");
            await config.up(hourly);
            await world.forget();
            assert.deepEqual((await config.diff({ ...hourly, storage: s3 })).replaces, []);
            assert.equal(await config.up({ ...hourly, storage: s3 }), "updated");
            assert.deepEqual(
                (await world.writes()).map(({ method, path }) => [method, path]),
                [["POST", snapshotPath]],
            );
            assert.equal((await data(snapshotPath))["storage_type"], "cloudb-s3");
        });

        it("a refused, broken or sealed server at refresh removes the configuration from the state (elsewhere #1854)", () =>
            survivesOutages("SnapshotConfig", hourly));

        it("credentials lie in the state in clear, once the server has shown them (elsewhere #10971)", async () => {
            const forms: readonly (readonly [Props, readonly string[]])[] = [
                [
                    { ...s3, accessKeyId: "planted-1", secretAccessKey: "planted-2", sessionToken: "planted-3" },
                    ["accessKeyId", "secretAccessKey", "sessionToken"],
                ],
                [
                    { type: "cloudc-gcs", pathPrefix: "a/", bucket: "b", serviceAccountKey: { type: "planted-4" } },
                    ["serviceAccountKey"],
                ],
                [{ type: "clouda-blob", pathPrefix: "a/", container: "c", accountKey: "planted-5" }, ["accountKey"]],
            ];
            for (const [storage, secrets] of forms) {
                await world.reset();
                const config = world.life("SnapshotConfig");
                await config.up({ ...hourly, storage });
                await config.refresh();
                const paths = secrets.map((name) => `storage.${name}`).sort();
                assert.deepEqual(sealedPaths(config.state?.outputs).sort(), paths);
                assert.deepEqual(sealedPaths(config.state?.inputs).sort(), paths);
            }
        });

        it("what a storage type needs, and what does not fit it, is seen when it is applied", () =>
            refused("SnapshotConfig", hourly, [
                [{ storage: { type: "cloudb-s3", pathPrefix: "a" } }, /storage\.bucket: is required/],
                [{ storage: { type: "local", pathPrefix: "/a" } }, /storage\.maxSpace: is required/],
                [{ storage: { ...local, bucket: "b" } }, /storage\.bucket: is not an argument/],
                [
                    { storage: { type: "cloudc-gcs", pathPrefix: "a", bucket: "b" } },
                    /storage\.pathPrefix: must end in \//,
                ],
                [
                    { storage: { ...s3, enableKms: true, serverSideEncryption: true } },
                    /cannot be combined with enableKms/,
                ],
            ]));

        it("an interval must be counted out in seconds", async () => {
            const config = world.life("SnapshotConfig");
            await config.up(hourly);
            assert.equal((await data(snapshotPath))["interval"], 86400);
            assert.deepEqual(await config.refresh(), []);
            assert.equal(await config.up({ ...hourly, interval: 86400 }), "same");
        });

        it("an optional field that is removed stays on the server", async () => {
            const config = world.life("SnapshotConfig");
            await config.up({ ...hourly, filePrefix: "team", storage: { ...s3, endpoint: "https://e.example" } });
            await config.up({ ...hourly, storage: s3 });
            const { file_prefix, cloudb_s3_endpoint } = await data(snapshotPath);
            assert.deepEqual([file_prefix, cloudb_s3_endpoint], ["secrets-snapshot", ""]);
            assert.deepEqual(await config.refresh(), []);
        });

        it("a secret from a variable is not taken (elsewhere #2183)", async () => {
            const config = world.life("SnapshotConfig");
            await config.check({ ...hourly, storage: { ...s3, secretAccessKey: unknown } });
            await config.up({ ...hourly, storage: { ...s3, secretAccessKey: "planted-known" } });
            const write = await firstWrite();
            assert.equal((write.body as Props)["cloudb_secret_access_key"], "planted-known");
        });

        it("a namespace is taken although the endpoint is in the root namespace only", () =>
            refused("SnapshotConfig", hourly, [[{ namespace: "team" }, /namespace: is not an argument/]]));

        it("nobody hears of a snapshot that failed", async () => {
            const config = world.life("SnapshotConfig");
            const full = { ...hourly, interval: "1m", storage: { ...local, maxSpace: 1 }, waitForSnapshot: "5m" };
            assert.match(await failure(config.up(full)), /the snapshot failed: /);
            assert.equal(config.state?.id, "hourly");
            const { lastSnapshotError } = await scripts().getSnapshotStatus({ name: "hourly" });
            assert.notEqual(lastSnapshotError, "");
        });

        it("an endpoint that was never set reads as false, and is a change for ever", async () => {
            const config = real.life("SnapshotConfig");
            const gcs = { ...hourly, storage: { type: "cloudc-gcs", pathPrefix: "a/", bucket: "b" } };
            await config.up(gcs);
            assert.deepEqual(await config.refresh(), []);
            assert.equal(await config.up(gcs), "same");
        });

        it("names are made up by the engine", async () => {
            const config = world.life("SnapshotConfig");
            await config.up(hourly);
            assert.deepEqual([config.state?.id, config.outputs()["name"]], ["hourly", "hourly"]);
        });
    });

    describe("volumes", () => {
        const disk = { volumeId: "data", externalId: "vol-1", pluginId: "disks" };
        const modes = { accessMode: "single-node-writer", attachmentMode: "file-system" };
        const claim = (fields: Props = {}, on = world) =>
            on.control("POST", "/simulator/claims", {
                volume: "data",
                node: "node-1",
                allocation: "alloc-1",
                job: "web",
                ...fields,
            });
        const isThere = async () => (await world.outside("GET", volumePath)) !== undefined;

        it("a volume that is already gone makes the destroy fail after minutes", async () => {
            const volume = world.life("CsiVolume");
            await volume.up(disk);
            await world.outside("DELETE", volumePath);
            await world.forget();
            await volume.destroy();
            assert((await world.requests()).length <= 2, "one look and at most one request");
        });

        it("a volume that is in use hangs, or loses its registration (elsewhere #215, #335)", async () => {
            const volume = world.life("CsiVolume");
            await volume.up(disk);
            await claim();
            await world.forget();
            assert.match(await failure(volume.destroy()), /in use by allocation alloc-1 of job web on node node-1/);
            assert.match(await failure(volume.up({ ...disk, externalId: "vol-2" })), /in use by allocation alloc-1/);
            assert.deepEqual(await world.writes(), []);
            assert.equal(await isThere(), true);
        });

        it("an existing volume is registered over, or retried for ten minutes (elsewhere #215)", async () => {
            await world.outside("PUT", volumePath, {
                Volumes: [{ ID: "data", ExternalID: "vol-9", PluginID: "disks" }],
            });
            await world.forget();
            await assert.rejects(world.life("CsiVolume").up(disk), { code: "exists" });
            assert.deepEqual(await world.writes(), []);
        });

        it("a refusal that no repetition can change is repeated until the time is over", async () => {
            for (const refusal of [
                { status: 403, body: "Permission denied" },
                { status: 500, body: "volume cannot be updated while in use" },
                { status: 400, body: "missing plugin id" },
            ]) {
                await world.reset();
                await world.fault({ method: "PUT", times: 0, contentType: "text/plain", ...refusal });
                assert.match(await failure(world.life("CsiVolume").up(disk)), new RegExp(refusal.body));
                assert.equal((await world.writes()).length, 1);
            }
        });

        it("a server that is down behind an address with 404 in it makes the volume gone", async () => {
            const volume = world.life("CsiVolume");
            await volume.up(disk);
            const address = "http://127.0.0.1:1/404";
            const moved = world.life("CsiVolume", {
                settings: { "statecraft:volumes": { address, formerAddresses: [world.url], maxRetries: 0 } },
            });
            moved.state = volume.state;
            assert.match(await failure(moved.refresh()), /the connection was refused/);
            assert(moved.state);
        });

        it("a refused, broken or sealed server at refresh removes the volume from the state (elsewhere #1854)", () =>
            survivesOutages("CsiVolume", disk));

        it("changes that the server cannot make are planned in place", async () => {
            const volume = world.life("CsiVolume");
            await volume.up({ ...disk, name: "Data" });
            for (const change of [{ name: "Other" }, { externalId: "vol-2" }, { pluginId: "other" }]) {
                const diff = await volume.diff({ ...disk, name: "Data", ...change });
                assert.deepEqual([diff.replaces, diff.deleteBeforeReplace], [Object.keys(change), true]);
            }
        });

        it("a replacement registers first, then deletes the one id, and nothing is left", async () => {
            const volume = world.life("CsiVolume");
            await volume.up(disk);
            await world.forget();
            assert.equal(await volume.up({ ...disk, externalId: "vol-2" }), "replaced");
            assert.deepEqual(
                (await world.writes()).map(({ method }) => method),
                ["DELETE", "PUT"],
            );
            assert.equal(await isThere(), true);
        });

        it("volumes are always deregistered by force", async () => {
            const volume = world.life("CsiVolume");
            await volume.up(disk);
            await world.forget();
            await volume.destroy();
            assert.deepEqual(
                (await world.writes()).map(({ query }) => query),
                [{ namespace: "default" }],
            );
        });

        it("claims of ended allocations cannot be got rid of (elsewhere #8251, #8949)", async () => {
            const volume = world.life("CsiVolume");
            await volume.up({ ...disk, force: true, detachOnDelete: true });
            await claim({ status: "complete" });
            await world.forget();
            await volume.destroy();
            assert.deepEqual(
                (await world.writes()).map(({ path }) => path),
                [`${volumePath}/detach`, volumePath],
            );
        });

        it("a registration fails with a bare EOF (elsewhere #572, #26581)", async () => {
            await world.fault({
                method: "PUT",
                status: 500,
                times: 0,
                body: "rpc error: EOF",
                contentType: "text/plain",
            });
            const message = await failure(world.life("CsiVolume").up(disk));
            assert.match(message, /CsiVolume data: PUT \/v1\/volume\/csi\/data: 500: EOF/);
            assert.match(message, /plugin "disks"/);
        });

        it("the namespace is lost when a volume is registered (elsewhere #172)", async () => {
            const volume = world.life("CsiVolume");
            await volume.up({ ...disk, namespace: "prod" });
            const write = await firstWrite();
            const [sent] = (write.body as { Volumes: Props[] }).Volumes;
            assert.deepEqual(
                [volume.state?.id, write.query, sent?.["Namespace"]],
                ["prod/data", { namespace: "prod" }, "prod"],
            );
        });

        it("what was found by its id lacks fields and is planned to be replaced (elsewhere #390, #550, #137)", async () => {
            await world
                .life("CsiVolume")
                .up({ ...disk, topologies: [{ rack: "r1" }], accessMode: "single-node-writer" });
            const found = world.life("CsiVolume");
            await found.get("default/data");
            const inputs = { ...disk, topologies: [{ rack: "r1" }], accessMode: "single-node-writer" };
            assert.deepEqual((await found.diff(inputs)).replaces, []);
        });

        it("the health of plugins is a change at every refresh", async () => {
            const volume = world.life("CsiVolume");
            await volume.up(disk);
            await world.control("PATCH", "/simulator/plugins/disks", { healthy: false });
            await volume.refresh();
            assert.equal(await volume.up(disk), "same");
        });

        it("a volume counts as made before it can be used", async () => {
            await world.fault({
                method: "GET",
                path: volumePath,
                skip: 1,
                status: 200,
                times: 2,
                body: unschedulable(),
            });
            const volume = world.life("CsiVolume");
            await volume.up({ ...disk, waitUntilSchedulable: "1m" });
            assert.equal(volume.outputs()["schedulable"], true);
        });

        it("a prefix of odd length finds nothing, without a word", async () => {
            await assert.rejects(
                scripts().getCsiVolumes({ nodeId: "abc" }),
                /nodeId: must be an even number of hexadecimal/,
            );
            assert.deepEqual(await world.requests(), []);
        });

        it("secrets and modes of a volume are taken as they come (elsewhere #11115, #10626)", async () => {
            const life = real.life("CsiVolume");
            assert.deepEqual(sealedPaths(await life.check({ ...disk, ...modes, secrets: { key: "planted" } })), [
                "secrets",
            ]);
            await assert.rejects(life.check(disk), /accessMode: a volume needs to say how it may be used/);
            await life.check({ ...disk, ...modes, accessMode: "single" });
            assert.match(life.warnings.join(), /^accessMode: .*single/m, "a word that no scheduler is known to act on");
        });

        it("mount flags lie in the state in clear, or are lost, or refused (elsewhere #260, #243, #182)", async () => {
            const volume = real.life("CsiVolume");
            const flags = ["noatime", "password=planted-flag"];
            const mounted = { ...disk, ...modes, mountOptions: { fsType: "ext4", mountFlags: flags } };
            await volume.up(mounted);
            const { body } = (await real.writes())[0] ?? {};
            assert.deepEqual((body as { Volumes: Props[] }).Volumes[0]?.["MountOptions"], {
                FSType: "ext4",
                MountFlags: flags,
            });
            assert.deepEqual(await volume.refresh(), [], "the server shows [REDACTED]");
            assert.deepEqual(sealedPaths(volume.state?.outputs), ["mountOptions.mountFlags"]);
            assert.deepEqual(sealedPaths(volume.state?.inputs), ["mountOptions.mountFlags"]);
            assert.equal(await volume.up(mounted), "same");
            const quoted = `cannot mount with ${flags.join(",")}`;
            await real.fault({ method: "PUT", status: 500, body: quoted, contentType: "text/plain" });
            const message = await failure(volume.up({ ...mounted, context: { a: "b" } }));
            assert.match(message, /cannot mount with/);
            assert.doesNotMatch(message, /planted/);
        });

        it("what cannot change while the volume is in use is planned, and fails (elsewhere #25592, #23291)", async () => {
            const volume = real.life("CsiVolume");
            const mounted = { ...disk, ...modes, mountOptions: { fsType: "ext4" } };
            await volume.up(mounted);
            for (const change of [
                { mountOptions: { fsType: "xfs" } },
                { requestedTopologies: { required: [{ rack: "r1" }] } },
            ]) {
                assert.deepEqual(await volume.preview({ ...mounted, ...change }), []);
                await claim({}, real);
                const [warning] = await volume.preview({ ...mounted, ...change });
                const name = Object.keys(change).join();
                assert.match(
                    warning ?? "",
                    new RegExp(`^${name}: cannot change now, .*in use by allocation alloc-1 of job web on node node-1`),
                );
                assert.match(await failure(volume.up({ ...mounted, ...change })), /in use.*[Ss]top (the|these) jobs/);
                assert.deepEqual(await volume.refresh(), []);
                await real.control("DELETE", "/simulator/claims/alloc-1");
            }
        });

        it("secrets of a volume vanish from the server, and nothing brings them back (elsewhere #26766)", async () => {
            const volume = real.life("CsiVolume");
            const kept = { ...disk, ...modes, secrets: { key: "planted" } };
            await volume.up(kept);
            await real.forget();
            assert.equal(await volume.up({ ...kept, triggers: ["2026-05-04"] }), "updated");
            const writes = await real.writes();
            assert.deepEqual(
                writes.map(({ method, body }) => [method, (body as { Volumes: Props[] }).Volumes[0]?.["Secrets"]]),
                [["PUT", { key: "planted" }]],
            );
            assert.equal(await volume.up({ ...kept, triggers: ["2026-05-04"] }), "same");
        });

        it("nobody can wait for a change of a volume without asking again and again", async () => {
            await world.life("CsiVolume").up(disk);
            const { index } = await scripts().getCsiVolume({ volumeId: "data" });
            await world.forget();
            const changed = scripts().getCsiVolume({ volumeId: "data", index, wait: "1m" });
            await claim();
            assert.deepEqual(
                (await changed).allocations.map(({ id }) => id),
                ["alloc-1"],
            );
            assert.equal((await world.requests()).filter(({ path }) => path === volumePath).length, 1);
        });

        it("nothing detaches a volume from a node", async () => {
            await world.life("CsiVolume").up(disk);
            await world.forget();
            await world.life("CsiVolumeDetachment").up({ volumeId: "data", node: "node-1" });
            const write = await firstWrite();
            assert.deepEqual(
                [write.method, write.path, write.query["node"]],
                ["DELETE", `${volumePath}/detach`, "node-1"],
            );
        });

        function unschedulable(): string {
            return JSON.stringify({
                ID: "data",
                Name: "data",
                Namespace: "default",
                PluginID: "disks",
                ExternalID: "vol-1",
                Schedulable: false,
            });
        }
    });

    describe("state versions", () => {
        const lineage = "5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10";
        const state = (serial: number, name = "web") =>
            JSON.stringify({
                version: 4,
                tool_version: "1.9.0",
                serial,
                lineage,
                outputs: {},
                resources: [{ mode: "managed", type: "server", name, provider: "example", instances: [] }],
            });
        const isLocked = async () => {
            const { data: workspace } = (await world.outside("GET", "/api/v2/workspaces/ws-1")) as {
                data: { attributes: Props };
            };
            return workspace.attributes["locked"];
        };
        const undo = { workspaceId: "ws-1", stateVersionId: "sv-3", lock: true };
        const create = { workspaceId: "ws-1", content: state(5), lock: true };

        it("no resource makes a state version, none takes a lock (elsewhere #357, #251)", async () => {
            const version = world.life("StateVersion");
            await version.up(create);
            const { serial, md5, lineage: told, status } = version.outputs();
            const hash = createHash("md5").update(state(5)).digest("hex");
            assert.deepEqual([serial, md5, told, status], [5, hash, lineage, "finalized"]);
            assert.equal(await isLocked(), false);
            assert.equal(await version.up(create), "same");
        });

        it("the workspace stays locked while a version is pending (elsewhere #36155, #35747)", async () => {
            const refusal = {
                errors: [{ status: "409", title: "conflict", detail: "latest state version is still pending" }],
            };
            await world.fault({
                method: "POST",
                path: "/actions/unlock$",
                status: 409,
                times: 3,
                body: JSON.stringify(refusal),
                contentType: "application/vnd.api+json",
            });
            await world.life("StateVersionRollback").up(undo);
            assert.equal(await isLocked(), false);
            const unlocks = (await world.writes()).filter(({ path }) => path.endsWith("/unlock"));
            assert.equal(unlocks.length, 4);
        });

        it("the same serial with another MD5 ends in a conflict that says nothing (elsewhere #21773)", async () => {
            const version = world.life("StateVersion");
            const message = await failure(version.up({ ...create, content: state(4, "other") }));
            assert.match(
                message,
                /its serial 4 is that of the current version sv-4, which holds another content \(MD5 /,
            );
            assert.deepEqual(
                (await world.writes()).filter(({ path }) => path.endsWith("/state-versions")),
                [],
            );
        });

        it("a serial that is not higher, or another lineage, is seen when it is applied", async () => {
            const foreign = state(5).replace(lineage, "another");
            for (const [content, reason] of [
                [state(3), /its serial 3 is not higher than 4, the serial of the current version sv-4/],
                [foreign, /its lineage another is another than 5d1cbb4e/],
            ] as const) {
                const version = world.life("StateVersion");
                const [warning = ""] = await version.preview({ ...create, content });
                assert.match(warning, /the service would refuse this now: /);
                assert.match(warning, reason);
                assert.match(await failure(version.up({ ...create, content })), reason);
            }
            assert.deepEqual(await world.writes(), []);
        });

        it("organization tokens are told that the workspace is not found", async () => {
            const settings = { "statecraft:stateVersions": { token: "organization-token" } };
            assert.match(
                await failure(world.life("StateVersionRollback", { settings }).up(undo)),
                /404: .*A rollback needs a user or team token .*; organization tokens cannot do it/,
            );
            assert.match(
                await failure(world.life("StateVersion", { settings }).up(create)),
                /404: .*A new state version needs a user or team token .*; organization tokens cannot do it/,
            );
        });

        it("the upload carries the token to whoever stores the content (elsewhere #717)", async () => {
            await world.life("StateVersion").up(create);
            const upload = (await world.writes()).find(
                ({ method, path }) => method === "PUT" && /^\/v1\/object\//.test(path),
            );
            assert(upload);
            assert.equal(upload.headers["authorization"], undefined);
            assert.equal(upload.headers["content-type"], "application/octet-stream");
        });

        it("a broken upload leaves a version behind, and the next run makes another", async () => {
            await world.fault({ method: "PUT", path: "^/v1/object/", status: 500, times: 0, body: "broken" });
            const version = world.life("StateVersion");
            await failure(version.up(create));
            const { id } = version.state ?? {};
            await world.heal();
            await version.up(create);
            assert.equal(version.state?.id, id);
            const made = (await world.writes()).filter(({ path }) => path.endsWith("/ws-1/state-versions"));
            assert.equal(made.length, 1);
            assert.equal(await isLocked(), false);
        });

        it("the content of a state lies in the state of the engine", async () => {
            const version = world.life("StateVersion");
            await version.up({ ...create, content: state(5, "planted-name") });
            assert(!JSON.stringify([version.state?.inputs["content"]]).includes("planted-name"));
            assert.match(String(version.outputs()["content"]), /^sha256:/);
        });

        it("outputs that are null break whoever guesses their type (elsewhere #1697)", async () => {
            const outputs = { address: { value: null, type: "string" }, port: { value: 80, type: "number" } };
            const content = JSON.stringify({ ...JSON.parse(state(5)), outputs });
            await world.life("StateVersion").up({ ...create, content });
            const { getCurrentStateVersion, downloadState } = scripts();
            const { included } = await getCurrentStateVersion({ workspaceId: "ws-1", include: ["outputs"] });
            assert.deepEqual(
                included?.map(({ attributes }) => [attributes["name"], attributes["value"]]),
                [
                    ["address", null],
                    ["port", 80],
                ],
            );
            assert.deepEqual((await downloadState({ workspaceId: "ws-1" })).state["outputs"], outputs);
        });

        it("every run rolls back again", async () => {
            const rollback = world.life("StateVersionRollback");
            await rollback.up(undo);
            await rollback.refresh();
            assert.equal(await rollback.up(undo), "same");
            await world.life("StateVersionRollback").up(undo);
            assert.equal((await world.writes()).filter(({ method }) => method === "PATCH").length, 1);
        });

        it("a missing permission looks like a workspace that is gone", async () => {
            const rollback = world.life("StateVersionRollback");
            await rollback.up(undo);
            await world.fault({
                method: "GET",
                status: 404,
                times: 0,
                body: '{"errors":[{"status":"404","title":"not found"}]}',
                contentType: "application/vnd.api+json",
            });
            assert.deepEqual(await rollback.refresh(), []);
            assert.match(rollback.warnings.join(), /so the state is kept.*`pulumi state delete`/);
        });
    });

    describe("tokens and settings", () => {
        it("child tokens are made, need rights of their own, and are left behind (elsewhere #29, #368, #550, #602, #722)", async () => {
            const role = world.life("AuthRole");
            await role.up({ name: "web", boundLocations: ["north"] });
            await role.refresh();
            await role.destroy();
            const paths = (await world.requests()).map(({ path }) => path);
            assert.deepEqual([...new Set(paths)], [rolePath]);
        });

        it("the token in the state is stale by the next refresh (elsewhere #118, #823, #130)", async () => {
            const role = world.life("AuthRole");
            await role.up({ name: "web", boundLocations: ["north"] });
            assert(!JSON.stringify(role.state).includes(plantedToken));
            const later = world.life("AuthRole", { environment: { STATECRAFT_MANAGER_TOKEN: "renewed" } });
            later.state = role.state;
            await world.control("POST", "/simulator/reset", {
                ...seed,
                tokens: [{ token: "renewed", kind: "user", id: "user-1" }],
                roles: [{ name: "web", fields: { bound_locations: ["north"] } }],
            });
            assert.deepEqual(await later.refresh(), []);
        });

        it("the code in the state captures what it should not, grows, and goes stale (elsewhere #13960, #18997, #6115, #6645, #6716, #15433, #7682, #9085)", () => {
            for (const { type } of definitions) {
                const text = providerText(type);
                assert(Buffer.byteLength(text) <= 120, text);
                const module: { handler?: () => unknown } = {};
                new Function("exports", "require", text)(module, require);
                const provider = module.handler?.() as Record<string, unknown>;
                for (const verb of ["check", "diff", "create", "read", "update", "delete"])
                    assert.equal(typeof provider[verb], "function", `${type}.${verb}`);
            }
        });

        it("settings that lead to another server make every object look gone (elsewhere #176)", async () => {
            const role = world.life("AuthRole");
            await role.up({ name: "web", boundLocations: ["north"] });
            const other = await World.start({});
            try {
                const there = other.life("AuthRole");
                there.state = role.state;
                assert.match(
                    await failure(there.refresh()),
                    /it is on simulator:.*, but the settings .* lead to simulator:/,
                );
                assert.match(await failure(there.destroy()), /so nothing was done/);
            } finally {
                await other.close();
            }
        });
    });
});
