/** The method `LIST`, which Node's HTTP server does not know. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { withSimulator } from "../support/simulator";
import { call } from "./requests";

describe("simulator: LIST", () => {
    const simulator = withSimulator();

    /** What the simulator saw of the requests since the test began. */
    const seen = async () => (await simulator.requests()).map(({ method, path, body }) => [method, path, body]);

    /** Sends a text in pieces of so many bytes, each in a packet of its own, and returns all that is answered. */
    const sendInPieces = async (text: string, size = text.length) => {
        const socket = connect({ port: Number(new URL(simulator.url).port), host: "127.0.0.1", noDelay: true });
        let answer = "";
        socket.setEncoding("latin1").on("data", (chunk) => {
            answer += chunk;
        });
        for (let from = 0; from < text.length; from += size) {
            await new Promise((resolve) => socket.write(text.slice(from, from + size), "latin1", resolve));
            // The server reads what is there before it answers this.
            await call("GET", `${simulator.url}/simulator/state`);
        }
        socket.end();
        await once(socket, "close");
        return answer;
    };

    const last = "Host: x\r\nConnection: close\r\n";
    const cases: [name: string, text: string, method: string, body: string | null][] = [
        ["a LIST", `LIST /a HTTP/1.1\r\n${last}\r\n`, "LIST", null],
        ["a LIST after an empty line", `\r\nLIST /a HTTP/1.1\r\n${last}\r\n`, "LIST", null],
        ["a LIST that has a body", `LIST /a HTTP/1.1\r\n${last}Content-Length: 5\r\n\r\nLIST `, "LIST", "LIST "],
        ["another method", `LOCK /a HTTP/1.1\r\n${last}\r\n`, "LOCK", null],
        [
            "a body that looks like a LIST",
            `POST /a HTTP/1.1\r\n${last}Content-Length: 20\r\n\r\nLIST /b HTTP/1.1\r\n\r\n`,
            "POST",
            "LIST /b HTTP/1.1\r\n\r\n",
        ],
    ];
    for (const [name, text, method, body] of cases) {
        for (const size of [1, 3, 7, text.length]) {
            it(`takes ${name}, in pieces of ${size}`, async () => {
                assert.match(
                    await sendInPieces(text, size),
                    new RegExp(`^HTTP/1\\.1 501 .*no route: ${method} /a`, "s"),
                );
                assert.deepEqual(await seen(), [[method, "/a", body]]);
            });
        }
    }

    for (const text of ["LISTEN /a HTTP/1.1\r\n\r\n", "LISP /a HTTP/1.1\r\n\r\n", "\x16\x03\x01\x0aL"]) {
        it(`leaves ${JSON.stringify(text)} to the server, which refuses it`, async () => {
            assert.match(await sendInPieces(text), /^HTTP\/1\.1 400 /);
            assert.deepEqual(await seen(), []);
        });
    }

    it("takes requests of different methods, bodies in both framings, over one connection", async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const { hostname, port } = new URL(simulator.url);
        const ports = new Set<number | undefined>();
        const send = (method: string, path: string, body: string, headers: Record<string, string>) =>
            new Promise<void>((resolve, reject) => {
                const sent = request({ hostname, port, path, method, headers, agent }, (response) => {
                    ports.add(response.socket.localPort);
                    response.resume().on("end", resolve);
                });
                sent.on("error", reject).end(body);
            });
        await send("LIST", "/one", "", {});
        await send("POST", "/two", "LIST /x HTTP/1.1\r\n\r\n", { "content-length": "20" });
        await send("LIST", "/three?a=b", "", {});
        await send("PUT", "/four", "LIST /y HTTP/1.1\r\n\r\n", { "transfer-encoding": "chunked" });
        await send("LIST", "/five", "", {});
        agent.destroy();
        assert.deepEqual(await seen(), [
            ["LIST", "/one", null],
            ["POST", "/two", "LIST /x HTTP/1.1\r\n\r\n"],
            ["LIST", "/three", null],
            ["PUT", "/four", "LIST /y HTTP/1.1\r\n\r\n"],
            ["LIST", "/five", null],
        ]);
        assert.equal(ports.size, 1);
    });

    it("takes a body of many megabytes", async () => {
        const body = JSON.stringify("x".repeat(8 * 1024 * 1024));
        assert.equal((await call("POST", `${simulator.url}/big`, { body })).status, 501);
    });
});
