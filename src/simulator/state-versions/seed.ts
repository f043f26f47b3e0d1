/** Lays workspaces and their state versions into the world. */
import type { Context } from "../route";
import type { Seed, WorkspaceSeed } from "../seed";
import { readState } from "./content";
import { md5Of, type StateVersion, type StateVersionsWorld } from "./records";

const HOUR = 3_600_000;

type LayContext = Omit<Context<StateVersionsWorld>, "parameters">;
type VersionSeed = NonNullable<WorkspaceSeed["stateVersions"]>[number];

/** Lays the seed's workspaces; one that is there already is replaced together with its versions. */
export function layWorkspaces(seed: Seed, context: LayContext): void {
    const { world } = context;
    for (const workspace of seed.workspaces ?? []) {
        const versions = workspace.stateVersions ?? [];
        const laid = versions.map((version, position) => {
            const age = (versions.length - 1 - position) * HOUR;
            const createdAt = version.createdAt ?? new Date(context.now().getTime() - age).toISOString();
            return laidVersion(workspace.id, version, createdAt, context);
        });
        world.workspaces = world.workspaces.filter(({ id }) => id !== workspace.id);
        world.versions = world.versions.filter((version) => version.workspace !== workspace.id);
        world.workspaces.push({
            id: workspace.id,
            name: workspace.name,
            organization: workspace.organization,
            current: laid.at(-1)?.id ?? null,
            lock: workspace.locked ? { by: { ...workspace.locked.by }, reason: workspace.locked.reason ?? "" } : null,
        });
        world.versions.push(...laid);
    }
}

/** A seeded version holds its content and is processed. */
function laidVersion(workspace: string, seed: VersionSeed, createdAt: string, context: LayContext): StateVersion {
    const raw = Buffer.from(`${JSON.stringify(seed.state, null, 2)}\n`);
    const content = readState(raw);
    if (typeof content === "string") {
        throw new Error(`state version ${seed.id} of the seed: ${content}`);
    }
    return {
        id: seed.id,
        workspace,
        createdAt,
        createdBy: seed.createdBy ?? null,
        status: "finalized",
        serial: content.serial,
        md5: md5Of(raw),
        lineage: content.lineage,
        run: seed.run ?? null,
        ...(seed.vcsCommit && { vcsCommit: { ...seed.vcsCommit } }),
        rollbackOf: null,
        raw: raw.toString("base64"),
        json: null,
        outputNames: null,
        processing: null,
        objects: {
            rawUpload: null,
            jsonUpload: null,
            rawDownload: context.id("object"),
            jsonDownload: context.id("object"),
        },
    };
}
