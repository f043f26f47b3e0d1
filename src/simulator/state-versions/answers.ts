/** The JSON:API documents of state versions, workspaces and accounts. */

import { createHash } from "node:crypto";
import type { Manners } from "../manners";
import type { Request } from "../route";
import { countBy, readState, writesJson } from "./content";
import type { StateVersion, Workspace } from "./records";
import type { Principal, StateVersionsContext } from "./rules";
import { badRequest } from "./rules";

const DEFAULT_PAGE = 20;
const LARGEST_PAGE = 100;

/** The record of a state version as it stands. */
export function recordOf(version: StateVersion, context: StateVersionsContext) {
    const content = version.raw === null ? undefined : readState(Buffer.from(version.raw, "base64"));
    const state = typeof content === "string" ? undefined : content;
    const processed = state !== undefined && isProcessed(version, context.now());
    const seen = processed ? state : undefined;
    const resources = seen?.resources ?? [];
    const { objects } = version;
    const address = (id: string | null) => id && `${context.url}/v1/object/${id}`;
    const withJson = version.json !== null && state !== undefined && writesJson(state.toolVersion);
    const outputNames = seen?.outputNames ?? version.outputNames ?? [];
    const self = `/api/v2/state-versions/${version.id}`;
    return {
        id: version.id,
        type: "state-versions",
        attributes: {
            "created-at": version.createdAt,
            size: version.raw === null ? 0 : Buffer.byteLength(version.raw, "base64"),
            "hosted-state-download-url": address(objects.rawDownload),
            ...(withJson && { "hosted-json-state-download-url": address(objects.jsonDownload) }),
            "hosted-state-upload-url": address(objects.rawUpload),
            "hosted-json-state-upload-url": address(objects.jsonUpload),
            status: version.status,
            intermediate: version.intermediate === true,
            serial: version.serial,
            "state-version": state?.formatVersion ?? 0,
            "tool-version": seen?.toolVersion ?? "",
            modules: countBy(resources, "module"),
            providers: countBy(resources, "provider"),
            resources,
            "resources-processed": processed,
            ...(version.vcsCommit && {
                "vcs-commit-sha": version.vcsCommit.sha,
                "vcs-commit-url": version.vcsCommit.url,
            }),
        },
        relationships: {
            ...(version.run !== null && { run: linked("runs", version.run) }),
            ...(version.createdBy !== null && {
                "created-by": {
                    ...linked("users", version.createdBy),
                    links: { self: `/api/v2/users/${version.createdBy}`, related: `${self}/created-by` },
                },
            }),
            workspace: linked("workspaces", version.workspace),
            outputs: {
                data: outputNames.map((name) => ({ id: outputId(version, name), type: "state-version-outputs" })),
            },
            ...(version.rollbackOf !== null && {
                "rollback-state-version": linked("state-versions", version.rollbackOf),
            }),
        },
        links: { self },
    };
}

/** The record as an answer to a read, which may be what the later fields were waiting for. What it shows stays, whatever the clock. */
export function readRecord(version: StateVersion, context: StateVersionsContext) {
    const record = recordOf(version, context);
    if (version.processing && "readsLeft" in version.processing) {
        version.processing.readsLeft -= 1;
        if (version.processing.readsLeft <= 0) {
            version.processing = null;
        }
    }
    if (record.attributes["resources-processed"]) {
        version.processing = null;
    }
    return record;
}

/** The record as a rollback answers it: without status and without the run. */
export function rollbackRecord(version: StateVersion, context: StateVersionsContext) {
    const record = recordOf(version, context);
    const { status: _status, ...attributes } = record.attributes;
    const { run: _run, ...relationships } = record.relationships;
    return { ...record, attributes, relationships };
}

function isProcessed({ processing }: StateVersion, now: Date): boolean {
    return processing === null || ("until" in processing && Date.parse(processing.until) <= now.getTime());
}

function linked(type: string, id: string) {
    return { data: { id, type } };
}

/** The id of an output of a version. */
export function outputId(version: StateVersion, name: string): string {
    const digest = createHash("sha256").update(`${version.id} ${name}`).digest("hex");
    return `wsout-${digest.slice(0, 16)}`;
}

/** The record of a workspace, as the caller sees it. */
export function workspaceRecord(workspace: Workspace, caller: Principal, manners: Manners) {
    const holder = workspace.lock && { id: workspace.lock.by.id, type: workspace.lock.by.type };
    return {
        id: workspace.id,
        type: "workspaces",
        attributes: {
            name: workspace.name,
            locked: workspace.lock !== null,
            "locked-reason": reasonAsTold(workspace.lock?.reason ?? "", manners),
            permissions: {
                "can-lock": caller.writes,
                "can-unlock": caller.writes,
                "can-force-unlock": caller.writes,
                "can-create-state-versions": caller.writes,
                "can-read-state-versions": true,
            },
        },
        relationships: {
            organization: linked("organizations", workspace.organization),
            ...(!manners.includes("hides-holders") && { "locked-by": { data: holder } }),
            "current-state-version": { data: workspace.current && { id: workspace.current, type: "state-versions" } },
        },
        links: { self: `/api/v2/workspaces/${workspace.id}` },
    };
}

const shortReason = 24;

function reasonAsTold(reason: string, manners: Manners): string {
    if (manners.includes("drops-reasons")) return "";
    return manners.includes("shortens-reasons") ? reason.slice(0, shortReason) : reason;
}

/** One page of versions, with the addresses and the numbers of its neighbours. */
export function pageOf(versions: readonly StateVersion[], request: Request, context: StateVersionsContext) {
    const asked = pageNumber(request, "page[size]") ?? DEFAULT_PAGE;
    const size = Math.min(asked, LARGEST_PAGE);
    const current = pageNumber(request, "page[number]") ?? 1;
    const total = Math.ceil(versions.length / size);
    const previous = current > 1 ? current - 1 : null;
    const next = current < total ? current + 1 : null;
    const at = (number: number) => {
        const query = new URLSearchParams(request.query);
        query.set("page[number]", String(number));
        query.set("page[size]", String(size));
        return `${context.url}${request.path}?${query}`;
    };
    return {
        data: versions.slice((current - 1) * size, current * size).map((version) => readRecord(version, context)),
        links: {
            self: at(current),
            first: at(1),
            prev: previous && at(previous),
            next: next && at(next),
            last: at(Math.max(total, 1)),
        },
        meta: {
            pagination: {
                "current-page": current,
                "page-size": size,
                "prev-page": previous,
                "next-page": next,
                "total-pages": total,
                "total-count": versions.length,
            },
        },
    };
}

/** Zero and less count as left out; what is no number is refused. */
function pageNumber(request: Request, name: string): number | undefined {
    const written = request.query.get(name);
    if (written === null || written === "") {
        return undefined;
    }
    if (!/^-?\d{1,9}$/.test(written)) {
        throw badRequest(`${name} is not a number`);
    }
    return Number(written) > 0 ? Number(written) : undefined;
}
