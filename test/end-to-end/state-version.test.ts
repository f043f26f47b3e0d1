/** Asserts that Pulumi's state contains no content of a state version, and that a preview shows the changes of a rollback. */

import assert from "node:assert/strict";
import type { Seed } from "../../src/simulator/seed";
import { canaryToken, planted } from "../support/canaries";
import { withCode } from "../support/messages";
import type { Props } from "../support/pulumi-values";
import { done, onStage, saying } from "../support/stack";
import { stateOf } from "../support/workspaces";

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
                { id: "sv-1", state: stateOf(1, "a", "b") },
                { id: "sv-2", state: stateOf(2, "a") },
            ],
        },
    ],
};

/** A value as JSON has it. */
const sent = (value: object): unknown => JSON.parse(JSON.stringify(value));

const program = (serial: number) => `
    const pulumi = require("@pulumi/pulumi");
    const s = require("pulumi-statecraft");
    require("node:fs").writeFileSync("given.json", ${JSON.stringify(JSON.stringify(stateOf(serial, "file")))});
    const text = ${JSON.stringify(JSON.stringify(stateOf(serial, "text")))};
    new s.StateVersion("text", { workspaceId: "ws-1", content: text, lock: true });
    new s.StateVersion("asset", { workspaceId: "ws-2", content: new pulumi.asset.StringAsset(text), lock: true });
    new s.StateVersion("file", { workspaceId: "ws-3", content: new pulumi.asset.FileAsset("./given.json"), lock: true });
    new s.StateVersionRollback("undo", { workspaceId: "ws-4", stateVersionId: "sv-1", lock: true });`;

describe("state versions on the real engine", () => {
    it("are replaced for new content, which Pulumi's state does not contain; only the preview shows the changes of a rollback", async () => {
        await onStage(seed, program(1), async ({ simulator, stack }) => {
            const message = /ws-4 from sv-2 \(serial 2\) to sv-1 \(serial 1\).*\+ server\.b/;
            const preview = await stack.preview();
            done(preview);
            assert.deepEqual(
                saying(preview, message).map(({ severity, urn }) => [severity, urn.split("::").at(-1)]),
                [["info", "undo"]],
                "once, at the resource",
            );
            assert.match(preview.stdout, message);

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
            assert.equal(saying(destroyed, withCode("not-deleted"))[0]?.severity, "warning");
        });
    });
});

describe("the preview of a rollback", () => {
    const workspaceWith = (n: number, others: object) => ({
        ...{ id: `ws-${n}`, name: `name-${n}`, organization: "example", ...others },
        stateVersions: [1, 2].map((serial) => ({ id: `sv-${n}${serial}`, state: stateOf(serial, `r${serial}`) })),
    });
    const applied = { id: "run-4", status: "applied" };
    const planning = { id: "run-5", status: "planning", message: `Grow the shop ${"x".repeat(80)}` };
    const readOnly: Seed = {
        tokens: [{ token: canaryToken, kind: "user", id: "user-1", access: "read" }],
        workspaces: [
            workspaceWith(1, { autoApply: true, runs: [applied, planning] }),
            workspaceWith(2, { runs: [planning, applied] }),
            workspaceWith(3, { autoApply: true, runs: [planning] }),
        ],
    };

    for (const from of ["pulumi-statecraft", "pulumi-statecraft/native"]) {
        it(`with ${from} shows an unfinished run, auto-apply and missing permissions by three requests, if the server shows them`, async () => {
            const source = `
                const { StateVersionRollback } = require("${from}");
                for (const n of [1, 2, 3])
                    new StateVersionRollback("undo" + n, { workspaceId: "ws-" + n, stateVersionId: "sv-" + n + "1" });`;
            await onStage(readOnly, source, async ({ simulator, stack }) => {
                const silent = JSON.stringify({ data: { id: "ws-3", type: "workspaces", attributes: {} } });
                const type = { contentType: "application/vnd.api+json" };
                await simulator.fault({ path: "/workspaces/ws-3$", status: 200, body: silent, ...type, times: 0 });
                const preview = await stack.preview();
                done(preview);
                const run = /: run-5 Grow the shop x{46} \(planning\)\. /;
                const facts = { run, autoApply: /auto-apply/, create: /can-create-state-versions/, lock: /can-lock/ };
                const shown = Object.entries(facts).flatMap(([fact, text]) =>
                    saying(preview, text).map(({ severity, urn }) => `${fact} ${urn.at(-1)} ${severity}`),
                );
                const missing = ["create 1 warning", "create 2 warning", "lock 1 warning", "lock 2 warning"];
                assert.deepEqual(shown.sort(), ["autoApply 1 info", ...missing, "run 1 info"]);
                assert.equal((await simulator.requests()).length, 3 * 3);
            });
        });
    }
});

describe("a rollback of a part", () => {
    const [lost, rest, newer] = [[..."abcd"], [..."efghij"], [..."xyz"]];
    const [older, now] = [stateOf(1, ...lost, ...rest), stateOf(2, ...rest, ...newer)];
    const returned = older.resources.slice(0, lost.length);
    const only = JSON.stringify(lost.map((name) => `server.${name}`));
    const versions = [older, now].map((state, index) => ({ id: `sv-${index}`, state }));
    const workspace = { id: "ws-1", name: "one", organization: "example", stateVersions: versions };

    for (const from of ["pulumi-statecraft", "pulumi-statecraft/native"]) {
        it(`with ${from} returns four lost resources beside three newer ones, and its deletion removes the four`, async () => {
            const inputs = `{ workspaceId: "ws-1", stateVersionId: "sv-0", only: ${only}, onDelete: "restore" }`;
            const source = `new (require("${from}").StateVersionRollback)("undo", ${inputs});`;
            await onStage({ workspaces: [workspace] }, source, async ({ simulator, stack }) => {
                const current = async (path = "/api/v2/workspaces/ws-1/current-state-version") => {
                    const { data } = (await simulator.outside("GET", path)) as { data: { attributes: Props } };
                    const address = new URL(String(data.attributes["hosted-state-download-url"]));
                    return JSON.parse(String(await simulator.outside("GET", address.pathname)));
                };
                const preview = await stack.preview();
                done(preview);
                assert.equal(saying(preview, /\+ server\.a, server\.b, server\.c, server\.d; kept: 3 newer/).length, 1);
                done(await stack.up());
                assert.deepEqual(
                    await current(),
                    sent({ ...now, serial: 3, resources: [...now.resources, ...returned] }),
                );
                done(await stack.up("--refresh", "--expect-no-changes"));
                done(await stack.destroy());
                assert.deepEqual(await current(), sent(now));
            });
        });
    }
});
