/** Tests resource options, nested secrets and unknown values in both hosts. */

import assert from "node:assert/strict";
import { demonstration } from "../../src/simulator/demonstration";
import { sealedPaths } from "../support/managed-resource";
import type { Outcome } from "../support/pulumi-cli";
import { done, failed, onStage, saying } from "../support/stack";

const kinds = { dynamic: "pulumi-statecraft", native: "pulumi-statecraft/native" };

/** Returns the program: the first one, or with `then` its second version. */
const program = (then: boolean) => `
    const pulumi = require("@pulumi/pulumi");
    for (const [kind, from] of Object.entries(${JSON.stringify(kinds)})) {
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

        role("ignored", { tokenTtl: "${then ? "2h" : "1h"}" }, { ignoreChanges: ["tokenTtl"] });
        role("${then ? "renamed" : "former"}", { name: kind + "-same" }, { aliases: [{ name: kind + "-former" }] });
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

describe("resource options", () => {
    it("work in both hosts", async () => {
        await onStage(demonstration, program(false), async ({ simulator, stack }) => {
            const made = await stack.up("--skip-preview=false");
            done(made);
            // Whether the preview of a new resource knows each of these outputs.
            const known = new Set(made.stdout.match(/(dynamic|native) (name|mount|server) (true|false)$/gm));
            assert.deepEqual([...known].sort(), [
                "dynamic mount false",
                "dynamic name true",
                "dynamic server false",
                "native mount false",
                "native name true",
                "native server false",
            ]);
            const snapshots = "/v1/sys/storage/raft/snapshot-auto/config";
            const found = JSON.stringify(await simulator.outside("GET", `${snapshots}/native-nested`));
            assert.match(found, /"path_prefix":"\/planted-http-127-/);

            stack.write(program(true));
            const changed = await stack.up("--refresh", "--continue-on-error");
            assert(!failed(changed).includes("planted"));
            const late = /late: it was written, but waiting for it failed: no snapshot was taken within [01] s/;
            assert.equal(
                saying(changed, late).length,
                2,
                "`customTimeouts` end the waits of both, and nothing else fails",
            );
            assert.equal(changed.diagnostics.filter(({ severity }) => severity === "error").length, 3);
            const both = {
                web: "same",
                nested: "update",
                ignored: "same",
                renamed: "same",
                moved: "create-replacement, replace, delete-replaced",
                late: "update",
                retained: "delete",
                part: "delete",
                whole: "delete",
            };
            assert.deepEqual(opsOf(changed, "dynamic"), { ...both, forced: "update", taken: "update" });
            const anew = "delete-replaced, replace, create-replacement";
            assert.deepEqual(opsOf(changed, "native"), { ...both, forced: anew, taken: anew });
            // Only the native plugin has detailed differences.
            const detailsOf = (name: string) => changed.steps.find((step) => step.name === name)?.details;
            assert.deepEqual(detailsOf("native-nested"), { "storage.maxSpace": "update" });
            assert.deepEqual(detailsOf("native-moved"), { name: "update-replace" });
            assert.deepEqual(detailsOf("native-late"), { interval: "update", waitForSnapshot: "add" });
            assert.deepEqual(detailsOf("dynamic-nested"), {});
            // The dynamic host shows progress at the stack.
            assert.match(changed.stdout, /pulumi:Stack .* SnapshotConfig dynamic-late: waiting for a snapshot/);
            assert.match(changed.stdout, /SnapshotConfig native-late .* waiting for a snapshot/);

            const stored = new Map((await stack.resources()).map((one) => [one.urn.split("::").at(-1), one]));
            assert(!JSON.stringify([...stored.values()]).includes("planted"), "a nested secret is in clear in state");
            for (const kind of Object.keys(kinds)) {
                const { boundGroupIds, mount, ...outputs } = stored.get(`${kind}-web`)?.outputs ?? {};
                assert.deepEqual(sealedPaths({ boundGroupIds, mount, ...outputs }).sort(), ["boundGroupIds", "mount"]);
                const nested = stored.get(`${kind}-nested`)?.outputs;
                assert.deepEqual(sealedPaths(nested), ["storage.pathPrefix"]);
                const there = ["retained", "part", "whole", "same"].map((part) =>
                    simulator.outside("GET", `/v1/auth/clouda/role/${kind}-${part}`),
                );
                const areThere = (await Promise.all(there)).map((one) => one !== undefined);
                assert.deepEqual(areThere, [true, true, false, true], kind);
            }

            assert.match(failed(await stack.destroy()), /protect/);
            const remaining = (await stack.resources()).map(({ urn }) => urn.split("::").at(-1));
            assert.deepEqual(remaining.sort(), ["dynamic-web", "native-web", "team-dynamic", "team-native"]);
        });
    });
});
