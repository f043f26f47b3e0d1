/** Tests behaviour of the engine on which statecraft depends. */

import assert from "node:assert/strict";
import { done, failed, onStage, type Stage, saying } from "../support/stack";

const rolePath = "/v1/auth/clouda/role";

describe("behaviour of the engine", () => {
    it("a partly created object is stored, and the next `up` completes it; a deleted object is created again; `ignoreChanges` works", async () => {
        const program = (ttl: string) => `
            const { AuthRole } = require("pulumi-statecraft");
            const gone = new AuthRole("gone", { name: "gone" });
            const kept = new AuthRole("kept", { name: "kept", tokenTtl: "${ttl}" }, { ignoreChanges: ["tokenTtl"] });
            new AuthRole("half", { name: "half", policies: "web", tokenTtl: gone.tokenMaxTtl }, { dependsOn: [gone, kept] });`;
        const test = async ({ simulator, stack }: Stage) => {
            await simulator.fault({
                method: "GET",
                path: "/role/half$",
                skip: 1,
                times: 0,
                status: 500,
                body: '{"errors":["planted"]}',
            });
            const broken = await stack.up();
            failed(broken);
            const reason = /AuthRole half: .*GET \/v1\/auth\/clouda\/role\/half: 500: planted\. \[service\]/;
            assert.equal(saying(broken, reason).length, 1);
            // The engine calls `check` twice, and shows its warning once, at the resource.
            const [warning, ...more] = saying(broken, /policies: .*tokenPolicies.*\[input\]/);
            assert.deepEqual([warning?.severity, more.length], ["warning", 0]);
            assert.match(warning?.urn ?? "", /::half$/);

            const stored = new Map((await stack.resources()).map((one) => [one.urn.split("::").at(-1), one]));
            assert.deepEqual(stored.get("half")?.outputs?.["unfinished"], ["readBack"]);
            assert.equal(stored.get("half")?.id, "auth/clouda/role/half");
            const { __provider, ...outputs } = stored.get("gone")?.outputs ?? {};
            assert.deepEqual(Object.keys(outputs).sort(), ["mount", "name", "namespace", "server"]);
            // State contains the text of the provider twice for each resource, so it must be short.
            const text = String(__provider);
            assert(Buffer.byteLength(text) <= 120 && !text.includes("/dist/"), text);
            assert.equal(stored.get("gone")?.inputs?.["__provider"], text);

            await simulator.heal();
            await simulator.outside("DELETE", `${rolePath}/gone`);
            await simulator.forget();
            stack.write(program("2h"));
            // After its refresh, state has no `initErrors`; only the output `unfinished` shows that the object is incomplete.
            assert.deepEqual(done(await stack.up("--refresh")), { gone: "create", half: "update", kept: "same" });
            assert.deepEqual(
                (await simulator.writes()).map(({ path }) => path),
                [`${rolePath}/gone`],
                "`half` is read and not written again",
            );
            // An output without a value is no change for a resource that uses the output.
            done(await stack.preview("--expect-no-changes"));
        };
        await onStage({}, program("1h"), test, { STATECRAFT_MANAGER_MAX_RETRIES: "1" });
    });

    it("invalid inputs, an absent object and missing settings fail before a write, with readable messages", async () => {
        const mistaken = `
            const s = require("pulumi-statecraft");
            new s.SnapshotConfig("hourly", { name: "hourly", interval: "x", storage: {
                type: "cloudc-gcs", pathPrefix: "p", serviceAccountKey: "planted-secret-key" } });`;
        await onStage({}, mistaken, async ({ simulator, stack }) => {
            const refused = await stack.preview();
            assert(!failed(refused).includes("planted-secret"));
            // The engine shows all problems of a resource at once.
            for (const reason of [
                /interval: must be a duration/,
                /storage\.pathPrefix: must end in \//,
                /storage\.bucket: is required/,
                /storage\.serviceAccountKey: must be a JSON object/,
            ]) {
                assert.equal(saying(refused, reason).length, 1, String(reason));
            }

            stack.write(`
                const s = require("pulumi-statecraft");
                exports.ttl = s.AuthRole.get("found", "auth/clouda/role/nobody").tokenTtl;`);
            const absent = /AuthRole auth\/clouda\/role\/nobody: .*\[absent\]/;
            const nothing = await stack.up();
            failed(nothing);
            assert(saying(nothing, absent).length > 0, "`get` of an absent object is an error");

            await stack.pulumi("config", "rm", "statecraft:manager");
            assert.match(
                failed(await stack.up()),
                /no address is set.*pulumi config set --path 'statecraft:manager\.address'.*STATECRAFT_MANAGER_ADDRESS/s,
            );
            assert.deepEqual(await simulator.writes(), []);
            assert.deepEqual(await stack.resources(), []);
        });
    });
});
