/** What the real engine does with contents of states, and where it shows what a rollback would change. */

import assert from "node:assert/strict";
import type { Seed } from "../../src/simulator/route";
import { isReadable, onStage } from "../support/stack";

const state = (serial: number, ...names: string[]) => ({
    version: 4,
    serial,
    lineage: "11aa",
    outputs: { password: { value: "planted-content", type: "string" } },
    resources: names.map((name) => ({ mode: "managed", type: "server", name, provider: "example", instances: [{}] })),
});

const seed: Seed = {
    workspaces: [
        { id: "ws-1", name: "one", organization: "example" },
        { id: "ws-2", name: "two", organization: "example" },
        { id: "ws-3", name: "three", organization: "example" },
        {
            id: "ws-4",
            name: "four",
            organization: "example",
            stateVersions: [
                { id: "sv-1", state: state(1, "a", "b") },
                { id: "sv-2", state: state(2, "a") },
            ],
        },
    ],
};

const program = (serial: number) => `
    const pulumi = require("@pulumi/pulumi");
    const s = require("pulumi-statecraft");
    require("node:fs").writeFileSync("given.json", ${JSON.stringify(JSON.stringify(state(serial, "file")))});
    const text = ${JSON.stringify(JSON.stringify(state(serial, "text")))};
    new s.StateVersion("text", { workspaceId: "ws-1", content: text, lock: true });
    new s.StateVersion("asset", { workspaceId: "ws-2", content: new pulumi.asset.StringAsset(text), lock: true });
    new s.StateVersion("file", { workspaceId: "ws-3", content: new pulumi.asset.FileAsset("./given.json"), lock: true });`;

describe("state versions through the engine", () => {
    it("keep no content in state, whatever form it has", async () => {
        await onStage(seed, program(1), async ({ stack }) => {
            const up = await stack.up("--diff");
            assert.equal(up.code, 0, up.stdout);
            assert(!/planted-content/.test(up.stdout + up.stderr));
            isReadable(up);
            assert(!/planted-content/.test(JSON.stringify(await stack.export({ showSecrets: true }))));
            for (const { inputs, outputs } of await stack.resources()) {
                assert.match(String(inputs?.["content"]), /^sha256:[0-9a-f]{64}$/);
                assert.equal(outputs?.["content"], inputs?.["content"]);
                assert.equal(outputs?.["serial"], 1);
            }
            assert.equal((await stack.refresh("--expect-no-changes")).code, 0);
            assert.equal((await stack.up("--expect-no-changes")).code, 0);
        });
    });

    it("are replaced by another content, and stay when they are destroyed", async () => {
        await onStage(seed, program(1), async ({ world, stack }) => {
            assert.equal((await stack.up("--skip-preview")).code, 0);
            stack.write(program(2));
            await world.forget();
            const next = await stack.up();
            assert.equal(next.code, 0, next.stdout);
            assert.equal(next.changes["replace"], 3);
            const uploads = (await world.writes()).filter(({ method }) => method === "PUT");
            assert.equal(uploads.length, 3);
            assert(uploads.every(({ headers }) => headers["authorization"] === undefined));
            const destroyed = await stack.destroy();
            assert.equal(destroyed.code, 0);
            assert(
                destroyed.diagnostics.some(
                    ({ severity, message }) => severity === "warning" && /cannot be deleted/.test(message),
                ),
            );
        });
    });

    it("show in preview, once and at the resource, what a rollback would change, and not while it is done", async () => {
        const rollback = `
            const s = require("pulumi-statecraft");
            new s.StateVersionRollback("undo", { workspaceId: "ws-4", stateVersionId: "sv-1", lock: true });`;
        await onStage(seed, rollback, async ({ stack }) => {
            const told =
                /rolling back ws-4 from sv-2 \(serial 2, 1 resource\) to sv-1 \(serial 1, 2 resources\): \+ server\.b/;
            const preview = await stack.preview();
            assert.deepEqual(
                preview.diagnostics
                    .filter(({ message }) => told.test(message))
                    .map(({ severity, urn }) => [severity, urn.split("::").at(-1)]),
                [["info", "undo"]],
            );
            assert.match(preview.stdout, told);
            const up = await stack.up("--skip-preview");
            assert.equal(up.code, 0, up.stdout);
            assert(!up.diagnostics.some(({ message }) => told.test(message)));
            assert.deepEqual(
                (await stack.preview()).diagnostics.filter(({ message }) => /rolling/.test(message)),
                [],
            );
        });
    });
});
