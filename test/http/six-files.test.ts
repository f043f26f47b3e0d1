/** How many files one request crosses, as the head of the client's file lists them. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { operation } from "../../src/core/operation";
import { manager } from "../../src/services/manager/service";
import { closeAll, connect, json, serve } from "./support";

const sources = join(__dirname, "../../src");

describe("one request", () => {
    afterEach(closeAll);

    it("crosses the six files that the client names, and no others", async () => {
        const server = await serve((_, answer) => json(answer, 200, { data: {} }));
        const { client } = connect(manager, server.address);
        const show = operation("GET /v1/auth/{+mount}/role/{name}");
        const request = () => client.call(show, { parameters: { mount: "clouda", name: "web" } });
        // What is loaded at the first request only is no part of one.
        await request();
        const named = [...readFileSync(join(sources, "http/client.ts"), "utf8").matchAll(/^ \* \| `(\S+\.ts)`/gm)];
        assert.equal(named.length, 6);
        assert.deepEqual(
            await filesCalledBy(request),
            named.map(([, name = ""]) => (name.includes("/") ? name : `http/${name}`)).sort(),
        );
    });
});

/** The files of ours of which a function is called, but for those of one service: they only hold what it says of itself. */
async function filesCalledBy(run: () => Promise<unknown>): Promise<string[]> {
    const session = new Session();
    session.connect();
    try {
        await session.post("Profiler.enable");
        await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
        await session.post("Profiler.takePreciseCoverage");
        await run();
        const { result } = await session.post("Profiler.takePreciseCoverage");
        return result
            .filter(({ url }) => url.startsWith("file:") || url.startsWith("/"))
            .filter(isCalled)
            .map(({ url }) => relative(sources, url.startsWith("file:") ? fileURLToPath(url) : url))
            .filter((file) => !file.startsWith("..") && !file.startsWith("services/"))
            .sort();
    } finally {
        session.disconnect();
    }
}

const isCalled = ({ functions }: Profiler.ScriptCoverage) =>
    functions.some(({ ranges }) => ranges.some(({ count }) => count > 0));
