/**
 * `npx pulumi-statecraft history`: shows the state versions of a workspace, or what differs between two of them, or saves one. It changes no
 * workspace.
 *
 * | request                               | for                                                                    |
 * | ------------------------------------- | ---------------------------------------------------------------------- |
 * | the workspace                         | its names, its lock, its current version                               |
 * | the current version                   | its id, if the workspace does not show it                              |
 * | its runs, once                        | the runs that are not finished                                         |
 * | pages of its versions                 | the rows: `--limit` of them, and one more to compare the last one with |
 * | `--count`: states, one after another  | the resources of versions whose records do not count them              |
 * | `--diff`: two versions, their states  | what differs                                                           |
 * | `--save`: a version, its state        | the file                                                               |
 */

import type { Command } from "commander";
import type { Context } from "../core/context";
import { shellWord } from "../core/shell-word";
import { versionPages } from "../services/state-versions/get-state-versions";
import { readWorkspace, runText, unfinishedRuns, type Workspace } from "../services/state-versions/get-workspace";
import {
    holdsContent,
    includedIn,
    type Run,
    readCurrent,
    relatedIn,
    type StateVersion,
    versionRecord,
} from "../services/state-versions/records";
import { stateVersions, withInclude } from "../services/state-versions/service";
import { argument, type Reference, withForms, workspaceOf } from "./arguments";
import { countedVersions, mostCounted } from "./history-count";
import { diffLines } from "./history-diff";
import { changeTexts, createdAtOf, type Row, rowsOf } from "./history-rows";
import { saveLines } from "./history-save";
import type { CommandProcess } from "./names";
import { withServers } from "./servers";

interface Flags {
    readonly limit: number;
    readonly json?: true;
    readonly diff?: string;
    readonly save?: string;
    readonly count?: true;
}

export function defineHistory(command: Command, around: CommandProcess): void {
    withForms(
        command,
        "<organization/name|id> [--limit N] [--count] [--json]",
        "<organization/name|id> --diff VERSION [VERSION]",
        "<organization/name|id> --save VERSION FILE",
    )
        .summary("shows the state versions of a workspace, or what differs between two, or saves one")
        .description(
            "Shows the state versions of a workspace, or what differs between two of them, or saves one to a file.",
        )
        .argument("<workspace>", "organization/name, or an id", workspaceOf)
        .argument("[other]", "the second version of --diff. Default: the current one. Or the file of --save")
        .option("--limit <number>", "how many versions are shown", limitOf, 30)
        .option("--count", `downloads at most ${mostCounted} states, to count resources that the records do not count`)
        .option("--json", "prints the records of the versions as JSON")
        .option("--diff <version>", "shows what differs between two versions, and a program that rolls back")
        .option("--save <version>", "writes a state to a new file, and shows how to plan with it")
        .action(async (reference: Reference, other: string | undefined, { limit, count, json, diff, save }: Flags) => {
            const modes = [diff, save, json ?? count].filter((flag) => flag !== undefined);
            if (modes.length > 1) command.error("error: --diff and --save take no other option");
            const isAlone = (diff ?? save) === undefined;
            if (other !== undefined && isAlone) command.error("error: a second argument needs --diff or --save");
            const saved = save && { id: save, file: other ?? command.error("error: --save needs a file") };
            const name = () => Object.values(reference).join("/");
            const program = `${command.parent?.name()} ${command.name()}`;
            await withServers(around.env, { name }, async ({ context: open, voice }) => {
                const context = open(stateVersions);
                const workspace = { ...(await readWorkspace(context, reference)), ...reference };
                const lines = async () => {
                    if (diff !== undefined) return diffLines(context, workspace, diff, other);
                    if (saved) return saveLines(context, workspace, saved);
                    const rows = await listRows(context, workspace, limit, count);
                    if (json) return [JSON.stringify(rows.map(recordOf))];
                    return tableLines(workspace, rows, await unfinishedRuns(context, workspace), program);
                };
                for (const line of await lines()) console.log(voice.clean(line));
            });
        });
}

const limitOf = argument("be a number of versions", (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined));

const related: ("run" | "run.created_by" | "created_by")[] = ["run", "run.created_by", "created_by"];

/** Lists the newest versions, each compared with the one before it. */
function listRows(context: Context, workspace: Workspace, limit: number, isCounted?: boolean): Promise<Row[]> {
    const { organization = "", name: workspaceName = "", currentStateVersionId } = workspace;
    return withInclude(context, related, async (include) => {
        const versions: StateVersion[] = [];
        const included: unknown[] = [];
        const wanted = { organization, workspaceName, include, limit: limit + 1 };
        for await (const { page, versions: read, body } of versionPages(context, wanted)) {
            versions.push(...read.map((version) => cleaned(version, context)));
            included.push(...includedIn(body));
            if (page > 1) context.progress(`${versions.length} versions are read`);
            if (versions.length > limit) break;
        }
        // The open-source server OTF does not show it in the workspace.
        const isAsked = currentStateVersionId === undefined && versions.length > 0;
        const current = isAsked ? await readCurrent(context, workspace.id).catch(() => undefined) : undefined;
        const id = currentStateVersionId ?? current?.id;
        const shown = isCounted ? await countedVersions(context, versions) : versions;
        return rowsOf(shown, relatedIn(included, context), id).slice(0, limit);
    });
}

/** The version with a commit that may be shortened: half a secret is not found. */
function cleaned(version: StateVersion, context: Context): StateVersion {
    const { vcsCommitSha } = version;
    return vcsCommitSha ? { ...version, vcsCommitSha: context.quoted(vcsCommitSha) } : version;
}

/** The fields of a row, without the signed URLs of its version. */
const recordOf = ({ version, ...row }: Row) => ({ ...versionRecord.parse(version), ...row });

function tableLines(workspace: Workspace, rows: readonly Row[], runs: readonly Run[], program: string): string[] {
    const { id, locked, lockedReason, lockedByType = "", lockedById = "?", autoApply } = workspace;
    const name = `${workspace.organization}/${workspace.name}`;
    const holder = ` by ${lockedByType.replace(/s$/, " ")}${lockedById}${lockedReason ? `: ${lockedReason}` : ""}`;
    const cells = [columns, ...rows.map(cellsOf)];
    const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
    const padded = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
    const below = [[], ...rows.map(detailsOf)];
    const [newer, older] = rows.filter(({ version: { status = "finalized" } }) => holdsContent(status));
    const words = [name, "--diff", older?.version.id ?? "", newer?.version.id ?? ""].map(shellWord).join(" ");
    const head = [
        `${name} (${id}), auto-apply: ${autoApply ?? "?"}, locked: ${locked ?? "?"}${locked ? holder : ""}`,
        ...runs.map((run) => `run not finished: ${runText(run)} (${run.status ?? "?"})`),
        "",
    ];
    if (rows.length === 0) return [...head, "The workspace has no state version."];
    return [
        ...head,
        ...cells.flatMap((row, index) => [row.map(padded).join("  ").trimEnd(), ...(below[index] ?? [])]),
        "",
        "Older versions are missing if the service has deleted them.",
        ...(older ? [`What differs between the two newest: ${program} ${words}`] : []),
    ];
}

const columns = ["CREATED", "AGE", "SERIAL", "VERSION", "WHO"];

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
function detailsOf({ version: { vcsCommitSha, runId }, run, marks, ...change }: Row): string[] {
    const others = marks.filter((mark) => mark !== "current").join(", ");
    const commit = vcsCommitSha && `commit ${vcsCommitSha.slice(0, 8)}`;
    const source = [...[commit, run ? runText(run) : runId].filter(Boolean).join(", ")].slice(0, 76);
    return [others, source.join("").trimEnd(), ...changeTexts(change)].filter(Boolean).map((text) => `    ${text}`);
}
