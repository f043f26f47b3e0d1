/** The routes of the state versions API, with its workspaces, locks and object store. */

import type { Hono } from "hono";
import { badRequest } from "../refusal";
import type { Seed, WorkspaceSeed } from "../seed";
import { nowIn, type World } from "../store";
import { forceUnlock, isRetired, lock, permanentlyDelete, restore, softDelete, unlock } from "./actions";
import {
    includedIn,
    readRecord,
    recordOf,
    rollbackRecord,
    runPage,
    versionPage,
    workspaceAnswer,
    workspacePage,
    workspaceRecord,
} from "./answers";
import { addRoute, type Call, may, notFound, workspaceFor } from "./call";
import { readState } from "./content";
import { currentOf, md5Of, newestFirst, newRun, newVersion, type StateVersion, type Workspace } from "./records";
import { create, noObject, rollBack, upload } from "./writes";

/** Adds the routes of workspaces, state versions and their contents. */
export function addStateVersionRoutes(app: Hono, world: World): void {
    const { store } = world;
    const add = (method: string, path: string, answer: (call: Call) => object, status?: number) =>
        addRoute(app, world, method, path, answer, status);
    add("GET", "/account/details", account);
    add("GET", "/workspaces/:id", (call) => workspaceAnswer(workspaceFor(call, call.id, "read"), call));
    add("GET", "/organizations/:organization/workspaces/:id", (call) =>
        workspaceAnswer(workspaceNamed(call, call.organization, call.id), call),
    );
    add("GET", "/organizations/:organization/workspaces", workspacesOf);
    add("GET", "/workspaces/:id/runs", (call) => runPage(workspaceFor(call, call.id, "read"), call));
    for (const [name, act] of Object.entries({ lock, unlock, "force-unlock": forceUnlock })) {
        add("POST", `/workspaces/:id/actions/${name}`, (call) => {
            const workspace = workspaceFor(call, call.id, "write");
            act(call, workspace);
            return { data: workspaceRecord(workspace, call) };
        });
    }
    add("GET", "/workspaces/:id/current-state-version", (call) =>
        versionAnswer(call, currentOf(call.store, workspaceFor(call, call.id, "read"))),
    );
    add("POST", "/workspaces/:id/state-versions", (call) => ({ data: recordOf(create(call), call) }), 201);
    add("PATCH", "/workspaces/:id/state-versions", (call) => ({ data: rollbackRecord(rollBack(call), call) }), 201);
    add("GET", "/state-versions", list);
    add("GET", "/state-versions/:id", (call) => {
        const version = versionIn(call);
        workspaceFor(call, version?.workspace, "read");
        // The API documents do not show how reads of a deleted version fail.
        return versionAnswer(call, version && !isRetired(version) ? version : undefined);
    });
    const actions = { soft_delete: softDelete, restore, permanently_delete: permanentlyDelete };
    for (const [name, act] of Object.entries(actions)) {
        add("POST", `/state-versions/:id/actions/${name}_backing_data`, (call) => {
            const version = versionIn(call);
            const workspace = workspaceFor(call, version?.workspace, "owner");
            if (!version) throw notFound;
            return { data: act(call, workspace, version) };
        });
    }
    app.put("/v1/object/:id", async (c) => {
        upload(store.stateVersions, c.req.param("id"), await c.req.text());
        return new Response();
    });
    app.get("/v1/object/:id", (c) => {
        const content = contentAt(c.req.param("id"), store.stateVersions.versions);
        return c.body(content, 200, { "content-type": "application/octet-stream" });
    });
}

function account({ caller }: Call): object {
    if (caller.kind === "organization" || !may(caller, "read")) throw notFound;
    return { data: { id: caller.id, type: "users" } };
}

const versionIn = ({ store, id }: Call): StateVersion | undefined =>
    store.versions.find((version) => version.id === id);

function versionAnswer(call: Call, version: StateVersion | undefined): object {
    if (!version) throw notFound;
    const record = readRecord(version, call);
    return { data: record, ...includedIn([version], call) };
}

function workspaceNamed(call: Call, organization: string, name: string): Workspace {
    const found = call.store.workspaces.find((one) => one.organization === organization && one.name === name);
    return workspaceFor(call, found?.id, "read");
}

function workspacesOf(call: Call): object {
    const { caller, store, organization } = call;
    const found = store.workspaces.filter((one) => one.organization === organization);
    if (found.length === 0 || !may(caller, "read")) throw notFound;
    return workspacePage(found, call);
}

function list(call: Call): object {
    const { store } = call;
    const query = call.url.searchParams;
    const [organization, name] = ["organization", "workspace"].map((kind) => query.get(`filter[${kind}][name]`));
    if (!organization || !name) throw badRequest("filter[organization][name] or filter[workspace][name] is empty");
    const { id } = workspaceNamed(call, organization, name);
    const wanted = query.get("filter[status]") || undefined;
    if (wanted && !["pending", "finalized", "discarded"].includes(wanted)) throw badRequest(`no status ${wanted}`);
    const versions = newestFirst(store, id).filter(({ status }) => (wanted ?? status) === status);
    return versionPage(versions, call);
}

/** The content at an address of the object store. It is empty before the upload. */
function contentAt(id: string, versions: readonly StateVersion[]): string {
    for (const { objects, raw, json } of versions.filter((version) => !isRetired(version))) {
        if (objects.raw === id) return raw ?? "";
        if (objects.json === id && json !== null) return json;
    }
    throw noObject;
}

/** Adds a seed's workspaces with their versions. */
export function seedWorkspaces({ workspaces = [] }: Seed, { store: world }: World): void {
    const { stateVersions: store } = world;
    const createdAt = nowIn(world).toISOString();
    for (const { id, name, organization, locked, autoApply = false, runs = [], stateVersions = [] } of workspaces) {
        const added = stateVersions.map((version) => versionOf(id, { createdAt, ...version }));
        const seededLock = locked ? { by: { ...locked.by }, reason: locked.reason ?? "" } : null;
        const current = added.findLast(({ intermediate }) => !intermediate)?.id ?? null;
        const seededRuns = runs.map((run) => ({ ...newRun, ...run }));
        const workspace = { id, name, organization, current, lock: seededLock, autoApply, runs: seededRuns };
        store.workspaces = [...store.workspaces.filter((other) => other.id !== id), workspace];
        store.versions = [...store.versions.filter((version) => version.workspace !== id), ...added];
    }
}

type VersionSeed = NonNullable<WorkspaceSeed["stateVersions"]>[number] & { readonly createdAt: string };

/** Makes a version of a seed, which has content and is already processed. */
function versionOf(workspace: string, { state, createdBy, ...given }: VersionSeed): StateVersion {
    const raw = `${JSON.stringify(state, null, 2)}\n`;
    const content = readState(raw);
    if (content === undefined) throw badRequest(`state version ${given.id} of the seed has no raw state`);
    const { serial, lineage } = content;
    const stored = { serial, lineage, md5: md5Of(raw), raw, json: null };
    return newVersion({ ...given, ...stored, workspace, createdBy: createdBy ?? null, status: "finalized" });
}
