import assert from "node:assert/strict";

import type { Resource } from "../../src/core/resource";
import { checkValues } from "../../src/schema/check";
import { changedNames, diffValues } from "../../src/schema/diff";
import type { Values, Vocabulary } from "../../src/schema/facts";
import { secretStrings } from "../../src/schema/secrets";
import { unknown } from "../../src/schema/unknown";
import { definitions } from "../../src/services/definitions";

const resources = definitions;

/** Right inputs of every resource, with each field that it has. */
const full: Readonly<Record<string, Values>> = {
    AuthConfig: {
        ...{ mount: "clouda", namespace: "team", tenantId: "t", resource: "r", environment: "CloudAChinaCloud" },
        ...{ clientId: "c", clientSecret: "secret-1", maxRetries: 5, maxRetryDelay: "2m", retryDelay: 2 },
        ...{ adopt: true, connection: "second" },
    },
    RootRotation: { mount: "clouda", namespace: "team", triggers: [1, { a: "b" }], connection: "second" },
    AuthRole: {
        ...{ mount: "clouda", namespace: "team", name: "web", tokenTtl: "1h", tokenMaxTtl: 7200, tokenType: "service" },
        ...{
            boundServicePrincipalIds: ["a"],
            boundGroupIds: ["b"],
            boundLocations: ["c"],
            boundSubscriptionIds: ["d"],
        },
        ...{ boundResourceGroups: ["e"], boundScaleSets: ["f"], tokenPolicies: "a,b", tokenBoundCidrs: ["10.0.0.0/8"] },
        ...{ tokenExplicitMaxTtl: "2h", tokenNoDefaultPolicy: true, tokenNumUses: 5, tokenPeriod: "1d", maxJwtExp: 60 },
        ...{ adopt: true, connection: "second" },
    },
    SnapshotConfig: {
        ...{ name: "hourly", interval: "1h", retain: 24, filePrefix: "snap", waitForSnapshot: "5m" },
        ...{ adopt: true, connection: "second" },
        storage: { type: "local", pathPrefix: "/var/snapshots", maxSpace: 1000 },
    },
    CsiVolume: {
        ...{ volumeId: "data", name: "Data", namespace: "team", externalId: "vol-1", pluginId: "disks" },
        ...{ topologies: [{ zone: "a" }], accessMode: "single-node-writer", attachmentMode: "file-system" },
        ...{ force: true, detachOnDelete: true, waitUntilSchedulable: "2m", adopt: true, connection: "second" },
    },
    CsiVolumeDetachment: {
        ...{ volumeId: "data", namespace: "team", node: "node-1", triggers: [1, { a: "b" }], connection: "second" },
    },
    StateVersion: {
        ...{ workspaceId: "ws-1", content: '{"version":4,"serial":1}', jsonContent: "{}", jsonStateOutputs: "{}" },
        ...{ runId: "run-1", inline: true, lock: true, waitForProcessing: "2m", connection: "second" },
        timeouts: { create: "5m" },
    },
    StateVersionBackingData: {
        ...{ stateVersionId: "sv-1", state: "permanentlyDeleted", deleteOlderThanNDays: 5 },
        ...{ allowPermanentDeletion: true, connection: "second" },
    },
    StateVersionRollback: {
        ...{ workspaceId: "ws-1", stateVersionId: "sv-1", triggers: [1, { a: "b" }], lock: { reason: "undo" } },
        ...{ keepLocked: true, onDelete: "restore", enforce: true, waitForProcessing: "2m", connection: "second" },
    },
};

/** The fields whose change makes another object: in both vocabularies, and what `documented` has beside them. */
const replacing: Readonly<Record<string, readonly [always: string[], documented: string[]]>> = {
    AuthConfig: [["mount", "namespace"], []],
    RootRotation: [["mount", "namespace"], []],
    AuthRole: [["mount", "namespace", "name"], []],
    SnapshotConfig: [["name"], []],
    CsiVolume: [
        ["volumeId", "namespace", "externalId", "pluginId", "name", "topologies"],
        ["accessMode", "attachmentMode"],
    ],
    CsiVolumeDetachment: [["volumeId", "namespace", "node"], []],
    StateVersion: [["workspaceId", "content", "jsonContent", "jsonStateOutputs", "runId"], []],
    StateVersionBackingData: [["stateVersionId"], []],
    StateVersionRollback: [["workspaceId"], []],
};

const nodeOf = (resource: Resource, vocabulary: Vocabulary = "documented") => resource.in(vocabulary).inputs;
const inputsOf = (resource: Resource): Values => {
    const given = full[resource.type] ?? assert.fail(`give ${resource.type} its inputs here`);
    return nodeOf(resource).properties.has("timeouts") ? { timeouts: { create: "5m" }, ...given } : given;
};
const check = (resource: Resource, news: Values) => checkValues(nodeOf(resource), news).failures;
const changes = (resource: Resource, olds: Values, news: Values, vocabulary: Vocabulary = "documented") =>
    diffValues(nodeOf(resource, vocabulary), olds, news, vocabulary);
const changed = (resource: Resource, olds: Values, news: Values) => changedNames(changes(resource, olds, news));

describe("every resource", () => {
    for (const resource of resources) {
        describe(resource.type, () => {
            const inputs = inputsOf(resource);
            const shown = [...nodeOf(resource).properties].filter(([, { facts }]) => !facts.internal && !facts.aliasOf);

            it("accepts right inputs, all of them given", () => {
                assert.deepEqual(check(resource, inputs), []);
                assert.deepEqual(Object.keys(inputs).sort(), shown.map(([name]) => name).sort());
            });

            it("accepts that any of them is unknown", () => {
                for (const [name] of shown) assert.deepEqual(check(resource, { ...inputs, [name]: unknown }), [], name);
                assert.deepEqual(check(resource, Object.fromEntries(shown.map(([name]) => [name, unknown]))), []);
            });

            it("sees no change where there is none, and one where a value is not known yet", () => {
                assert.deepEqual(changed(resource, inputs, structuredClone(inputs)), []);
                for (const [name] of shown) {
                    assert.ok(changed(resource, inputs, { ...inputs, [name]: unknown }).includes(name), name);
                }
            });

            it("replaces on exactly the fields that the page names", () => {
                const [always, documented] = replacing[resource.type] ?? assert.fail();
                const allUnknown = Object.fromEntries(shown.map(([name]) => [name, unknown]));
                const replaces = (vocabulary: Vocabulary) =>
                    changedNames(
                        changes(resource, inputs, allUnknown, vocabulary).filter((change) => change.replaces),
                    ).sort();
                assert.deepEqual(replaces("product"), [...always].sort());
                assert.deepEqual(replaces("documented"), [...always, ...documented].sort());
            });

            it("has a default for all that may be left out and is sent", () => {
                const lacking = shown.filter(
                    ([, { facts, required }]) =>
                        facts.wire !== undefined &&
                        !required &&
                        facts.default === undefined &&
                        !facts.defaultFrom &&
                        !facts.leaveAlone &&
                        !facts.sticky,
                );
                assert.deepEqual(
                    lacking.map(([name]) => name),
                    [],
                );
            });

            for (const [name, { facts, node }] of shown.filter(([, each]) =>
                /Off by default/.test(each.facts.description),
            )) {
                it(`${name} left out is ${name} off, as its page says`, () => {
                    const off = node.kind === "leaf" && node.type.safeParse(false).success ? false : 0;
                    const { [name]: _, ...without } = inputs;
                    assert.deepEqual(changed(resource, { ...without, [name]: off }, without), [], facts.description);
                    assert.deepEqual(changed(resource, without, { ...without, [name]: off }), []);
                });
            }
        });
    }

    const pathless: [type: string, field: string][] = [
        ["AuthConfig", "mount"],
        ["RootRotation", "mount"],
        ["AuthRole", "name"],
        ["AuthRole", "mount"],
        ["SnapshotConfig", "name"],
        ["CsiVolume", "volumeId"],
        ["CsiVolumeDetachment", "volumeId"],
        ["StateVersion", "workspaceId"],
        ["StateVersion", "runId"],
        ["StateVersionBackingData", "stateVersionId"],
        ["StateVersionRollback", "workspaceId"],
        ["StateVersionRollback", "stateVersionId"],
    ];
    for (const [type, field] of pathless) {
        it(`${type} refuses in check a ${field} that no path can hold`, () => {
            const resource = resources.find((candidate) => candidate.type === type) ?? assert.fail();
            for (const value of ["", ".", ".."]) {
                const reasons = check(resource, { ...inputsOf(resource), [field]: value });
                assert.deepEqual(
                    reasons.map(({ path }) => path),
                    [field],
                    JSON.stringify(value),
                );
            }
        });
    }

    it("keeps the five credentials of snapshots secret, and no plain name beside them", () => {
        const snapshots = resources.find(({ type }) => type === "SnapshotConfig") ?? assert.fail();
        const secretsIn = (storage: Values) =>
            [...secretStrings(nodeOf(snapshots), { name: "name-1", storage })].sort();
        assert.deepEqual(
            secretsIn({
                ...{ type: "cloudb-s3", bucket: "bucket-1", region: "region-1", kmsKey: "alias-1" },
                ...{ accessKeyId: "id-11", secretAccessKey: "key-1", sessionToken: "token-1" },
            }),
            ["id-11", "key-1", "token-1"],
        );
        assert.deepEqual(secretsIn({ type: "cloudc-gcs", bucket: "bucket-1", serviceAccountKey: "document-1" }), [
            "document-1",
        ]);
        assert.deepEqual(secretsIn({ type: "clouda-blob", accountName: "account-1", accountKey: "key-1" }), ["key-1"]);
    });
});
