import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import { alike, same, type Ways } from "../support/endpoints";
import type { ResourceFacts } from "../support/resource-facts";
import { lockByHand, manyVersions, stateOf, workspaces } from "../support/workspaces";

const json = JSON.stringify({ format_version: "1.0", values: { outputs: {} } });
const content = (serial: number) => JSON.stringify(stateOf(serial, "s"));
const common = { workspaceId: "ws-1", lock: true, runId: "run-1" };
const upload = "GET GET GET POST POST PUT GET POST";
const related = ["created_by", "run", "run.created_by", "run.configuration_version", "outputs"];

/** The properties for the fields of a state version's record: `item` is its place in the answer, `shown` its place in the result. */
function record(item: string, shown: string): Ways {
    const relationship = (name: string) => `${item}.relationships.${name}`;
    return {
        [`${item}.id`]: [`${shown}.id`],
        // All records have the same `type`, so no property returns it.
        [`${item}.type`]: [/^\w+/.exec(shown)?.[0] ?? ""],
        ...same(
            `${item}.attributes.`,
            `${shown}.`,
            `created-at size status intermediate serial state-version tool-version modules.*.* providers.*.* resources[].name resources[].type
            resources[].count resources[].module resources[].provider resources-processed vcs-commit-sha vcs-commit-url delete-older-than-n-days`,
        ),
        [relationship("run.data.id")]: [`${shown}.runId`],
        [relationship("run.data.type")]: [`${shown}.runType`],
        [relationship("created-by.data.id")]: [`${shown}.createdById`],
        [relationship("created-by.data.type")]: [`${shown}.createdByType`],
        [relationship("created-by.links.self")]: [`${shown}.createdByLinks.*`],
        [relationship("created-by.links.related")]: [`${shown}.createdByLinks.*`],
        [`${item}.links.self`]: [`${shown}.links.*`],
        [relationship("workspace.data.id")]: [`${shown}.workspaceId`],
        [relationship("outputs.data[].id")]: [`${shown}.outputIds`],
        [relationship("rollback-state-version.data.id")]: [`${shown}.rollbackStateVersionId`],
        // Functions use these URLs, but do not return them.
        ...alike(
            ["downloadState"],
            `${item}.attributes.hosted-state-download-url`,
            `${item}.attributes.hosted-json-state-download-url`,
        ),
        ...alike(
            ["StateVersion"],
            `${item}.attributes.hosted-state-upload-url`,
            `${item}.attributes.hosted-json-state-upload-url`,
        ),
    };
}

/** The upload of a state version, and the functions that read the versions of a workspace. */
export const stateVersion: ResourceFacts = {
    type: "StateVersion",
    seed: { workspaces },
    id: "sv-1",
    full: { workspaceId: "ws-1", content: '{"serial":4,"lineage":"l"}', lock: true, waitForProcessing: "3s" },
    edited: { lock: false },
    rest: {
        content: '{"version":4,"serial":1}',
        jsonContent: "{}",
        jsonStateOutputs: "{}",
        runId: "run-1",
        inline: true,
    },
    immutable: ["workspaceId", "content", "jsonContent", "jsonStateOutputs", "runId"],
    places: { path: ["workspaceId", "runId"], ids: ["{}"] },
    functions: {
        getStateVersion: {
            args: { id: "sv-1" },
            places: ["id"],
            scenario: { seed: demonstration, run: (_, call) => call({ id: "sv-1", include: ["created_by"] }) },
        },
        getCurrentStateVersion: {
            args: { workspaceId: "ws-1" },
            places: ["workspaceId"],
            scenario: { seed: demonstration, run: (_, call) => call({ workspaceId: "ws-1", include: ["outputs"] }) },
        },
        getStateVersions: {
            args: { organization: "example", workspaceName: "app" },
            places: ["organization", "workspaceName"],
            scenario: {
                seed: { workspaces: [manyVersions(101)] },
                run: async (_, call) => {
                    const where = { organization: "example", workspaceName: "app" };
                    await call({ ...where, limit: 2, status: "finalized", include: ["run"] });
                    const found = (await call(where)) as { stateVersions: unknown[] };
                    assert.equal(found.stateVersions.length, 101, "all pages are fetched");
                    return found;
                },
            },
        },
        downloadState: {
            args: { stateVersionId: "sv-1" },
            places: ["stateVersionId"],
            scenario: { seed: demonstration, run: (_, call) => call({ stateVersionId: "sv-1" }) },
        },
    },
    faults: [
        {
            inputs: { workspaceId: "ws-1", content: JSON.stringify(stateOf(4, "c")), lock: true },
            edited: { workspaceId: "ws-1", content: JSON.stringify(stateOf(5, "c", "d")), lock: true },
        },
        {
            variant: "in one request",
            inputs: { workspaceId: "ws-1", content: JSON.stringify(stateOf(4, "c")), inline: true, lock: false },
            edited: { workspaceId: "ws-1", content: JSON.stringify(stateOf(5, "c", "d")), inline: true, lock: false },
            prepare: lockByHand,
        },
    ],
    sends: { create: upload, refresh: "GET", update: `${upload} GET`, delete: "GET" },
    document: "State Versions",
    endpoints: [
        [
            "POST /workspaces/:workspace_id/state-versions",
            "StateVersion",
            {
                request: {
                    ...alike(["StateVersion"], "data.type", "data.relationships.run.data.type"),
                    "data.attributes.serial": ["StateVersion.serial", "StateVersion.content"],
                    "data.attributes.md5": ["StateVersion.md5", "StateVersion.content"],
                    "data.attributes.state": ["StateVersion.content"],
                    "data.attributes.lineage": ["StateVersion.lineage", "StateVersion.content"],
                    "data.attributes.json-state": ["StateVersion.jsonContent"],
                    "data.attributes.json-state-outputs": ["StateVersion.jsonStateOutputs"],
                    "data.relationships.run.data.id": ["StateVersion.runId"],
                },
                response: {
                    "data.id": ["StateVersion.id"],
                    "data.attributes.status": ["StateVersion.status"],
                    "data.attributes.hosted-state-upload-url": ["StateVersion"],
                    "data.attributes.hosted-json-state-upload-url": ["StateVersion"],
                },
            },
        ],
        // The record contains absolute URLs of the content.
        ["PUT {upload_url}/v1/object/:object_id", "StateVersion"],
        ["GET {hosted-state-download-url}", ["downloadState", "StateVersionRollback"]],
        [
            "GET /state-versions",
            "getStateVersions",
            {
                query: {
                    "filter[workspace][name]": ["getStateVersions(workspaceName)"],
                    "filter[organization][name]": ["getStateVersions(organization)"],
                    "filter[status]": ["getStateVersions(status)"],
                    "page[number]": ["getStateVersions"],
                    "page[size]": ["getStateVersions(limit)"],
                    include: ["getStateVersions(include)"],
                },
                response: {
                    ...record("data[]", "getStateVersions().stateVersions[]"),
                    // The function fetches all pages, or as many as `limit` needs.
                    ...alike(
                        ["getStateVersions"],
                        "links.self",
                        "links.first",
                        "links.last",
                        "links.prev",
                        "links.next",
                    ),
                    ...alike(
                        ["getStateVersions"],
                        ...["current-page", "total-pages", "prev-page", "next-page"].map(
                            (name) => `meta.pagination.${name}`,
                        ),
                    ),
                    "meta.pagination.page-size": ["getStateVersions(limit)"],
                    "meta.pagination.total-count": ["getStateVersions().stateVersions"],
                    included: ["getStateVersions().included"],
                },
            },
        ],
        [
            "GET /workspaces/:workspace_id/current-state-version",
            ["StateVersionRollback", "getCurrentStateVersion"],
            {
                query: { include: ["getCurrentStateVersion(include)"] },
                response: {
                    ...record("data", "getCurrentStateVersion()"),
                    included: ["getCurrentStateVersion().included"],
                },
            },
        ],
        [
            "GET /state-versions/:state_version_id",
            ["getStateVersion", "StateVersion", "StateVersionRollback", "StateVersionBackingData"],
            {
                query: { include: ["getStateVersion(include)"] },
                response: { ...record("data", "getStateVersion()"), included: ["getStateVersion().included"] },
            },
        ],
    ],
    words: {
        "getStateVersions(status)": ["pending", "finalized", "discarded"],
        "getStateVersions(include)": related,
        "getStateVersion(include)": related,
        "getCurrentStateVersion(include)": related,
    },
    life: {
        seed: demonstration,
        programs: [
            { ...common, content: content(5), jsonContent: json },
            { ...common, content: content(6), jsonContent: json, jsonStateOutputs: "{}", inline: true },
        ],
    },
};
