/**
 * `statecraft history`: shows the state versions of a workspace, or what differs between two of them. It changes nothing.
 *
 * | request                              | for                                                                    |
 * | ------------------------------------ | ---------------------------------------------------------------------- |
 * | the workspace                        | its names, its lock, its current version                               |
 * | its runs, once                       | the runs that are not finished                                         |
 * | pages of its versions                | the rows: `--limit` of them, and one more to compare the last one with |
 * | `--diff`: two versions, their states | what differs                                                           |
 */

import { parseArgs } from "node:util";
import { Context } from "../core/context";
import { shellWord } from "../core/shell-word";
import { Voice } from "../core/voice";
import { createRuntime } from "../runtime/runtime";
import { versionPages } from "../services/state-versions/get-state-versions";
import { readWorkspace, runText, unfinishedRuns, type Workspace } from "../services/state-versions/get-workspace";
import {
    holdsContent,
    includedIn,
    type Run,
    relatedIn,
    type StateVersion,
    versionRecord,
} from "../services/state-versions/records";
import { stateVersions, withInclude } from "../services/state-versions/service";
import { UsageError } from "./doctor";
import { diffLines } from "./history-diff";
import { changeText, createdAtOf, type Row, rowsOf } from "./history-rows";

/** Removes secrets and control characters from a text of the server. */
type Clean = (text: string) => string;

/** Usage of the command. */
export const historyUsage = "statecraft history <organization/name|id> [--limit N] [--json] [--diff VERSION [VERSION]]";

/** Runs the command and prints the result. Resolves with the exit code. @throws UsageError, StatecraftError */
export async function history(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<0> {
    const { reference, limit, json, versions } = readArguments(args);
    const say = (severity: string, message: string) => severity !== "debug" && console.error(message);
    const runtime = createRuntime(() => undefined, { environment, say });
    const voice = new Voice(runtime, { name: () => Object.values(reference).join("/") });
    const clean: Clean = (text) => voice.clean(text);
    try {
        const context = new Context(runtime.open(stateVersions, undefined), { voice });
        const workspace = { ...(await readWorkspace(context, reference)), ...reference };
        const lines = async () => {
            if (versions.length > 0) return diffLines(context, workspace, versions);
            const rows = await listRows(context, workspace, limit);
            if (json) return [JSON.stringify(rows.map(recordOf))];
            return tableLines(workspace, rows, await unfinishedRuns(context, workspace), clean);
        };
        console.log((await lines()).map(clean).join("\n"));
        return 0;
    } catch (error) {
        throw voice.failure(error);
    }
}

function readArguments(args: readonly string[]) {
    const options = { limit: { type: "string" }, json: { type: "boolean" }, diff: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const { limit = "30", json = false, diff } = values;
    const [workspace = "", ...others] = positionals;
    const problems = [
        !/^[^/\s]+(\/[^/\s]+)?$/.test(workspace) && "name a workspace: organization/name, or its id",
        others.length > (diff === undefined ? 0 : 1) && `${JSON.stringify(others.at(-1))} is one argument too many`,
        !/^[1-9]\d{0,5}$/.test(limit) && "--limit must be a number of versions",
        diff !== undefined && json && "--diff has no --json",
    ];
    const problem = problems.find((text) => typeof text === "string");
    if (problem !== undefined) throw new UsageError(problem);
    const [first = "", name] = workspace.split("/");
    const reference = name === undefined ? { id: first } : { organization: first, name };
    return { reference, limit: Number(limit), json, versions: diff === undefined ? [] : [diff, ...others] };
}

const related: ("run" | "run.created_by" | "created_by")[] = ["run", "run.created_by", "created_by"];

/** Lists the newest versions, each compared with the one before it. */
function listRows(context: Context, workspace: Workspace, limit: number): Promise<Row[]> {
    const { organization = "", name: workspaceName = "", currentStateVersionId } = workspace;
    return withInclude(context, related, async (include) => {
        const versions: StateVersion[] = [];
        const included: unknown[] = [];
        const wanted = { organization, workspaceName, include, limit: limit + 1 };
        for await (const { page, versions: read, body } of versionPages(context, wanted)) {
            versions.push(...read);
            included.push(...includedIn(body));
            if (page > 1) context.progress(`${versions.length} versions are read`);
            if (versions.length > limit) break;
        }
        return rowsOf(versions, relatedIn(included), currentStateVersionId).slice(0, limit);
    });
}

/** The fields of a row, without the signed URLs of its version. */
const recordOf = ({ version, ...row }: Row) => ({ ...versionRecord.parse(version), ...row });

function tableLines(workspace: Workspace, rows: readonly Row[], runs: readonly Run[], clean: Clean): string[] {
    const { id, locked, lockedReason, lockedByType = "", lockedById = "?", autoApply } = workspace;
    const name = `${workspace.organization}/${workspace.name}`;
    const holder = ` by ${lockedByType.replace(/s$/, " ")}${lockedById}${lockedReason ? `: ${lockedReason}` : ""}`;
    const cells = rows.map((row) => cellsOf(row, clean).map(clean));
    const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
    const padded = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
    const [newer, older] = rows.filter(({ version: { status = "finalized" } }) => holdsContent(status));
    const words = older && newer ? [name, "--diff", older.version.id, newer.version.id].map(shellWord) : [];
    return [
        `${name} (${id}), auto-apply: ${autoApply ?? "?"}, locked: ${locked ?? "?"}${locked ? holder : ""}`,
        ...runs.map((run) => `run not finished: ${runText(run, clean)} (${run.status ?? "?"})`),
        "",
        ...cells.map((row) => row.map(padded).join("  ").trimEnd()),
        "",
        "Older versions are missing if the service has deleted them.",
        ...(words.length > 0 ? [`What differs between the two newest: npx statecraft history ${words.join(" ")}`] : []),
    ];
}

function cellsOf({ version, who = "?", run, marks, ...change }: Row, clean: Clean): string[] {
    const { id, serial = "?", vcsCommitSha = "", runId = "" } = version;
    const created = createdAtOf(version);
    const hours = Math.floor((Date.now() - created) / 3_600_000);
    const age = hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
    // The Swedish form of a time is that of ISO 8601.
    const times = created === 0 ? ["?", "?"] : [new Date(created).toLocaleString("sv").slice(0, 16), age];
    const work = run ? runText(run, clean) : runId;
    const commit = clean(vcsCommitSha).slice(0, 8);
    return [...times, String(serial), id, who, work, commit, changeText(change), marks.join(", ")];
}
