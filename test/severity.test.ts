/** The severity of what checks and previews say: `strict` makes each warning and blocker a failure, whichever function says it, and no note. */

import assert from "node:assert/strict";
import { plugins } from "./resources/csi-volume";
import { testClock } from "./support/clock";
import { withCode } from "./support/messages";
import type { Props } from "./support/pulumi-values";
import { filesIn, textOf } from "./support/repository";
import { withSimulator } from "./support/simulator";
import { stateOf } from "./support/workspaces";

const modes = { accessMode: "single-node-writer", attachmentMode: "file-system" };
const volume = { volumeId: "data", externalId: "vol-1", pluginId: "disks", ...modes };
const role = { name: "web", boundGroupIds: ["g"], boundLocations: ["north"] };
const config = { name: "hourly", interval: "1h", retain: 3, storage: { type: "local", pathPrefix: "/a", maxSpace: 1 } };
const workspace = (id: string, version: object) => ({
    ...{ id, name: id, organization: "example" },
    stateVersions: [
        { id: `${id}-old`, state: stateOf(1, "a"), ...version },
        { id: `${id}-now`, state: stateOf(2) },
    ],
});
const undo = (id: string) => ({ workspaceId: id, stateVersionId: `${id}-old` });

describe("the severity", () => {
    const simulator = withSimulator({
        plugins,
        workspaces: [workspace("ws-1", {}), workspace("ws-2", { intermediate: true })],
    });
    const strict = { STATECRAFT_STRICT: "true" };
    const locked = () => simulator.outside("POST", "/api/v2/workspaces/ws-1/actions/lock", { reason: "r" });
    const failing =
        (status: number, body = "") =>
        () =>
            simulator.fault({ method: "GET", times: 0, status, body });

    it("is decided only by the context and the alarms of a check", () => {
        const sources = filesIn("src").filter((file) => !/^src\/(simulator|command|generated)\//.test(file));
        assert.deepEqual(
            sources.flatMap((file) =>
                [...textOf(file).matchAll(/say\(\s*(?:severity \?\? )?"warning"/g)].map(() => file),
            ),
            ["src/core/context.ts", "src/core/context.ts", "src/pulumi/program.ts", "src/runtime/runtime.ts"],
        );
    });

    /** What a preview warns of: the type, its inputs, the code, and what happens before. */
    const alarms: readonly (readonly [type: string, inputs: Props, code: string, before?: () => Promise<unknown>])[] = [
        ["AuthRole", { name: "web" }, "input"],
        ["AuthRole", role, "exists", () => simulator.resource("AuthRole").up(role)],
        ["AuthRole", role, "service", failing(500)],
        ["SnapshotConfig", config, "answer", failing(200, "<html>")],
        ["StateVersionRollback", undo("ws-2"), "preview"],
        ["StateVersionRollback", undo("ws-1"), "locked", locked],
        ["StateVersionRollback", undo("ws-9"), "absent"],
    ];
    for (const [type, inputs, code, before] of alarms) {
        for (const isNative of [false, true]) {
            it(`of [${code}] in a preview of ${type} is a warning, and a failure with strict${isNative ? ", native" : ""}`, async () => {
                await before?.();
                const usual = simulator.resource(type, { isNative });
                await usual.preview(inputs);
                const said = usual.messages.filter(({ severity }) => severity === "warning");
                assert(
                    said.some(({ message }) => withCode(code).test(message)),
                    JSON.stringify(usual.messages),
                );
                const strictly = simulator.resource(type, { isNative, environment: strict });
                await assert.rejects(strictly.preview(inputs), /`STATECRAFT_STRICT=false`/);
                assert.deepEqual(strictly.warnings, []);
            });
        }
    }

    it("of a change that the server refuses now is a failure with strict", async () => {
        const data = await simulator.resource("CsiVolume").deployed(volume);
        await simulator.control("POST", "/simulator/claims", { volume: "data", node: "node-1" });
        const change = { ...volume, externalId: "vol-2" };
        assert.match((await data.preview(change)).join(), withCode("in-use"));
        const strictly = simulator.resource("CsiVolume", { environment: strict });
        strictly.state = data.state;
        await assert.rejects(strictly.preview(change), withCode("in-use"));
    });

    it("of an unencrypted connection is a failure with strict", async () => {
        const settings = { "statecraft:vault": { address: "http://vault.example", maxRetries: 0 } };
        const rotation = simulator.resource("RootRotation", { settings, environment: strict });
        await assert.rejects(rotation.preview({}), /not encrypted.*`STATECRAFT_STRICT=false`/);
    });

    it("of what the program declares, of a retry and of the server's words with a success is a note", async () => {
        const of = (type: string) => simulator.resource(type, { environment: strict, clock: testClock() });
        const secret = { tenantId: "t", resource: "r", clientId: "c" };
        for (const [type, before, after] of [
            ["AuthConfig", { ...secret, clientSecret: "s" }, secret],
            ["RootRotation", {}, { triggers: [2] }],
            ["SnapshotConfig", config, { ...config, retain: 1 }],
            ["AuthRole", undefined, { ...role, adopt: true }],
        ] as const) {
            const resource = of(type);
            if (before === undefined) await simulator.resource(type).up(role);
            else await resource.up(before);
            await simulator.fault({ method: "GET", status: 429, headers: { "retry-after": "7" } });
            await resource.preview(after);
            await resource.up(after);
            assert(resource.messages.length > 0, type);
            assert.deepEqual(resource.warnings, []);
        }
    });
});
