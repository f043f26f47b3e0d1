/** Tests the simulator's command and server. `test/command` tests wrong flags, a port in use and a signal. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { main } from "../../src/simulator/main";
import { startSimulator } from "../../src/simulator/server";
import { withSimulator } from "../support/simulator";

describe("simulator: hosts", () => {
    const simulator = withSimulator();

    /** Sends a request by this name of the host. */
    const statusFor = async (host: string, path: string) => {
        const { hostname, port } = new URL(simulator.url);
        const headers = { host, "x-vault-token": "any" };
        const [response] = await once(request({ hostname, port, path, headers }).end(), "response");
        response.resume();
        return response.statusCode;
    };

    it("accepts the names of this machine, with any port", async () => {
        for (const host of ["localhost", "LOCALHOST:8640", "127.0.0.1", "127.0.0.1:1", "[::1]:8640"]) {
            assert.equal(await statusFor(host, "/simulator/state"), 200, host);
        }
    });

    it("refuses all other names", async () => {
        const hosts = [
            "page.example",
            "localhost.page.example:8640",
            "127.0.0.1.page.example",
            "127.0.0.10",
            "0.0.0.0",
        ];
        for (const host of hosts) {
            for (const path of ["/simulator/state", "/v1/sys/health", "/v1/volumes", "/api/v2/workspaces/ws-1"]) {
                assert.equal(await statusFor(host, path), 403, host + path);
            }
        }
    });
});

describe("simulator: command", () => {
    it("prints its address and the commands that configure a stack, and serves the demonstration", async () => {
        const printed: string[] = [];
        const { url, close } = await main({ port: 0 }, (text) => printed.push(text));
        const headers = { authorization: "Bearer any" };
        assert.equal((await fetch(`${url}/api/v2/state-versions/sv-4`, { headers })).status, 200);
        await close();
        assert.deepEqual(printed.join("\n").replaceAll(url, "URL").split("\n"), [
            "simulator listening on URL",
            "Point a stack at it, with any text as token:",
            "    pulumi config set --path 'statecraft:manager.address' URL",
            "    pulumi config set --path 'statecraft:volumes.address' URL",
            "    pulumi config set --path 'statecraft:stateVersions.address' URL",
        ]);
    });

    it("frees its port when it closes, even during requests", async () => {
        let arrive = () => {};
        const arrived = new Promise<void>((done) => {
            arrive = done;
        });
        const first = await startSimulator({ serverOf: () => createServer(arrive) });
        const open = fetch(first.url).catch(() => undefined);
        await arrived;
        await first.close();
        await open;
        const second = await startSimulator({ port: Number(new URL(first.url).port) });
        await second.close();
    });
});
