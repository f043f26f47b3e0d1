/** The door that lets the method `LIST` in. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { ListRewriter } from "../../src/simulator/list-method";
import { type RunningSimulator, startSimulator } from "../../src/simulator/server";
import { at, call } from "./requests";

/** What comes out of the door for bytes cut into pieces of a size. */
function rewritten(text: string, size = text.length): string {
    const rewriter = new ListRewriter();
    const bytes = Buffer.from(text, "latin1");
    let out = "";
    for (let from = 0; from < bytes.length; from += size) {
        out += rewriter.push(bytes.subarray(from, from + size)).toString("latin1");
    }
    return out;
}

const listed = (path: string) => `GET ${path} HTTP/1.1\r\nx-simulator-method: LIST\r\n`;

describe("list door: bytes", () => {
    const cases: [string, string, string][] = [
        ["a LIST", "LIST /a HTTP/1.1\r\nHost: x\r\n\r\n", `${listed("/a")}Host: x\r\n\r\n`],
        ["any other method", "POST /a HTTP/1.1\r\n\r\n", "POST /a HTTP/1.1\r\n\r\n"],
        [
            "a LIST after a body with a length",
            "POST /a HTTP/1.1\r\ncontent-LENGTH: 18\r\n\r\nLIST /b HTTP/1.1\r\nLIST /c HTTP/1.1\r\n\r\n",
            `POST /a HTTP/1.1\r\ncontent-LENGTH: 18\r\n\r\nLIST /b HTTP/1.1\r\n${listed("/c")}\r\n`,
        ],
        [
            "a LIST after a body in chunks",
            "PUT /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7\r\nLIST /b\r\nA;x=y\r\n\r\nLIST /b\r\n0\r\nTrailer: 1\r\n\r\nLIST /c HTTP/1.1\r\n\r\n",
            `PUT /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7\r\nLIST /b\r\nA;x=y\r\n\r\nLIST /b\r\n0\r\nTrailer: 1\r\n\r\n${listed("/c")}\r\n`,
        ],
        [
            "a LIST that has a body itself",
            "LIST /a HTTP/1.1\r\nContent-Length: 4\r\n\r\nLISTLIST /b HTTP/1.1\r\n\r\n",
            `${listed("/a")}Content-Length: 4\r\n\r\nLIST${listed("/b")}\r\n`,
        ],
        ["a LIST after an empty line", "\r\nLIST /a HTTP/1.1\r\n\r\n", `\r\n${listed("/a")}\r\n`],
        ["a method that only begins so", "LISTEN /a HTTP/1.1\r\n\r\n", "LISTEN /a HTTP/1.1\r\n\r\n"],
    ];
    for (const [name, sent, expected] of cases) {
        it(`passes ${name}, however it is cut`, () => {
            for (const size of [1, 2, 3, 7, 16, sent.length]) assert.equal(rewritten(sent, size), expected);
        });
    }

    it("passes what is no HTTP at once and untouched", () => {
        const rewriter = new ListRewriter();
        const hello = Buffer.from([0x16, 0x03, 0x01, 0x0a, 0x4c]);
        assert.deepEqual(rewriter.push(hello), hello);
        assert.equal(rewriter.push(Buffer.from("LIST /a HTTP/1.1\r\n")).toString(), "LIST /a HTTP/1.1\r\n");
    });

    it("does not gather a line without end", () => {
        const rewriter = new ListRewriter();
        const line = Buffer.alloc(70_000, "A");
        assert.equal(rewriter.push(line).length, line.length);
    });
});

describe("list door: connections", () => {
    let simulator: RunningSimulator;
    before(async () => {
        simulator = await startSimulator();
    });
    after(() => simulator.close());

    it("carries several requests of different methods, bodies in both framings, over one connection", async () => {
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
        await call("DELETE", `${simulator.url}/simulator/requests`);
        await send("LIST", "/one", "", {});
        await send("POST", "/two", "LIST /x HTTP/1.1\r\n\r\n", { "content-length": "20" });
        await send("LIST", "/three?a=b", "", {});
        await send("PUT", "/four", "LIST /y HTTP/1.1\r\n\r\n", { "transfer-encoding": "chunked" });
        await send("LIST", "/five", "", {});
        agent.destroy();
        const seen = await call("GET", `${simulator.url}/simulator/requests`);
        assert.ok(Array.isArray(seen.json));
        assert.deepEqual(
            seen.json.map((entry: unknown) => [at(entry, "method"), at(entry, "path"), at(entry, "body")]),
            [
                ["LIST", "/one", null],
                ["POST", "/two", "LIST /x HTTP/1.1\r\n\r\n"],
                ["LIST", "/three", null],
                ["PUT", "/four", "LIST /y HTTP/1.1\r\n\r\n"],
                ["LIST", "/five", null],
            ],
        );
        assert.equal(ports.size, 1);
    });

    it("hides its own mark", async () => {
        await call("DELETE", `${simulator.url}/simulator/requests`);
        await call("LIST", `${simulator.url}/one`);
        const seen = await call("GET", `${simulator.url}/simulator/requests`);
        assert.doesNotMatch(seen.text, /x-simulator-method/);
    });

    it("answers requests that were sent without waiting, in their order", async () => {
        const socket = connect(Number(new URL(simulator.url).port), "127.0.0.1");
        socket.end(
            "LIST /one HTTP/1.1\r\nHost: x\r\n\r\nGET /two HTTP/1.1\r\nHost: x\r\n\r\nLIST /three HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        );
        let text = "";
        socket.setEncoding("utf8").on("data", (chunk) => {
            text += chunk;
        });
        await once(socket, "close");
        assert.deepEqual(text.match(/no route: \w+ \/\w+/g), [
            "no route: LIST /one",
            "no route: GET /two",
            "no route: LIST /three",
        ]);
    });

    it("lets the server refuse what is no HTTP", async () => {
        const socket = connect(Number(new URL(simulator.url).port), "127.0.0.1");
        socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02]));
        const [answer] = await once(socket, "data");
        assert.match(String(answer), /^HTTP\/1\.1 400 /);
        socket.destroy();
    });

    it("carries a body of many megabytes", async () => {
        const body = JSON.stringify("x".repeat(8 * 1024 * 1024));
        assert.equal((await call("POST", `${simulator.url}/big`, { body })).status, 501);
    });
});
