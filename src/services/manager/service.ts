/** Vault, which the API documents call the secrets manager: token header, errors, forms of answers (document "Secrets Manager"). */

import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { mostQuoted } from "../../core/redaction";
import type { Body } from "../../core/resource";
import type { Answer, LoginRequests, Service } from "../../core/service";
import { shellWord, step } from "../../core/steps";
import { AnswerError, type Exchange, unlessAbsent } from "../../errors";
import { warnAbout } from "../../schema/property";
import { listOf } from "../../schema/property-types";
import { isRecord, type Values } from "../../schema/values";
import { withoutBullets } from "../joined-reasons";

/** The values that Vault chooses for inputs that the program leaves out. */
export interface VaultDefaults {
    /** Where the server mounts the azure method by default. */
    readonly mount: string;
    /** Prefix of the names of snapshots by default. */
    readonly filePrefix: string;
    /**
     * Fields of snapshot configurations that are sent only if the program declares them, because the API document has no such field or
     * shows no default.
     */
    readonly unsentDefaults: readonly string[];
}

/** The defaults of Vault, and of a server that uses the names of the API documents. No value that a program writes is renamed by them. */
export const defaults = {
    documented: {
        ...{ mount: "clouda", filePrefix: "secrets-snapshot" },
        unsentDefaults: ["autoload_enabled", "clouda_blob_environment", "clouda_client_id"],
    },
    product: { mount: "azure", filePrefix: "vault-snapshot", unsentDefaults: [] },
} as const;

const failure = z.object({ errors: listOf(z.string()) });
const errorsIn = (body: unknown) => failure.safeParse(body).data?.errors;
const listed = z.object({ data: z.object({ keys: listOf(z.string()) }) });
const warned = z.object({ warnings: listOf(z.string()) });

/** The fields of a grant that describe its token. Without a lease, the token cannot be used: its end is unknown. */
const tokenForm = z.object({
    lease_duration: z.number().catch(Number.NaN),
    token_type: z.string().catch("service"),
    num_uses: z.number().catch(0),
    renewable: z.boolean().catch(false),
    policies: listOf(z.string()).catch([]),
});

/** Not repeated after a lost answer: each request creates another token, and a secret ID may be good for one login. */
export const logIn = endpoint("POST /v1/auth/{+mount}/login");
// The token of a lost answer ends by itself.
const jwtLogin = { ...logIn, repeat: "unlessDeclined" } as const;

const revoke = endpoint("POST /v1/auth/token/revoke-self", "always");
// Not repeated, because a login follows a failure.
const renew = endpoint("POST /v1/auth/token/renew-self", "never");

/** The parts of a request that name a namespace. The root namespace has none. */
export const inNamespace = (namespace = "") =>
    namespace === "" ? {} : { headers: { "X-Secrets-Namespace": namespace }, about: namespace };

const adviceOnMount =
    "Correct `login.mount` and `login.namespace`: nothing is mounted there, or `token_bound_cidrs` of the role refuses this machine";
const adviceOnReview = `${adviceOnMount}; or Vault could not review the JWT: renew its \`token_reviewer_jwt\`, and check that the service account exists`;
const adviceOnSecretId =
    "Issue another secret ID, or correct `login.roleId`; a wrapped secret ID must be unwrapped: `vault unwrap -field=secret_id`";
const adviceOnMachine =
    "Correct `subscriptionId`, `resourceGroupName`, and `vmName`, `vmssName` or `resourceId` in `login`: they must name the machine of the JWT, and a scale set if the role has `boundScaleSets`";
/** Advice for a JWT that names no machine (issue 237 of hashicorp/vault-plugin-auth-azure). */
export const adviceOnClaims =
    "Set `resource` of the AuthConfig, and of the JWT, to one of Microsoft's own, such as `https://management.azure.com/`: for others Azure names no machine in it";

const login: LoginRequests = {
    request({ mount = "", namespace, roleId, role, ...machine }, credential) {
        const { subscriptionId: subscription_id, resourceGroupName: resource_group_name } = machine;
        const { vmName: vm_name, vmssName: vmss_name, resourceId: resource_id } = machine;
        const azure = { subscription_id, resource_group_name, vm_name, vmss_name, resource_id };
        const request = { parameters: { mount }, ...inNamespace(namespace) };
        return roleId === undefined
            ? [jwtLogin, { ...request, body: { role, jwt: credential, ...azure } }]
            : [logIn, { ...request, body: { role_id: roleId, secret_id: credential } }];
    },
    read(answer, { namespace }) {
        const { client_token: value, token_policies: policies, ...others } = grantIn(answer);
        const {
            lease_duration: lifetime,
            num_uses: uses,
            token_type,
            renewable,
            ...token
        } = tokenForm.parse({ policies, ...others });
        const headers = { ...inNamespace(namespace).headers, "X-Secrets-Token": value };
        const isKept = token_type !== "batch" && uses === 0;
        const problem = Number.isNaN(lifetime) && "it has no number in `auth.lease_duration`";
        const ofItself = { parameters: {}, headers };
        const revocation = isKept && ([revoke, ofItself] as const);
        const renewal = isKept && renewable && ([renew, { ...ofItself, body: {} }] as const);
        return { value, lifetime, uses, ...token, problem, revocation, renewal };
    },
    // The words are those of Vault's methods azure, jwt, kubernetes and approle. A second line is the `sub` of the JWT.
    advice: [
        [/^no credential/, "Create it, or on a laptop run `export STATECRAFT_VAULT_TOKEN=$(vault print token)`"],
        [
            /^.*oidc: expected audience/,
            "Request the JWT for the `resource` of the AuthConfig, also with the same slash at its end",
        ],
        [/^.*no audiences bound/, "Set `bound_audiences` of the role to the `aud` of the JWT"],
        [
            /^.*(audience \(aud\)|bound audience|audience claim)/,
            "Issue the JWT for an audience in `bound_audiences` of the role (kubernetes: its `audience`)",
        ],
        [/^.*expired/, "Use `login.githubAudience` in GitHub Actions, or a file that another tool keeps up to date"],
        [
            /^.*(role .*not be found|role name|role is required|missing role(?!_))/,
            "Create the role, or correct `login.role`",
        ],
        [/^.*(invalid (role or secret id|(role|secret)[ _]id)|missing (role|secret)_id)/i, adviceOnSecretId],
        [
            /^.*CIDR restrictions/,
            "Log in from an address in `secret_id_bound_cidrs` of the role, or in the CIDRs of the secret ID",
        ],
        [
            /^.*unable to retrieve/,
            "Let the `clientId` of the AuthConfig read the machine in Azure, and correct its names in `login`",
        ],
        [
            /xms_az_rid and xms_mirid claims are missing/,
            `${adviceOnClaims}; or log in with \`login.resourceId\`, and without \`vmName\` and \`vmssName\``,
        ],
        [
            /token claim does not match|scale set|one of vm_name|subscription_id and|resource_id does not match/,
            adviceOnMachine,
        ],
        [
            /^.*expected specific bound_/,
            "Set `boundServicePrincipalIds` or `boundGroupIds` of the AuthRole to more than `*`",
        ],
        [/^.*(different provider|(tenant_id|resource) is required)/, "Set `tenantId` and `resource` of the AuthConfig"],
        [/^403: permission denied\nsystem:serviceaccount:/, adviceOnReview],
        [
            /^403: (service account name|namespace) not/,
            "Add the service account to `bound_service_account_…` of the role",
        ],
        [/^.*(permission denied|missing client token)/, adviceOnMount],
        [/./, "Compare the role's bound values with the machine and its credential"],
    ],
};

/** The facts about Vault that the HTTP client needs. */
export const manager: Service<VaultDefaults> = {
    name: "manager",
    defaults,
    title: "secrets manager",
    contentType: "application/json",
    socketHost: "localhost",
    tokenHeader: (token) => ["X-Secrets-Token", token],
    login,
    reasons: ({ body }) => errorsIn(body)?.map(withoutBullets) ?? [],
    // Only an empty list of messages says that the object is absent. A message is about the mount, the name or the server's edition.
    absent: ({ status, body }) => status === 404 && errorsIn(body)?.length === 0,
    lasting: ({ status, body }) => says(lastingReasons[status], body),
    hint({ status, body, exchange }) {
        const reasons = errorsIn(body)?.join("\n") ?? "";
        if (/enterprise[- ]only/i.test(reasons)) {
            return `Automated snapshots need Vault Enterprise: use a server with its licence${step.forget(", or ")}`;
        }
        if (status === 503 && /\bsealed\b/i.test(reasons)) {
            return "Unseal Vault with `vault operator unseal`, then run the command again";
        }
        if (isWithoutRoute(status, body)) {
            const advice = mountAdvice(exchange);
            const removed = step.forget("; if the mount was removed on purpose, ");
            return advice ? advice + removed : "Set `address` to that of Vault, and correct `namespace`";
        }
        if (status === 404 && /\bunsupported path$/m.test(reasons)) return adviceOnRelease;
        if (quotaExceeded.test(reasons)) return "Revoke leases, or raise the quota below `sys/quotas/lease-count`";
        return status === 403 && !/\binvalid token\b/.test(reasons) ? policyAdvice(exchange) : undefined;
    },
    absentPlace({ status, body, exchange }) {
        const advice = isWithoutRoute(status, body) ? mountAdvice(exchange) : undefined;
        return advice && `${advice}, or set them to outputs of the resources that make them`;
    },
    passing: ({ status, body }) => says(passingReasons[status], body),
};

const says = (words: RegExp | undefined, body: unknown) =>
    errorsIn(body)?.some((reason) => words?.test(reason)) === true;

/** Whether nothing is mounted at a path, or its namespace is absent. */
const isWithoutRoute = (status: number, body: unknown) => status === 404 && says(/^no handler for route/, body);

/** Failures of a server that waits for the others, by status: an election of the leader, or a copy that is not up to date yet. */
const passingReasons: Readonly<Record<number, RegExp>> = {
    400: /cannot write to readonly storage/,
    412: /required index state not present/,
    500: /local node not active but active cluster node not found/,
};

/** The message of a 429 that lasts until leases are revoked. */
const quotaExceeded = /lease count quota exceeded/;

/** Failures that last until an administrator ends them, by status. */
const lastingReasons: Readonly<Record<number, RegExp>> = {
    429: quotaExceeded,
    503: /API access to this namespace has been locked/,
};

/** `rotate-root` of the azure method came with Vault 1.13. */
const adviceOnRelease =
    "This release of Vault does not know the path, or another kind of method is mounted there: `rotate-root` of the azure method needs Vault 1.13 or newer";

/** Advice on a request to a path where nothing is mounted, such as `POST /v1/auth/azure/config`. `undefined` for a path of no mount. */
function mountAdvice({ parameters: { mount } = {}, about }: Exchange): string | undefined {
    if (mount === undefined) return undefined;
    const advice = `run \`vault auth enable -path=${shellWord(mount)} azure\`, or correct \`mount\` and \`namespace\`${wholePath(about)}`;
    return `Nothing is mounted at auth/${mount}: ${advice}`;
}

/** Capabilities in Vault policies, by HTTP method. */
const capabilities: Values = { POST: '"create", "update"', GET: '"read"', LIST: '"list"', DELETE: '"delete"' };

/** The policy that allows a request, such as `POST /v1/auth/azure/role/web`. */
function policyAdvice(exchange: Exchange): string | undefined {
    const { operation, about } = exchange;
    const [, method = "", path = ""] = /^(\w+) \/v1\/(.+)$/.exec(operation) ?? [];
    const mount = mountAdvice(exchange);
    // A login sends no token.
    if (/^auth\/.+(?<!\/role)\/login$/.test(path)) return undefined;
    const sudo = path.startsWith("sys/storage/raft/snapshot-auto/config") ? ', "sudo"' : "";
    const policy = `path "${decodeURIComponent(path)}" { capabilities = [${capabilities[method]}${sudo}] }`;
    const advice = `Set a valid token that has this policy: \`${policy}\``;
    // Vault does not tell a token without rights whether there is a mount.
    return mount ? `${advice}. Perhaps the mount is absent. ${mount}` : advice + wholePath(about);
}

const wholePath = (namespace = "") =>
    namespace && `; the namespace ${namespace} must be a whole path, such as admin/team-a`;

const otherServer = "Set `address` to that of Vault: a proxy or another server may have answered";

/** The error for an answer that lacks what was requested. */
function unusable({ body, exchange }: Answer, problem: string, hint = otherServer): AnswerError {
    if (!isRecord(body) || !isRecord(body["wrap_info"])) return new AnswerError(exchange, problem, hint);
    const advice = "Remove `X-Vault-Wrap-TTL` from `headers` in the settings";
    return new AnswerError(exchange, "it is wrapped: it holds only a token with which it can be unwrapped", advice);
}

/** The `auth` in the answer to a login, in which only the token is required. @throws AnswerError if there is none */
export function grantIn(answer: Answer): Values & { readonly client_token: string } {
    const { body } = answer;
    const auth = isRecord(body) && isRecord(body["auth"]) ? body["auth"] : {};
    const { client_token, mfa_requirement } = auth;
    if (typeof client_token === "string" && client_token !== "") return { ...auth, client_token };
    const hint = mfa_requirement ? "Exempt the role from the second factor" : otherServer;
    throw unusable(answer, "it has no token in `auth.client_token`", hint);
}

/** The object in the answer to a read. @throws AnswerError if there is none */
export function dataOf(answer: Answer): Body {
    const data = isRecord(answer.body) ? answer.body["data"] : undefined;
    if (isRecord(data)) return data;
    throw unusable(answer, "it has no object `data`");
}

/** Shows the warnings in the answer to a write. */
export function showWarnings({ body }: Answer, context: Context): void {
    for (const warning of warned.safeParse(body).data?.warnings.slice(0, mostQuoted) ?? []) {
        context.inform("server-warning", `${context.product} says: ${context.quoted(warning)}`);
    }
}

/** The names in the answer to `LIST`. A 404 means that there are none. @throws AnswerError if the answer is no list */
export async function listNames(call: Promise<Answer>): Promise<string[]> {
    const answer = await call.catch(unlessAbsent);
    if (answer === undefined) return [];
    const parsed = listed.safeParse(answer.body);
    if (parsed.success) return parsed.data.data.keys;
    throw unusable(answer, "it has no list of names in `data.keys`");
}

/** Warns of the name of a role or a snapshot configuration that Vault refuses: the API documents restrict no names. */
export const warnOfName = warnAbout("name", [], ({ name }) =>
    /^(?!.*\.\.)\w(?:[\w.-]*\w)?$/.test(String(name))
        ? undefined
        : "is a name that Vault refuses: use letters, digits and _, with - and single . only inside",
);
