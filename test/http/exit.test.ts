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
        const script = ["-r", "./scripts/ts-node.cjs", fixture("one-request.ts"), place.address, fixture("ca.pem")];
        // The script prints how many files of axios it loaded before the first request. If the script hangs, the time-out fails the test.
        const run = () => promisify(execFile)(process.execPath, script, { timeout: 55_000 });
        const { stdout } = await withEnvironment({}, run);
        assert.equal(stdout, "0 200");
    });
});
