/** The JSON:API documents of state versions and workspaces. */

import { isObject } from "../json";
import { badRequest } from "../refusal";
import { type Call, may } from "./call";
import { countBy, readState, type StateContent, writesJson } from "./content";
import { newRun, type Run, type StateVersion, type Workspace } from "./records";

const defaultPage = 20;
const largestPage = 100;
const linked = (type: string, id: string) => ({ data: { id, type } });

/** The record of a state version. */
export function recordOf(version: StateVersion, { url }: Call) {
    const { objects, vcsCommit, processing } = version;
    const state = readState(version.raw);
    const shown = processing === 0 ? state : undefined;
    const resources = shown?.resources ?? [];
    const address = (id: string) => `${url.origin}/v1/object/${id}`;
    const uploadTo = (id: string) => (version.uploads.includes(id) ? address(id) : null);
    const hasJson = version.json !== null && writesJson(state?.toolVersion ?? "");
    const self = `/api/v2/state-versions/${version.id}`;
    return {
        id: version.id,
        type: "state-versions",
        attributes: {
            "created-at": version.createdAt,
            size: Buffer.byteLength(version.raw ?? ""),
            "hosted-state-download-url": address(objects.raw),
            ...(hasJson && { "hosted-json-state-download-url": address(objects.json) }),
            "hosted-state-upload-url": uploadTo(objects.raw),
            "hosted-json-state-upload-url": uploadTo(objects.json),
            status: version.status,
            intermediate: version.intermediate,
            serial: version.serial,
            "state-version": state?.formatVersion ?? 0,
            "tool-version": shown?.toolVersion ?? "",
            modules: countBy(resources, "module"),
            providers: countBy(resources, "provider"),
            resources,
            "resources-processed": shown !== undefined,
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
            outputs: { data: outputsOf(version, shown).map(({ id, type }) => ({ id, type })) },
            ...(version.rollbackOf !== null && {
                "rollback-state-version": linked("state-versions", version.rollbackOf),
            }),
        },
        links: { self },
    };
}

/** The record for a read. Each read brings the version nearer to the one that shows all fields. */
export function readRecord(version: StateVersion, call: Call) {
    const record = recordOf(version, call);
    version.processing = Math.max(0, version.processing - 1);
    return record;
}

/** The record for a rollback: without the status and the run. */
export function rollbackRecord(version: StateVersion, call: Call): object {
    const record = recordOf(version, call);
    const { status: _status, ...attributes } = record.attributes;
    const { run: _run, ...relationships } = record.relationships;
    return { ...record, attributes, relationships };
}

/** The record of a workspace. The permissions are those of the caller. */
export function workspaceRecord(workspace: Workspace, { caller }: Call): object {
    const { id, name, organization, current, lock, autoApply, runs } = workspace;
    const writes = may(caller, "write");
    const run = runs.at(-1);
    return {
        id,
        type: "workspaces",
        attributes: {
            name,
            locked: lock !== null,
            "locked-reason": lock?.reason ?? "",
            "auto-apply": autoApply,
            permissions: { "can-lock": writes, "can-unlock": writes, "can-create-state-versions": writes },
        },
        relationships: {
            organization: linked("organizations", organization),
            "locked-by": { data: lock && { ...lock.by } },
            "current-run": { data: run ? { id: run.id, type: "runs" } : null },
            "current-state-version": { data: current && { id: current, type: "state-versions" } },
        },
        links: { self: `/api/v2/workspaces/${id}` },
    };
}

/** The answer to a read of a workspace. HCP Terraform includes more than the current run. */
export function workspaceAnswer(workspace: Workspace, call: Call): object {
    const include = call.url.searchParams.get("include");
    if (include && include !== "current_run") throw badRequest(`include knows no ${include}`);
    return { data: workspaceRecord(workspace, call), ...(include && { included: runRecords(workspace.runs.at(-1)) }) };
}

/** The record of a run. */
const runRecord = ({ id, status, message, isDestroy, createdBy }: Run) => ({
    id,
    type: "runs",
    attributes: { status, message, "is-destroy": isDestroy },
    relationships: {
        ...(createdBy !== null && { "created-by": linked("users", createdBy) }),
        "configuration-version": linked("configuration-versions", `cv-${id}`),
    },
    links: { self: `/api/v2/runs/${id}` },
});

/** The statuses of runs in the group `final`. All others are in the group `non_final`. */
const finalStatus = /^(applied|discarded|errored|(force_)?canceled|planned_and_(finished|saved)|policy_soft_failed)$/;

/** One page of the runs of a workspace, newest first. */
export function runPage({ runs }: Workspace, call: Call): object {
    const group = call.url.searchParams.get("filter[status_group]");
    const wanted = runs.filter(({ status }) => group === null || finalStatus.test(status) === (group === "final"));
    return pageOf(wanted.reverse(), call, (shown) => ({ data: shown.map(runRecord) }));
}

/** One page of the versions of a workspace. */
export function versionPage(versions: readonly StateVersion[], call: Call): object {
    return pageOf(versions, call, (shown) => ({
        data: shown.map((version) => readRecord(version, call)),
        ...includedIn(shown, call),
    }));
}

/** One page of the workspaces of an organization. */
export const workspacePage = (workspaces: readonly Workspace[], call: Call): object =>
    pageOf(workspaces, call, (shown) => ({ data: shown.map((workspace) => workspaceRecord(workspace, call)) }));

/** One page of a list, with the addresses and the numbers of the pages around it. */
function pageOf<Item>(items: readonly Item[], call: Call, documentOf: (shown: readonly Item[]) => object): object {
    const size = Math.min(numberIn(call, "page[size]") ?? defaultPage, largestPage);
    const current = numberIn(call, "page[number]") ?? 1;
    const total = Math.ceil(items.length / size);
    const previous = current > 1 ? current - 1 : null;
    const next = current < total ? current + 1 : null;
    const at = (number: number) => {
        const url = new URL(call.url);
        url.searchParams.set("page[number]", String(number));
        url.searchParams.set("page[size]", String(size));
        return url.href;
    };
    return {
        ...documentOf(items.slice((current - 1) * size, current * size)),
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
                "total-count": items.length,
            },
        },
    };
}

/** The number in a query parameter. `undefined` if the parameter is absent or 0. */
function numberIn({ url }: Call, name: string): number | undefined {
    const text = url.searchParams.get(name) || "0";
    if (!/^\d{1,9}$/.test(text)) throw badRequest(`${name} is not a number`);
    return Number(text) || undefined;
}

type Related = readonly { readonly id: string; readonly type: string; readonly attributes: object }[];
const related = (type: string, id: string | null, attributes: object): Related =>
    id === null ? [] : [{ id, type, attributes }];
const userOf = (id: string | null) => related("users", id, { username: id });

/** The run of a version. Of a run that the seed does not describe, the simulator knows only the id. */
function runOf({ run: id, workspace, createdBy }: StateVersion, { store }: Call): Run | undefined {
    if (id === null) return undefined;
    const runs = store.workspaces.find((one) => one.id === workspace)?.runs;
    return runs?.find((run) => run.id === id) ?? { ...newRun, id, createdBy };
}

const runRecords = (run: Run | undefined) => (run ? [runRecord(run)] : []);

/** The records that each value of `include` adds. The API documents show only their ids and types. */
const inclusions: Readonly<Record<string, (version: StateVersion, run: Run | undefined) => Related>> = {
    created_by: ({ createdBy }) => userOf(createdBy),
    run: (_, run) => runRecords(run),
    "run.created_by": (_, run) => [...runRecords(run), ...userOf(run?.createdBy ?? null)],
    "run.configuration_version": (_, run) => [
        ...runRecords(run),
        ...related("configuration-versions", run ? `cv-${run.id}` : null, { status: "uploaded" }),
    ],
    outputs: (version) => outputsOf(version, readState(version.raw)),
};

/** The `included` part of an answer with these versions. */
export function includedIn(versions: readonly StateVersion[], call: Call): { included?: object[] } {
    const names = call.url.searchParams.get("include")?.split(",").filter(Boolean);
    if (!names?.length) return {};
    const unknown = names.find((name) => inclusions[name] === undefined);
    if (unknown !== undefined) throw badRequest(`include knows no ${unknown}`);
    const records = versions.flatMap((version) => {
        const run = runOf(version, call);
        return names.flatMap((name) => inclusions[name]?.(version, run) ?? []);
    });
    return { included: [...new Map(records.map((one) => [`${one.type} ${one.id}`, one])).values()] };
}

/** The outputs of a version with this content, with their values in plain text. */
function outputsOf(version: StateVersion, content: StateContent | undefined): Related {
    return Object.entries(content?.outputs ?? {}).flatMap(([name, output]) => {
        const { value = null, type = "string", sensitive = false } = isObject(output) ? output : { value: output };
        return related("state-version-outputs", `wsout-${version.id}-${name}`, { name, sensitive, type, value });
    });
}
