/** What makes state versions: creating, uploading, rolling back. Everything is checked before anything changes. */

import { z } from "zod";
import { isObject, parsed } from "../json";
import { Refusal, validated } from "../refusal";
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

/** Creates a version; with a raw state it is current at once, without it waits for its upload. */
export function create(call: Call): StateVersion {
    const workspace = workspaceFor(call, call.id, "write");
    const { attributes, relationships } = validated(creation, call.body, 422).data;
    const { serial, md5, state: raw, "json-state": json, "json-state-outputs": outputs } = attributes;
    const content = { serial, md5, lineage: attributes.lineage || null, raw };
    if (raw !== null) checkContent(content, raw);
    checkLock(workspace, call.caller);
    checkFollows(call.store, workspace, content);
    const version = add(call, {
        ...content,
        json,
        run: relationships?.run?.data?.id ?? null,
        outputNames: outputs === null ? null : outputNamesIn(outputs),
    });
    const { objects } = version;
    if (raw !== null) finalize(call.store, version);
    else version.uploads = json === null ? [objects.raw, objects.json] : [objects.raw];
    return version;
}

function outputNamesIn(outputs: string): string[] {
    const names = parsed(outputs);
    if (!isObject(names)) throw new Refusal(422, "json-state-outputs is not a JSON object");
    return Object.keys(names);
}

/** Copies a version byte for byte, serial and all, and makes the copy current. */
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

/** The document demands that serial and hash are those of the raw state itself, and wants the same of the lineage. */
function checkContent({ md5, serial, lineage }: Omit<Content, "raw">, raw: string): void {
    const content = readState(raw);
    if (typeof content === "string") throw new Refusal(422, content);
    if (md5Of(raw) !== md5) throw new Refusal(422, "md5 does not match the state");
    if (content.serial !== serial) {
        throw new Refusal(422, `serial ${serial} does not match the state's serial ${content.serial}`);
    }
    if (lineage !== null && content.lineage !== null && lineage !== content.lineage) {
        throw new Refusal(422, "lineage does not match the state's lineage");
    }
}

/** There is nothing at an address of the object store. */
export const noObject = new Refusal(404, "object not found");

/** Takes content at an upload address, which serves once. Content that is refused leaves the address usable. */
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

/** A new version must follow the current one: same lineage, a serial that is not lower, equal only with equal content. */
function checkFollows(store: StateVersionsStore, workspace: Workspace, announced: Content): void {
    const current = currentOf(store, workspace);
    if (!current) return;
    const lineage = lineageOf(announced);
    const known = lineageOf(current);
    if (lineage !== null && known !== null && lineage !== known) {
        throw new Refusal(
            409,
            "The lineage provided in the state file does not match the lineage currently known remotely",
        );
    }
    if (announced.serial < current.serial) {
        throw new Refusal(
            409,
            "The serial provided in the state file is not greater than the serial currently known remotely",
        );
    }
    if (announced.serial === current.serial && announced.md5 !== current.md5) {
        throw new Refusal(
            409,
            "The MD5 hash provided does not match what is currently known for the same serial number",
        );
    }
}

function lineageOf({ raw, lineage }: Content): string | null {
    const content = readState(raw ?? "");
    return (typeof content === "object" ? content.lineage : null) ?? lineage;
}
