/** Roles: the document's table of fields and endpoints, and what was measured where it is silent. */
import { section } from "../exchanges";

const place = {
    below: "/v1/auth/clouda/",
    headers: { "x-secrets-token": "any" },
    seed: { mounts: ["clouda", "team/clouda"] },
};
/** What a role reads as that was written without a field. */
const empty = {
    ...{ bound_group_ids: null, bound_locations: null, bound_resource_groups: null, bound_scale_sets: null },
    ...{ bound_service_principal_ids: null, bound_subscription_ids: null, token_bound_cidrs: [] },
    ...{ token_explicit_max_ttl: 0, token_max_ttl: 0, token_no_default_policy: false, token_num_uses: 0 },
    ...{ token_period: 0, token_policies: [], token_ttl: 0, token_type: "default" },
};
const full = {
    ...{ bound_locations: ["east"], token_bound_cidrs: ["10.0.0.0/8"], token_explicit_max_ttl: 50 },
    ...{ token_max_ttl: 40, token_no_default_policy: true, token_num_uses: 3, token_period: 20 },
    ...{ token_policies: ["p"], token_ttl: 10, token_type: "service" },
};
/** A read that shows these fields, and of all others that they are unset. */
const readsOnly = (fields: object) => `GET role/web -> 200 ${JSON.stringify({ "data=": { ...empty, ...fields } })}`;
const unsupported = (what: string) => ({ "errors=": [`1 error occurred:\n\t* unsupported ${what}\n\n`] });

section("Secrets Manager, Login method: POST, GET, LIST and DELETE of /auth/clouda/role", place)`
    a role may lack every bound value, and reads with every field, in an envelope
        POST role/web {} -> 204 "" | content-type: application/json
        GET role/web -> 200 ~ \}\n$ | content-type: application/json | cache-control: no-store
        GET role/web -> 200 = ${{
            ...{ request_id: "~ ^[0-9a-f-]{36}$", lease_id: "", renewable: false, lease_duration: 0, data: empty },
            ...{ wrap_info: null, warnings: null, auth: null, mount_type: "clouda" },
        }}
    the sample's fields are taken, and unknown ones dropped
        PUT role/web {"token_policies": ["default", "dev"], "max_ttl": 1800000, "max_jwt_exp": 43200, "nonsense": 1} -> 204
        ${readsOnly({ max_ttl: 1_800_000, token_max_ttl: 1_800_000, token_policies: ["default", "dev"] })}
    what is not there is 404 without errors, and deleted all the same
        GET role/web -> 404 = {"errors": []}
        LIST role -> 404 = {"errors": []}
        DELETE role/web -> 204
    a role is deleted
        POST role/web -> 204
        DELETE role/WEB -> 204
        GET role/web -> 404
    LIST, and its synonym, give sorted names
        ${["b", "A", "c-1"].map((name) => `POST role/${name} -> 204`)}
        LIST role -> 200 {"data=": {"keys": ["a", "b", "c-1"]}}
        LIST role/ -> 200 {"data=": {"keys": ["a", "b", "c-1"]}}
        GET role?list=true -> 200 {"data=": {"keys": ["a", "b", "c-1"]}}
        GET role/?list=1 -> 200 {"data=": {"keys": ["a", "b", "c-1"]}}
    query parameters that mean nothing are warned of
        POST role/web -> 204
        GET role?list=true&limit=1&after=a
            -> 200 {"data": {"keys": ["web"]}, "warnings": ["Endpoint ignored these unrecognized parameters: [after limit]"]}
    other methods are refused
        ${["GET role", "POST role", "PATCH role/web", "LIST role/web"].map(
            (line) => `${line} -> 405 ${JSON.stringify(unsupported("operation"))}`,
        )}
`;

section("Secrets Manager, Role: name", place)`
    names in any case are one, stored in lower case
        POST role/Upper {"token_ttl": 60} -> 204
        POST role/UPPER {"token_num_uses": 2} -> 204
        GET role/uPPer -> 200 {"data": {"token_ttl": 60, "token_num_uses": 2}}
        LIST role -> 200 {"data": {"keys": ["upper"]}}
    letters, digits, underscores, and inside dots and dashes, make a name; words of other paths too
        ${["a", "_", "a.b-c_9", "x".repeat(200), "__proto__", "constructor", "config", "login", "rotate-root"].flatMap(
            (name) => [
                `GET role/${name} -> 404`,
                `POST role/${name} {"token_ttl": 7} -> 204`,
                `GET role/${name} -> 200 {"data": {"token_ttl": 7}}`,
            ],
        )}
    any other name is no path, whatever the method
        ${["-a", "a-", ".a", "a%20b", "a:b", "a@b", "a/b", "a%2Fb", "%C3%A4"].flatMap((name) =>
            ["GET", "POST", "DELETE"].map(
                (method) => `${method} role/${name} -> 404 ${JSON.stringify(unsupported("path"))}`,
            ),
        )}
        GET role/web/ -> 404 ${unsupported("path")}
    a slash at the end and two dots have words of their own
        POST role/web/ -> 400 {"errors": ["cannot write to a path ending in '/'"]}
        POST role/a..b -> 400 {"errors": ["relative paths not supported"]}
`;

section("Secrets Manager, Versioning: the mount is configurable, and namespaces", place)`
    no mount is known but the method's own
        GET /v1/auth/nomount/role/x -> 404 {"errors": ["no handler for route \"auth/nomount/role/x\". route entry not found."]}
        POST /v1/auth/nomount/role/x -> 404 {"errors": ["~ ^no handler"]}
        DELETE /v1/auth/nomount/role/x -> 404 {"errors": ["~ ^no handler"]}
        LIST /v1/auth/nomount/role -> 404 {"errors": ["~ ^no handler"]}
    each mount has roles of its own
        POST role/web -> 204
        GET /v1/auth/team/clouda/role/web -> 404
        POST /v1/auth/team/clouda/role/web {"token_ttl": 5} -> 204
        GET /v1/auth/team/clouda/role/web -> 200 {"data": {"token_ttl": 5}, "mount_type": "clouda"}
        GET role/web -> 200 {"data": {"token_ttl": 0}}
    each namespace has roles of its own
        POST role/web {"token_ttl": 9} | x-secrets-namespace: org/team/ -> 204
        GET role/web -> 404
        GET role/web | x-secrets-namespace: /org/team -> 200 {"data": {"token_ttl": 9}}
`;

section("Secrets Manager, Login method: POST creates or updates the role", place)`
    a write keeps what it leaves out
        POST role/web ${full} -> 204
        POST role/web {"bound_group_ids": ["g"]} -> 204
        ${readsOnly({ ...full, bound_group_ids: ["g"] })}
    null is empty, but for a duration it is left out
        POST role/web ${full} -> 204
        POST role/web {"bound_locations": null, "token_policies": null, "token_bound_cidrs": null, "token_ttl": null,
            "token_num_uses": null, "token_no_default_policy": null, "token_type": null} -> 204
        ${readsOnly({ bound_locations: [], token_ttl: 10, token_explicit_max_ttl: 50, token_max_ttl: 40, token_period: 20 })}
    the values that mean a default bring it back
        POST role/web ${full} -> 204
        POST role/web {"bound_locations": [], "token_policies": "", "token_bound_cidrs": "", "token_ttl": "", "token_type": "",
            "token_num_uses": 0, "token_no_default_policy": "", "token_period": 0, "token_max_ttl": "0", "token_explicit_max_ttl": ""} -> 204
        ${readsOnly({ bound_locations: [] })}
    a write that is refused changes nothing
        POST role/web {"token_ttl": 10} -> 204
        POST role/web {"token_num_uses": 5, "token_ttl": "soon"} -> 400
        ${readsOnly({ token_ttl: 10 })}
`;

/** Writes each of these values, and tells how it reads then: `sent, sent -> shown`. */
function values(field: string, table: string): string[] {
    return table.split("\n").flatMap((line) => {
        const [sent = "", shown = ""] = line.split("->");
        return (JSON.parse(`[${sent}]`) as unknown[]).flatMap((value) => {
            const write = `POST role/web ${JSON.stringify({ [field]: value })}`;
            if (shown.trim() === "refused") return [`${write} -> 400 {"errors": ["~ ${field}|error parsing address"]}`];
            return shown === "" ? [] : [`${write} -> 204`, `GET role/web -> 200 {"data": {"${field}=": ${shown}}}`];
        });
    });
}

const list = String.raw`
    ["b", "a", "b"]      -> ["b", "a", "b"]
    "a, b ,c"            -> ["a", "b", "c"]
    ["x,y", " z ", ""]   -> ["x,y", "z", ""]
    "[\"a\"]"            -> ["[\"a\"]"]
    [1, true]            -> ["1", "1"]
    0, false             -> ["0"]
    ""                   -> []
    {"a": 1}, [[]]       -> refused`;
const duration = `
    60, "60", "60s", "1m"                          -> 60
    "1h30m", "1.5h", "5400000ms", "5400000000us"   -> 5400
    "1d"                                           -> 86400
    "1500ms"                                       -> 1
    "0.5s", ""                                     -> 0
    9223372036                                     -> 9223372036
    "1e3", true, false, [], {}, 9223372037, "1.5d" -> refused`;
const integer = `
    "5"                     -> 5
    "010", "0o10", "0x8"    -> 8
    "0b11"                  -> 3
    true                    -> 1
    "0", false, ""          -> 0
    5.5, "abc", "5.0", []   -> refused`;
const boolean = `
    "true", "T", 1, "1"     -> true
    "false", 0, ""          -> false
    "yes", 2, []            -> refused`;
const blocks = String.raw`
    "1.2.3.4/32,10.0.0.1/8"                    -> ["1.2.3.4", "10.0.0.1/8"]
    ["2001:DB8::1/64"]                         -> ["2001:db8::1/64"]
    ["2001:db8:0:0:0:0:0:1/128"]               -> ["2001:db8::1"]
    ["10.0.0.1:80", "[2001:DB8::1]:80"]        -> ["10.0.0.1:80", "[2001:db8::1]:80"]
    ["0.0.0.0/0", "::/0"]                      -> ["0.0.0.0/0", "::/0"]
    ["10.0.0.0/99", "/path", "10.0.0.1:80/8"]  -> ["\"10.0.0.0/99\"", "\"/path\"", "\"10.0.0.1:80/8\""]
    ""                                         -> []
    [""], ["010.0.0.1"], ["10.0.0.1:65536"]    -> refused
    ["[10.0.0.1]:80"], ["fe80::1%x"], 0, false -> refused
    {"a": 1}                                   -> refused`;
const tokenType = `
    "service"            -> "service"
    "batch"              -> "batch"
    "default", ""        -> "default"
    "default-service"    -> "default-service"
    "default-batch"      -> "default-batch"
    "junk", "Service", 0 -> refused`;
const durationReasons = `
    "abc"   -> time: invalid duration "abc"
    " 60"   -> time: invalid duration " 60"
    60.5    -> time: missing unit in duration "60.5"
    "1w"    -> time: unknown unit "w" in duration "1w"
    "1d12h" -> time: unknown unit "d" in duration "1d12h"
    "1.5d"  -> strconv.ParseInt: parsing "1.5": invalid syntax
    "-1"    -> cannot provide negative value '-1'
    -1      -> cannot provide negative value '-1'`;

section("Secrets Manager, Role: types of fields", place)`
    array: bound_scale_sets keeps order and duplicates
        ${values("bound_scale_sets", list)}
    array or comma-delimited string: so does token_policies
        ${values("token_policies", list)}
    integer or string: token_explicit_max_ttl is whole seconds
        ${values("token_explicit_max_ttl", duration)}
    integer: token_num_uses takes text in four bases
        ${values("token_num_uses", integer)}
    boolean: token_no_default_policy takes text and numbers
        ${values("token_no_default_policy", boolean)}
    CIDR blocks: token_bound_cidrs are written short, without the mask of a single address
        ${values("token_bound_cidrs", blocks)}
    string: token_type is one of the document's five
        ${values("token_type", tokenType)}
    a refusal tells the field and the reason
        ${durationReasons
            .trim()
            .split("\n")
            .map((line) => {
                const [sent = "", reason] = line.split("->").map((part) => part.trim());
                const errors = [`error converting input for field "token_ttl": ${reason}`];
                return `POST role/web {"token_ttl": ${sent}} -> 400 ${JSON.stringify({ errors })}`;
            })}
        POST role/web {"token_num_uses": -1} -> 400 {"errors": ["'token_num_uses' cannot be negative"]}
        POST role/web {"token_type": "junk"} -> 400 {"errors": ["invalid 'token_type' value \"junk\""]}
        POST role/web {"token_bound_cidrs": ["junk"]} -> 400 {"errors":
            ["error parsing address \"junk\": Unable to convert \"junk\" to an IPv4 or IPv6 address, or a UNIX Socket"]}
    fields go together that no sentence forbids
        POST role/web {"token_type": "batch", "token_period": 60, "token_num_uses": 1} -> 204
        POST role/web {"token_ttl": 61, "token_max_ttl": 60} -> 204
    a period is no longer than the longest lease
        POST role/web {"token_period": "768h"} -> 204
        POST role/web {"token_period": "900h"} -> 400 {"errors":
            ["token period of \"900h0m0s\" is greater than the backend's maximum lease TTL of \"768h0m0s\""]}
        GET role/web -> 200 {"data": {"token_period": 2764800}}
    a maximum lifetime above the longest lease is stored with a warning, which names what was dropped
        POST role/web {"token_max_ttl": "769h", "foo": 1, "bar": 2, "name": "other"} -> 200 {"data": null, "warnings": [
            "max_ttl is greater than the system or backend mount's maximum TTL value; issued tokens' max TTL value will be truncated",
            "Endpoint ignored these unrecognized parameters: [bar foo]",
            "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [name]"]}
        GET role/web -> 200 {"data": {"token_max_ttl": 2768400}}
        POST role/web {"token_explicit_max_ttl": "769h", "token_max_ttl": 0} -> 204
`;

const policies = ["default", "dp1", "dp2"];

section("Secrets Manager, Role: the deprecated policies, and other former names", place)`
    a former name alone sets both; policies become lower case, sorted and single
        POST role/web {"policies": "dp1,DP2,default,dp1", "ttl": "1m", "max_ttl": 120, "period": 30, "num_uses": 2} -> 204
        ${readsOnly({
            ...{ max_ttl: 120, num_uses: 2, period: 30, policies, ttl: 60 },
            ...{ token_max_ttl: 120, token_num_uses: 2, token_period: 30, token_policies: policies, token_ttl: 60 },
        })}
    the new name wins, and both read it
        POST role/web {"ttl": 10, "token_ttl": 20, "policies": "old", "token_policies": ["New", "a"]} -> 204
        ${readsOnly({ policies: ["New", "a"], token_policies: ["New", "a"], token_ttl: 20, ttl: 20 })}
    the new name alone makes the former one forgotten
        POST role/web {"ttl": 10, "policies": "a"} -> 204
        POST role/web {"token_ttl": 20, "token_policies": ["b"]} -> 204
        ${readsOnly({ token_policies: ["b"], token_ttl: 20 })}
    an empty former name is not shown
        POST role/web {"policies": "a"} -> 204
        POST role/web {"policies": []} -> 204
        ${readsOnly({})}
`;

section("Secrets Manager, Endpoints: bodies are JSON", place)`
    an object that holds a key twice is refused
        POST role/web {"token_ttl":1,"bound":["a"],"bo\u0075nd":["b"]} -> 500 {"errors": ["duplicate key 'bound' in object"]}
        POST role/web {"x":[{"y":1},{"bound":1,"bound":1}]} -> 500 {"errors": ["duplicate key 'bound' in object"]}
        POST role/web {"bound":["bound","bound"],"x":{"bound":"{\"a\":"}} -> 204
    a body may be missing, null or empty
        POST role/web -> 204
        POST role/web null -> 204
        POST role/web {} -> 204
    any other body is refused
        POST role/web bad -> 500 {"errors": ["invalid character 'b' looking for beginning of value"]}
        POST role/web {"token_ttl":1} more -> 500 {"errors": ["invalid character 'm' after top-level value"]}
        POST role/web {"token_ttl":1 -> 500 {"errors": ["unexpected EOF"]}
        POST role/web {"token_ttl":"1 -> 500 {"errors": ["unexpected EOF"]}
        POST role/web [] -> 400 {"errors": ["~ cannot unmarshal array into"]}
        POST role/web "text" -> 400 {"errors": ["~ ^error parsing JSON: failed to parse JSON input: json: cannot unmarshal string into"]}
        POST role/web 1 -> 400 {"errors": ["~ cannot unmarshal number into"]}
`;
