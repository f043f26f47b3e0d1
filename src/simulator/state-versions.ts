/** The routes of the state versions API, its workspaces, locks and object store included. */
import type { Reply, Request, Route, SimulatedService } from "./route";
import { readNewVersion, readRollback } from "./state-versions-bodies";
import { isObject } from "./state-versions-content";
import { forceUnlock, lock, unlock } from "./state-versions-locks";
import { pageOf, readRecord, recordOf, rollbackRecord, workspaceRecord } from "./state-versions-record";
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
} from "./state-versions-rules";
import { layWorkspaces } from "./state-versions-seed";
import {
    currentOf,
    emptyWorld,
    newestFirst,
    type Processing,
    type StateVersion,
    type StateVersionsWorld,
    type Workspace,
} from "./state-versions-world";
import { create, rollBack, upload } from "./state-versions-writes";

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
        action("force-unlock", (_request, _context, workspace) => forceUnlock(workspace)),
        api("GET", "/workspaces/:workspace/current-state-version", showCurrent),
        api("POST", "/workspaces/:workspace/state-versions", createVersion),
        api("PATCH", "/workspaces/:workspace/state-versions", rollBackTo),
        api("GET", "/state-versions", list),
        api("GET", "/state-versions/:version", showVersion),
        api("GET", "/state-versions/:version/download", download),
        { method: "PUT", path: "/v1/object/:object", respond: putObject },
        { method: "GET", path: "/v1/object/:object", respond: getObject },
        { method: "PATCH", path: "/simulator/processing", respond: setProcessing },
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
                // Better to say so than to answer as if nothing had been asked for.
                if (request.query.has("include")) {
                    throw new Refusal(501, "not implemented", "The simulator does not know include");
                }
                return answer(request, context, caller);
            }),
    };
}

function action(name: string, act: Action): Route<StateVersionsWorld> {
    return api("POST", `/workspaces/:workspace/actions/${name}`, (request, context, caller) => {
        const workspace = workspaceFor(context, caller, context.parameters["workspace"], "write");
        act(request, context, workspace, caller);
        return document(200, { data: workspaceRecord(workspace, caller) });
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
    return document(200, { data: workspaceRecord(workspace, caller) });
}

function showWorkspaceByName(_request: Request, context: StateVersionsContext, caller: Principal): Reply {
    const { organization, name } = context.parameters;
    const workspace = named(context, caller, organization, name);
    return document(200, { data: workspaceRecord(workspace, caller) });
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

function showCurrent(_request: Request, context: StateVersionsContext, caller: Principal): Reply {
    const workspace = workspaceFor(context, caller, context.parameters["workspace"], "read");
    const version = currentOf(context.world, workspace);
    if (!version) {
        throw notFound();
    }
    return document(200, { data: readRecord(version, context) });
}

function showVersion(_request: Request, context: StateVersionsContext, caller: Principal): Reply {
    return document(200, { data: readRecord(versionFor(context, caller), context) });
}

function download(_request: Request, context: StateVersionsContext, caller: Principal): Reply {
    return bytes(versionFor(context, caller).raw);
}

function versionFor(context: StateVersionsContext, caller: Principal): StateVersion {
    const version = context.world.versions.find(({ id }) => id === context.parameters["version"]);
    workspaceFor(context, caller, version?.workspace, "read");
    if (!version) {
        throw notFound();
    }
    return version;
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
    return document(200, pageOf(versions, request, context));
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
    for (const version of context.world.versions) {
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

/** Control route: how the later fields of versions made from now on become filled. */
function setProcessing(request: Request, { world }: StateVersionsContext): Reply {
    const wanted = processingIn(request.body);
    if (!wanted) {
        const error = 'expected {"mode": "at-once" | "after-reads" | "after-seconds", "n": number}';
        return { status: 400, body: { errors: [error] } };
    }
    world.processing = wanted;
    return { status: 200, body: wanted };
}

function processingIn(body: Buffer): Processing | undefined {
    let parsed: unknown;
    try {
        parsed = JSON.parse(body.toString("utf8"));
    } catch {
        return undefined;
    }
    const { mode, n = 1 } = isObject(parsed) ? parsed : {};
    const known = mode === "at-once" || mode === "after-reads" || mode === "after-seconds";
    return known && typeof n === "number" && n >= 0 ? { mode, n } : undefined;
}
