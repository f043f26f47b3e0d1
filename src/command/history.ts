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
import { shellWord } from "../core/steps";
import { versionPages } from "../services/state-versions/get-state-versions";
import { readWorkspace, runText, unfinishedRuns, type Workspace } from "../services/state-versions/get-workspace";
import {
    holdsContent,
    includedIn,
    type Run,
    readCurrent,
    relatedIn,
    type StateVersion,
} from "../services/state-versions/records";
import { stateVersions, withInclude } from "../services/state-versions/service";
import { argument, type Reference, secondsOf, withForms, workspaceOf } from "./arguments";
import { diffLines } from "./history-diff";
import { isPattern, lossLines, type Place } from "./history-losses";
import {
    countedVersions,
    createdAtOf,
    hasContent,
    mostCounted,
    type Row,
    recordOf,
    rowsOf,
    tableOf,
} from "./history-rows";
import { saveLines } from "./history-save";
import type { CommandProcess } from "./names";
import { withServers } from "./servers";

interface Flags {
    readonly limit?: number;
    readonly since?: number;
    readonly lost?: number | true;
    readonly json?: true;
    readonly diff?: string;
    readonly save?: string;
    readonly count?: true;
}

export function defineHistory(command: Command, around: CommandProcess): void {
    withForms(
        command,
        "<organization/name|id> [--limit N] [--count] [--json]",
        "<organization/pattern|organization/name|id> [--since DURATION] [--lost [N]] [--limit N] [--count] [--json]",
        "<organization/name|id> --diff VERSION [VERSION]",
        "<organization/name|id> --save VERSION FILE",
    )
        .summary("shows the state versions of a workspace, or what differs between two, or saves one")
        .description(
            "Shows the state versions of a workspace, or what differs between two of them, or saves one to a file.",
        )
        .argument("<workspace>", "organization/name, or an id, or a pattern such as 'acme/*'", workspaceOf)
        .argument("[other]", "the second version of --diff. Default: the current one. Or the file of --save")
        .option(
            "--limit <number>",
            "how many versions of a workspace are read. Default: 30, or with --since all",
            limitOf,
        )
        .option("--since <duration>", "shows the versions that are not older, of one workspace or many", secondsOf)
        .option("--lost [N]", "shows those that lost at least so many resources. Default: 1", lostOf)
        .option("--count", `downloads at most ${mostCounted} states, to count resources that the records do not count`)
        .option("--json", "prints the records of the versions as JSON")
        .option("--diff <version>", "shows what differs between two versions, and a program that rolls back")
        .option("--save <version>", "writes a state to a new file, and shows how to plan with it")
        .action(async (reference: Reference, other: string | undefined, flags: Flags) => {
            const { limit, since, lost, count, json, diff, save } = flags;
            const isMany = (since ?? lost) !== undefined || isPattern(reference);
            const rest = json ?? count ?? limit ?? (isMany || undefined);
            const modes = [diff, save, rest].filter((flag) => flag !== undefined);
            if (modes.length > 1) command.error("error: --diff and --save take one workspace, and no other option");
            const isAlone = (diff ?? save) === undefined;
            if (other !== undefined && isAlone) command.error("error: a second argument needs --diff or --save");
            const saved = save && { id: save, file: other ?? command.error("error: --save needs a file") };
            const name = () => Object.values(reference).join("/");
            const root = command.parent?.name() ?? "";
            await withServers(around.env, { name }, async ({ context: open, voice }) => {
                const context = open(stateVersions);
                const lines = async () => {
                    if (isMany) {
                        const wanted = { reference, lost: lost && Number(lost), json, program: root };
                        const found = await lossLines(context, wanted, (place) => listRows(context, place, flags));
                        if (found.isFailure) around.exitCode = 1;
                        return found.lines;
                    }
                    const workspace = { ...(await readWorkspace(context, reference)), ...reference };
                    if (diff !== undefined) return diffLines(context, workspace, diff, other);
                    if (saved) return saveLines(context, workspace, saved);
                    const rows = await listRows(context, workspace, flags);
                    if (json) return [JSON.stringify(rows.map(recordOf))];
                    const runs = await unfinishedRuns(context, workspace);
                    return tableLines(workspace, rows, runs, `${root} ${command.name()}`);
                };
                for (const line of await lines()) console.log(voice.clean(line));
            });
        });
}

const limitOf = argument("be a number of versions", (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined));

const lostOf = argument("be a number of resources: write `history 'acme/*' --lost`, or `--lost 5`", (text) =>
    /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined,
);

const related: ("run" | "run.created_by" | "created_by")[] = ["run", "run.created_by", "created_by"];

/** Lists the newest versions, each compared with one before it. */
function listRows(context: Context, place: Place, flags: Flags): Promise<Row[]> {
    const { organization = "", name: workspaceName = "", currentStateVersionId } = place;
    const { since = Infinity, limit = since === Infinity ? 30 : Infinity, count } = flags;
    const isWanted = (version: StateVersion) => createdAtOf(version) >= Date.now() - since * 1000;
    return withInclude(context, related, async (include) => {
        const versions: StateVersion[] = [];
        const included: unknown[] = [];
        const wanted = { organization, workspaceName, include, limit: limit + 1 };
        // One more is read, to compare the last wanted one with it. Further ones would hide a loss of a version that is not counted.
        const isRead = () => versions.some((version) => !isWanted(version) && hasContent(version));
        for await (const { page, items: read, body } of versionPages(context, wanted)) {
            included.push(...includedIn(body));
            for (const version of read) if (!isRead()) versions.push(cleaned(version, context));
            if (page > 1) context.progress(`${versions.length} versions are read`);
            if (versions.length > limit || isRead()) break;
        }
        // The open-source server OTF does not show it in the workspace.
        const isAsked = currentStateVersionId === undefined && versions.length > 0;
        const current = isAsked ? await readCurrent(context, place.id).catch(() => undefined) : undefined;
        const id = currentStateVersionId ?? current?.id;
        const shown = count ? await countedVersions(context, versions) : versions;
        const rows = rowsOf(shown, relatedIn(included, context), id).slice(0, limit);
        return rows.filter(({ version }) => isWanted(version));
    });
}

/** The version with a commit and a run that may be shortened: half a secret is not found. */
function cleaned(version: StateVersion, context: Context): StateVersion {
    const { vcsCommitSha, runId } = version;
    const commit = vcsCommitSha && { vcsCommitSha: context.quoted(vcsCommitSha) };
    return { ...version, ...commit, ...(runId && { runId: context.quoted(runId) }) };
}

function tableLines(workspace: Workspace, rows: readonly Row[], runs: readonly Run[], program: string): string[] {
    const { id, locked, lockedReason, lockedByType = "", lockedById = "?", autoApply } = workspace;
    const name = `${workspace.organization}/${workspace.name}`;
    const holder = ` by ${lockedByType.replace(/s$/, " ")}${lockedById}${lockedReason ? `: ${lockedReason}` : ""}`;
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
        ...tableOf(rows),
        "",
        "Older versions are missing if the service has deleted them.",
        ...(older ? [`What differs between the two newest: ${program} ${words}`] : []),
    ];
}
