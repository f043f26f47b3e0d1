/** A YAML program with every resource, for a simulator with the seed of the demonstration. */

const state = { version: 4, serial: 9, lineage: "5d1cbb4e-6a2f-4c7b-9a51-0c8e7f3b2d10", outputs: {}, resources: [] };

/** The variable that is the source of a secret. */
export const bucketKey = { BUCKET_KEY: "planted-secret-key" };

/** Returns the resources by name, with `changes` merged into their properties. */
export function everyResource(changes: Readonly<Record<string, object>> = {}): object {
    const resource = (name: string, type: string, properties: object, options: object = {}) => ({
        [name]: { type: `statecraft:${type}`, properties: { ...properties, ...changes[name] }, options },
    });
    const before = (...names: string[]) => ({ dependsOn: names.map((name) => `$\{${name}}`) });
    return {
        resources: {
            ...resource("method", "AuthConfig", {
                tenantId: "9a1f0c5e-0000-4000-8000-000000000001",
                resource: "https://secrets.example/",
                clientId: "9a1f0c5e-0000-4000-8000-000000000002",
                clientSecret: "planted-client-secret",
            }),
            ...resource("rotation", "RootRotation", { triggers: ["2026-1"] }, before("method")),
            ...resource("web", "AuthRole", { name: "web", boundResourceGroups: ["prod"], tokenTtl: "1h" }),
            ...resource("hourly", "SnapshotConfig", {
                name: "hourly",
                interval: "1h",
                retain: 24,
                storage: {
                    type: "cloudb-s3",
                    bucket: "snapshots",
                    region: "north-1",
                    pathPrefix: "secrets-manager",
                    accessKeyId: "planted-key-id",
                    secretAccessKeyFrom: { variable: "BUCKET_KEY" },
                },
            }),
            ...resource("data", "CsiVolume", {
                volumeId: "data",
                name: "data",
                externalId: "vol-0a1b",
                pluginId: "disks",
                accessMode: "single-node-writer",
                attachmentMode: "file-system",
            }),
            ...resource("repair", "CsiVolumeDetachment", { volumeId: "$" + "{data.volumeId}", node: "node-1" }),
            ...resource("undo", "StateVersionRollback", { workspaceId: "ws-1", stateVersionId: "sv-3" }),
            ...resource(
                "made",
                "StateVersion",
                { workspaceId: "ws-1", content: { "fn::stringAsset": JSON.stringify(state) }, lock: true },
                before("undo"),
            ),
            ...resource(
                "old",
                "StateVersionBackingData",
                { stateVersionId: "sv-1", state: "softDeleted" },
                before("made"),
            ),
        },
    };
}

/** Returns the same step for each resource. */
export const each = (op: string) =>
    Object.fromEntries(
        ["method", "rotation", "web", "hourly", "data", "repair", "undo", "made", "old"].map((name) => [name, op]),
    );
