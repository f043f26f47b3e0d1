/** The settings of one service as doctor sees them: where each comes from, and whether they can work. */

import { inWordsOf, pulumiCommands } from "../commands";
import { settingsKey } from "../core/connection";
import type { ServiceName } from "../core/service";
import { ConfigError } from "../errors";
import { isLoopback } from "../http/connect";
import { environmentName, readSettings, requireUsable, type UsableSettings } from "../runtime/config";
import { findThirdPartySetting } from "../runtime/third-party-settings";
import type { ServiceFinding, SettingInUse } from "./report";
import type { StackConfig } from "./stack-config";

/** What is known of a service before anything is sent. Without settings there is nothing more to check. */
export interface KnownSettings {
    readonly settings?: UsableSettings;
    readonly inUse: readonly SettingInUse[];
    readonly findings: readonly ServiceFinding[];
}

/** Where settings are looked for. */
export interface Places {
    /** The connection that doctor is asked about; none for the default servers. */
    readonly connection: string | undefined;
    readonly stack: StackConfig;
    readonly environment: NodeJS.ProcessEnv;
}

/** Reads and judges the settings of a service, for the default server or a connection. */
export function examineSettings(service: ServiceName, places: Places): KnownSettings {
    const { connection, stack, environment } = places;
    let isUnset = false;
    try {
        const settings = readSettings(service, connection, stack.read, environment);
        isUnset = settings.address === undefined && settings.token === undefined;
        const usable = requireUsable(service, connection, settings);
        return {
            settings: usable,
            inUse: settingsInUse(service, usable, places),
            findings: doubts(service, usable, places),
        };
    } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        const { message, hint, setting } = error;
        // Nobody needs all three services.
        const isSkipped = isUnset || (connection !== undefined && setting === settingsKey(service, connection));
        const result = isSkipped ? "skipped" : "failed";
        if (isUnset && stack.finding.result === "failed") {
            const detail = "nothing is set for it in the environment, and the stack's configuration was not read";
            return { inUse: [], findings: [{ check: "settings", result, detail }] };
        }
        const detail = isUnset ? "nothing is set for it" : message;
        const advice = hint && inWordsOf(pulumiCommands, hint);
        return { inUse: [], findings: [{ check: "settings", result, detail, ...(advice && { advice }) }] };
    }
}

/** The settings that are set, and the vocabulary, each with the place that it was found at. */
function settingsInUse(service: ServiceName, settings: UsableSettings, places: Places): SettingInUse[] {
    const { connection, stack, environment } = places;
    const configured: Readonly<Record<string, unknown>> = { ...readSettings(service, connection, stack.read, {}) };
    const placeOf = (field: string): string => {
        const ours = environmentName(service, field);
        const shared = field === "vocabulary" ? "STATECRAFT_VOCABULARY" : ours;
        const variable = [ours, shared].find((name) => connection === undefined && environment[name]);
        if (variable !== undefined && (field === "token" || configured[field] === undefined)) return variable;
        if (configured[field] !== undefined)
            return connection === undefined ? "the stack's configuration" : `the connection ${connection}`;
        const found = findThirdPartySetting(service, field, environment, settings.address);
        return found?.source ?? "default";
    };
    const used = { ...settings, vocabulary: settings.vocabulary ?? "documented" };
    return Object.entries<unknown>(used).map(([field, value]) => ({
        setting: `${service}.${field}`,
        value: shown(field, value),
        from: placeOf(field),
    }));
}

/** A value without what may be secret in it. */
function shown(field: string, value: unknown): string {
    if (field === "token") return "(set)";
    if (field === "headers") return Object.keys(Object(value)).join(", ");
    if (field === "address") return withoutUser(String(value));
    if (field === "formerAddresses") return [value].flat().map(String).map(withoutUser).join(", ");
    return String(value);
}

function withoutUser(address: string): string {
    const { origin, pathname } = new URL(address);
    return origin + pathname.replace(/\/$/, "");
}

function doubts(service: ServiceName, settings: UsableSettings, { connection, stack }: Places): ServiceFinding[] {
    const { protocol, hostname, pathname } = new URL(settings.address);
    const path = pathname.replace(/\/+$/, "");
    const key = connection === undefined ? `statecraft:${service}` : "statecraft:connections";
    const isInClear = readSettings(service, connection, stack.read, {}).token !== undefined && stack.isInClear(key);
    const warnings: [isSo: boolean, detail: string, advice: string][] = [
        [
            isInClear,
            "the token stands in clear in the stack's configuration",
            `Set it again as a secret: \`pulumi config set --path '${settingsKey(service, connection)}.token' --secret\``,
        ],
        [
            service === "stateVersions" && !path.endsWith("/api/v2"),
            "the address does not end in /api/v2, where this service usually is",
            "Add /api/v2 to the address",
        ],
        [
            service !== "stateVersions" && path.endsWith("/v1"),
            "the address ends in /v1, which requests add by themselves",
            "Take /v1 off the address",
        ],
        [
            protocol === "http:" && !isLoopback(hostname),
            "the token travels in clear",
            "Use an https address if the service offers one",
        ],
        [
            settings.skipTlsVerify === true,
            "any certificate is accepted (skipTlsVerify)",
            "Name the certificate's authority in `caFile` instead",
        ],
    ];
    return warnings
        .filter(([isSo]) => isSo)
        .map(([, detail, advice]) => ({ check: "settings", result: "warning", detail, advice }));
}
