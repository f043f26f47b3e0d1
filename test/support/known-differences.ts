/** Differences between real servers and the simulator that are on purpose or harmless. */

import { differencesOf, type Reply, serviceOf } from "./likeness";

type Row = readonly [lines: RegExp, reason: string];

/** Matches lines such as `vault GET /v1/auth/azure/role/web 200 lease_id: string, simulated absent`. */
const known: readonly Row[] = [
    [
        /^vault .* (request_id|lease_id|renewable|lease_duration|wrap_info|mount_type): \w+, simulated absent$/,
        "The API document does not show the fields around `data` and `auth`.",
    ],
    [/^vault POST .* 500 "malformed JSON, .*, simulated 400/, "Vault takes a broken body for a fault of its own."],
    [
        /^vault GET .*\/config 200 data\.(disable_automated_rotation|identity_token_\w+|rotation_\w+): \w+, simulated absent$/,
        "The API document has no rotation by a schedule.",
    ],
    [/^vault POST .*\/login 200 auth\.(entity_id|metadata): \w+, simulated absent$/, "The API document shows neither."],
    [
        /^vault POST .*AZUREGERMANCLOUD/,
        "The API document allows the German cloud. The package warns that Vault refuses it.",
    ],
    [
        /^vault GET .*\/role\/:name 200 data.alias_metadata: absent, simulated object$/,
        "Versions of the azure plugin differ.",
    ],
    [
        /^nomad GET \/v1\/volume\S* 200 (body\[\]\.)?(CloneID|SnapshotID|CreateTime|ModifyTime|Current(Readers|Writers)): \w+, simulated absent$/,
        "Fields that the API document does not have, and that nothing reads.",
    ],
    [
        /^nomad PUT \S+ 200 (KnownLeader|LastContact|NextToken|Volumes\[\]\.\w+): .*, simulated absent$/,
        "The API document shows no answer to a registration: the package reads the volume again.",
    ],
    [/^nomad PUT \S+ 400 only the server says \/EOF\$\/$/, "The package never sends a broken body."],
    [
        /^nomad POST \/v1\/acl\/login 200 (\w+ID|Create\w+|ModifyIndex|ExpirationTTL|Hash|Name|Policies|Roles): .*, simulated absent$/,
        "The package reads only `SecretID` and `ExpirationTime`.",
    ],
    [
        /^nomad GET \S+ 200 (WriteAllocs|Allocations\[\])\.\S+: .*, simulated (absent|null|object|string)$/,
        "Real allocations have other ids, and fields that depend on what happened to them. The package reads each as optional.",
    ],
    [
        /^vault POST .*\/rotate-root 500 status 500 .*login\.(microsoftonline|chinacloudapi)\./,
        "A rotation asks Azure, which the simulator imitates.",
    ],
    [
        /^nomad PUT \S+ 500 status 500 "controller validate volume: .*, simulated 200/,
        "The storage behind a plugin may refuse a volume. The simulator has no storage.",
    ],
    [
        /^vault-document .* 200 (warnings|auth|data|data\.autoload_enabled): absent, simulated \w+$/,
        "The API document does not show the fields around `data` and `auth`, and Vault has `autoload_enabled`.",
    ],
    [
        /^terraform-document .* 200 data(\[\])?\.attributes\.hosted-json-state-download-url: string, simulated absent$/,
        "The simulator has the JSON only of versions that were made with it.",
    ],
    [
        /^terraform-document GET \S+ 200 included\[\]\.\w+: absent, simulated object$/,
        "The API document shows no more than ids and types. The package reads the rest as optional.",
    ],
    [/^otf .* 401 (text\/plain|body: string), simulated /, "HCP Terraform refuses a token with JSON:API."],
    [
        /^otf GET \S+ 500 status 500 "filter\[workspace\]/,
        "HCP Terraform answers a request without its filters with 400.",
    ],
    [
        /^otf GET \S+ 200 data(\[\])?\.attributes\.hosted-(json-)?state-upload-url: string, simulated null$/,
        "OTF shows the addresses after the upload too. The API document hides them.",
    ],
    [
        /^otf POST .*\/actions\/lock 409 (text\/plain|body: string|only the simulator)/,
        "OTF refuses a second lock without a text.",
    ],
    [/^otf PATCH .* 200 status 200 "", simulated 201 ""$/, "The API document says 201."],
    [
        /^otf .* 200 data\.relationships\.outputs\.data: list, simulated empty list$/,
        "OTF shows outputs at the first read.",
    ],
    [/^otf .* 200 \S+: absent, simulated \w+( list)?$/, "OTF has fewer fields than the API document."],
    [/^otf .* 200 \S+\.vcs-commit-sha: string, simulated absent$/, "The API document has it only for a repository."],
    [
        /^otf .*\/workspaces\/[^/]+(\/actions\/(un)?lock)? 200 data\.(attributes|relationships)\.\S+: \w+, simulated absent$/,
        "Fields of workspaces that nothing reads.",
    ],
    [
        /^otf GET .*\/download 200 text\/plain, simulated application\/octet-stream$/,
        "Nothing reads the type of a state.",
    ],
];

/** Compares two answers. `unknown`: the differences that no row describes. `parts`: after this request the two servers may have other objects. */
export function newDifferences(
    product: string,
    { method, path }: { readonly method: string; readonly path: string },
    real: Reply,
    simulated: Reply,
): { readonly unknown: readonly string[]; readonly parts: boolean } {
    const place = path.replace(/\?.*/, "").replace(/contract-[^/]+/, ":name");
    const differences = differencesOf(serviceOf[product.split("-")[0] ?? ""] ?? "", real, simulated);
    const lines = differences.map((one) => `${product} ${method} ${place} ${real.status} ${one}`);
    const unknown = lines.filter((line) => !known.some(([expression]) => expression.test(line)));
    return { unknown, parts: method !== "GET" && real.status !== simulated.status };
}
