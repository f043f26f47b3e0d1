/** `statecraft doctor`: whether the services can be used from here, with these settings and tokens. It changes nothing. */

import { parseArgs } from "node:util";
import { formatError } from "../core/format-error";
import { oneLine, redacted } from "../core/redaction";
import type { Service } from "../core/service";
import { ConfigError, ServiceError, StatecraftError } from "../errors";
import { createClient, secretsOf } from "../http/client";
import type { UsableSettings } from "../runtime/config";
import { defaultsOf } from "../runtime/runtime";
import { manager } from "../services/manager/service";
import { stateVersions } from "../services/state-versions/service";
import { volumes } from "../services/volumes/service";
import { version } from "../version";
import { type Question, questionFor, type Wanted } from "./question";
import { asJson, asText, type Finding, isWell, type Report, type ServiceFinding, type SettingInUse } from "./report";
import { examineSettings } from "./service-settings";
import { readStackConfig } from "./stack-config";
import type { Surroundings } from "./surroundings";

/** How the command is called. */
export const doctorUsage =
    "statecraft doctor [manager] [volumes] [stateVersions] [--stack NAME] [--connection NAME] [--mount PATH] [--workspace ID] [--json]";

/** Flags that cannot be understood. */
export class UsageError extends Error {}

interface Flags extends Wanted {
    readonly services: readonly Service[];
    readonly stack: string | undefined;
    readonly connection: string | undefined;
    readonly json: boolean;
}

const all: readonly Service[] = [manager, volumes, stateVersions];

/**
 * Checks and reports. Resolves with the exit code: 0 when all is well, 1 when something failed.
 * @throws UsageError
 */
export async function doctor(args: readonly string[], around: Surroundings): Promise<0 | 1> {
    const flags = readFlags(args);
    const { connection } = flags;
    const stack = await readStackConfig(around, flags.stack);
    const inUse: SettingInUse[] = [];
    const checks: Finding[] = [stack.finding];
    for (const service of flags.services) {
        const known = examineSettings(service.name, { connection, stack, environment: around.environment });
        const found = known.settings ? await examine(service, known.settings, flags) : [];
        inUse.push(...known.inUse);
        for (const finding of [...known.findings, ...found]) {
            checks.push({ service: service.name, ...shown(finding, secretsOf(known.settings ?? {})) });
        }
    }
    const isRead = stack.finding.result !== "failed";
    const isIdle = isRead && checks.every(({ service, result }) => service === "stack" || result === "skipped");
    if (isIdle) checks.push(nothingSet(flags));
    const report: Report = { version, settings: inUse, checks };
    around.print(flags.json ? asJson(report) : asText(report));
    return isWell(report) ? 0 : 1;
}

/** A service may put anything into its answers, the token too. */
function shown({ detail, advice, ...finding }: ServiceFinding, secrets: readonly string[]): ServiceFinding {
    const clean = (text: string) => oneLine(redacted(text, secrets));
    return { ...finding, detail: clean(detail), ...(advice && { advice: clean(advice) }) };
}

function nothingSet({ connection }: Flags): Finding {
    const [detail, advice] =
        connection === undefined
            ? [
                  "no address is set for any of the services, in the stack's configuration or in the environment",
                  "To try it out without a server, run the simulator: `npx statecraft simulator`",
              ]
            : [
                  `the connection ${JSON.stringify(connection)} names none of the services`,
                  "Is its name in `statecraft:connections` another one?",
              ];
    return { service: "stack", check: "settings", result: "failed", detail, advice };
}

/** Seconds that the request may take, unless the settings say something else. */
const patience = 10;

/** Asks the service its question, once: what fails now is what doctor is to tell. */
async function examine(service: Service, settings: UsableSettings, flags: Flags): Promise<ServiceFinding[]> {
    const { timeout = patience, address } = settings;
    const question = questionFor(service.name, defaultsOf(settings), flags);
    const begun = performance.now();
    const secured = settings.skipTlsVerify === true ? "TLS, any certificate" : "TLS, certificate verified";
    const reached = (): ServiceFinding => ({
        check: "reachable",
        result: "ok",
        detail: `answered in ${Math.round(performance.now() - begun)} ms, ${address.startsWith("https:") ? secured : "without TLS"}`,
    });
    try {
        const client = createClient(service, { ...settings, timeout, maxRetries: 0 });
        const access = question.read((await question.ask(client)).body);
        if (access === undefined) return unreached(foreignAnswer);
        if ("may" in access) return [reached(), { check: "access", result: "ok", detail: `the token ${access.may}` }];
        const { lacks, advice } = access;
        return [reached(), { check: "access", result: "failed", detail: lacks, ...(advice && { advice }) }];
    } catch (error) {
        // Files of certificates are read when the client is made.
        if (error instanceof ConfigError) return [failed("settings", error)];
        if (!(error instanceof ServiceError) || isElsewhere(error)) return unreached(failed("reachable", error));
        return [reached(), refusal(question, error)];
    }
}

const foreignAnswer: ServiceFinding = {
    check: "reachable",
    result: "failed",
    detail: "its answer does not have the form that this service gives it",
    advice: "Does the address in the settings lead to another service?",
};

/** No answer, an answer of somebody else, and one of a service that is not at work. */
function unreached(finding: ServiceFinding): ServiceFinding[] {
    const detail = "what the token may do cannot be checked without the service";
    return [finding, { check: "access", result: "skipped", detail }];
}

function isElsewhere({ status, code, reasons }: ServiceError): boolean {
    const isNothing = status === 404 && code !== "not-found" && reasons.length === 0;
    return status >= 500 || isNothing || reasons.join() === "a web page";
}

function refusal(question: Question, error: ServiceError): ServiceFinding {
    const told = question.refused(error);
    return told && "may" in told
        ? { check: "access", result: "ok", detail: `the token ${told.may}` }
        : failed("access", error, told?.advice);
}

/** Any failure as a finding: what happened, and what to do. */
function failed(check: string, error: unknown, advised?: string): ServiceFinding {
    if (!(error instanceof StatecraftError)) return { check, result: "failed", detail: formatError(error) };
    const advice = advised ?? adviceFor(error);
    return { check, result: "failed", detail: error.message, ...(advice && { advice }) };
}

function adviceFor(error: StatecraftError): string | undefined {
    if (error.hint) return error.hint.replace(/\.$/, "");
    const isDown = error instanceof ServiceError && error.status >= 500;
    return isDown ? "It answers, but is not at work: see its log" : undefined;
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
