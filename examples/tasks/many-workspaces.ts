/**
 * Rolls many workspaces back to their newest state versions before a bad change, several at a time, and prints the
 * progress. Pulumi's Automation API creates and runs a stack for each workspace:
 *
 *     npx ts-node many-workspaces.ts example 2026-01-08T00:00:00Z app billing web
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import * as statecraft from "pulumi-statecraft";
import { connect } from "pulumi-statecraft/client";

/** An incident. */
export interface Task {
    readonly organization: string;
    /** When the bad change began: ISO 8601. */
    readonly before: string;
}

// The token comes from TFE_TOKEN, here and in the stacks.
const { getStateVersions } = connect();

/** The newest version before the bad change. */
async function lastGood({ organization, before }: Task, workspaceName: string) {
    const { stateVersions } = await getStateVersions({ organization, workspaceName, status: "finalized" });
    const [good] = stateVersions
        .filter(({ createdAt = "" }) => Date.parse(createdAt) < Date.parse(before))
        .sort((one, other) => Date.parse(other.createdAt ?? "") - Date.parse(one.createdAt ?? ""));
    if (good?.workspaceId === undefined) throw new Error(`there is no version before ${before}`);
    return { workspaceId: good.workspaceId, stateVersionId: good.id };
}

/** Rolls one workspace back and returns a summary. Passes the engine's messages to `say`. */
async function rollBack(task: Task, workspaceName: string, say: (line: string) => void): Promise<string> {
    // Outside the program: an inline program that throws also fails the others in this process.
    const good = await lastGood(task, workspaceName);
    const program = async () => {
        const lock = { reason: "incident: back to the last good state" };
        const undo = new statecraft.StateVersionRollback("undo", { ...good, lock });
        return { from: undo.rolledBackFrom, to: undo.stateVersionId };
    };
    // Inline programs need a folder in which `require` finds pulumi-statecraft. It also contains the stacks' settings.
    const workDir = join(__dirname, "stacks");
    mkdirSync(workDir, { recursive: true });
    const stack = await LocalWorkspace.createOrSelectStack(
        { projectName: "many-workspaces", stackName: workspaceName, program },
        { workDir },
    );
    const errors: string[] = [];
    const up = stack.up({
        onEvent({ diagnosticEvent: diagnostic }) {
            const message = diagnostic?.message.replace(/<\{%.*?%\}>/g, "").trim() ?? "";
            if (diagnostic?.severity === "error") errors.push(message);
            else if (diagnostic?.severity === "warning" || diagnostic?.severity === "info") say(message);
        },
    });
    const { outputs, summary } = await up.catch((failure: unknown) => {
        throw errors[0] === undefined ? failure : new Error(errors[0]);
    });
    const { from, to } = Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));
    const isChanged = Object.keys(summary.resourceChanges ?? {}).some((change) => change !== "same");
    return isChanged && from ? `rolled back from ${from} to ${to}` : `nothing to do, ${to} is current`;
}

/** Calls `work` for each item, at most `atOnce` at a time. */
export async function withEach<Item>(
    items: readonly Item[],
    atOnce: number,
    work: (item: Item) => Promise<void>,
): Promise<void> {
    const waiting = [...items];
    const worker = async () => {
        for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Rolls all workspaces back, also if some fail. @returns the names of those that failed */
export async function rollBackAll(task: Task, workspaceNames: readonly string[], atOnce = 4): Promise<string[]> {
    const failed: string[] = [];
    let done = 0;
    await withEach(workspaceNames, atOnce, async (name) => {
        const result = rollBack(task, name, (line) => console.log(`   ${name}: ${line}`));
        const text = await result.catch((failure: Error) => {
            failed.push(name);
            return `FAILED: ${failure.message}`;
        });
        done += 1;
        console.log(`${done} of ${workspaceNames.length}: ${name}: ${text}`);
    });
    return failed;
}

if (require.main === module) {
    const [organization, before, ...workspaceNames] = process.argv.slice(2);
    if (!organization || !before || workspaceNames.length === 0) {
        console.error("Usage: npx ts-node many-workspaces.ts <organization> <when the change began> <workspace>…");
        process.exit(1);
    }
    void rollBackAll({ organization, before }, workspaceNames).then((failed) => {
        process.exitCode = failed.length === 0 ? 0 : 1;
    });
}
