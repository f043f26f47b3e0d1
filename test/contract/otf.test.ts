import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { proxyOtf } from "./otf";

describe("the proxy in front of OTF", () => {
    it("renames the relationship of a rollback, and nothing else", async () => {
        const seen: unknown[] = [];
        const server = createServer(async (request, response) => {
            let body = "";
            for await (const chunk of request) body += chunk;
            seen.push([request.method, request.url, request.headers.authorization, body]);
            response.writeHead(201, { "content-type": "application/json" }).end('{"rollback-state-version":1}');
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const { port } = server.address() as AddressInfo;
        const proxy = await proxyOtf(`http://127.0.0.1:${port}/api/v2`);
        try {
            const body = '{"data":{"relationships":{"rollback-state-version":{}}}}';
            const headers = { Authorization: "Bearer t" };
            for (const method of ["PATCH", "POST"]) {
                const answer = await fetch(`${proxy.address}/x?a=b`, { method, headers, body });
                assert.deepEqual([answer.status, await answer.text()], [201, '{"rollback-state-version":1}']);
            }
            assert.deepEqual(seen, [
                ["PATCH", "/api/v2/x?a=b", "Bearer t", '{"data":{"relationships":{"state-version":{}}}}'],
                ["POST", "/api/v2/x?a=b", "Bearer t", body],
            ]);
        } finally {
            proxy.close();
            server.close();
        }
    });
});
