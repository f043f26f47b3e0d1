/** Ids and names from programs cannot leave their place in a path: every resource and function, every value that stands in one. */

import assert from "node:assert/strict";
import { connect } from "../src/client";
import { definitions } from "../src/services/definitions";
import { functions } from "../src/services/functions";
import { withSimulator } from "./support/simulator";

type Props = Record<string, unknown>;
type Verb = (...args: unknown[]) => Promise<unknown>;

/** Stands where a hostile value will stand, to see where that is. */
const harmless = "harmless";

const hostile: readonly string[] = [
    "../seal",
    "a/../../../sys/seal",
    "..",
    "%2e%2e%2fseal",
    "a%2fb",
    "\\..\\a",
    "a?force=true",
    "a#b",
    "a\r\nX-Injected: 1",
    "a\0b",
    "",
    " ",
    "ä\u{1f600}\ud800",
    "__proto__",
];

/** Arguments that are right but for those that are tried, and the forms of ids in which `{}` is tried. */
interface Row {
    readonly args: Props;
    readonly tried: readonly string[];
    readonly ids?: readonly string[];
}

const content = JSON.stringify({ version: 4, serial: 9, resources: [] });
const rows: Readonly<Record<string, Row>> = {
    AuthConfig: {
        args: { tenantId: "t", resource: "r" },
        tried: ["mount", "namespace"],
        ids: ["auth/{}/config", "{}@auth/clouda/config"],
    },
    RootRotation: {
        args: {},
        tried: ["mount", "namespace"],
        ids: ["auth/{}/rotate-root", "{}@auth/clouda/rotate-root"],
    },
    AuthRole: {
        args: { name: "web" },
        tried: ["mount", "namespace", "name"],
        ids: ["auth/{}/role/web", "auth/clouda/role/{}", "{}@auth/clouda/role/web"],
    },
    SnapshotConfig: {
        args: { name: "hourly", interval: "1h", storage: { type: "local", pathPrefix: "/p", maxSpace: 1 } },
        tried: ["name"],
        ids: ["{}"],
    },
    CsiVolume: {
        args: { volumeId: "data", pluginId: "disks" },
        tried: ["volumeId", "namespace"],
        ids: ["default/{}", "{}/data"],
    },
    CsiVolumeDetachment: {
        args: { volumeId: "data", node: "node-1" },
        tried: ["volumeId", "namespace", "node"],
        ids: ["default/{}/node-1", "{}/data/node-1", "default/data/{}"],
    },
    StateVersion: { args: { workspaceId: "ws-1", content }, tried: ["workspaceId", "runId"], ids: ["{}"] },
    StateVersionBackingData: {
        args: { stateVersionId: "sv-1", state: "softDeleted" },
        tried: ["stateVersionId"],
        ids: ["{}"],
    },
    StateVersionRollback: {
        args: { workspaceId: "ws-1", stateVersionId: "sv-1" },
        tried: ["workspaceId", "stateVersionId"],
        ids: ["{}"],
    },
    getAuthConfig: { args: {}, tried: ["mount", "namespace"] },
    getAuthRole: { args: { name: "web" }, tried: ["mount", "namespace", "name"] },
    getAuthRoles: { args: {}, tried: ["mount", "namespace"] },
    login: {
        args: { role: "web", jwt: "j", subscriptionId: "s", resourceGroupName: "g" },
        tried: ["mount", "namespace", "role"],
    },
    getSnapshotConfig: { args: { name: "hourly" }, tried: ["name"] },
    getSnapshotConfigs: { args: {}, tried: [] },
    getSnapshotStatus: { args: { name: "hourly" }, tried: ["name"] },
    getCsiVolume: { args: { volumeId: "data" }, tried: ["volumeId", "namespace"] },
    getCsiVolumes: { args: {}, tried: ["namespace"] },
    getStateVersion: { args: { id: "sv-1" }, tried: ["id"] },
    getCurrentStateVersion: { args: { workspaceId: "ws-1" }, tried: ["workspaceId"] },
    getStateVersions: { args: { organization: "o", workspaceName: "w" }, tried: ["organization", "workspaceName"] },
    downloadState: { args: { stateVersionId: "sv-1" }, tried: ["stateVersionId"] },
};

describe("paths", () => {
    const simulator = withSimulator();
    let called: Record<string, unknown>;
    /** Resources and functions of which a request was looked at. */
    const seen = new Set<string>();
    before(() => {
        const settings = { address: simulator.url, token: "any", maxRetries: 0 };
        const stateVersions = { ...settings, address: `${simulator.url}/api/v2` };
        called = connect({
            manager: settings,
            volumes: settings,
            stateVersions,
            environment: {},
            warn: () => undefined,
        });
    });

    it("are tried for every resource and function", () => {
        const all = [...definitions.map(({ type }) => type), ...Object.values(functions).map(({ name }) => name)];
        assert.deepEqual(Object.keys(rows).sort(), all.sort());
    });

    /** What is asked of the server when the verb runs with each of the values. */
    async function asked(values: readonly string[], verb: (value: string) => Promise<unknown>) {
        await simulator.forget();
        for (const value of values) {
            const failure = await verb(value).then(
                () => "",
                (error: Error) => error.message,
            );
            assert(!/mistake in statecraft/.test(failure), `${JSON.stringify(value)}: ${failure}`);
        }
        return simulator.requests();
    }

    /** Every request must be one that a harmless value leads to as well, with a hostile one in its place. */
    async function stays(name: string, verb: (value: string) => Promise<unknown>): Promise<void> {
        const usual = await asked([harmless], verb);
        if (usual.some(({ path, query }) => path.includes(harmless) || Object.values(query).includes(harmless)))
            seen.add(name);
        for (const { method, path, query, headers } of await asked(hostile, verb)) {
            assert.equal(new URL(path, simulator.url).pathname, path, "it would be understood as another path");
            assert.equal(headers["x-injected"], undefined);
            const keys = Object.keys(query).sort().join();
            const isUsual = usual.some((one) => {
                const [before = "", after] = one.path.split(harmless);
                const inside = path.slice(before.length, path.length - (after ?? "").length);
                const isPlaced =
                    path === before + inside + (after ?? "") &&
                    (after === undefined ? inside === "" : isEscaped(inside));
                return one.method === method && Object.keys(one.query).sort().join() === keys && isPlaced;
            });
            assert(isUsual, `${method} ${path}?${keys} is none of ${JSON.stringify(usual.map((one) => one.path))}`);
        }
    }

    /** Escaped, a value is itself again; only in mounts slashes stand for themselves, but for those around them. */
    function isEscaped(inside: string): boolean {
        const meant = hostile.flatMap((value) => [value, value.toLowerCase(), value.replace(/^\/+|\/+$/g, "")]);
        return inside.split("/").every((part) => !/^\.{0,2}$/.test(part)) && meant.includes(decodeURIComponent(inside));
    }

    for (const [name, { args, tried, ids = [] }] of Object.entries(rows)) {
        const verbsOf = () => called[name.charAt(0).toLowerCase() + name.slice(1)] as Verb & Record<string, Verb>;

        for (const field of tried) {
            it(`hold ${field} of ${name} in its place`, () => {
                const verb = ids.length > 0 ? verbsOf()["create"] : verbsOf();
                assert(verb);
                return stays(name, (value) => verb({ ...args, [field]: value }));
            });
        }

        for (const form of ids) {
            for (const [verb, given] of [
                ["read", {}],
                ["update", args],
                ["delete", {}],
            ] as const) {
                it(`hold the id ${form} of ${name} in its place, to ${verb} it`, () =>
                    stays(name, async (value) =>
                        verbsOf()[verb]?.(
                            form.replace("{}", () => value),
                            given,
                        ),
                    ));
            }
        }
    }

    it("were looked at for every resource and function that takes a name", () => {
        const names = Object.keys(rows).filter((name) => rows[name]?.tried.length);
        assert.deepEqual([...seen].sort(), names.sort());
    });
});
