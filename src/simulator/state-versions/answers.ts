/** The JSON:API documents of state versions and workspaces. */

import { createHash } from "node:crypto";
import { isObject } from "../json";
import { badRequest } from "../refusal";
import type { Call } from "./call";
import { countBy, readState, type StateContent, writesJson } from "./content";
import type { StateVersion, Workspace } from "./records";

const defaultPage = 20;
const largestPage = 100;
const linked = (type: string, id: string) => ({ data: { id, type } });

/** The record of a state version as it stands. */
export function recordOf(version: StateVersion, { origin }: Call) {
    const { objects, vcsCommit, processing } = version;
    const state = contentOf(version);
    const shown = processing === 0 ? state : undefined;
    const resources = shown?.resources ?? [];
    const address = (id: string) => `${origin}/v1/object/${id}`;
    const uploadTo = (id: string) => (version.uploads.includes(id) ? address(id) : null);
    const withJson = version.json !== null && state !== undefined && writesJson(state.toolVersion);
    const outputNames = shown ? Object.keys(shown.outputs) : (version.outputNames ?? []);
    const self = `/api/v2/state-versions/${version.id}`;
    return {
        id: version.id,
        type: "state-versions",
        attributes: {
            "created-at": version.createdAt,
            size: Buffer.byteLength(version.raw ?? ""),
            "hosted-state-download-url": address(objects.raw),
            ...(withJson && { "hosted-json-state-download-url": address(objects.json) }),
            "hosted-state-upload-url": uploadTo(objects.raw),
            "hosted-json-state-upload-url": uploadTo(objects.json),
            status: version.status,
            intermediate: false,
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

/** The raw state of a version, read; nothing while it waits for its content. */
function contentOf({ raw }: StateVersion): StateContent | undefined {
    const content = readState(raw ?? "");
    return typeof content === "string" ? undefined : content;
}

/** The record as an answer to a read, which may be the last one that does not show the later fields. */
export function readRecord(version: StateVersion, call: Call) {
    const record = recordOf(version, call);
    version.processing = Math.max(0, version.processing - 1);
    return record;
}

/** The record as a rollback answers it: without status and without the run. */
export function rollbackRecord(version: StateVersion, call: Call): object {
    const record = recordOf(version, call);
    const { status: _status, ...attributes } = record.attributes;
    const { run: _run, ...relationships } = record.relationships;
    return { ...record, attributes, relationships };
}

function outputId(version: StateVersion, name: string): string {
    const digest = createHash("sha256").update(`${version.id} ${name}`).digest("hex");
    return `wsout-${digest.slice(0, 16)}`;
}

/** The record of a workspace. */
export function workspaceRecord({ id, name, organization, current, lock }: Workspace): object {
    return {
        id,
        type: "workspaces",
        attributes: {
            name,
            locked: lock !== null,
            "locked-reason": lock?.reason ?? "",
        },
        relationships: {
            organization: linked("organizations", organization),
            "locked-by": { data: lock && { ...lock.by } },
            "current-state-version": { data: current && { id: current, type: "state-versions" } },
        },
        links: { self: `/api/v2/workspaces/${id}` },
    };
}

/** One page of versions, with the addresses and the numbers of its neighbours. */
export function pageOf(versions: readonly StateVersion[], call: Call) {
    const size = Math.min(numberIn(call, "page[size]") ?? defaultPage, largestPage);
    const current = numberIn(call, "page[number]") ?? 1;
    const total = Math.ceil(versions.length / size);
    const previous = current > 1 ? current - 1 : null;
    const next = current < total ? current + 1 : null;
    const at = (number: number) => {
        const query = new URLSearchParams(call.query);
        query.set("page[number]", String(number));
        query.set("page[size]", String(size));
        return `${call.address}?${query}`;
    };
    const shown = versions.slice((current - 1) * size, current * size);
    const data = shown.map((version) => readRecord(version, call));
    return {
        data,
        ...includedIn(shown, call),
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

/** Zero counts as left out. */
function numberIn({ query }: Call, name: string): number | undefined {
    const text = query.get(name) || "0";
    if (!/^\d{1,9}$/.test(text)) throw badRequest(`${name} is not a number`);
    return Number(text) || undefined;
}

const record = (type: string, id: string | null, attributes: object) => (id === null ? [] : [{ id, type, attributes }]);
const runOf = ({ run }: StateVersion) => record("runs", run, { status: "applied" });
const userOf = ({ createdBy }: StateVersion) => record("users", createdBy, { username: createdBy });
const configurationOf = ({ run }: StateVersion) =>
    record("configuration-versions", run && `cv-${run}`, { status: "uploaded" });

/** The records that each name of `include` brings. Beyond their identifiers, the document does not show them. */
const related: Readonly<Record<string, (version: StateVersion) => ReturnType<typeof record>>> = {
    created_by: userOf,
    run: runOf,
    "run.created_by": (version) => [...runOf(version), ...userOf(version)],
    "run.configuration_version": (version) => [...runOf(version), ...configurationOf(version)],
    outputs: outputRecords,
};

/** The `included` part of an answer that shows these versions; none if the query does not ask for it. */
export function includedIn(versions: readonly StateVersion[], { query }: Call): { included?: object[] } {
    const names = query.get("include")?.split(",");
    if (names === undefined) return {};
    const unknown = names.find((name) => related[name] === undefined);
    if (unknown !== undefined) throw badRequest(`include knows no ${unknown}`);
    const found = versions.flatMap((version) => names.flatMap((name) => related[name]?.(version) ?? []));
    return { included: [...new Map(found.map((one) => [`${one.type} ${one.id}`, one])).values()] };
}

/** The records of a version's outputs, values in clear. */
function outputRecords(version: StateVersion): ReturnType<typeof record> {
    return Object.entries(contentOf(version)?.outputs ?? {}).flatMap(([name, output]) => {
        const { value = null, type = "string", sensitive = false } = isObject(output) ? output : { value: output };
        return record("state-version-outputs", outputId(version, name), { name, sensitive, type, value });
    });
}
