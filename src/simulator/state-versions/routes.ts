/** The routes of the state versions API, its workspaces, locks and object store included. */
import type { Reply, Request, Route, SimulatedService } from "../route";
import { pageOf, readRecord, recordOf, rollbackRecord, workspaceRecord } from "./answers";
import { expireSoftDeleted, isRetired, permanentlyDelete, restore, softDelete } from "./backing-data";
import { readNewVersion, readRollback } from "./bodies";
import { retain, setIntermediates, setProcessing } from "./control";
import { outputRecords, relatedOf } from "./include";
import { forceUnlock, lock, unlock } from "./locks";
import {
    currentOf,
    emptyWorld,
    newestFirst,
    type StateVersion,
    type StateVersionsWorld,
    type Workspace,
} from "./records";
import {
    authenticate,
    badRequest,
    demandLock,
    document,
    guarded,
    notFound,
    type Principal,
    Refusal,
    type StateVersionsContext,
    workspaceFor,
} from "./rules";
import { layWorkspaces } from "./seed";
import { create, rollBack, upload } from "./writes";

type Answer = (request: Request, context: StateVersionsContext, caller: Principal) => Reply;
type Action = (request: Request, context: StateVersionsContext, workspace: Workspace, caller: Principal) => void;

/** The state versions API. */
export const stateVersions: SimulatedService<StateVersionsWorld> = {
    routes: [
        api("GET", "/account/details", account),
        api("GET", "/organizations/:organization/workspaces/:name", showWorkspaceByName),
        api("GET", "/workspaces/:workspace", showWorkspace),
        action("lock", (request, _context, workspace, caller) => lock(request, workspace, caller)),
        action("unlock", (_request, context, workspace, caller) => unlock(context, workspace, caller)),
        action("force-unlock", (_request, context, workspace) => forceUnlock(context, workspace)),
        api("GET", "/workspaces/:workspace/current-state-version", showCurrent),
        api("POST", "/workspaces/:workspace/state-versions", createVersion),
        api("PATCH", "/workspaces/:workspace/state-versions", rollBackTo),
        api("GET", "/state-versions", list),
        api("GET", "/state-versions/:version", showVersion),
        api("GET", "/state-versions/:version/outputs", listOutputs),
        api("GET", "/state-versions/:version/download", download),
        backingData("soft_delete_backing_data", softDelete),
        backingData("restore_backing_data", restore),
        backingData("permanently_delete_backing_data", permanentlyDelete),
        { method: "PUT", path: "/v1/object/:object", respond: putObject },
        { method: "GET", path: "/v1/object/:object", respond: getObject },
        { method: "PATCH", path: "/simulator/processing", respond: setProcessing },
        { method: "PATCH", path: "/simulator/intermediates", respond: setIntermediates },
        { method: "POST", path: "/simulator/retention", respond: retain },
    ],
    empty: emptyWorld,
    lay: layWorkspaces,
};

function api(method: string, path: string, answer: Answer): Route<StateVersionsWorld> {
    return {
        method,
        path: `/api/v2${path}`,
        respond: (request, context) =>
            guarded(() => {
                const caller = authenticate(request, context);
                expireSoftDeleted(context);
                return answer(request, context, caller);
            }),
    };
}

function action(name: string, act: Action): Route<StateVersionsWorld> {
    return api("POST", `/workspaces/:workspace/actions/${name}`, (request, context, caller) => {
        const workspace = workspaceFor(context, caller, context.parameters["workspace"], "write");
        act(request, context, workspace, caller);
        return document(200, { data: workspaceRecord(workspace, caller, context.manners) });
    });
}

function account(_request: Request, _context: StateVersionsContext, caller: Principal): Reply {
    if (caller.type === "organizations" || caller.access === "none") {
        throw notFound();
    }
    return document(200, { data: { id: caller.id, type: caller.type } });
}

function showWorkspace(_request: Request, context: StateVersionsContext, caller: Principal): Reply {
    const workspace = workspaceFor(context, caller, context.parameters["workspace"], "read");
    return document(200, { data: workspaceRecord(workspace, caller, context.manners) });
}

function showWorkspaceByName(_request: Request, context: StateVersionsContext, caller: Principal): Reply {
    const { organization, name } = context.parameters;
    const workspace = named(context, caller, organization, name);
    return document(200, { data: workspaceRecord(workspace, caller, context.manners) });
}

function named(
    context: StateVersionsContext,
    caller: Principal,
    organization: string | undefined,
    name: string | undefined,
) {
    const match = context.world.workspaces.find(
        (candidate) => candidate.organization === organization && candidate.name === name,
    );
    return workspaceFor(context, caller, match?.id, "read");
}

function showCurrent(request: Request, context: StateVersionsContext, caller: Principal): Reply {
    const workspace = workspaceFor(context, caller, context.parameters["workspace"], "read");
    const version = currentOf(context.world, workspace);
    if (!version) {
        throw notFound();
    }
    return one(version, request, context);
}

function showVersion(request: Request, context: StateVersionsContext, caller: Principal): Reply {
    const version = versionFor(context, caller);
    return one(version, request, context);
}

function listOutputs(_request: Request, context: StateVersionsContext, caller: Principal): Reply {
    return document(200, { data: outputRecords(versionFor(context, caller)) });
}

function download(_request: Request, context: StateVersionsContext, caller: Principal): Reply {
    return bytes(versionFor(context, caller).raw);
}

function one(version: StateVersion, request: Request, context: StateVersionsContext): Reply {
    const record = readRecord(version, context);
    return document(200, { data: record, ...relatedOf([version], [record], request) });
}

function versionFor(context: StateVersionsContext, caller: Principal): StateVersion {
    const version = context.world.versions.find(({ id }) => id === context.parameters["version"]);
    workspaceFor(context, caller, version?.workspace, "read");
    // Reads of a version whose backing data is deleted fail; how is not shown.
    if (!version || isRetired(version)) {
        throw notFound();
    }
    return version;
}

function backingData(name: string, act: typeof restore): Route<StateVersionsWorld> {
    return api("POST", `/state-versions/:version/actions/${name}`, (request, context, caller) => {
        const version = context.world.versions.find(({ id }) => id === context.parameters["version"]);
        const workspace = workspaceFor(context, caller, version?.workspace, "own");
        if (!version) {
            throw notFound();
        }
        return document(200, { data: act(request, context, workspace, version) });
    });
}

function createVersion(request: Request, context: StateVersionsContext, caller: Principal): Reply {
    const workspace = workspaceFor(context, caller, context.parameters["workspace"], "write");
    const announced = readNewVersion(request);
    demandLock(workspace, caller);
    return document(201, { data: recordOf(create(context, workspace, caller, announced), context) });
}

function rollBackTo(request: Request, context: StateVersionsContext, caller: Principal): Reply {
    const workspace = workspaceFor(context, caller, context.parameters["workspace"], "write");
    const sourceId = readRollback(request);
    const source = context.world.versions.find(({ id }) => id === sourceId);
    if (source?.workspace !== workspace.id) {
        throw notFound();
    }
    demandLock(workspace, caller);
    return document(201, { data: rollbackRecord(rollBack(context, workspace, caller, source), context) });
}

function list(request: Request, context: StateVersionsContext, caller: Principal): Reply {
    const [organization, name] = ["organization", "workspace"].map((kind) => {
        const value = request.query.get(`filter[${kind}][name]`);
        if (!value) {
            throw badRequest(`filter[${kind}][name] is empty`);
        }
        return value;
    });
    const workspace = named(context, caller, organization, name);
    const statuses = statusesOf(request);
    const versions = newestFirst(context.world, workspace.id).filter(
        (version) => statuses.length === 0 || statuses.includes(version.status),
    );
    const page = pageOf(versions, request, context);
    const shown = versions.filter(({ id }) => page.data.some((record) => record.id === id));
    return document(200, { ...page, ...relatedOf(shown, page.data, request) });
}

/** The wanted statuses; none means all. */
function statusesOf(request: Request): string[] {
    const statuses = (request.query.get("filter[status]") ?? "").split(",").filter((status) => status !== "");
    for (const status of statuses) {
        if (!["pending", "finalized", "discarded"].includes(status)) {
            throw badRequest(`filter[status] knows no ${status}`);
        }
    }
    return statuses;
}

function putObject(request: Request, context: StateVersionsContext): Reply {
    return objectStore(() => {
        upload(context, context.parameters["object"], request.body);
        return { status: 200 };
    });
}

function getObject(_request: Request, context: StateVersionsContext): Reply {
    const id = context.parameters["object"];
    for (const version of context.world.versions.filter((one) => !isRetired(one))) {
        if (version.objects.rawDownload === id) {
            return bytes(version.raw);
        }
        if (version.objects.jsonDownload === id && version.json !== null) {
            return bytes(version.json);
        }
    }
    return { status: 404, body: "object not found" };
}

/** The object store is no part of the API: its refusals are plain text. */
function objectStore(answer: () => Reply): Reply {
    try {
        return answer();
    } catch (error) {
        if (error instanceof Refusal) {
            return { status: error.status, body: error.status === 404 ? "object not found" : error.detail };
        }
        throw error;
    }
}

/** Content as it came in; a version that still waits for its content gives none. */
function bytes(content: string | null): Reply {
    return { status: 200, contentType: "application/octet-stream", body: Buffer.from(content ?? "", "base64") };
}
