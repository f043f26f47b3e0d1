/** What makes state versions: creating, uploading, rolling back. Everything is checked before anything changes. */
import { demandContent, type NewVersion } from "./bodies";
import { readState } from "./content";
import { currentOf, finalize, type StateVersion, type StateVersionsWorld, type Workspace } from "./records";
import { conflict, notFound, type Principal, type StateVersionsContext } from "./rules";

/** Creates a version; with a raw state it is current at once, without it waits for its upload. */
export function create(
    context: StateVersionsContext,
    workspace: Workspace,
    caller: Principal,
    announced: NewVersion,
): StateVersion {
    demandSuccession(context.world, workspace, announced);
    const version = add(context, workspace, caller, {
        ...announced,
        raw: announced.raw?.toString("base64") ?? null,
        json: announced.json?.toString("base64") ?? null,
        rollbackOf: null,
    });
    if (version.raw === null) {
        version.objects.rawUpload = context.id("object");
        version.objects.jsonUpload = version.json === null ? context.id("object") : null;
    } else {
        finalize(context.world, version, context.now());
    }
    return version;
}

/** Copies a version byte for byte, serial and all, and makes the copy current. */
export function rollBack(
    context: StateVersionsContext,
    workspace: Workspace,
    caller: Principal,
    source: StateVersion,
): StateVersion {
    if (source.status !== "finalized") {
        throw conflict(`State version ${source.id} is ${source.status}; only a finalized one can be rolled back to`);
    }
    const { serial, md5, lineage, raw, json } = source;
    const copy = { serial, md5, lineage, raw, json, outputNames: null, run: null, rollbackOf: source.id };
    const version = add(context, workspace, caller, copy);
    finalize(context.world, version, context.now(), false);
    return version;
}

/** Takes content at an upload address, which serves once. Content that is refused leaves the address usable. */
export function upload(context: StateVersionsContext, objectId: string | undefined, content: Buffer): void {
    for (const version of context.world.versions) {
        if (objectId !== undefined && version.objects.rawUpload === objectId) {
            demandContent(version, content);
            version.raw = content.toString("base64");
            finalize(context.world, version, context.now());
            return;
        }
        if (objectId !== undefined && version.objects.jsonUpload === objectId) {
            version.json = content.toString("base64");
            version.objects.jsonUpload = null;
            return;
        }
    }
    throw notFound();
}

type Parts = Pick<StateVersion, "serial" | "md5" | "lineage" | "raw" | "json" | "outputNames" | "run" | "rollbackOf">;

function add(context: StateVersionsContext, workspace: Workspace, caller: Principal, parts: Parts): StateVersion {
    const version: StateVersion = {
        id: context.id("sv"),
        workspace: workspace.id,
        createdAt: context.now().toISOString(),
        createdBy: caller.id,
        status: "pending",
        ...parts,
        processing: null,
        objects: {
            rawUpload: null,
            jsonUpload: null,
            rawDownload: context.id("object"),
            jsonDownload: context.id("object"),
        },
    };
    context.world.versions.push(version);
    return version;
}

/** A new version must follow the current one: same lineage, a serial that is not lower, equal only with equal content. */
function demandSuccession(world: StateVersionsWorld, workspace: Workspace, announced: NewVersion): void {
    const current = currentOf(world, workspace);
    if (!current) {
        return;
    }
    const lineage = (announced.raw && lineageIn(announced.raw)) ?? announced.lineage;
    const known = current.raw === null ? current.lineage : (lineageIn(Buffer.from(current.raw, "base64")) ?? null);
    if (lineage !== null && known !== null && lineage !== known) {
        throw conflict("The lineage provided in the state file does not match the lineage currently known remotely");
    }
    if (announced.serial < current.serial) {
        throw conflict("The serial provided in the state file is not greater than the serial currently known remotely");
    }
    if (announced.serial === current.serial && announced.md5 !== current.md5) {
        throw conflict("The MD5 hash provided does not match what is currently known for the same serial number");
    }
}

function lineageIn(raw: Buffer): string | null {
    const content = readState(raw);
    return typeof content === "string" ? null : content.lineage;
}
