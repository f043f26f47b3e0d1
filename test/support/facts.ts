/** What every suite that goes over all resources and functions needs to know of each: the same program everywhere. */

type Props = Record<string, unknown>;

/** What is known of a resource. */
export interface ResourceFacts {
    /** The id that `inputs` make. */
    readonly id: string;
    /** A program that is right, and uses every wait that there is. */
    readonly inputs: Props;
    /** A change of it. */
    readonly edit: Props;
}

/** Of every resource. */
export const resourceFacts: Readonly<Record<string, ResourceFacts>> = {
    AuthRole: {
        id: "auth/clouda/role/web",
        inputs: { name: "web", boundLocations: ["north"], tokenTtl: "1h", tokenBoundCidrs: "10.0.0.0/8", adopt: true },
        edit: { tokenNumUses: 3 },
    },
    SnapshotConfig: {
        id: "hourly",
        inputs: {
            name: "hourly",
            interval: "1h",
            retain: 2,
            storage: { type: "cloudb-s3", pathPrefix: "a", bucket: "b", region: "r", secretAccessKey: "planted" },
            waitForSnapshot: 5,
            adopt: true,
        },
        edit: { retain: 5 },
    },
    AuthConfig: {
        id: "auth/clouda/config",
        inputs: { tenantId: "t-1", resource: "https://app.example", clientSecret: "planted", adopt: true },
        edit: { clientId: "c-2" },
    },
    RootRotation: { id: "auth/clouda/rotate-root", inputs: { triggers: [1] }, edit: { triggers: [2] } },
    CsiVolume: {
        id: "default/data",
        inputs: {
            volumeId: "data",
            pluginId: "disks",
            accessMode: "single-node-writer",
            attachmentMode: "file-system",
            waitUntilSchedulable: 3,
            adopt: true,
        },
        edit: { accessMode: "multi-node-reader-only" },
    },
    CsiVolumeDetachment: {
        id: "default/data/node-1",
        inputs: { volumeId: "data", node: "node-1", triggers: [] },
        edit: { triggers: [2] },
    },
    StateVersion: {
        id: "sv-1",
        inputs: { workspaceId: "ws-1", content: '{"serial":4,"lineage":"l"}', lock: true, waitForProcessing: "3s" },
        edit: { lock: false },
    },
    StateVersionRollback: {
        id: "ws-1",
        inputs: {
            workspaceId: "ws-1",
            stateVersionId: "sv-0",
            lock: { reason: "x" },
            onDelete: "restore",
            waitForProcessing: 3,
        },
        edit: { triggers: [2] },
    },
    StateVersionBackingData: {
        id: "sv-1",
        inputs: { stateVersionId: "sv-1", state: "softDeleted", deleteOlderThanNDays: 3 },
        edit: { state: "available" },
    },
};

/** Arguments of each function that needs some. */
export const functionArguments: Readonly<Record<string, Props>> = {
    getAuthRole: { name: "web" },
    getSnapshotConfig: { name: "hourly" },
    getSnapshotStatus: { name: "hourly" },
    login: { role: "web", jwt: "planted-jwt", subscriptionId: "s", resourceGroupName: "g" },
    getCsiVolume: { volumeId: "data" },
    getStateVersion: { id: "sv-1" },
    downloadState: { stateVersionId: "sv-1" },
    getCurrentStateVersion: { workspaceId: "ws-1" },
    getStateVersions: { organization: "example", workspaceName: "app" },
};
