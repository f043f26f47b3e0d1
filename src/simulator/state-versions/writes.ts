/** Creates, uploads and rolls back state versions. All checks come before the first change. */

import { z } from "zod";
import { Refusal, refuse, validated } from "../refusal";
import { type Call, checkLock, notFound, workspaceFor } from "./call";
import { readState } from "./content";
import {
    currentOf,
    finalize,
    md5Of,
    type NewVersion,
    newVersion,
    type StateVersion,
    type StateVersionsStore,
    type Workspace,
} from "./records";

const base64 = z
    .string()
    .transform((text) => text.replace(/[\r\n]/g, ""))
    .pipe(z.base64())
    .transform((text) => Buffer.from(text, "base64").toString())
    .nullish()
    .transform((text) => text ?? null);
const linked = (type: string) => z.object({ id: z.string().min(1), type: z.literal(type) });
const creation = z.object({
    data: z.object({
        type: z.literal("state-versions"),
        attributes: z.object({
            serial: z.int().nonnegative(),
            md5: z.string().toLowerCase(),
            lineage: z.string().nullish(),
            state: base64,
            "json-state": base64,
            "json-state-outputs": base64,
        }),
        relationships: z.object({ run: z.object({ data: linked("runs").nullish() }).nullish() }).nullish(),
    }),
});
const rollback = z.object({
    data: z.object({
        type: z.literal("state-versions"),
        relationships: z.object({ "rollback-state-version": z.object({ data: linked("state-versions") }) }),
    }),
});

type Content = Pick<StateVersion, "serial" | "md5" | "lineage" | "raw">;

/** Creates a version. With a raw state it becomes current at once, otherwise after the upload. */
export function create(call: Call): StateVersion {
    const workspace = workspaceFor(call, call.id, "write");
    const { attributes, relationships } = validated(creation, call.body, 422).data;
    const { serial, md5, state: raw, "json-state": json } = attributes;
    const content = { serial, md5, lineage: attributes.lineage || null, raw };
    if (raw !== null) checkContent(content, raw);
    checkLock(workspace, call.caller);
    checkFollows(call.store, workspace, content);
    const version = add(call, { ...content, json, run: relationships?.run?.data?.id ?? null });
    const { objects } = version;
    if (raw !== null) finalize(call.store, version);
    else version.uploads = json === null ? [objects.raw, objects.json] : [objects.raw];
    return version;
}

/** Copies a version byte for byte, the serial included, and makes the copy current. */
export function rollBack(call: Call): StateVersion {
    const workspace = workspaceFor(call, call.id, "write");
    const wanted = validated(rollback, call.body, 422).data.relationships["rollback-state-version"].data.id;
    const source = call.store.versions.find((version) => version.id === wanted);
    if (source?.workspace !== workspace.id) throw notFound;
    checkLock(workspace, call.caller);
    const { id, status, serial, md5, lineage, raw, json } = source;
    if (status !== "finalized") {
        throw new Refusal(409, `State version ${id} is ${status}; only a finalized one can be rolled back to`);
    }
    const version = add(call, { serial, md5, lineage, raw, json, rollbackOf: id });
    finalize(call.store, version);
    return version;
}

function add(
    { store, caller, now, id: workspace }: Call,
    content: Omit<NewVersion, "workspace" | "createdAt" | "createdBy">,
): StateVersion {
    const version = newVersion({ ...content, workspace, createdAt: now.toISOString(), createdBy: caller.id });
    store.versions.push(version);
    return version;
}

const areOther = (one: string | null, other: string | null) => one !== null && other !== null && one !== other;

/** Refuses a serial, an MD5 or a lineage that differs from the raw state. */
function checkContent({ md5, serial, lineage }: Omit<Content, "raw">, raw: string): void {
    const content = readState(raw);
    if (content === undefined) throw new Refusal(422, "state is not a raw state with a version and a serial");
    refuse(
        422,
        [md5Of(raw) !== md5, "md5 does not match the state"],
        [content.serial !== serial, `serial ${serial} does not match the state's serial ${content.serial}`],
        [areOther(lineage, content.lineage), "lineage does not match the state's lineage"],
    );
}

/** The answer about an address of the object store without content. */
export const noObject = new Refusal(404, "object not found");

/** Stores content at an upload address, which can be used once. After a refusal the address accepts another upload. */
export function upload(store: StateVersionsStore, objectId: string, content: string): void {
    const version = store.versions.find(({ uploads }) => uploads.includes(objectId));
    if (version === undefined) throw noObject;
    if (version.objects.raw === objectId) {
        checkContent(version, content);
        version.raw = content;
        finalize(store, version);
    } else {
        version.json = content;
        version.uploads = version.uploads.filter((id) => id !== objectId);
    }
}

/** Refuses a version with another lineage than the current one, a lower serial, or the same serial with other content. */
function checkFollows(store: StateVersionsStore, workspace: Workspace, announced: Content): void {
    const current = currentOf(store, workspace);
    if (!current) return;
    const remotely = "currently known remotely";
    refuse(
        409,
        [
            areOther(lineageOf(announced), lineageOf(current)),
            `The lineage provided in the state file does not match the lineage ${remotely}`,
        ],
        [
            announced.serial < current.serial,
            `The serial provided in the state file is not greater than the serial ${remotely}`,
        ],
        [
            announced.serial === current.serial && announced.md5 !== current.md5,
            "The MD5 hash provided does not match what is currently known for the same serial number",
        ],
    );
}

const lineageOf = ({ raw, lineage }: Content): string | null => readState(raw)?.lineage ?? lineage;
