import assert from "node:assert/strict";
import { main } from "../../src/simulator/main";
import { type RunningSimulator, startSimulator } from "../../src/simulator/server";
import { capital, clouda, cloudb, cloudc, scheduler, secrets, tool } from "../support/product-words";
import { type Answer, at, call } from "./requests";

const token = { [`x-${secrets}-token`]: "any" };
const bearer = { authorization: "Bearer any" };
const role = `/v1/auth/${clouda}/role/web`;
const config = "/v1/sys/storage/raft/snapshot-auto/config/hourly";
const volume = "/v1/volume/csi/data";
const pair = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };

describe("the simulator in the vocabulary `product`", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator({ vocabulary: "product" });
    });
    beforeEach(async () => {
        await call("POST", `${simulator.url}/simulator/reset`, {
            body: { plugins: [{ id: "disks", version: "1.2.3", nodes: ["node-1"] }] },
        });
        await call("DELETE", `${simulator.url}/simulator/requests`);
    });
    after(() => simulator.close());

    const send = (
        method: string,
        path: string,
        body?: unknown,
        headers: Record<string, string> = { ...token, ...bearer },
    ) => call(method, simulator.url + path, { headers, ...(body === undefined ? {} : { body }) });
    const is = (answer: Answer, status: number, text: RegExp | string) => {
        assert.equal(answer.status, status, answer.text);
        if (typeof text === "string") assert.equal(answer.text, text);
        else assert.match(answer.text, text);
    };

    describe("the secrets manager", () => {
        it("takes the token in its own header, not in the document's", async () => {
            is(await send("GET", role, undefined, token), 404, '{"errors":[]}\n');
            is(await send("GET", role, undefined, { "x-secrets-token": "any" }), 403, /permission denied/);
        });

        it("hides the token in its journal", async () => {
            await send("GET", role);
            const { json } = await call("GET", `${simulator.url}/simulator/requests`);
            assert.equal(at((json as unknown[])[0], "headers", `x-${secrets}-token`), "***");
        });

        it("refuses a key that stands twice in a body", async () => {
            const twice = '{"bound_locations":["a"],"bound_locations":["b"]}';
            is(await send("POST", role, twice), 500, /duplicate key 'bound_locations' in object/);
        });

        it("has the method at its own name", async () => {
            is(await send("POST", role, { bound_locations: ["north"] }), 204, "");
            const read = await send("GET", role);
            assert.equal(at(read.json, "mount_type"), clouda);
            is(await send("GET", "/v1/auth/clouda/role/web"), 404, /no handler for route/);
        });

        it("keeps namespaces apart by its own header", async () => {
            const inTeam = { ...token, [`x-${secrets}-namespace`]: "team" };
            await send("POST", role, { bound_locations: ["north"] }, inTeam);
            assert.equal((await send("GET", role)).status, 404);
            assert.equal((await send("GET", role, undefined, inTeam)).status, 200);
        });

        it("refuses a role that is bound to nothing, also by an update, which changes nothing", async () => {
            const text = /must have at least one bound constraint when creating\/updating a role/;
            is(await send("POST", role, { token_ttl: 60 }), 400, text);
            await send("POST", role, { bound_locations: ["north"] });
            is(await send("POST", role, { bound_locations: [], token_ttl: 60 }), 400, text);
            assert.deepEqual(at((await send("GET", role)).json, "data", "bound_locations"), ["north"]);
        });

        it("refuses batch tokens with a period or a number of uses, judged after merging", async () => {
            const refused = "'token_type' cannot be 'batch' or 'default_batch' when set to generate";
            await send("POST", role, { bound_locations: ["north"], token_period: 60 });
            is(await send("POST", role, { token_type: "batch" }), 400, new RegExp(`${refused} periodic tokens`));
            is(await send("POST", role, { token_type: "batch", token_period: 0 }), 204, "");
            const text = new RegExp(`${refused} tokens with limited use count`);
            is(await send("POST", role, { token_num_uses: 1 }), 400, text);
        });

        it("refuses a lifetime above its maximum, judged after merging", async () => {
            const text = /'token_ttl' cannot be greater than 'token_max_ttl'/;
            await send("POST", role, { bound_locations: ["north"], token_max_ttl: 60 });
            is(await send("POST", role, { token_ttl: 61 }), 400, text);
            is(await send("POST", role, { token_ttl: 60 }), 204, "");
            is(await send("POST", role, { token_max_ttl: 59 }), 400, text);
            is(await send("POST", role, { token_max_ttl: 0 }), 204, "");
        });

        for (const type of ["default-service", "default-batch"]) {
            it(`refuses the token type ${type}`, async () => {
                const body = { bound_locations: ["north"], token_type: type };
                is(await send("POST", role, body), 400, new RegExp(`invalid 'token_type' value \\\\"${type}\\\\"`));
            });
        }

        it("never returns the client secret, and knows no German cloud", async () => {
            const method = `/v1/auth/${clouda}/config`;
            const body = { tenant_id: "t", resource: "r", client_secret: "s" };
            is(await send("POST", method, body), 204, "");
            const { json } = await send("GET", method);
            assert.equal(at(json, "data", "client_secret"), undefined);
            assert.equal(at(json, "data", "max_retry_delay"), 60_000_000_000);
            is(
                await send("POST", method, { environment: `${capital(clouda)}GermanCloud` }),
                500,
                /no cloud configuration matching/,
            );
            is(await send("POST", method, { environment: `${capital(clouda)}ChinaCloud` }), 204, "");
            assert.equal(at((await send("GET", method)).json, "data", "environment"), `${capital(clouda)}ChinaCloud`);
        });

        it("keeps snapshots by its own names of fields, types and defaults", async () => {
            const body = {
                interval: "1h",
                path_prefix: "no/slash",
                storage_type: `${cloudc}-gcs`,
                [`${cloudc}_gcs_bucket`]: "b",
            };
            is(await send("POST", config, body), 204, "");
            const data = at((await send("GET", config)).json, "data") as Record<string, unknown>;
            assert.equal(data["file_prefix"], `${secrets}-snapshot`);
            assert.equal(data["storage_type"], `${cloudc}-gcs`);
            assert.equal(data[`${cloudc}_gcs_bucket`], "b");
            assert.equal(data[`${cloudc}_endpoint`], false);
            assert.equal(data["autoload_enabled"], false);
        });

        it("strips a leading / for one store, and names what is missing in its own words", async () => {
            const body = { interval: 60, path_prefix: "/p", storage_type: `${cloudb}-s3` };
            is(await send("POST", config, body), 400, new RegExp(`${cloudb}_s3_bucket is required`));
            const whole = { ...body, [`${cloudb}_s3_bucket`]: "b", [`${cloudb}_s3_region`]: "r" };
            is(await send("POST", config, whole), 204, "");
            assert.equal(at((await send("GET", config)).json, "data", "path_prefix"), "p");
        });

        it("wants to know how to authenticate at a blob store", async () => {
            const body = {
                interval: 60,
                path_prefix: "p",
                storage_type: `${clouda}-blob`,
                [`${clouda}_container_name`]: "c",
            };
            const mode = (word: string) => ({ ...body, [`${clouda}_auth_mode`]: word });
            is(await send("POST", config, body), 400, new RegExp(`${clouda}_auth_mode must be one of`));
            is(await send("POST", config, mode("shared")), 400, new RegExp(`${clouda}_account_key is required`));
            is(await send("POST", config, mode("managed")), 400, new RegExp(`${clouda}_client_id is required`));
            is(await send("POST", config, mode("environment")), 204, "");
            const { json } = await send("GET", config);
            assert.equal(at(json, "data", `${clouda}_blob_environment`), `${clouda.toUpperCase()}PUBLICCLOUD`);
        });
    });

    describe("volumes", () => {
        const item = { ID: "data", PluginID: "disks", RequestedCapabilities: [pair] };
        const register = (fields: object = {}) => send("PUT", volume, { Volumes: [{ ...item, ...fields }] });
        const read = async () => (await send("GET", volume)).json as Record<string, unknown>;

        it("want a capability", async () => {
            const text = "validation: must include at least one capability block";
            is(await register({ RequestedCapabilities: [] }), 500, text);
            is(
                await send("PUT", volume, { Volumes: [{}] }),
                500,
                "validation: missing volume id, missing plugin id, must include at least one capability block",
            );
        });

        it("are registered with a body in the answer, under the body's own id", async () => {
            const answer = await send("PUT", "/v1/volume/csi/other", { Volumes: [item] });
            assert.deepEqual([answer.status, at(answer.json, "Warnings")], [200, ""]);
            assert.equal((await send("GET", "/v1/volume/csi/other")).status, 404);
            assert.equal((await send("GET", volume)).status, 200);
        });

        it("keep topologies that are wrapped, and lose flat ones", async () => {
            await register({ Topologies: [{ Segments: { rack: "r1" } }, { rack: "r2" }] });
            assert.deepEqual((await read())["Topologies"], [{ Segments: { rack: "r1" } }, { Segments: null }]);
        });

        it("hide what is written only, and tell the plugin's version under its own name", async () => {
            await register({ Secrets: { a: "b" }, MountOptions: { FSType: "ext4", MountFlags: ["ro"] } });
            const { Secrets: hidden, MountOptions, ProviderVersion, Version, ResourceExhausted } = await read();
            assert.deepEqual(
                [hidden, MountOptions, ProviderVersion, Version, ResourceExhausted],
                [null, { FSType: "ext4", MountFlags: ["[REDACTED]"] }, "1.2.3", undefined, null],
            );
        });

        it("are updated by registering again: omitted options are cleared, an omitted context is kept", async () => {
            await register({ MountOptions: { FSType: "ext4" }, Context: { a: "b" } });
            is(
                await register({ RequestedCapabilities: [{ ...pair, AccessMode: "multi-node-multi-writer" }] }),
                200,
                /Index/,
            );
            const { MountOptions, Context, RequestedCapabilities } = await read();
            assert.deepEqual(
                [MountOptions, Context, RequestedCapabilities],
                [{ FSType: "", MountFlags: null }, { a: "b" }, [{ ...pair, AccessMode: "multi-node-multi-writer" }]],
            );
        });

        it("refuse the change of what cannot change, all reasons at once", async () => {
            await register({ Name: "Data", ExternalID: "vol-1", Parameters: { a: "b" } });
            is(
                await register({ Name: "Other", ExternalID: "vol-2", Parameters: { a: "c" } }),
                500,
                "unable to update volume: 3 errors occurred:\n\t* volume name cannot be updated\n" +
                    "\t* volume external ID cannot be updated\n\t* volume parameters cannot be updated\n\n",
            );
            await send("POST", "/simulator/seed", { plugins: [{ id: "tapes", nodes: [] }] });
            is(await register({ PluginID: "tapes" }), 500, /volume plugin ID cannot be updated/);
            is(await register({ Name: "" }), 200, /Index/);
            assert.equal((await read())["Name"], "Data");
        });

        it("hold on to their mount options and their modes while claimed, and forget the modes afterwards", async () => {
            await register({ ...pair });
            await call("POST", `${simulator.url}/simulator/claims`, {
                body: { volume: "data", node: "node-1", allocation: "alloc-1" },
            });
            is(
                await register({ MountOptions: { FSType: "xfs" } }),
                500,
                /can not update mount options while volume is in use/,
            );
            is(
                await register({ RequestedCapabilities: [{ ...pair, AttachmentMode: "block-device" }] }),
                500,
                /not compatible with existing capability in use/,
            );
            await call("DELETE", `${simulator.url}/simulator/claims/alloc-1`);
            const { AccessMode, AttachmentMode } = await read();
            assert.deepEqual([AccessMode, AttachmentMode], ["", ""]);
        });

        it("cannot be detached over HTTP", async () => {
            is(await send("DELETE", `${volume}/detach`), 400, "detach requires node ID");
            is(await send("DELETE", `${volume}/detach?node=node-1`), 500, "no such volume");
            await register();
            is(await send("DELETE", `${volume}/detach?node=node-1`), 500, "Unknown allocation");
        });

        it("tell their index in their own header, and deregister as documented", async () => {
            await register();
            const answer = await send("GET", "/v1/volumes?type=csi&node_id=zz&plugin_id=disk");
            assert.deepEqual([answer.status, answer.json], [200, []]);
            assert.match(String(answer.headers[`x-${scheduler}-index`]), /^[1-9]\d*$/);
            is(await send("DELETE", volume), 200, "");
            is(await send("DELETE", volume), 500, "volume not found: data");
        });
    });

    it("takes the scheduler's own token header, for answers that are held back too, and does not tell it", async () => {
        const name = `x-${scheduler}-token`;
        const tokens = [{ token: "known", kind: "user", id: "user-1", permissions: ["namespace:csi-read-volume"] }];
        await call("POST", `${simulator.url}/simulator/seed`, {
            body: { tokens, volumes: [{ ID: "data", PluginID: "disks" }] },
        });
        const read = (query: string, value: string) => send("GET", volume + query, undefined, { [name]: value });
        is(await read("", "other"), 403, "Permission denied");
        const { status, headers } = await read("", " known ");
        assert.equal(status, 200);
        const held = read(`?index=${headers[`x-${scheduler}-index`]}&wait=1m`, "known");
        const requests = async () => (await call("GET", `${simulator.url}/simulator/requests`)).json as unknown[];
        while ((await requests()).length < 3);
        assert.deepEqual(
            (await requests()).map((entry) => [at(entry, "status"), at(entry, "headers", name)]),
            [
                [403, "***"],
                [200, "***"],
                [null, "***"],
            ],
        );
        await call("POST", `${simulator.url}/simulator/clock`, { body: { advance: 60 } });
        assert.equal((await held).status, 200);
    });

    it("tells the tool's version of a state under its own name", async () => {
        await call("POST", `${simulator.url}/simulator/seed`, {
            body: {
                workspaces: [
                    {
                        id: "ws-1",
                        name: "app",
                        organization: "o",
                        stateVersions: [{ id: "sv-1", state: { version: 4, serial: 1, lineage: "l" } }],
                    },
                ],
            },
        });
        const { json } = await send("GET", "/api/v2/state-versions/sv-1");
        const attributes = at(json, "data", "attributes") as Record<string, unknown>;
        assert.ok(`${tool}-version` in attributes && !("tool-version" in attributes));
    });

    it("is chosen by a flag of the command", async () => {
        const log = console.log;
        let told = "";
        console.log = (text: string) => {
            told += text;
        };
        const started = await main(["--port", "0", "--empty", "--vocabulary", "product"]).finally(() => {
            console.log = log;
        });
        try {
            assert.match(told, /STATECRAFT_VOCABULARY=product/);
            const answer = await call("GET", started.url + role, { headers: { "x-secrets-token": "any" } });
            assert.equal(answer.status, 403);
        } finally {
            await started.close();
        }
        await assert.rejects(
            main(["--vocabulary", "brand"]),
            /--vocabulary must be documented or product, not "brand"/,
        );
    });
});
