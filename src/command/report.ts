/** What doctor found, and how it is shown: as tables for people, as JSON for programs. */

import type { ServiceName } from "../core/service";

/** What became of a check. `skipped` was not done, and says why. */
export type Result = "ok" | "warning" | "failed" | "skipped";

/** One check and its result. */
export interface Finding {
    /** Whom it is about; `stack` is where the settings come from. */
    readonly service: ServiceName | "stack";
    readonly check: string;
    readonly result: Result;
    readonly detail: string;
    /** What to do about it. */
    readonly advice?: string;
}

/** Checks of one service, so that each need not name it. */
export type ServiceFinding = Omit<Finding, "service">;

/** One setting that is in use. */
export interface SettingInUse {
    /** Such as `manager.address`. */
    readonly setting: string;
    /** Without what may be secret in it. */
    readonly value: string;
    /** Where it was found. */
    readonly from: string;
}

/** All that doctor found. */
export interface Report {
    readonly version: string;
    readonly settings: readonly SettingInUse[];
    readonly checks: readonly Finding[];
}

/** Whether nothing failed. */
export function isWell({ checks }: Report): boolean {
    return checks.every(({ result }) => result !== "failed");
}

/** The report for programs. */
export function asJson(report: Report): string {
    const { version, settings, checks } = report;
    return JSON.stringify({ version, ok: isWell(report), settings, checks }, undefined, 2);
}

/** The report for people: where each setting comes from, and a line for each check, below it what to do. */
export function asText(report: Report): string {
    const settings = report.settings.map(({ setting, value, from }) => [setting, value, from]);
    const checks = report.checks.map(({ service, check, result, detail, advice = "" }) => [
        service,
        check,
        result,
        detail,
        advice,
    ]);
    return [
        ...(settings.length > 0 ? [...table([["setting", "value", "from"], ...settings], 2), ""] : []),
        ...table([["service", "check", "result", "", ""], ...checks], 3),
        "",
        summary(report),
    ].join("\n");
}

/** Lines of so many aligned columns; then a last one, and below that what to do. */
function table(rows: readonly (readonly string[])[], aligned: number): string[] {
    const widths = Array.from(
        { length: aligned },
        (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)) + 2,
    );
    const indent = " ".repeat(widths.reduce((sum, each) => sum + each, 0));
    return rows.flatMap((row) => {
        const cells = widths.map((width, column) => (row[column] ?? "").padEnd(width));
        const advice = row[aligned + 1];
        return [`${cells.join("")}${row[aligned] ?? ""}`.trimEnd(), ...(advice ? [`${indent}→ ${advice}`] : [])];
    });
}

function summary(report: Report): string {
    const count = (result: Result) => report.checks.filter((finding) => finding.result === result).length;
    const counts = [
        [count("failed"), "failed"],
        [count("warning"), "with a warning"],
        [count("skipped"), "skipped"],
    ] as const;
    const told = counts.flatMap(([number, words]) => (number > 0 ? [`${number} ${words}`] : []));
    const head = isWell(report) ? "All well" : "Not all is well";
    return told.length === 0 ? `${head}.` : `${head}: ${told.join(", ")}.`;
}
