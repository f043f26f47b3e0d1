/**
 * A bad change has broken many workspaces at once: rolls each of them back to its newest version from before that change,
 * a few at a time, and tells how far it is. A script, not a Pulumi program:
 *
 *     npx ts-node many-workspaces.ts example 2026-01-08T00:00:00Z app billing web
 */
import { type Connection, connect } from "pulumi-statecraft/client";

/** What to roll back. */
export interface Task {
    readonly organization: string;
    readonly workspaceNames: readonly string[];
    /** When the bad change began: ISO 8601. */
    readonly before: string;
    /** Workspaces in work at the same time. */
    readonly atOnce?: number;
}

/** How it went with one workspace. */
export interface Outcome {
    readonly workspaceName: string;
    readonly done: boolean;
    readonly text: string;
}

/** Rolls all of them back. One that fails stops no other. */
export async function rollBackAll(
    client: Connection,
    { organization, workspaceNames, before, atOnce = 4 }: Task,
    say: (line: string) => void,
): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const waiting = [...workspaceNames];
    const worker = async () => {
        for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
            const outcome = await rollBack(client, organization, name, Date.parse(before)).then(
                (text) => ({ workspaceName: String(name), done: true, text }),
                (error: Error) => ({ workspaceName: String(name), done: false, text: error.message }),
            );
            outcomes.push(outcome);
            say(`${outcomes.length} of ${workspaceNames.length}: ${outcome.workspaceName}: ${outcome.text}`);
        }
    };
    // The bound: so many workers, each of which takes the next workspace when it is free.
    await Promise.all(Array.from({ length: atOnce }, worker));
    return outcomes;
}

async function rollBack(client: Connection, organization: string, workspaceName: string, before: number) {
    const { stateVersions } = await client.getStateVersions({ organization, workspaceName, status: "finalized" });
    const good = stateVersions
        .filter(({ createdAt = "" }) => Date.parse(createdAt) < before)
        .sort((one, other) => Date.parse(other.createdAt ?? "") - Date.parse(one.createdAt ?? ""))[0];
    if (good?.workspaceId === undefined) throw new Error("there is no version from before that time");
    const { outputs } = await client.stateVersionRollback.create({
        workspaceId: good.workspaceId,
        stateVersionId: good.id,
        lock: { reason: "incident: going back to the last good state" },
    });
    // What is current already is not rolled back to.
    return outputs.rolledBackFrom === ""
        ? `nothing to do, ${good.id} is current`
        : `went back from ${outputs.rolledBackFrom} to ${good.id}`;
}

if (require.main === module) {
    const [organization = "", before = "", ...workspaceNames] = process.argv.slice(2);
    // The address and the token come from the environment.
    void rollBackAll(connect(), { organization, workspaceNames, before }, console.log).then((outcomes) => {
        process.exitCode = outcomes.every(({ done }) => done) ? 0 : 1;
    });
}
