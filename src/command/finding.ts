/** What doctor found, and how it is shown: as a table for people, as JSON for programs. */

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

/** Whether nothing failed. */
export function isWell(findings: readonly Finding[]): boolean {
    return findings.every(({ result }) => result !== "failed");
}

/** The findings for programs. */
export function asJson(version: string, findings: readonly Finding[]): string {
    return JSON.stringify({ version, ok: isWell(findings), checks: findings }, undefined, 2);
}

/** The findings for people: a line each, below it what to do. */
export function asTable(findings: readonly Finding[]): string {
    const rows = [
        ["service", "check", "result", "", ""],
        ...findings.map(({ service, check, result, detail, advice = "" }) => [service, check, result, detail, advice]),
    ];
    const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0)) + 2;
    const widths = [width(0), width(1), width(2)];
    const indent = " ".repeat(widths.reduce((sum, each) => sum + each, 0));
    const lines = rows.flatMap(([service = "", check = "", result = "", detail = "", advice]) => {
        const cells = [service, check, result].map((cell, column) => cell.padEnd(widths[column] ?? 0));
        return [`${cells.join("")}${detail}`.trimEnd(), ...(advice ? [`${indent}→ ${advice}`] : [])];
    });
    return [...lines, "", summary(findings)].join("\n");
}

function summary(findings: readonly Finding[]): string {
    const count = (result: Result) => findings.filter((finding) => finding.result === result).length;
    const told = (
        [
            ["failed", "failed"],
            ["warning", "with a warning"],
            ["skipped", "skipped"],
        ] as const
    ).flatMap(([result, words]) => (count(result) > 0 ? [`${count(result)} ${words}`] : []));
    const head = isWell(findings) ? "All well" : "Not all is well";
    return told.length === 0 ? `${head}.` : `${head}: ${told.join(", ")}.`;
}
