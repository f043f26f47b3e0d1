/** Asserts that Pulumi's state contains no content of a state version, and that a preview shows the changes of a rollback. */

import assert from "node:assert/strict";
import type { Seed } from "../../src/simulator/seed";
import { planted } from "../support/canaries";
import { withCode } from "../support/messages";
import type { Props } from "../support/pulumi-values";
import { done, hosts, onStage, saying } from "../support/stack";
import { stateOf } from "../support/workspaces";

const [lost, rest, newer] = [[..."abcd"], [..."efghij"], [..."xyz"]];
const [older, now] = [stateOf(1, ...lost, ...rest), stateOf(2, ...rest, ...newer)];

/** A workspace with these states. Its id and the ids of its versions begin with `name`. */
const workspaceOf = (name: string, ...states: readonly ReturnType<typeof stateOf>[]) => ({
    ...{ id: `ws-${name}`, name, organization: "example" },
    stateVersions: states.map((state, index) => ({ id: `${name}-${index + 1}`, state })),
});
const seed: Seed = {
    workspaces: [
        ...["text", "asset", "file"].map((name) => workspaceOf(name)),
        workspaceOf("undo", stateOf(1, "a", "b"), stateOf(2, "a")),
        ...Object.keys(hosts).map((kind) => workspaceOf(kind, older, now)),
    ],
};

/** A value as JSON has it. */
const sent = (value: object): unknown => JSON.parse(JSON.stringify(value));

const program = (serial: number) => `
    const pulumi = require("@pulumi/pulumi");
    const s = require("pulumi-statecraft");
    require("node:fs").writeFileSync("given.json", ${JSON.stringify(JSON.stringify(stateOf(serial, "file")))});
    const text = ${JSON.stringify(JSON.stringify(stateOf(serial, "text")))};
    new s.StateVersion("text", { workspaceId: "ws-text", content: text, lock: true });
    new s.StateVersion("asset", { workspaceId: "ws-asset", content: new pulumi.asset.StringAsset(text), lock: true });
    new s.StateVersion("file", { workspaceId: "ws-file", content: new pulumi.asset.FileAsset("./given.json"), lock: true });
    new s.StateVersionRollback("undo", { workspaceId: "ws-undo", stateVersionId: "undo-1", lock: true });
    for (const [kind, from] of Object.entries(${JSON.stringify(hosts)}))
        new (require(from).StateVersionRollback)(kind, { workspaceId: "ws-" + kind, stateVersionId: kind + "-1", onDelete: "restore",
            only: ${JSON.stringify(lost.map((name) => `server.${name}`))} });`;

describe("state versions on the real engine", () => {
    it("are replaced for new content, which Pulumi's state does not contain; a preview shows the changes of a rollback, and that of a part keeps the rest in both hosts", async () => {
        await onStage(seed, program(1), async ({ simulator, stack }) => {
            const message = /ws-undo from undo-2 \(serial 2\) to undo-1 \(serial 1\).*\+ server\.b/;
            const preview = await stack.preview();
            done(preview);
            assert.deepEqual(
                saying(preview, message).map(({ severity, urn }) => [severity, urn.split("::").at(-1)]),
                [["info", "undo"]],
                "once, at the resource",
            );
            assert.match(preview.stdout, message);
            assert.equal(saying(preview, /\+ server\.a, server\.b, server\.c, server\.d; kept: 3 newer/).length, 2);

            const up = await stack.up("--diff");
            done(up);
            assert.equal(saying(up, message).length, 0);
            assert(!(up.stdout + up.stderr).includes(planted.state));
            assert(!JSON.stringify(await stack.export({ showSecrets: true })).includes(planted.state));
            const versions = (await stack.resources()).filter(({ type }) => type.endsWith(":StateVersion"));
            assert.equal(versions.length, 3);
            for (const { inputs, outputs } of versions) {
                assert.match(String(inputs?.["content"]), /^sha256:[0-9a-f]{64}$/);
                assert.equal(outputs?.["content"], inputs?.["content"]);
                assert.equal(outputs?.["serial"], 1);
            }
            const current = async (kind: string) => {
                const path = `/api/v2/workspaces/ws-${kind}/current-state-version`;
                const { data } = (await simulator.outside("GET", path)) as { data: { attributes: Props } };
                const address = new URL(String(data.attributes["hosted-state-download-url"]));
                return JSON.parse(String(await simulator.outside("GET", address.pathname)));
            };
            const resources = [...now.resources, ...older.resources.slice(0, lost.length)];
            for (const kind of Object.keys(hosts))
                assert.deepEqual(await current(kind), sent({ ...now, serial: 3, resources }));
            done(await stack.refresh("--expect-no-changes"));

            stack.write(program(2));
            await simulator.forget();
            const next = await stack.up();
            done(next);
            assert.deepEqual(saying(next, /rolling/), []);
            assert.equal(next.changes["replace"], 3);
            const uploads = (await simulator.writes()).filter(({ method }) => method === "PUT");
            assert.equal(uploads.length, 3);
            assert(uploads.every(({ headers }) => headers["authorization"] === undefined));
            const destroyed = await stack.destroy();
            done(destroyed);
            assert.equal(saying(destroyed, withCode("not-deleted"))[0]?.severity, "info");
            for (const kind of Object.keys(hosts)) assert.deepEqual(await current(kind), sent(now));
        });
    });
});
