/** Asserts that providers accept the state of release 0.1.0, in the form of `pulumi stack export`. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { providerText } from "../src/pulumi/dynamic-class";
import { provider } from "../src/runtime/providers";
import { demonstration } from "../src/simulator/demonstration";
import { type ManagedResource, unsealed } from "./support/managed-resource";
import { type Props, signatureKey } from "./support/pulumi-values";
import { withSimulator } from "./support/simulator";

interface Stored {
    readonly urn: string;
    readonly type: string;
    readonly id: string;
    readonly inputs: Props;
    readonly outputs: Props;
}

const stored: readonly Stored[] = JSON.parse(readFileSync(join(__dirname, "fixtures", "state-0.1.0.json"), "utf8"));
const nameOf = ({ urn }: Stored) => urn.split("::").at(-1) ?? "";
const typeOf = ({ type }: Stored) => type.split(":").at(-1) ?? "";

/** Converts exported secrets to the form that a provider receives. */
function given(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(given);
    if (typeof value !== "object" || value === null) return value;
    if (signatureKey in value && "plaintext" in value) {
        return { [signatureKey]: value[signatureKey], value: JSON.parse(String(value.plaintext)) };
    }
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, given(inner)]));
}

const content = { version: 4, tool_version: "1.6.2", serial: 1, lineage: "6c1e54e8", outputs: {}, resources: [] };

/** Inputs that state does not contain. */
const programs: Readonly<Record<string, Props>> = { state: { content: JSON.stringify(content) } };

/** An update for every resource, in the order in which the test creates the objects. */
const changes: Readonly<Record<string, Props>> = {
    method: { clientSecret: "another-secret" },
    rotation: { triggers: ["2027"] },
    web: { tokenTtl: "2h" },
    minimal: { tokenPolicies: ["new"] },
    hourly: { retain: 12 },
    local: { retain: 2 },
    data: { force: false },
    free: { triggers: [2] },
    state: { waitForProcessing: "1m" },
    undo: { stateVersionId: "sv-2" },
    retired: { state: "available" },
};

/** Outputs whose values depend on the server. */
const elsewhere = ["server", "createdAt", "currentStateVersionId"];

describe("state of version 0.1.0", () => {
    const workspaces = [...(demonstration.workspaces ?? []), { id: "ws-2", name: "new", organization: "example" }];
    const simulator = withSimulator({ ...demonstration, workspaces }, { vocabulary: "documented", lasts: true });
    const lasting: ManagedResource[] = [];

    for (const [name, change] of Object.entries(changes)) {
        const state = stored.find((one) => nameOf(one) === name) ?? assert.fail(name);
        const type = typeOf(state);

        it(`names an existing provider of ${type}`, () => {
            const text = `exports.handler = () => require("pulumi-statecraft/runtime").provider("${type}")`;
            assert.deepEqual(
                [state.inputs["__provider"], state.outputs["__provider"], providerText(type)],
                [text, text, text],
            );
            const verbs = Object.keys(provider(type)).sort();
            assert.deepEqual(verbs, ["check", "configure", "create", "delete", "diff", "read", "update"]);
        });

        it(`of ${name} (${type}) shows no change, and can be refreshed, updated and deleted`, async () => {
            const resource = simulator.resource(type);
            const { __provider, lockMarks, ...inputs } = unsealed(given(state.inputs)) as Props;
            assert.equal(await resource.up({ ...inputs, ...programs[name] }), "created");
            const made = resource.state ?? assert.fail();
            const moved = elsewhere
                .filter((field) => field in state.outputs)
                .map((field) => [field, made.outputs[field]]);
            resource.state = {
                id: made.id,
                inputs: given(state.inputs) as Props,
                outputs: { ...(given(state.outputs) as Props), ...Object.fromEntries(moved) },
                initErrors: [],
            };
            await simulator.forget();
            assert.equal(await resource.up(inputs), "same");
            const refreshed = await resource.refresh();
            assert(Array.isArray(refreshed));
            // A refresh may change `__provider`, which the engine sets, and `resources`, which the server computes later.
            const wrong = refreshed.filter((field) => !["__provider", "resources"].includes(field));
            assert.deepEqual(wrong, []);
            assert.equal(await resource.up(inputs), "same");
            assert.deepEqual(await simulator.writes(), []);
            assert.equal(await resource.up({ ...inputs, ...change }), "updated");
            assert.equal(await resource.up({ ...inputs, ...change }), "same");
            // Later objects depend on `method` and `data`.
            if (name === "method" || name === "data") lasting.push(resource);
            else await resource.destroy();
        });
    }

    it("of `method` and `data` can be deleted after all other objects", async () => {
        assert.equal(lasting.length, 2);
        for (const resource of lasting) await resource.destroy();
        assert.equal(await simulator.outside("GET", "/v1/auth/clouda/config"), undefined);
        assert.equal(await simulator.outside("GET", "/v1/volume/csi/data"), undefined);
    });
});
