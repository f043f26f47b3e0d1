/** Advice on the words of real servers. Each row names the repository, its version and the file that has the text. */

import assert from "node:assert/strict";
import { StatecraftError } from "../../src/client";
import { failureOf } from "../support/failures";
import { withSimulator } from "../support/simulator";

const vault = "hashicorp/vault 1.21.0";

const jwtOf = (sub: string) => `e30.${Buffer.from(JSON.stringify({ sub })).toString("base64url")}.planted-signature`;
const missing = "xms_az_rid and xms_mirid claims are missing from token";

/** A failure of a login, and what its advice names. */
type Login = readonly [status: number, text: string, names: RegExp];

/** The failures of logins at Vault by the source of their texts. The subject of the JWT is an account for Kubernetes, else a repository. */
const logins: Readonly<Record<string, readonly Login[]>> = {
    "coreos/go-oidc 3.19.0 oidc/verify.go": [
        [500, 'oidc: expected audience "https://vault.a/" got ["https://vault.a"]', /`resource` of the Auth/],
        [500, 'oidc: id token issued by a different provider, expected "https://a/" got "https://b/"', /tenantId/],
        [500, "oidc: token is expired (Token Expiry: 2026-01-01 00:00:00 +0000 UTC)", /githubAudience/],
    ],
    "hashicorp/vault-plugin-auth-azure 0.22.0 path_login.go": [
        [500, missing, /management\.azure\.com.*login\.resourceId/],
        [500, `failed to verify flexible vmss claim: ${missing}\nfailed to verify uniform: ${missing}`, /management/],
        [500, "xms_mirid token claim does not match vm_name audience-1", /vmName.*name the machine of the JWT/],
        [500, "one of vm_name, vmss_name, resource_id, or an appid JWT claim must be provided", /`resourceId`/],
        [500, "subscription_id and resource_group_name are required", /subscriptionId.*resourceGroupName/],
        [500, "bound scale set defined but this vm isn't in a scale set", /boundScaleSets/],
        [500, "provided resource_id does not match resource_group_name", /resourceId/],
        [
            500,
            "expected specific bound_group_ids or bound_service_principal_ids; both cannot be empty or '*'",
            /more than `\*`/,
        ],
        [
            500,
            "unable to retrieve virtual machine scale set metadata: GET https://management: 403",
            /`clientId` of the AuthC/,
        ],
        [500, "resource group not authorized", /bound values/],
        [400, 'invalid role name "web"', /Create the role/],
    ],
    "hashicorp/vault-plugin-auth-azure 0.22.0 azure.go": [
        [500, "tenant_id is required", /Set `tenantId` and `resource`/],
    ],
    "hashicorp/vault-plugin-auth-jwt 0.25.0 path_login.go": [
        [400, 'role "audience" could not be found', /Create the role/],
        [400, "audience claim found in JWT but no audiences bound to the role", /Set `bound_audiences`/],
    ],
    "hashicorp/cap 0.11.0 jwt/jwt.go": [
        [
            400,
            "error validating token: invalid audience (aud) claim: audience claim does not match any expected audience",
            /bound_audiences/,
        ],
        [400, "error validating token: invalid expiration time (exp) claim: token is expired", /githubAudience/],
    ],
    "hashicorp/vault-plugin-auth-jwt 0.25.0 claims.go": [
        [400, 'error validating claims: claim "ref" is missing', /bound values/],
    ],
    "hashicorp/vault-plugin-auth-kubernetes 00a7fa2e path_login.go": [
        [403, "permission denied", /token_reviewer_jwt/],
        [403, "service account name not authorized", /bound_service_account/],
        [403, "namespace not authorized", /bound_service_account/],
    ],
    [`${vault} vault/request_handling.go`]: [[403, "permission denied", /^Correct `login.mount`((?!reviewer).)*$/]],
    [`${vault} builtin/credential/approle/path_login.go`]: [
        [400, "invalid role or secret ID", /Issue another secret ID.*-field=secret_id/],
        [400, "missing secret_id", /Issue another secret ID/],
        [
            400,
            'source address "10.0.0.9" unauthorized by CIDR restrictions on the role: not there',
            /secret_id_bound_cidrs/,
        ],
    ],
};
/** The failures of logins at Nomad, from hashicorp/nomad 1.11.3 nomad/acl_endpoint.go. */
const nomadLogins: readonly Login[] = [
    [400, 'auth-method "github" not found', /Create the auth method/],
    [400, "no role or policy bindings matched", /binding-rule create/],
    [401, "unable to validate provided token: invalid expiration time (exp) claim: token is expired", /githubAudience/],
    [401, "unable to validate provided token: invalid issuer (iss) claim", /BoundIssuer/],
];

const nginx = "nginx/nginx 1.29.3 src/http/ngx_http_special_response.c";
const page = (title: string) =>
    `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
const conflict = (detail: string) => JSON.stringify({ errors: [{ status: "409", title: "conflict", detail }] });
const state = { version: 4, terraform_version: "1.9.0", serial: 2, lineage: "5d1c", resources: [] };

describe("the words of a server", () => {
    const stateVersions = [
        { id: "sv-1", state: { ...state, serial: 0, outputs: { a: {} } } },
        { id: "sv-2", state: { ...state, serial: 1 } },
    ];
    const simulator = withSimulator({
        workspaces: [{ id: "ws-1", name: "web", organization: "acme", stateVersions }],
    });
    const adviceOn = async (work: Promise<unknown>) => (await failureOf(work, StatecraftError)).hint ?? "";
    for (const [source, failures] of Object.entries(logins)) {
        for (const [status, text, names] of failures) {
            it(`lead to advice on the login at Vault after ${status}, ${text} (${source})`, async () => {
                await simulator.fault({ times: 0, path: "/login$", status, body: JSON.stringify({ errors: [text] }) });
                const isAccount = source.includes("kubernetes");
                const JOB = jwtOf(isAccount ? "system:serviceaccount:ci:pulumi" : "repo:acme/expired-audience");
                const login = { mount: "azure", role: "web", jwtVariable: "JOB" };
                const vault = { address: simulator.url, login };
                const { getAuthRoles } = simulator.connect({ vault, environment: { JOB } });
                assert.match(await adviceOn(getAuthRoles()), names);
            });
        }
    }
    for (const [status, text, names] of nomadLogins) {
        it(`lead to advice on the login at Nomad after ${status}, ${text}`, async () => {
            await simulator.fault({ times: 0, path: "/login$", status, body: text });
            const nomad = { address: simulator.url, login: { authMethod: "github", jwtVariable: "JOB" } };
            const { getCsiVolumes } = simulator.connect({ nomad, environment: { JOB: jwtOf("repo:acme") } });
            assert.match(await adviceOn(getCsiVolumes()), names);
        });
    }

    const rollback = { workspaceId: "ws-1", stateVersionId: "sv-1" };
    const upload = { workspaceId: "ws-1", content: JSON.stringify(state) };
    type Connected = ReturnType<typeof simulator.connect>;
    const refusals: readonly (readonly [
        source: string,
        fault: Parameters<typeof simulator.fault>[0],
        work: (connected: Connected) => Promise<unknown>,
        names: RegExp,
    ])[] = [
        [
            "hashicorp/vault sdk 0.20.0 logical/error.go",
            { status: 404, body: JSON.stringify({ errors: ["1 error occurred:\n\t* unsupported path\n\n"] }) },
            ({ rootRotation }) => rootRotation.create({}),
            /Vault 1\.13 or newer/,
        ],
        [
            `${vault} vault/wrapping.go`,
            { status: 200, body: JSON.stringify({ data: null, auth: null, wrap_info: { token: "planted", ttl: 60 } }) },
            ({ getAuthRole }) => getAuthRole({ name: "web" }),
            /X-Vault-Wrap-TTL/,
        ],
        [
            "terrakube-io/terrakube issue 799",
            { method: "PATCH", status: 404, body: '{"errors":[{"status":"404","title":"not found"}]}' },
            ({ stateVersionRollback }) => stateVersionRollback.create(rollback),
            /does not offer rollbacks/,
        ],
        [
            "leg100/otf internal/workspace/lock.go",
            { method: "PATCH", status: 409, body: conflict("workspace locked by different user") },
            ({ stateVersionRollback }) => stateVersionRollback.create(rollback),
            /own account must have the lock/,
        ],
        [
            "hashicorp/terraform issue 24294",
            {
                ...{ method: "POST", path: "/state-versions$", status: 409 },
                body: conflict("This workspace is not locked and will only accept state uploads when locked"),
            },
            ({ stateVersion }) => stateVersion.create(upload),
            /own account must have the lock/,
        ],
        [
            nginx,
            {
                ...{ method: "POST", path: "/state-versions$", status: 413 },
                ...{ body: page("413 Request Entity Too Large"), contentType: "text/html" },
            },
            ({ stateVersion }) => stateVersion.create({ ...upload, inline: true }),
            /^((?!set `address`).)*client_max_body_size/,
        ],
        [
            nginx,
            { status: 404, body: page("404 Not Found"), contentType: "text/html" },
            ({ getAuthRoles }) => getAuthRoles(),
            /set `address`/,
        ],
    ];
    for (const [source, fault, work, names] of refusals) {
        it(`lead to advice after ${fault.method ?? "a request"} and ${fault.status} (${source})`, async () => {
            const contentType = fault.path || fault.method ? "application/vnd.api+json" : "application/json";
            await simulator.fault({ times: 0, contentType, ...fault });
            const advice = await adviceOn(work(simulator.connect()));
            assert.match(advice, names);
            assert.doesNotMatch(advice, /planted/);
        });
    }
});
