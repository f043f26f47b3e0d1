/** Configurations of automated snapshots: the document's tables of fields and endpoints, and what was measured where it is silent. */
import { section } from "../exchanges";

const place = { below: "/v1/sys/storage/raft/snapshot-auto/", headers: { "x-secrets-token": "any" } };
const local = { interval: 3600, path_prefix: "/var/snapshots", storage_type: "local", local_max_space: 1_000_000 };
const s3 = {
    ...{ interval: 86_400, path_prefix: "backups", storage_type: "cloudb-s3" },
    ...{ cloudb_s3_bucket: "b", cloudb_s3_region: "r" },
};
const gcs = { interval: 60, path_prefix: "backups/", storage_type: "cloudc-gcs", cloudc_gcs_bucket: "b" };
const blob = { interval: 60, path_prefix: "backups/", storage_type: "clouda-blob", clouda_container_name: "c" };
const preset = { file_prefix: "secrets-snapshot", retain: 1 };
const data = (fields: object) => JSON.stringify({ "data=": fields });
const refused = (fields: object, reason: string) =>
    `POST config/hourly ${JSON.stringify(fields)} -> 400 ${JSON.stringify({ "errors=": [reason] })}`;
/** Refusals of a configuration without a field, or with its nothing. */
const requires = (fields: object, ...names: string[]) =>
    names.flatMap((name) => [
        refused({ ...fields, [name]: undefined }, `${name} is required`),
        refused({ ...fields, [name]: /interval|space/.test(name) ? 0 : "" }, `${name} is required`),
    ]);

section("Secrets Manager, Automated snapshot configuration: fields of each storage type", place)`
    a local one reads with the document's fields, interval in seconds, defaults filled in
        POST config/hourly ${{ ...local, interval: "1h" }} -> 204 ""
        GET config/hourly -> 200 {"data=": ${{ ...preset, ...local }}, "mount_type": "system"}
    cloudb-s3 reads with all its fields, unset ones too
        POST config/hourly ${{ ...s3, interval: "24h" }} -> 204
        GET config/hourly -> 200 ${data({
            ...{ ...preset, ...s3, cloudb_access_key_id: "", cloudb_secret_access_key: "", cloudb_session_token: "" },
            ...{ cloudb_s3_endpoint: "", cloudb_s3_disable_tls: false, cloudb_s3_force_path_style: false },
            ...{ cloudb_s3_enable_kms: false, cloudb_s3_server_side_encryption: false, cloudb_s3_kms_key: "" },
        })}
    cloudc-gcs reads with all its fields, unset ones too
        POST config/hourly ${gcs} -> 204
        GET config/hourly -> 200 ${data({
            ...{ ...preset, ...gcs, cloudc_service_account_key: "", cloudc_endpoint: "", cloudc_disable_tls: false },
        })}
    clouda-blob reads with all its fields, unset ones too
        POST config/hourly ${blob} -> 204
        GET config/hourly -> 200 ${data({
            ...{ ...preset, ...blob, clouda_account_name: "", clouda_account_key: "" },
            ...{ clouda_blob_environment: "", clouda_endpoint: "" },
        })}
    credentials read in full
        POST config/gcs ${{ ...gcs, cloudc_service_account_key: '{"private_key": "a\nb"}' }} -> 204
        GET config/gcs -> 200 ${{ data: { cloudc_service_account_key: '{"private_key": "a\nb"}' } }}
        POST config/s3 ${{ ...s3, cloudb_secret_access_key: "s3cret", cloudb_session_token: "t" }} -> 204
        GET config/s3 -> 200 {"data": {"cloudb_secret_access_key": "s3cret", "cloudb_session_token": "t"}}
    values are read weakly, like those of roles
        POST config/hourly ${{ ...s3, interval: "1.5h", retain: "7", cloudb_s3_disable_tls: "true", cloudb_s3_kms_key: 5 }} -> 204
        GET config/hourly -> 200 {"data": {"interval": 5400, "retain": 7, "cloudb_s3_disable_tls": true, "cloudb_s3_kms_key": "5"}}
        ${refused({ interval: "soon" }, 'error converting input for field "interval": time: invalid duration "soon"')}
    unknown fields are dropped, and the path's name counts
        POST config/hourly ${{ ...local, name: "other", nonsense: true }} -> 204
        GET config/hourly -> 200 ${data({ ...preset, ...local })}
        GET config/other -> 404
    one slash before the path of an object store is lost
        POST config/hourly ${{ ...s3, path_prefix: "/backups/daily" }} -> 204
        GET config/hourly -> 200 {"data": {"path_prefix": "backups/daily"}}
        POST config/hourly {"path_prefix": "/"} -> 204
        GET config/hourly -> 200 {"data": {"path_prefix": ""}}
`;

section("Secrets Manager, Automated snapshots: POST, LIST, GET and DELETE of snapshot-auto/config", place)`
    a write keeps what it leaves out, and what means a default brings it back
        POST config/hourly ${{ ...local, retain: 24, file_prefix: "mine" }} -> 204
        POST config/hourly {"interval": "2h"} -> 204
        GET config/hourly -> 200 ${data({ ...local, file_prefix: "mine", interval: 7200, retain: 24 })}
        POST config/hourly {"retain": null, "file_prefix": "", "interval": null} -> 204
        GET config/hourly -> 200 ${data({ ...preset, ...local, interval: 7200 })}
        POST config/hourly {"retain": 5} -> 204
        POST config/hourly {"retain": ""} -> 204
        GET config/hourly -> 200 {"data": {"retain": 1}}
    set fields of a former storage type stay, are shown, and count again when it comes back
        POST config/hourly ${{ ...s3, cloudb_access_key_id: "id", cloudb_s3_disable_tls: true }} -> 204
        POST config/hourly {"storage_type": "local", "local_max_space": 5, "cloudb_s3_disable_tls": false} -> 204
        GET config/hourly -> 200 ${data({
            ...{ ...preset, ...s3, cloudb_access_key_id: "id", storage_type: "local", local_max_space: 5 },
        })}
        POST config/hourly {"storage_type": "cloudb-s3"} -> 204
        GET config/hourly -> 200 {"data": {"cloudb_s3_bucket": "b", "local_max_space": 5}}
    a write that is refused changes nothing
        POST config/hourly ${local} -> 204
        POST config/hourly {"retain": 5, "storage_type": "cloudc-gcs"} -> 400
        GET config/hourly -> 200 ${data({ ...preset, ...local })}
    they are listed, deleted, and absent without complaint; names have their case
        LIST config -> 404 = {"errors": []}
        GET config/hourly -> 404 = {"errors": []}
        DELETE config/hourly -> 204
        POST config/b ${local} -> 204
        POST config/A ${local} -> 204
        PUT config/c ${local} -> 204
        LIST config -> 200 {"data=": {"keys": ["A", "b", "c"]}}
        GET config?list=true -> 200 {"data=": {"keys": ["A", "b", "c"]}}
        GET config/a -> 404
        DELETE config/b -> 204
        LIST config/ -> 200 {"data=": {"keys": ["A", "c"]}}
        POST config/a%20b ${local} -> 404 {"errors": ["~ unsupported path"]}
        PATCH config/A {} -> 405
`;

section("Secrets Manager, Automated snapshot configuration: what is refused", place)`
    required: interval, path_prefix, storage_type, and fields of each type
        ${requires(local, "interval", "path_prefix", "storage_type", "local_max_space")}
        ${requires(s3, "interval", "path_prefix", "storage_type", "cloudb_s3_bucket", "cloudb_s3_region")}
        ${requires(gcs, "cloudc_gcs_bucket")}
        ${requires(blob, "clouda_container_name")}
        LIST config -> 404
    storage_type is local, clouda-blob, cloudb-s3 or cloudc-gcs
        ${["tape", "s3", "constructor"].map((type) =>
            refused(
                { ...local, storage_type: type },
                "storage_type must be one of local, cloudb-s3, cloudc-gcs, clouda-blob",
            ),
        )}
    trailing / required for clouda-blob and cloudc-gcs; optional for local and cloudb-s3
        ${[gcs, blob].map((fields) =>
            refused(
                { ...fields, path_prefix: "backups" },
                `path_prefix must end with '/' for storage_type ${fields.storage_type}`,
            ),
        )}
        ${[local, s3].flatMap((fields) =>
            ["backups", "backups/"].map(
                (path) => `POST config/hourly ${JSON.stringify({ ...fields, path_prefix: path })} -> 204`,
            ),
        )}
        POST config/hourly {"storage_type": "clouda-blob", "clouda_container_name": "c"} -> 204
    encryption with AES256 cannot be combined with enable_kms, after merging too
        POST config/hourly ${{ ...s3, cloudb_s3_enable_kms: true }} -> 204
        ${refused(
            { cloudb_s3_server_side_encryption: true },
            "cloudb_s3_server_side_encryption cannot be combined with cloudb_s3_enable_kms",
        )}
        POST config/hourly {"cloudb_s3_enable_kms": false, "cloudb_s3_server_side_encryption": true} -> 204
        POST config/hourly {"cloudb_s3_enable_kms": true} -> 400
        POST config/hourly ${{ ...local, cloudb_s3_enable_kms: true }} -> 204
    a number below zero makes no sense
        ${refused({ ...local, retain: -1 }, "retain cannot be negative")}
    no document forbids to keep none, slashes in names of files, and the bare root
        POST config/hourly ${{ ...local, retain: 0, file_prefix: "a/b", path_prefix: "/" }} -> 204
        GET config/hourly -> 200 ${data({ ...local, retain: 0, file_prefix: "a/b", path_prefix: "/" })}
        POST /simulator/snapshots/hourly -> 200 {"last_snapshot_error": ""}
        GET /simulator/state -> 200 {"manager": {"snapshotConfigs":
            {"sys/storage/raft/snapshot-auto/config/hourly": {"snapshots": []}}}}
    root namespace only
        ${["POST config/x", "GET config/x", "DELETE config/x", "LIST config", "GET status/x"].map(
            (line) =>
                `${line} | x-secrets-namespace: team
                -> 400 {"errors": ["automated snapshots can only be managed in the root namespace"]}`,
        )}
        ${["/", "root"].map((root) => `POST config/x ${JSON.stringify(local)} | x-secrets-namespace: ${root} -> 204`)}
`;
