import type { ResourceFacts } from "../support/resource-facts";
import { lockByHand, stateOf, workspaces } from "../support/workspaces";

const listed = { organization: "example", workspaceName: "app" };
const upload = "GET GET GET POST GET POST PUT GET GET POST GET";

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
        getStateVersion: { args: { id: "sv-1" }, places: ["id"], calls: [{ id: "sv-1", include: ["run"] }] },
        getCurrentStateVersion: {
            args: { workspaceId: "ws-1" },
            places: ["workspaceId"],
            calls: [{ workspaceId: "ws-1", include: ["run"] }],
        },
        getWorkspace: {
            args: { organization: "example", name: "app" },
            places: ["organization", "name"],
            calls: [{ organization: "example", name: "app" }, { id: "ws-1" }],
        },
        getStateVersions: {
            args: listed,
            places: ["organization", "workspaceName"],
            // The workspace `many` of the coverage test has two pages.
            calls: [
                { ...listed, workspaceName: "many", status: "finalized", include: ["run"] },
                { ...listed, page: 2, pageSize: 1 },
            ],
        },
        downloadState: {
            args: { stateVersionId: "sv-1" },
            places: ["stateVersionId"],
            calls: [{ stateVersionId: "sv-11" }],
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
    programs: [
        {
            workspaceId: "ws-1",
            lock: true,
            runId: "run-1",
            content: JSON.stringify(stateOf(4, "c")),
            jsonContent: '{"a":"planted-json-content"}',
        },
        {
            ...{ workspaceId: "ws-1", lock: true, runId: "run-1", content: JSON.stringify(stateOf(5, "c")) },
            ...{
                jsonContent: '{"a":"planted-json-content"}',
                jsonStateOutputs: '{"a":"planted-json-output"}',
                inline: true,
            },
        },
    ],
    sends: { create: upload, refresh: "GET", update: `${upload} GET`, delete: "GET" },
};
