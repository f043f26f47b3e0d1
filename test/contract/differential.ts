/**
 * Sends the same random requests to real servers and to the simulator: `npm run test:nightly -- --only differential`, with the variables of `servers.ts`.
 * Status, media type, form and texts of the answers are the same, but for the known differences. fast-check shrinks a sequence that differs.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Seed } from "../../src/simulator/seed";
import { endpoints } from "../support/endpoints";
import { newDifferences } from "../support/known-differences";
import { seed } from "../support/random";
import { type Asked, ask, Replay } from "./replay";
import { named } from "./target";

/** A server, the seed that makes the simulator equal to it, and the requests to send, with `{0}` and `{1}` for the names of two objects. */
interface Subject {
    readonly seed: Seed;
    readonly request: fc.Arbitrary<Asked>;
    /** The paths of the objects to delete after each sequence. */
    readonly objects: readonly string[];
}

const variable = (name: string) => process.env[`STATECRAFT_CONTRACT_${name}`] ?? "";
const oneOf = (...values: unknown[]) => fc.constantFrom(...values);
const some = (values: fc.Arbitrary<unknown>) => fc.array(values, { maxLength: 2 });
const asked = (method: string, paths: readonly string[], body?: fc.Arbitrary<unknown>): fc.Arbitrary<Asked> =>
    fc.record({ method: fc.constant(method), path: fc.constantFrom(...paths), ...(body && { body }) });

/** Values of Vault's fields, by their names. */
const kinds: readonly (readonly [fields: RegExp, values: fc.Arbitrary<unknown>])[] = [
    [/cidrs/, some(oneOf("10.0.0.0/8", "192.0.2.7/32", "2001:DB8::1/64", "::ffff:192.0.2.7", "junk"))],
    [/^bound_|policies/, fc.oneof(some(oneOf("a", "B", "c d")), oneOf("a, b", ""))],
    [/delay/, oneOf(0, 60, "60s", "1h30m")],
    [/ttl|period/, oneOf(0, 60, 7200, "60s", "1h30m", "1d", "900h", "", -1, "junk")],
    [/num_uses|retries/, oneOf(0, 1, 7, "5", -1, "junk")],
    [/no_default/, fc.boolean()],
    [/token_type/, oneOf("service", "batch", "default", "", "default-service", "junk")],
    [/environment/, oneOf("AzurePublicCloud", "AzureChinaCloud", "AzureGermanCloud", "Junk")],
    [/./, oneOf("tenant-1", "https://contract.example/", "")],
];

function vault(): Subject {
    const at = (path: string) => ["azure", "contract", "absent"].map((mount) => `/v1/auth/${mount}/${path}`);
    const roles = ["{0}", "{1}"].flatMap((name) => at(`role/${name}`));
    const body = (path: string) => {
        const { request = [] } = endpoints.find((each) => each.method === "POST" && each.path.endsWith(path)) ?? {};
        const fields = request.map((field) => [field, kinds.find(([names]) => names.test(field))?.[1]]);
        return fc.record<Record<string, unknown>, never>(Object.fromEntries(fields), { requiredKeys: [] });
    };
    const snapshots = ["config?list=true", "config/{0}", "status/{0}"];
    const request = fc.oneof(
        { weight: 6, arbitrary: asked("POST", roles, body("clouda/role/:name")) },
        { weight: 5, arbitrary: asked("GET", [...roles, ...at("role?list=true")]) },
        { weight: 3, arbitrary: asked("POST", at("config"), body("clouda/config")) },
        { weight: 3, arbitrary: asked("GET", at("config")) },
        { weight: 2, arbitrary: asked("DELETE", [...roles, ...at("config")]) },
        asked("POST", at("rotate-root")),
        asked("POST", at("login"), body("clouda/login")).map((one) => ({ ...one, token: null })),
        asked(
            "GET",
            snapshots.map((path) => `/v1/sys/storage/raft/snapshot-auto/${path}`),
        ),
    );
    const objects = [...roles, ...at("config")].filter((path) => !path.includes("absent"));
    return { seed: { mounts: ["azure", "contract"], licensed: false }, request, objects };
}

function nomad(): Subject {
    const [plugin, controller, namespace] = ["PLUGIN", "CONTROLLER_PLUGIN", "NAMESPACE"].map(variable);
    const segments = some(oneOf({ Segments: { rack: "r1" } }, { Segments: { rack: "r2", zone: "a" } }));
    const texts = oneOf({}, { a: "1" }, { a: "2", b: "3" });
    const modes = fc.record({
        AccessMode: oneOf("single-node-writer", "multi-node-reader-only", "junk", ""),
        AttachmentMode: oneOf("file-system", "block-device"),
    });
    const volume = fc.record(
        {
            ...{ ID: oneOf("{0}", "{1}"), Name: oneOf("", "one", "two"), ExternalID: oneOf("", "vol-1", "missing-1") },
            Namespace: oneOf("default", namespace, "absent"),
            PluginID: oneOf(plugin, plugin, controller, "absent"),
            ...{ Topologies: segments, RequestedCapabilities: some(modes) },
            MountOptions: oneOf({}, { FSType: "ext4" }, { FSType: "xfs", MountFlags: ["ro"] }),
            ...{ Parameters: texts, Context: texts, Secrets: texts },
            RequestedTopologies: fc.option(
                fc.record({ Required: segments, Preferred: segments }, { requiredKeys: [] }),
            ),
            ...{ RequestedCapacityMin: oneOf(0, 1000), RequestedCapacityMax: oneOf(0, 2000) },
        },
        { requiredKeys: ["ID", "PluginID", "RequestedCapabilities"] },
    );
    const at = (path: string) => ["default", namespace, "absent"].map((each) => `${path}namespace=${each}`);
    const volumes = ["{0}", "{1}"].flatMap((name) => at(`/v1/volume/csi/${name}?`));
    const body = fc.record({ Volumes: fc.array(volume, { minLength: 1, maxLength: 1 }) });
    const request = fc.oneof(
        { weight: 6, arbitrary: asked("PUT", volumes, body) },
        { weight: 4, arbitrary: asked("GET", [...volumes, ...at("/v1/volumes?type=csi&plugin_id=absent&")]) },
        { weight: 2, arbitrary: asked("DELETE", [...volumes, ...at("/v1/volume/csi/{0}?force=true&")]) },
        asked("DELETE", at("/v1/volume/csi/{0}/detach?node=absent&")),
    );
    const plugins = [plugin, controller].map((id = "") => {
        return { id, provider: "contract.example", nodes: ["node"], controllerRequired: id === controller };
    });
    return { seed: { plugins, namespaces: ["default", namespace ?? ""] }, request, objects: volumes };
}

for (const [product, subjectOf] of [
    ["VAULT", vault],
    ["NOMAD", nomad],
] as const) {
    const [address, token] = [variable(`${product}_ADDRESS`), variable(`${product}_TOKEN`)];
    if (address === "") continue;
    describe(`${product} and the simulator`, () => {
        it(`answer random requests alike, but for the known differences (seed ${seed})`, async () => {
            const { seed: objectsBefore, request, objects } = subjectOf();
            let runs = 0;
            const property = fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 8 }), async (requests) => {
                const [run, simulator] = [runs++, new Replay(objectsBefore)];
                const filled = (text: string) => text.replace(/\{([01])\}/g, (_, index) => named(`${run}-${index}`));
                for (const each of requests) {
                    const one: Asked = JSON.parse(filled(JSON.stringify(each)));
                    const [real, simulated] = [await ask(address, { token, ...one }), await simulator.send(one)];
                    const { unknown, parts } = newDifferences(product.toLowerCase(), one, real, simulated);
                    assert.deepEqual(unknown, [], JSON.stringify({ one, real, simulated }));
                    // After a known difference in a write, the two servers have other objects.
                    if (parts) break;
                }
            });
            const clean = async () => {
                for (const path of objects) {
                    const name = path.replace(/\{([01])\}/g, (_, index) => named(`${runs - 1}-${index}`));
                    await ask(address, { method: "DELETE", path: name, token });
                }
            };
            await fc.assert(property.afterEach(clean), {
                seed,
                numRuns: 100 * Number(process.env["STATECRAFT_RUNS"] ?? 1),
            });
        });
    });
}
