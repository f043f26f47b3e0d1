/** The state version that a user names, as a rollback takes it. */

import type { Context } from "../core/context";
import { StatecraftError } from "../errors";
import { versionPages } from "../services/state-versions/get-state-versions";
import type { Workspace } from "../services/state-versions/get-workspace";
import { readVersion, type StateVersion } from "../services/state-versions/records";
import { targetProblem } from "../services/state-versions/state-version-rollback";

/** Reads a version to which the workspace can be rolled back. @throws StatecraftError for any other one, and for a serial */
export async function readTarget(context: Context, workspace: Workspace, id: string): Promise<StateVersion> {
    await refuseSerial(context, workspace, id);
    const version = await readVersion(context, id);
    const problem = targetProblem(version, workspace.id);
    if (problem !== undefined) throw problem;
    return version;
}

/** Names the versions with a serial that was given instead of an id: of the newest 100, because serials repeat after rollbacks. */
export async function refuseSerial(context: Context, workspace: Workspace, id: string): Promise<void> {
    if (!/^\d+$/.test(id)) return;
    const { organization = "", name: workspaceName = "" } = workspace;
    const { value } = await versionPages(context, { organization, workspaceName, limit: 100 }).next();
    const found = value?.items.filter(({ serial }) => serial === Number(id)).map((version) => version.id) ?? [];
    const holders =
        found.length > 0 ? `${found.join(", ")} ${found.length > 1 ? "have" : "has"} it` : "no version has it";
    throw new StatecraftError("id", `${id} is a serial: ${holders}`, { hint: "Name a version by its id" });
}
