import assert from "node:assert/strict";
import { startSimulator } from "../../src/simulator/server";
import { statecraft } from "./support";

describe("statecraft", () => {
    for (const args of [["--help"], ["doctor", "--help"]]) {
        it(`${args.join(" ")} prints the usage`, async () => {
            const { code, out } = await statecraft(args);
            assert.equal(code, 0);
            assert.match(out, /npx statecraft doctor \[vault\]/);
            assert.match(out, /npx statecraft simulator \[--port N\]/);
        });
    }

    it("`--version` names the package", async () => {
        const { code, out } = await statecraft(["--version"]);
        assert.equal(code, 0);
        assert.match(out, /^pulumi-statecraft\/\d/);
    });

    for (const args of [[], ["docter"]]) {
        it(`${JSON.stringify(args)} ends with 2, and prints the usage`, async () => {
            const { code, out, complaints } = await statecraft(args);
            assert.deepEqual([code, out], [2, ""]);
            assert.match(complaints, /^statecraft: .*\nUsage:\n/);
        });
    }

    describe("simulator", () => {
        it("runs until a signal, with the simulator's flags", async () => {
            const args = ["simulator", "--port", "0"];
            const { code, out } = await statecraft(args, {}, () => process.emit("SIGTERM"));
            assert.equal(code, 0);
            assert.match(out, /^simulator listening on http:\/\/127\.0\.0\.1:\d+\n/);
            const [, address = ""] = /listening on (\S+)/.exec(out) ?? [];
            await assert.rejects(fetch(address));
        });

        it("ends with 1 if the port is in use", async () => {
            const other = await startSimulator();
            try {
                const { code, complaints } = await statecraft(["simulator", "--port", new URL(other.url).port]);
                assert.equal(code, 1);
                assert.match(complaints, /port \d+ is in use/);
            } finally {
                await other.close();
            }
        });
    });
});
