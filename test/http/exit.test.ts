import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { certificate, closeAll, fixture, json, serve, withEnvironment } from "./support";

describe("a process that has made requests", () => {
    afterEach(closeAll);

    it("ends although connections stay open", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}), {
            ...certificate("server"),
            keepAliveTimeout: 600_000,
        });
        const script = ["-r", "./scripts/ts-node.cjs", fixture("lonely.ts"), place.address, fixture("ca.pem")];
        // It says how much of axios was loaded before the first request, too. The time-out ends a process that hangs, and then `execFile` fails.
        const run = () => promisify(execFile)(process.execPath, script, { timeout: 55_000 });
        const { stdout } = await withEnvironment({}, run);
        assert.equal(stdout, "0 200");
    });
});
