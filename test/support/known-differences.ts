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
        /^vault POST .*\/rotate-root 500 status 500 .*login\.microsoftonline\.com/,
        "A rotation asks Azure, which the simulator imitates.",
    ],
    [
        /^nomad PUT \S+ 500 status 500 "controller validate volume: .*, simulated 200/,
        "The storage behind a plugin may refuse a volume. The simulator has no storage.",
    ],
];

/** The rows that an answer has matched. */
export const met = new Set<Row>();

/** Compares two answers. `unknown`: the differences that no row describes. `parts`: after this request the two servers may have other objects. */
export function newDifferences(
    product: string,
    { method, path }: { readonly method: string; readonly path: string },
    real: Reply,
    simulated: Reply,
): { readonly unknown: readonly string[]; readonly parts: boolean } {
    const place = path.replace(/\?.*/, "").replace(/contract-[^/]+/, ":name");
    const differences = differencesOf(serviceOf[product] ?? "", real, simulated);
    const lines = differences.map((one) => `${product} ${method} ${place} ${real.status} ${one}`);
    const unknown = lines.filter((line) => {
        const rows = known.filter(([expression]) => expression.test(line));
        for (const row of rows) met.add(row);
        return rows.length === 0;
    });
    return { unknown, parts: method !== "GET" && real.status !== simulated.status };
}
