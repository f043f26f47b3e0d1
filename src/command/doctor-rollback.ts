/**
 * The check of a workspace's rollback: what the preview of a rollback reports, and whether the states of the newest versions can be read.
 *
 * | finding            | requests                                                |
 * | ------------------ | ------------------------------------------------------- |
 * | rights, lock, runs | the workspace, as in the preview of a rollback          |
 * | each version       | the list of versions, and the state, one after another  |
 */

import { Context, type Report } from "../core/context";
import { asStatecraftError, sentencesOf } from "../errors";
import { versionPages } from "../services/state-versions/get-state-versions";
import { readWorkspace } from "../services/state-versions/get-workspace";
import { previewRuns } from "../services/state-versions/lock-preview";
import { holdsContent, readContent, type StateVersion } from "../services/state-versions/records";
import { contentProblem, partsOf } from "../services/state-versions/state-parts";
import type { Reference } from "./arguments";
import { about, type Finding, failed, ok, warning } from "./finding";

const mostVersions = 5;

/** The findings about a workspace, and about its newest versions with content. */
export async function checkRollback(context: Context, reference: Reference): Promise<Finding[]> {
    const workspace = { ...(await readWorkspace(context, reference)), ...reference };
    const { id, organization = "", name: workspaceName = "", permissions } = workspace;
    const versions: StateVersion[] = [];
    for await (const page of versionPages(context, { organization, workspaceName, limit: 20 })) {
        versions.push(...page.items.filter(({ status = "finalized" }) => holdsContent(status)));
        if (versions.length >= mostVersions) break;
    }
    const findings: Finding[] = [];
    const note = (code: string, text: string) => void findings.push(warning(code, text));
    const report: Report = (severity, { code, message, hint }) =>
        void findings.push((severity === "blocker" ? failed : warning)(code, sentencesOf({ message, hint })));
    const preview = new Context(context.session, { ...context.options, report });
    await previewRuns(Object.assign(preview, { inform: note }), { workspaceId: id });
    if (permissions?.["can-create-state-versions"] === undefined)
        note("not-shown", "the service does not show whether the token may create state versions.");
    if (versions.length < 2) note("absent", "it has no older version with content.");
    if (findings.length === 0) findings.push(ok("the token may roll it back, and no lock or run is in the way."));
    const lineages: unknown[] = [];
    // One after the other, because a state may be large.
    for (const version of versions.slice(0, mostVersions))
        findings.push(...(await about(`version ${version.id}`, () => checkVersion(context, version, lineages))));
    return findings;
}

/** @param lineages those of the newer versions */
async function checkVersion(context: Context, version: StateVersion, lineages: unknown[]): Promise<Finding[]> {
    const { bytes, state } = await readContent(context, version);
    const { serial, lineage } = state;
    lineages.push(lineage);
    if (version.serial !== undefined && version.serial !== serial) {
        const text = `its record has the serial ${version.serial}, and its state ${Number(serial)}`;
        return [failed("serial", `${text}: after a rollback to it, the service may refuse the state of an apply.`)];
    }
    const problem = lineage === lineages[0] ? problemOf(bytes, version) : "it has another lineage than newer versions";
    if (problem) return [warning("content", `${problem}: only a rollback to the whole version is possible.`)];
    return [ok(`its state can be read, and has the serial ${Number(serial)}.`)];
}

/** Why no part of a state can come back. */
function problemOf(bytes: Buffer, { id }: StateVersion): string | undefined {
    try {
        partsOf(bytes, id, contentProblem);
        return undefined;
    } catch (error) {
        return asStatecraftError(error).message;
    }
}
