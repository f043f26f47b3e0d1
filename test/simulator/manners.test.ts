/** Manners: how they are set, and what the secrets manager does with them. */
import assert from "node:assert/strict";
import { main } from "../../src/simulator/main";
import { exchangesAt, section } from "./exchanges";

const set = (...manager: string[]) => `PUT /simulator/manners ${JSON.stringify({ manager })} -> 204`;
const kept = (manners: object) => `GET /simulator/state -> 200 ${JSON.stringify({ "manners=": manners })}`;
const place = { below: "/v1/", headers: { "x-secrets-token": "any" } };
const role = "auth/clouda/role/web";
const config = "auth/clouda/config";
const snapshots = "sys/storage/raft/snapshot-auto/config/hourly";
const s3 = {
    ...{ interval: 60, path_prefix: "p", storage_type: "cloudb-s3" },
    ...{ cloudb_s3_bucket: "b", cloudb_s3_region: "r", cloudb_secret_access_key: "k" },
};
const data = (fields: object) => `200 ${JSON.stringify({ data: fields })}`;

section("manners", place)`
    they are set all at once, and stay after a reset
        PUT /simulator/manners {"manager": ["replaces", "masks-secrets"], "volumes": ["tells-documented"]} -> 204
        POST /simulator/reset -> 204
        ${kept({ manager: ["replaces", "masks-secrets"], volumes: ["tells-documented"] })}
        PUT /simulator/manners {"volumes": ["merges"]} -> 204
        ${kept({ volumes: ["merges"] })}
    others are refused, and what was stays
        PUT /simulator/manners {} -> 204
        ${["", "[1]", '{"manager": "replaces"}', '{"manager": ["polite"]}', '{"stateVersions": ["merges"]}'].map(
            (body) => `PUT /simulator/manners ${body} -> 400`,
        )}
        ${['["merges", "replaces"]', '["polite"]', '"merges"'].map(
            (names) =>
                `PUT /simulator/manners {"manager": ${names}} -> 400 ~ "manager: one of each: merges or replaces; tells-all or`,
        )}
        PUT /simulator/manners {"polite": []} -> 400 ~ manager, volumes, stateVersions
        ${kept({})}
    replaces: what a write leaves out is gone
        ${set()}
        POST ${role} {"token_ttl": 60, "bound_locations": "a"} -> 204
        POST ${config} {"tenant_id": "t", "resource": "r", "client_id": "c"} -> 204
        POST ${snapshots} ${{ ...s3, retain: 7 }} -> 204
        ${set("replaces")}
        POST ${role} {"token_ttl": 61} -> 204
        GET ${role} -> ${data({ bound_locations: null })}
        POST ${config} {"tenant_id": "t"} -> 500
        POST ${config} {"tenant_id": "t", "resource": "r"} -> 204
        GET ${config} -> ${data({ client_id: "" })}
        POST ${snapshots} ${s3} -> 204
        GET ${snapshots} -> ${data({ retain: 1 })}
    tells-documented: nothing else
        ${set("tells-documented")}
        POST ${config} {"tenant_id": "t", "resource": "r", "environment": "CloudAChinaCloud"} -> 204
        GET ${config} -> 200 {"data=": {"tenant_id": "t", "resource": "r", "client_id": "", "client_secret": ""}}
        POST ${snapshots} ${s3} -> 204
        GET ${snapshots} -> ${data({
            ...{ cloudb_s3_bucket: "b", file_prefix: "secrets-snapshot", interval: 60, cloudb_s3_kms_key: "" },
            ...{ storage_type: "<none>", cloudb_secret_access_key: "<none>", autoload_enabled: "<none>" },
        })}
        POST ${snapshots} {"storage_type": "local", "local_max_space": 1} -> 204
        GET ${snapshots} -> 200 {"data=": {"file_prefix": "secrets-snapshot", "interval": 60, "local_max_space": 1,
            "path_prefix": "p", "retain": 1, "storage_type": "local"}}
        POST ${role} {"policies": "a", "ttl": 1} -> 204
        GET ${role} -> ${data({ policies: ["a"], token_ttl: 1, token_type: "default", ttl: "<none>" })}
    tells-nothing-empty
        ${set("tells-nothing-empty")}
        POST ${role} {"token_ttl": 60, "bound_locations": "a", "token_no_default_policy": false} -> 204
        GET ${role} -> 200 {"data=": {"bound_locations": ["a"], "token_ttl": 60, "token_type": "default"}}
    masks-secrets: those that are set, and no others
        ${set("masks-secrets")}
        POST ${config} {"tenant_id": "t", "resource": "r", "client_secret": "s"} -> 204
        GET ${config} -> ${data({ client_secret: "****", tenant_id: "t" })}
        POST ${snapshots} ${s3} -> 204
        GET ${snapshots} -> ${data({
            ...{ cloudb_secret_access_key: "****", cloudb_session_token: "", cloudb_s3_bucket: "b" },
        })}
`;

describe("simulator: manners on the command line", () => {
    const print = () => undefined;

    it("add up", async () => {
        const flags = ["--manners", "manager=replaces,tells-documented", "--manners", "manager=masks-secrets"];
        const started = await main(["--port", "0", "--empty", ...flags], { print });
        try {
            await exchangesAt(started.url)`${kept({ manager: ["replaces", "tells-documented", "masks-secrets"] })}`;
        } finally {
            await started.close();
        }
    });

    it("are refused like other flags", () =>
        assert.rejects(main(["--port", "0", "--manners", "manager=polite"], { print }), { exitCode: 2 }));
});
