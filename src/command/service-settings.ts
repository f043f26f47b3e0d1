/** The settings of one service as doctor sees them: whether they can work, and where each comes from. */

import { environmentName, readSettings, requireUsable, type ServiceSettings } from "../config";
import type { ServiceName } from "../core/service";
import { homeOf } from "../ecosystem";
import { ConfigError } from "../errors";
import { isLoopback } from "../http/connections";
import type { ServiceFinding } from "./finding";
import type { StackConfig } from "./stack-config";

/** What is known of a service before anything is sent. Without settings there is nothing more to check. */
export interface KnownSettings {
    readonly settings: ServiceSettings | undefined;
    readonly findings: readonly ServiceFinding[];
}

/** Reads and judges the settings of a service, for the default server or a connection. */
export function examineSettings(
    service: ServiceName,
    connection: string | undefined,
    stack: StackConfig,
    environment: NodeJS.ProcessEnv,
): KnownSettings {
    try {
        const settings = readSettings(service, connection, stack.read, environment, homeOf(environment));
        if (!settings.address && !settings.token) return unset(service, connection, settings);
        requireUsable(service, connection, settings);
        return {
            settings,
            findings: [
                told(service, connection, settings, stack, environment),
                ...doubts(service, settings, connection, stack),
            ],
        };
    } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        const isAbsent = connection !== undefined && error.setting.endsWith(`.${connection}.${service}`);
        const { message, hint } = error;
        const result = isAbsent ? "skipped" : "failed";
        return {
            settings: undefined,
            findings: [{ check: "settings", result, detail: message, ...(hint && { advice: hint }) }],
        };
    }
}

/** Nobody needs all three services. */
function unset(service: ServiceName, connection: string | undefined, settings: ServiceSettings): KnownSettings {
    try {
        requireUsable(service, connection, settings);
    } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        const { hint } = error;
        const finding = {
            check: "settings",
            result: "skipped",
            detail: "nothing is set for it",
            ...(hint && { advice: hint }),
        } as const;
        return { settings: undefined, findings: [finding] };
    }
    return { settings: undefined, findings: [] };
}

function told(
    service: ServiceName,
    connection: string | undefined,
    settings: ServiceSettings,
    stack: StackConfig,
    environment: NodeJS.ProcessEnv,
): ServiceFinding {
    const configured = readSettings(service, connection, stack.read, {});
    const inStack = connection === undefined ? "the stack's configuration" : `the connection ${connection}`;
    const from = (field: "address" | "token") => {
        const variable = environmentName(service, field);
        const isInEnvironment = connection === undefined && Boolean(environment[variable]);
        if (field === "token" && isInEnvironment) return variable;
        if (configured[field]) return inStack;
        return isInEnvironment ? variable : "the settings of the service's own tools";
    };
    const more = [
        settings.namespace && `namespace ${settings.namespace}`,
        settings.region && `region ${settings.region}`,
        `vocabulary ${settings.vocabulary ?? "documented"}`,
    ].filter(Boolean);
    const detail = `address ${shown(settings.address ?? "")} from ${from("address")}, token from ${from("token")}, ${more.join(", ")}`;
    return { check: "settings", result: "ok", detail };
}

/** An address without what may be secret in it. */
function shown(address: string): string {
    const { origin, pathname } = new URL(address);
    return origin + pathname.replace(/\/$/, "");
}

function doubts(
    service: ServiceName,
    settings: ServiceSettings,
    connection: string | undefined,
    stack: StackConfig,
): ServiceFinding[] {
    const { protocol, hostname, pathname } = new URL(settings.address ?? "");
    const path = pathname.replace(/\/+$/, "");
    const key = connection === undefined ? `statecraft:${service}` : "statecraft:connections";
    const field = connection === undefined ? "" : `.${connection}.${service}`;
    const kept = readSettings(service, connection, stack.read, {});
    const found: (ServiceFinding | false)[] = [
        Boolean(kept.token) &&
            stack.isInClear(key) && {
                check: "settings",
                result: "warning",
                detail: "the token stands in clear in the stack's configuration",
                advice: `Set it again as a secret: \`pulumi config set --path '${key}${field}.token' --secret\``,
            },
        service === "stateVersions" &&
            !path.endsWith("/api/v2") && {
                check: "settings",
                result: "warning",
                detail: "the address does not end in /api/v2, where this service usually is",
                advice: "Add /api/v2 to the address",
            },
        service !== "stateVersions" &&
            path.endsWith("/v1") && {
                check: "settings",
                result: "warning",
                detail: "the address ends in /v1, which requests add by themselves",
                advice: "Take /v1 off the address",
            },
        protocol === "http:" &&
            !isLoopback(hostname) && {
                check: "settings",
                result: "warning",
                detail: "the token travels in clear",
                advice: "Use an https address if the service offers one",
            },
        settings.skipTlsVerify === true && {
            check: "settings",
            result: "warning",
            detail: "any certificate is accepted (skipTlsVerify)",
            advice: "Name the certificate's authority in `caFile` instead",
        },
    ];
    return found.filter((finding) => finding !== false);
}
