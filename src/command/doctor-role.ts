/**
 * The check of a role of Vault's azure method: what would refuse the login of a machine. Its JWT is decoded here, not verified, and sent
 * nowhere.
 *
 * | setting                                       | Vault compares it with     | the check compares it with                            |
 * | --------------------------------------------- | -------------------------- | ----------------------------------------------------- |
 * | `resource` of the mount                       | the claim `aud`            | the same                                              |
 * | `boundServicePrincipalIds`, `boundGroupIds`   | the claims `oid`, `groups` | the same                                              |
 * | `boundSubscriptionIds`, `boundResourceGroups` | the arguments of the login | the machine that `xms_az_rid` or `xms_mirid` names    |
 * | `boundLocations`, `boundScaleSets`            | the answer of Azure        | nothing, unless these claims name no machine          |
 *
 * The refusals follow `path_login.go` of vault-plugin-auth-azure 0.22.0.
 */

import type { Context } from "../core/context";
import { StatecraftError } from "../errors";
import { claimsIn } from "../http/login";
import { isRecord, type Values } from "../schema/values";
import { getAuthConfig } from "../services/manager/auth-config";
import { getAuthRole } from "../services/manager/auth-role";
import { mountOf } from "../services/manager/mount";
import { adviceOnClaims, type VaultDefaults } from "../services/manager/service";
import { readSecret } from "../settings/secret-source";
import { type Finding, failed, ok, warning } from "./finding";

/** The findings about a role. @param path the mount of the method @param jwtFile the file of a machine's JWT to compare the role with */
export async function checkRole(
    context: Context<VaultDefaults>,
    name: string,
    path?: string,
    jwtFile?: string,
): Promise<Finding[]> {
    const mount = mountOf({ mount: path }, context.settings);
    const role = await getAuthRole.invoke(context, { ...mount, name: name.toLowerCase() }, {});
    const { resource } = await getAuthConfig.invoke(context, mount, {});
    const settings = { ...role, resource };
    const findings = jwtFile === undefined ? [] : compared(settings, await claimsOf(jwtFile));
    const identities = [role.boundServicePrincipalIds, role.boundGroupIds].map((bound) => textsIn(bound).join());
    if (identities[0] === identities[1] && /^\*?$/.test(identities[0] ?? "")) {
        const what = identities[0] === "*" ? "both *" : "empty";
        const advice = "Set one of them to ids, because Vault refuses every login otherwise.";
        findings.push(failed("refused", `boundServicePrincipalIds and boundGroupIds are ${what}. ${advice}`));
    }
    if (findings.some(({ level }) => level === "failed")) return findings;
    return [...findings, ok(jwtFile ? "nothing that the JWT shows is refused." : "machines can log in.")];
}

/** The claims of the JWT in a file. @throws StatecraftError that quotes nothing of the file */
async function claimsOf(file: string): Promise<Values> {
    const options = { kind: "text", environment: {}, signal: AbortSignal.timeout(10_000) } as const;
    const claims = claimsIn(await readSecret({ file }, options).catch(() => ""));
    if (claims !== undefined) return claims;
    const hint = "Write only the `access_token` of the machine's identity service to the file";
    throw new StatecraftError("input", `${file} is no file that holds a JWT`, { hint });
}

/** The Azure id of a machine. The id of a user-assigned identity does not show on which machine it is. */
const machineId = /^\/subscriptions\/([^/]+)\/resourcegroups\/([^/]+)\/providers\/(?!microsoft\.managedidentity\/)/i;

/** Compares the settings of a role and its mount with the claims of a JWT. */
function compared(settings: Values, claims: Values): Finding[] {
    const ids = [claims["xms_az_rid"], claims["xms_mirid"]].map(String);
    const [, subscription, group] = ids.map((id) => machineId.exec(id)).find((parts) => parts !== null) ?? [];
    const identityRows: readonly Row[] = [
        ["resource", "the claim aud", claims["aud"] ?? []],
        ["boundServicePrincipalIds", "the claim oid", claims["oid"] ?? []],
        ["boundGroupIds", isOverage(claims) ? overage : "the claim groups", claims["groups"] ?? []],
    ];
    const machineRows: readonly Row[] = [
        ["boundSubscriptionIds", "the subscription", subscription],
        ["boundResourceGroups", "the resource group", group],
        ["boundLocations", "the location", undefined],
        ["boundScaleSets", "the scale set", undefined],
    ];
    if (ids.some((id) => /\/virtualMachine(s|ScaleSets)\//i.test(id))) {
        return comparedRows(settings, [...identityRows, ...machineRows]);
    }
    return [...comparedRows(settings, identityRows), ...withoutMachine(settings, machineRows)];
}

/** A setting, what Vault compares it with, and the value of that in the JWT; `undefined` if the JWT does not show it. */
type Row = readonly [setting: string, what: string, value: unknown];

/** The finding about a JWT that names no machine, for which Vault refuses logins with `vmName` and `vmssName` to a role with these bounds. */
function withoutMachine(settings: Values, rows: readonly Row[]): Finding[] {
    const bounds = rows.map(([setting]) => setting).filter((setting) => allowedBy(settings, setting).length > 0);
    if (bounds.length === 0) return [];
    const what = `the claims xms_az_rid and xms_mirid name no machine, but the role has ${bounds.join(", ")}`;
    // A login with `resourceId` shows Vault neither a scale set nor a location.
    return bounds.includes("boundScaleSets") || bounds.includes("boundLocations")
        ? [failed("refused", `${what}: Vault refuses every login. ${adviceOnClaims}.`)]
        : [warning("not-shown", `${what}: only a login with resourceId can succeed. ${adviceOnClaims}.`)];
}

function comparedRows(settings: Values, rows: readonly Row[]): Finding[] {
    return rows.flatMap(([setting, what, value]): Finding[] => {
        const allowed = allowedBy(settings, setting);
        const needed = `${setting} ${quoted(allowed)}`;
        if (allowed.length === 0) return [];
        if (value === undefined)
            return [warning("not-shown", `the JWT does not show ${what}: compare it with ${needed}.`)];
        // Vault compares the audience to the letter, and bounds without regard to case.
        const comparable = (text: string) => (setting === "resource" ? text : text.toLowerCase());
        const known = textsIn(value);
        if (known.some((text) => allowed.map(comparable).includes(comparable(text)))) return [];
        return [failed("refused", `${what} is ${quoted(known)}, which does not fit ${needed}. Correct one of them.`)];
    });
}

/** The values that a setting allows; none if it restricts nothing, as `*` alone in two of the bounds. */
function allowedBy(settings: Values, setting: string): string[] {
    const values = textsIn(settings[setting]);
    return /PrincipalIds|GroupIds/.test(setting) && values.join() === "*" ? [] : values;
}

/** Whether Microsoft Entra ID leaves the groups out of a JWT, because there are more than 200. */
const isOverage = ({ hasgroups, _claim_names: names }: Values) =>
    hasgroups === true || hasgroups === "true" || (isRecord(names) && "groups" in names);

const overage = "the claim groups (of more than 200, Microsoft Entra ID shows none)";

const textsIn = (value: unknown) => [value].flat().filter((each) => typeof each === "string");

const quoted = (values: readonly string[]) => values.map((value) => JSON.stringify(value)).join(", ") || "missing";
