/** The configuration of the login method, and its rotation: the document, and what was measured where it is silent. */
import { section } from "../exchanges";

const place = {
    below: "/v1/auth/",
    headers: { "x-secrets-token": "any" },
    seed: { mounts: ["clouda", "team/clouda"] },
};
const required = { tenant_id: "tenant-1", resource: "https://secrets.example/" };
const everything = {
    ...{ ...required, environment: "CloudAChinaCloud", client_id: "client-1", client_secret: "secret-1" },
    ...{ max_retries: 5, max_retry_delay: "2m", retry_delay: "1500ms" },
};
const nanoseconds = { max_retry_delay: 120_000_000_000, retry_delay: 1_000_000_000 };
const retries = { max_retries: 3, max_retry_delay: 60_000_000_000, retry_delay: 4_000_000_000 };
const preset = { ...required, environment: "", client_id: "", client_secret: "", ...retries };
const data = (fields: object) => JSON.stringify({ "data=": fields });
const failed = (reason: string) => JSON.stringify({ "errors=": [`1 error occurred:\n\t* ${reason}\n\n`] });
const readsBack = (field: string, sent: unknown, shown: unknown) => [
    `POST clouda/config ${JSON.stringify({ ...required, [field]: sent })} -> 204`,
    `GET clouda/config -> 200 ${JSON.stringify({ data: { [field]: shown } })}`,
];

section("Secrets Manager, Login-method configuration: fields", place)`
    required alone is enough, and the rest reads as its default
        POST clouda/config ${required} -> 204 ""
        GET clouda/config -> 200 {"data=": ${preset}, "mount_type": "clouda"}
    every field reads back, credentials included, delays in whole seconds as nanoseconds
        POST clouda/config ${everything} -> 204
        GET clouda/config -> 200 ${data({ ...everything, ...nanoseconds })}
    required: tenant_id and resource, the tenant first; what is refused is not stored
        POST clouda/config {} -> 500 ${failed("tenant_id is required")}
        POST clouda/config {"tenant_id": "t"} -> 500 ${failed("resource is required")}
        GET clouda/config -> 404 = {"errors": []}
        POST clouda/config ${required} -> 204
        ${["tenant_id", "resource"].flatMap((name) =>
            ['""', "null"].map(
                (value) => `POST clouda/config {"${name}": ${value}} -> 500 ${failed(`${name} is required`)}`,
            ),
        )}
        GET clouda/config -> 200 ${data(preset)}
    required fields may come from the service's own environment; a read shows what is stored
        POST /simulator/seed {"loginSurroundings": {"tenant_id": "t"}} -> 204
        POST clouda/config {"resource": "r"} -> 204
        GET clouda/config -> 200 {"data": {"tenant_id": ""}}
        POST clouda/config {"resource": ""} -> 500
        POST clouda/config {"tenant_id": "mine"} -> 204
        POST clouda/config {"tenant_id": ""} -> 204
    allowed: four environments; another one is named in capitals and not stored
        POST clouda/config ${{ ...required, environment: "Junk" }}
            -> 500 ${failed('err: no cloud configuration matching the name "JUNK"')}
        GET clouda/config -> 404
        ${["CloudAPublicCloud", "CloudAUSGovernmentCloud", "CloudAChinaCloud", "CloudAGermanCloud"].flatMap((name) =>
            readsBack("environment", name, name),
        )}
    strings, integers and delays are read weakly
        ${[
            readsBack("retry_delay", "90", 90_000_000_000),
            readsBack("retry_delay", 7, 7_000_000_000),
            readsBack("retry_delay", "1h30m", 5_400_000_000_000),
            readsBack("retry_delay", "-1s", -1_000_000_000),
            readsBack("retry_delay", 0, 0),
            readsBack("max_retries", "8", 8),
            readsBack("max_retries", 0, 0),
            readsBack("client_id", 12, "12"),
            readsBack("client_id", true, "1"),
        ].flat()}
    other types are refused, and nothing is stored
        POST clouda/config ${{ ...required, max_retries: "abc" }}
            -> 400 {"errors": ["error converting input for field \"max_retries\": cannot parse '' as int: strconv.ParseInt: parsing \"abc\": invalid syntax"]}
        POST clouda/config ${{ ...required, retry_delay: "abc" }} -> 400 {"errors": ["~ \"retry_delay\": time: invalid duration"]}
        POST clouda/config ${{ ...required, max_retry_delay: [] }} -> 400 {"errors": ["~ \"max_retry_delay\": could not parse"]}
        POST clouda/config ${{ ...required, client_id: {} }}
            -> 400 {"errors": ["error converting input for field \"client_id\": expected type 'string', got unconvertible type 'map[string]interface {}'"]}
        POST clouda/config ${{ ...required, client_id: ["a"] }} -> 400 {"errors": ["~ got unconvertible type '\\[\\]interface"]}
        GET clouda/config -> 404
`;

section("Secrets Manager, Login method: POST, GET and DELETE of /auth/clouda/config", place)`
    a write keeps half of what it leaves out, and resets the other half
        POST clouda/config ${everything} -> 204
        POST clouda/config {"client_id": "client-2"} -> 204
        GET clouda/config -> 200 ${data({ ...everything, client_id: "client-2", ...retries })}
    null is empty text
        POST clouda/config ${everything} -> 204
        POST clouda/config {"client_id": null, "client_secret": null, "environment": null} -> 204
        GET clouda/config -> 200 ${data(preset)}
    it is deleted, as often as one likes
        POST clouda/config ${required} -> 204
        DELETE clouda/config -> 204
        DELETE clouda/config -> 204
        GET clouda/config -> 404 = {"errors": []}
    there is one for each mount and namespace
        POST clouda/config ${required} -> 204
        POST team/clouda/config ${{ ...required, tenant_id: "tenant-2" }} -> 204
        GET clouda/config | x-secrets-namespace: a/b -> 404
        POST clouda/config ${{ ...required, tenant_id: "tenant-3" }} | x-secrets-namespace: a/b -> 204
        GET clouda/config -> 200 {"data": {"tenant_id": "tenant-1"}}
        GET team/clouda/config -> 200 {"data": {"tenant_id": "tenant-2"}}
        GET nowhere/config -> 404 {"errors": ["~ ^no handler for route"]}
    PUT is POST; no other method is one, and none goes without a token
        PUT clouda/config ${required} -> 204
        HEAD clouda/config -> 405
        LIST clouda/config -> 405
        GET clouda/config | x-secrets-token: -> 403
    it can be seeded
        POST /simulator/seed ${{ loginConfigs: [{ fields: required }] }} -> 204
        GET clouda/config -> 200 {"data": {"tenant_id": "tenant-1"}}
        POST /simulator/seed {"loginConfigs": [{"mount": "team/clouda", "fields": {}}]} -> 400 ${failed("tenant_id is required")}
`;

const { client_secret: _, ...withoutSecret } = everything;
const state = (secret: string) =>
    `GET /simulator/state -> 200 {"manager": {"loginConfigs": {"auth/clouda/config": {"client_secret": "${secret}"}}}}`;

section("Secrets Manager, Login method: POST /auth/clouda/rotate-root", place)`
    a new client secret, known only to the service, and nothing else changes
        POST clouda/config ${everything} -> 204
        POST clouda/rotate-root -> 204 ""
        GET clouda/config -> 200 ${data({ ...withoutSecret, ...nanoseconds })}
        ${state("~ ^[-_0-9A-Za-z]{20,}$")}
        ${state("<first>")}
        POST clouda/rotate-root -> 204
        ${state("<second>")}
    a secret that is written counts again, and no other write changes the service's own
        POST clouda/config ${everything} -> 204
        PUT clouda/rotate-root -> 204
        ${state("<own>")}
        POST clouda/config {"client_id": "client-2"} -> 204
        ${state("<own>")}
        GET clouda/config -> 200 {"data": {"client_id": "client-2", "client_secret": "<none>"}}
        POST clouda/config {"client_secret": "secret-2"} -> 204
        GET clouda/config -> 200 {"data": {"client_secret": "secret-2"}}
    it needs a configuration, a mount and POST
        POST clouda/rotate-root -> 500 ${failed("config is nil")}
        POST nowhere/rotate-root -> 404
        POST clouda/config ${required} -> 204
        GET clouda/rotate-root -> 405 {"errors": ["~ unsupported operation"]}
`;
