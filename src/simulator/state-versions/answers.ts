/** The JSON:API documents of state versions and workspaces. */

import { createHash } from "node:crypto";
import type { Manners } from "../manners";
import type { Request } from "../route";
import { badRequest } from "../simulator-error";
import { countBy, readState, type StateContent, writesJson } from "./content";
import { rawOf, type StateVersion, type Workspace } from "./records";
import type { Call, Principal } from "./rules";

const defaultPage = 20;
const largestPage = 100;
/** To how many characters a server cuts the reason of a lock. */
const shortReason = 24;

/** The record of a state version as it stands. */
export function recordOf(version: StateVersion, { url, now }: Pick<Call, "url" | "now">) {
    const state = contentOf(version);
    const isProcessed = state !== undefined && isReady(version, now);
    const shown = isProcessed ? state : undefined;
    const resources = shown?.resources ?? [];
    const { objects, vcsCommit } = version;
    const address = (id: string | null) => id && `${url}/v1/object/${id}`;
    const withJson = version.json !== null && state !== undefined && writesJson(state.toolVersion);
    const outputNames = shown ? Object.keys(shown.outputs) : (version.outputNames ?? []);
    const self = `/api/v2/state-versions/${version.id}`;
    return {
        id: version.id,
        type: "state-versions",
        attributes: {
            "created-at": version.createdAt,
            size: rawOf(version)?.length ?? 0,
            "hosted-state-download-url": address(objects.rawDownload),
            ...(withJson && { "hosted-json-state-download-url": address(objects.jsonDownload) }),
            "hosted-state-upload-url": address(objects.rawUpload),
            "hosted-json-state-upload-url": address(objects.jsonUpload),
            status: version.status,
            intermediate: version.intermediate === true,
            serial: version.serial,
            "state-version": state?.formatVersion ?? 0,
            "tool-version": shown?.toolVersion ?? "",
            modules: countBy(resources, "module"),
            providers: countBy(resources, "provider"),
            resources,
            "resources-processed": isProcessed,
            ...(vcsCommit && { "vcs-commit-sha": vcsCommit.sha, "vcs-commit-url": vcsCommit.url }),
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

/** What a version's raw state says; nothing while there is none. */
export function contentOf(version: StateVersion): StateContent | undefined {
    const raw = rawOf(version);
    const content = raw && readState(raw);
    return typeof content === "string" ? undefined : content;
}

/** The record as an answer to a read, which may be what the later fields were waiting for. What it shows stays, whatever the clock. */
export function readRecord(version: StateVersion, call: Call) {
    const record = recordOf(version, call);
    const { processing } = version;
    if (processing && "readsLeft" in processing) processing.readsLeft -= 1;
    const isLastRead = processing !== null && "readsLeft" in processing && processing.readsLeft <= 0;
    if (isLastRead || record.attributes["resources-processed"]) version.processing = null;
    return record;
}

/** The record as a rollback answers it: without status and without the run. */
export function rollbackRecord(version: StateVersion, call: Call): object {
    const record = recordOf(version, call);
    const { status: _status, ...attributes } = record.attributes;
    const { run: _run, ...relationships } = record.relationships;
    return { ...record, attributes, relationships };
}

function isReady({ processing }: StateVersion, now: Date): boolean {
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
export function workspaceRecord(workspace: Workspace, caller: Principal, manners: Manners): object {
    const { id, name, organization, current, lock } = workspace;
    return {
        id,
        type: "workspaces",
        attributes: {
            name,
            locked: lock !== null,
            "locked-reason": shownReason(lock?.reason ?? "", manners),
            permissions: {
                "can-lock": caller.writes,
                "can-unlock": caller.writes,
                "can-force-unlock": caller.writes,
                "can-create-state-versions": caller.writes,
                "can-read-state-versions": true,
            },
        },
        relationships: {
            organization: linked("organizations", organization),
            ...(!manners.includes("hides-holders") && { "locked-by": { data: lock && { ...lock.by } } }),
            "current-state-version": { data: current && { id: current, type: "state-versions" } },
        },
        links: { self: `/api/v2/workspaces/${id}` },
    };
}

function shownReason(reason: string, manners: Manners): string {
    if (manners.includes("drops-reasons")) return "";
    return manners.includes("shortens-reasons") ? reason.slice(0, shortReason) : reason;
}

/** One page of versions, with the addresses and the numbers of its neighbours. */
export function pageOf(versions: readonly StateVersion[], call: Call) {
    const { request, url } = call;
    const size = Math.min(numberIn(request, "page[size]") ?? defaultPage, largestPage);
    const current = numberIn(request, "page[number]") ?? 1;
    const total = Math.ceil(versions.length / size);
    const previous = current > 1 ? current - 1 : null;
    const next = current < total ? current + 1 : null;
    const at = (number: number) => {
        const query = new URLSearchParams(request.query);
        query.set("page[number]", String(number));
        query.set("page[size]", String(size));
        return `${url}${request.path}?${query}`;
    };
    return {
        data: versions.slice((current - 1) * size, current * size).map((version) => readRecord(version, call)),
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
function numberIn({ query }: Request, name: string): number | undefined {
    const text = query.get(name) || "0";
    if (!/^-?\d{1,9}$/.test(text)) throw badRequest(`${name} is not a number`);
    return Number(text) > 0 ? Number(text) : undefined;
}
