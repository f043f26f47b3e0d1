/** `statecraft doctor`: whether the services can be used from here, with these settings and tokens. It changes nothing. */

import { parseArgs } from "node:util";
import type { ServiceSettings } from "../config";
import { redacted } from "../core/redaction";
import type { Service, ServiceName } from "../core/service";
import { limited, type Session } from "../core/session";
import { createHost } from "../host";
import { secretsOf } from "../http/origin";
import { userAgent } from "../http/user-agent";
import { manager } from "../services/manager/service";
import { stateVersions } from "../services/state-versions/service";
import { volumes } from "../services/volumes/service";
import { asJson, asTable, type Finding, isWell, type ServiceFinding } from "./finding";
import { askManager, checkManager } from "./manager-checks";
import { type Probe, reachability } from "./probe";
import { examineSettings } from "./service-settings";
import { readStackConfig } from "./stack-config";
import { askStateVersions, checkStateVersions } from "./state-versions-checks";
import type { Surroundings } from "./surroundings";
import { askVolumes, checkVolumes } from "./volumes-checks";

/** How the command is called. */
export const doctorUsage =
    "statecraft doctor [manager] [volumes] [stateVersions] [--stack NAME] [--connection NAME] [--mount PATH] [--workspace ID] [--json]";

/** Flags that cannot be understood. */
export class UsageError extends Error {}

interface Flags {
    readonly services: readonly Service[];
    readonly stack: string | undefined;
    readonly connection: string | undefined;
    readonly mount: string | undefined;
    readonly workspace: string | undefined;
    readonly json: boolean;
}

const all: readonly Service[] = [manager, volumes, stateVersions];

/**
 * Checks and reports. Resolves with the exit code: 0 when all is well, 1 when something failed.
 * @throws UsageError
 */
export async function doctor(args: readonly string[], around: Surroundings): Promise<0 | 1> {
    const flags = readFlags(args);
    const stack = await readStackConfig(around, flags.stack);
    const findings: Finding[] = [stack.finding];
    const secrets: string[] = [];
    for (const service of flags.services) {
        const { settings, findings: known } = examineSettings(
            service.name,
            flags.connection,
            stack,
            around.environment,
        );
        secrets.push(...(settings ? secretsOf(settings) : []));
        const found = settings ? await examine(service, settings, flags) : [];
        findings.push(...[...known, ...found].map((finding) => ({ service: service.name, ...finding })));
    }
    const isIdle = findings.every(({ service, result }) => service === "stack" || result === "skipped");
    if (isIdle) findings.push(nothingSet(flags));
    const clean = findings.map((finding) => withoutSecrets(finding, secrets));
    around.print(flags.json ? asJson(version(), clean) : asTable(clean));
    return isWell(clean) ? 0 : 1;
}

function nothingSet({ connection }: Flags): Finding {
    const detail =
        connection === undefined
            ? "no address is set for any of the services, in the stack's configuration or in the environment"
            : `the connection ${JSON.stringify(connection)} names none of the services`;
    return {
        service: "stack",
        check: "settings",
        result: "failed",
        detail,
        advice: "To try it out without a server, run the simulator: `npx statecraft simulator`",
    };
}

/** The checks that ask the server. */
async function examine(service: Service, settings: ServiceSettings, flags: Flags): Promise<ServiceFinding[]> {
    try {
        const session = await open(service, settings);
        const { first, rest } = await checksOf(service.name, session, flags);
        const reached = reachability(first, settings.address ?? "", settings.skipTlsVerify === true);
        if (reached.result === "failed") return [reached, skippedRest];
        return [reached, ...(await rest())];
    } catch (error) {
        // Files of certificates are read when the client is made.
        const detail = error instanceof Error ? error.message : String(error);
        return [{ check: "settings", result: "failed", detail }];
    }
}

const skippedRest: ServiceFinding = {
    check: "token",
    result: "skipped",
    detail: "token, permissions and version cannot be checked without the service",
};

async function checksOf(
    name: ServiceName,
    session: Session,
    { mount, workspace }: Flags,
): Promise<{ first: Probe; rest: () => Promise<ServiceFinding[]> }> {
    if (name === "manager") {
        const first = await askManager(session, mount);
        return { first, rest: () => checkManager(session, first, mount) };
    }
    if (name === "volumes") {
        const first = await askVolumes(session);
        return { first, rest: () => checkVolumes(session, first) };
    }
    const first = await askStateVersions(session);
    return { first, rest: () => checkStateVersions(session, first, workspace) };
}

/** Seconds that one question may take, unless the settings say something else. */
const patience = 10;

/** A session on exactly these settings. Each question is asked once: what fails now is what doctor is to tell. */
async function open(service: Service, settings: ServiceSettings): Promise<Session> {
    const used = { ...settings, maxRetries: 0, timeout: settings.timeout ?? patience };
    const config = JSON.stringify({ doctor: { [service.name]: used } });
    // What the client would warn of is among the findings.
    const silent = () => undefined;
    const host = createHost((key) => (key === "statecraft:connections" ? config : undefined), {}, silent);
    return limited(await host.open(service, "doctor", silent), undefined);
}

function readFlags(args: readonly string[]): Flags {
    const { values, positionals } = parse(args);
    for (const [flag, value] of Object.entries(values)) {
        if (value === "") throw new UsageError(`--${flag} must not be empty`);
    }
    const services = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
    const unknown = positionals.filter((name) => !all.some((service) => service.name === name));
    if (unknown.length > 0) throw new UsageError(`there is no service ${JSON.stringify(unknown[0])}`);
    const { stack, connection, mount, workspace, json = false } = values;
    return { services, stack, connection, mount, workspace, json };
}

function parse(args: readonly string[]) {
    try {
        return parseArgs({
            args: [...args],
            allowPositionals: true,
            options: {
                stack: { type: "string" },
                connection: { type: "string" },
                mount: { type: "string" },
                workspace: { type: "string" },
                json: { type: "boolean" },
            },
        });
    } catch (error) {
        // The parser's later sentences are advice for quoting.
        throw new UsageError(error instanceof Error ? error.message.replace(/\.? To .*$/s, "") : String(error));
    }
}

function withoutSecrets(finding: Finding, secrets: readonly string[]): Finding {
    const clean = (text: string) => redacted(text, secrets);
    const { detail, advice } = finding;
    return { ...finding, detail: clean(detail), ...(advice && { advice: clean(advice) }) };
}

function version(): string {
    return userAgent().split("/")[1] ?? "";
}
