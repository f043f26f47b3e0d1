/** The routes of the state versions API, its workspaces, locks and object store included. */

import type { Context, Reply, Request, Route, SimulatedService } from "../route";
import { badRequest } from "../simulator-error";
import { pageOf, readRecord, recordOf, rollbackRecord, workspaceRecord } from "./answers";
import { expireSoftDeleted, isRetired, permanentlyDelete, restore, softDelete } from "./backing-data";
import { readNewVersion, readRollback } from "./bodies";
import { foundRoutes } from "./found-routes";
import { includedIn, outputRecords } from "./include";
import { forceUnlock, lock, unlock } from "./locks";
import { currentOf, newestFirst, type StateVersion, type Workspace } from "./records";
import { authenticate, type Call, checkLock, document, notFound, workspaceFor } from "./rules";
import { seedWorkspaces } from "./seed";
import { create, noObject, rollBack, upload } from "./writes";

/** The state versions API. */
export const stateVersions: SimulatedService = {
    routes: [
        api("GET", "/account/details", account),
        api("GET", "/organizations/:organization/workspaces/:name", (call) => {
            const { organization = "", name = "" } = call.parameters;
            return workspaceAnswer(call, workspaceNamed(call, organization, name));
        }),
        api("GET", "/workspaces/:workspace", (call) => workspaceAnswer(call, workspaceIn(call, "reads"))),
        lockAction("lock", lock),
        lockAction("unlock", unlock),
        lockAction("force-unlock", forceUnlock),
        api("GET", "/workspaces/:workspace/current-state-version", (call) =>
            versionAnswer(call, currentOf(call.versions, workspaceIn(call, "reads"))),
        ),
        api("POST", "/workspaces/:workspace/state-versions", createVersion),
        api("PATCH", "/workspaces/:workspace/state-versions", rollBackTo),
        api("GET", "/state-versions", list),
        api("GET", "/state-versions/:version", (call) => versionAnswer(call, readableVersion(call))),
        api("GET", "/state-versions/:version/outputs", (call) =>
            document(200, { data: outputRecords(readableVersion(call)) }),
        ),
        api("GET", "/state-versions/:version/download", (call) => bytes(readableVersion(call).raw)),
        backingData("soft_delete_backing_data", softDelete),
        backingData("restore_backing_data", restore),
        backingData("permanently_delete_backing_data", permanentlyDelete),
        { method: "PUT", path: "/v1/object/:object", respond: putObject },
        { method: "GET", path: "/v1/object/:object", respond: getObject },
        ...foundRoutes,
    ],
    seed: seedWorkspaces,
    tick: (store, now) => expireSoftDeleted(store.stateVersions, now),
};

function api(method: string, path: string, answer: (call: Call) => Reply): Route {
    return { method, path: `/api/v2${path}`, respond: (context) => answer(authenticate(context)) };
}

function lockAction(name: string, act: (call: Call, workspace: Workspace) => void): Route {
    return api("POST", `/workspaces/:workspace/actions/${name}`, (call) => {
        const workspace = workspaceIn(call, "writes");
        act(call, workspace);
        return workspaceAnswer(call, workspace);
    });
}

function backingData(name: string, act: (call: Call, workspace: Workspace, version: StateVersion) => object): Route {
    return api("POST", `/state-versions/:version/actions/${name}`, (call) => {
        const version = versionIn(call);
        const workspace = workspaceFor(call, version?.workspace, "owns");
        if (!version) throw notFound;
        return document(200, { data: act(call, workspace, version) });
    });
}

function account({ caller: { type, id, user, reads } }: Call): Reply {
    if (type === "organizations" || !reads) throw notFound;
    const team = { "authenticated-resource": { data: { id, type } } };
    return document(200, { data: { id: user, type: "users", ...(type === "teams" && { relationships: team }) } });
}

function workspaceIn(call: Call, right: "reads" | "writes"): Workspace {
    return workspaceFor(call, call.parameters["workspace"], right);
}

function workspaceNamed(call: Call, organization: string, name: string): Workspace {
    const named = call.versions.workspaces.find((one) => one.organization === organization && one.name === name);
    return workspaceFor(call, named?.id, "reads");
}

function workspaceAnswer({ store, caller }: Call, workspace: Workspace): Reply {
    return document(200, { data: workspaceRecord(workspace, caller, store.manners.stateVersions ?? []) });
}

function versionIn({ versions, parameters }: Call): StateVersion | undefined {
    return versions.versions.find(({ id }) => id === parameters["version"]);
}

/** Reads of a version whose backing data is deleted fail; how is not shown. */
function readableVersion(call: Call): StateVersion {
    const version = versionIn(call);
    workspaceFor(call, version?.workspace, "reads");
    if (!version || isRetired(version)) throw notFound;
    return version;
}

function versionAnswer(call: Call, version: StateVersion | undefined): Reply {
    if (!version) throw notFound;
    const record = readRecord(version, call);
    return document(200, { data: record, ...includedIn([version], [record], call.request) });
}

function createVersion(call: Call): Reply {
    const workspace = workspaceIn(call, "writes");
    const announced = readNewVersion(call.request);
    checkLock(workspace, call.caller);
    return document(201, { data: recordOf(create(call, workspace, announced), call) });
}

function rollBackTo(call: Call): Reply {
    const workspace = workspaceIn(call, "writes");
    const sourceId = readRollback(call.request);
    const source = call.versions.versions.find(({ id }) => id === sourceId);
    if (source?.workspace !== workspace.id) throw notFound;
    checkLock(workspace, call.caller);
    return document(201, { data: rollbackRecord(rollBack(call, workspace, source), call) });
}

function list(call: Call): Reply {
    const { request, versions } = call;
    const [organization = "", name = ""] = ["organization", "workspace"].map((kind) => {
        const value = request.query.get(`filter[${kind}][name]`);
        if (!value) throw badRequest(`filter[${kind}][name] is empty`);
        return value;
    });
    const workspace = workspaceNamed(call, organization, name);
    const statuses = statusesIn(request);
    const found = newestFirst(versions, workspace.id).filter(
        ({ status }) => statuses.length === 0 || statuses.includes(status),
    );
    const page = pageOf(found, call);
    const shown = found.filter(({ id }) => page.data.some((record) => record.id === id));
    return document(200, { ...page, ...includedIn(shown, page.data, request) });
}

/** The wanted statuses; none means all. */
function statusesIn({ query }: Request): string[] {
    const statuses = (query.get("filter[status]") ?? "").split(",").filter((status) => status !== "");
    const unknown = statuses.find((status) => !["pending", "finalized", "discarded"].includes(status));
    if (unknown !== undefined) throw badRequest(`filter[status] knows no ${unknown}`);
    return statuses;
}

function putObject({ request, store, parameters, now }: Context): Reply {
    upload(store.stateVersions, parameters["object"] ?? "", request.body, now);
    return { status: 200 };
}

function getObject({ store, parameters }: Context): Reply {
    const id = parameters["object"];
    for (const version of store.stateVersions.versions.filter((one) => !isRetired(one))) {
        const { objects, raw, json } = version;
        if (objects.rawDownload === id) return bytes(raw);
        if (objects.jsonDownload === id && json !== null) return bytes(json);
    }
    throw noObject;
}

/** Content as it came in; a version that still waits for its content gives none. */
function bytes(content: string | null): Reply {
    return { status: 200, contentType: "application/octet-stream", body: Buffer.from(content ?? "", "base64") };
}
