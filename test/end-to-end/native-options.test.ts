/** Tests resource options, nested secrets and unknown values in both hosts. */

import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import { sealedPaths } from "../support/managed-resource";
import type { Outcome } from "../support/pulumi-cli";
import { done, failed, hosts, saying, withStage } from "../support/stack";

/** Returns the program: the first one, or with `then` its second version. */
const program = (then: boolean) => `
    const pulumi = require("@pulumi/pulumi");
    for (const [kind, from] of Object.entries(${JSON.stringify(hosts)})) {
        const statecraft = require(from);
        const parent = new pulumi.ComponentResource("my:own:Team", "team-" + kind);
        const role = (part, args, options) => {
            const name = kind + "-" + part;
            return new statecraft.AuthRole(name, { name, tokenTtl: "1h", boundLocations: ["north"], ...args }, { parent, ...options });
        };
        const config = (part, storage, args, options) => {
            const name = kind + "-" + part;
            const local = { type: "local", pathPrefix: "/var/snapshots", maxSpace: 1_000_000, ...storage };
            return new statecraft.SnapshotConfig(name, { name, interval: "1h", storage: local, ...args }, options);
        };

        const web = role("web", { boundGroupIds: ["a", pulumi.secret("planted-group")] }, { additionalSecretOutputs: ["mount"], protect: true });
        if (pulumi.runtime.isDryRun())
            for (const output of ["name", "mount", "server"])
                web[output].isKnown.then((isKnown) => pulumi.log.info([kind, output, isKnown].join(" ")));
        const pathPrefix = pulumi.secret(web.server.apply((server) => "/planted-" + server.replace(/\\W+/g, "-")));
        config("nested", { pathPrefix, maxSpace: ${then ? 2_000_000 : 1_000_000} });

        // The inputs of these are unknown until the role exists.
        role("next", { name: web.id.apply(() => kind + "-next"), tokenPolicies: [web.id], tokenTtl: web.tokenTtl });
        new statecraft.CsiVolume(kind + "-disk", { volumeId: web.id.apply(() => kind + "-disk"), pluginId: "disks", externalId: "vol-${then}", topologies: [{ rack: web.name }] });

        role("ignored", { tokenTtl: "${then ? "2h" : "1h"}" }, { ignoreChanges: ["tokenTtl"] });
        role("${then ? "renamed" : "former"}", { name: kind + "-same" }, { aliases: [{ name: kind + "-former" }] });
        role("${then ? "heir" : "owner"}", { name: kind + "-claimed", adopt: true });
        const added = ({ props, opts }) => ({ props: { ...props, tokenMaxTtl: "2h" }, opts });
        exports[kind] = role("transformed", {}, { transforms: [added] }).tokenMaxTtl;
        const volumeId = kind + "-forced";
        new statecraft.CsiVolume(volumeId, { volumeId, pluginId: "disks", force: ${then} }, { replaceOnChanges: ["force"] });
        role("taken", { tokenTtl: "${then ? "2h" : "1h"}" }, { replaceOnChanges: ["tokenTtl"] });
        const wait = ${then} ? { interval: "2h", waitForSnapshot: "1h" } : {};
        config("moved", {}, ${then} ? { name: kind + "-elsewhere" } : {});
        config("late", {}, wait, { customTimeouts: { update: "1s" } });
        if (${!then}) {
            role("retained", {}, { retainOnDelete: true });
            role("part", {}, { deletedWith: role("whole") });
        }
    }`;

/** Returns the steps of each resource of a kind, by its name without the kind. */
function opsOf({ steps }: Outcome, kind: string): Record<string, string> {
    const ops: Record<string, string> = {};
    for (const { name, op } of steps) {
        const [of, part = ""] = name.split("-");
        if (of === kind) ops[part] = part in ops ? `${ops[part]}, ${op}` : op;
    }
    return ops;
}

const anew = "delete-replaced, replace, create-replacement";
const bothHosts = Object.keys(hosts);
const errorsOf = ({ diagnostics }: Outcome) => diagnostics.filter(({ severity }) => severity === "error");

describe("resource options in both hosts", () => {
    const shared = withStage(demonstration, program(false), async ({ stack }) => {
        const made = await stack.up("--skip-preview=false");
        done(made);
        stack.write(program(true));
        const changed = await stack.up("--refresh", "--continue-on-error");
        const stored = new Map((await stack.resources()).map((one) => [one.urn.split("::").at(-1), one]));
        return { made, changed, stored };
    });

    it("the preview of a new role knows its `name`, and neither its `mount` nor its `server`", () => {
        const known = new Set(shared.made.stdout.match(/(dynamic|native) (name|mount|server) (true|false)$/gm));
        const expected = bothHosts.flatMap((kind) => [
            `${kind} mount false`,
            `${kind} name true`,
            `${kind} server false`,
        ]);
        assert.deepEqual([...known].sort(), expected);
    });

    it("`ignoreChanges`, `aliases`, `retainOnDelete` and `deletedWith` decide the steps of an update, and a volume is deleted before its replacement is created", () => {
        for (const kind of bothHosts) {
            const { forced: _, taken: __, ...steps } = opsOf(shared.changed, kind);
            assert.deepEqual(steps, {
                ...{
                    disk: anew,
                    next: "same",
                    web: "same",
                    nested: "update",
                    ignored: "same",
                    renamed: "same",
                    late: "update",
                },
                ...{ transformed: "same", heir: "create", owner: "delete" },
                ...{ moved: "create-replacement, replace, delete-replaced" },
                ...{ retained: "delete", part: "delete", whole: "delete" },
            });
        }
    });

    it("`replaceOnChanges` replaces with the native plugin, and updates with the dynamic host", () => {
        const stepsOf = (kind: string) => ["forced", "taken"].map((part) => opsOf(shared.changed, kind)[part]);
        assert.deepEqual(stepsOf("dynamic"), ["update", "update"]);
        assert.deepEqual(stepsOf("native"), [anew, anew]);
    });

    it("`retainOnDelete` and `deletedWith` keep an object at the server, and an alias or `adopt` keeps the renamed one", async () => {
        for (const kind of bothHosts) {
            const there = ["retained", "part", "whole", "same", "claimed"].map((part) =>
                shared.simulator.outside("GET", `/v1/auth/clouda/role/${kind}-${part}`),
            );
            const areThere = (await Promise.all(there)).map((one) => one !== undefined);
            assert.deepEqual(areThere, [true, true, false, true, true], kind);
        }
    });

    it("an input that a transform adds is sent and is an output", async () => {
        assert.deepEqual(await shared.stack.outputs(), { dynamic: "2h", native: "2h" });
    });

    it("`customTimeouts` end a wait with an error at the resource, and nothing else fails", () => {
        const late = /late: it was written, but waiting for it failed: no snapshot was taken within [01] s/;
        failed(shared.changed);
        assert.equal(saying(shared.changed, late).length, bothHosts.length);
        // The third error is that of the update as a whole.
        assert.equal(errorsOf(shared.changed).length, bothHosts.length + 1);
    });

    it("a wait shows its progress at the stack with the dynamic host, and at the resource with the native plugin", () => {
        const { stdout } = shared.changed;
        assert.match(stdout, /pulumi:Stack .* SnapshotConfig dynamic-late: waiting for a snapshot/);
        assert.match(stdout, /SnapshotConfig native-late .* waiting for a snapshot/);
    });

    it("secrets inside inputs are sent, are encrypted in state, and are not on the screen", async () => {
        const path = "/v1/sys/storage/raft/snapshot-auto/config/native-nested";
        const sent = JSON.stringify(await shared.simulator.outside("GET", path));
        assert.match(sent, /"path_prefix":"\/planted-http-127-/);
        const { stored, changed } = shared;
        assert(!failed(changed).includes("planted"));
        assert(!JSON.stringify([...stored.values()]).includes("planted"));
        for (const kind of bothHosts) {
            assert.deepEqual(sealedPaths(stored.get(`${kind}-nested`)?.outputs), ["storage.pathPrefix"]);
        }
    });

    it("`additionalSecretOutputs` are encrypted in state, beside secret items of a list", () => {
        for (const kind of bothHosts) {
            const outputs = shared.stored.get(`${kind}-web`)?.outputs;
            assert.deepEqual(sealedPaths(outputs).sort(), ["boundGroupIds", "mount"]);
        }
    });

    it("`protect` makes a destroy fail, and keeps the resource with its parent", async () => {
        const { stack } = shared;
        assert.match(failed(await stack.destroy()), /protect/);
        const remaining = (await stack.resources()).map(({ urn }) => urn.split("::").at(-1));
        assert.deepEqual(remaining.sort(), ["dynamic-web", "native-web", "team-dynamic", "team-native"]);
    });
});
