/** The table of `npx pulumi-statecraft history`: a line for each version, and what belongs to it below. */

import { runText } from "../services/state-versions/get-workspace";
import { changeTexts, createdAtOf, type Row } from "./history-rows";

const columns = ["CREATED", "AGE", "SERIAL", "VERSION", "WHO"];
type Shown = Row & { readonly workspace?: string; readonly below?: readonly string[] };

/** The lines of a table. Rows of many workspaces name theirs. */
export function tableOf(rows: readonly Shown[]): string[] {
    const heads = rows.some(({ workspace }) => workspace) ? [...columns, "WORKSPACE"] : columns;
    const cells = [heads, ...rows.map((row) => [...cellsOf(row), row.workspace ?? ""])];
    const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
    const padded = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
    const below = [[], ...rows.map(detailsOf)];
    return cells.flatMap((row, index) => [row.map(padded).join("  ").trimEnd(), ...(below[index] ?? [])]);
}

function cellsOf({ version, who = "?", marks }: Row): string[] {
    const { id, serial = "?" } = version;
    const created = createdAtOf(version);
    const minutes = Math.floor((Date.now() - created) / 60_000);
    const hours = Math.floor(minutes / 60);
    const age = hours < 2 ? `${minutes}m` : hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
    // The Swedish form of a time is that of ISO 8601.
    const times = created === 0 ? ["?", "?"] : [new Date(created).toLocaleString("sv").slice(0, 16), age];
    return [...times, String(serial), marks.includes("current") ? `${id} (current)` : id, who];
}

/** The lines below that of a version: its other marks, its run and commit, and what it gained and lost. */
function detailsOf({ version: { vcsCommitSha, runId }, run, marks, below = [], ...change }: Shown): string[] {
    const others = marks.filter((mark) => mark !== "current").join(", ");
    const commit = vcsCommitSha && `commit ${vcsCommitSha.slice(0, 8)}`;
    const source = [...[commit, run ? runText(run) : runId].filter(Boolean).join(", ")].slice(0, 76);
    return [others, source.join("").trimEnd(), ...changeTexts(change), ...below]
        .filter(Boolean)
        .map((text) => `    ${text}`);
}
