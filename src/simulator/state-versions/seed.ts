/** Adds a seed's workspaces and their state versions. */

import type { Seed, WorkspaceSeed } from "../seed";
import { badRequest } from "../simulator-error";
import type { Store } from "../store";
import { readState } from "./content";
import { md5Of, newVersion, type StateVersion } from "./records";

const hour = 3_600_000;

type VersionSeed = NonNullable<WorkspaceSeed["stateVersions"]>[number];

/** Adds the workspaces; one that is there already is replaced together with its versions. */
export function seedWorkspaces({ workspaces = [] }: Seed, { stateVersions: store }: Store, now: Date): void {
    for (const { id, name, organization, locked, stateVersions = [] } of workspaces) {
        const added = stateVersions.map((version, position) => {
            const age = (stateVersions.length - 1 - position) * hour;
            return versionOf(id, { createdAt: new Date(now.getTime() - age).toISOString(), ...version });
        });
        const lock = locked ? { by: { ...locked.by }, reason: locked.reason ?? "" } : null;
        const workspace = { id, name, organization, current: added.at(-1)?.id ?? null, lock };
        store.workspaces = [...store.workspaces.filter((other) => other.id !== id), workspace];
        store.versions = [...store.versions.filter((version) => version.workspace !== id), ...added];
    }
}

/** A seeded version holds its content and is processed. */
function versionOf(workspace: string, seed: VersionSeed & { readonly createdAt: string }): StateVersion {
    const { id, state, createdAt, createdBy = null, run = null, vcsCommit } = seed;
    const raw = Buffer.from(`${JSON.stringify(state, null, 2)}\n`);
    const content = readState(raw);
    if (typeof content === "string") throw badRequest(`state version ${id} of the seed: ${content}`);
    const { serial, lineage } = content;
    const stored = { serial, lineage, md5: md5Of(raw), raw: raw.toString("base64"), json: null };
    const origin = { id, workspace, createdAt, createdBy, run, ...(vcsCommit && { vcsCommit: { ...vcsCommit } }) };
    return newVersion({ ...origin, ...stored, status: "finalized" });
}
