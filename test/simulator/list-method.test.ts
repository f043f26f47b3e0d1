/** Tests the method `LIST` on a socket, because Node's HTTP server does not support it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { withSimulator } from "../support/simulator";

describe("simulator: LIST", () => {
    const simulator = withSimulator({}, { vocabulary: "documented" });

    /** Returns the requests that the simulator received. */
    const seen = async () => (await simulator.requests()).map(({ method, path, body }) => [method, path, body]);

    /** Sends a text in pieces of this size, each in a separate packet. Returns the answers. */
    const sendInPieces = async (text: string, size = text.length) => {
        const socket = connect({ port: Number(new URL(simulator.url).port), host: "127.0.0.1", noDelay: true });
        let answer = "";
        socket.setEncoding("latin1").on("data", (chunk) => {
            answer += chunk;
        });
        for (let from = 0; from < text.length; from += size) {
            await new Promise((resolve) => socket.write(text.slice(from, from + size), "latin1", resolve));
            // Waits until the server has read the piece: it answers this later request only then.
            await (await fetch(`${simulator.url}/simulator/state`)).text();
        }
        socket.end();
        await once(socket, "close");
        return answer;
    };

    const looksLikeList = "LIST /b HTTP/1.1\r\n\r\n";
    const length = `Content-Length: ${looksLikeList.length}`;
    const exchanges: [text: string, method: string, body: string | null][] = [
        ["LIST /a HTTP/1.1\r\nHost: localhost\r\n\r\n", "LIST", null],
        [`\r\nLIST /a HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n${looksLikeList}`, "LIST", looksLikeList],
        ["LOCK /a HTTP/1.1\r\nHost: localhost\r\n\r\n", "LOCK", null],
        [`POST /a HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n${looksLikeList}`, "POST", looksLikeList],
    ];
    for (const size of [3, 200]) {
        it(`is accepted in pieces of ${size} bytes, without a change of other methods and of bodies`, async () => {
            for (const [text, method, body] of exchanges) {
                await simulator.forget();
                const answer = await sendInPieces(text, size);
                assert.match(answer, new RegExp(`^HTTP/1\\.1 501 .*no route: ${method} /a`, "s"));
                assert.deepEqual(await seen(), [[method, "/a", body]]);
            }
        });
    }

    it("is accepted again on the same connection, byte by byte", async () => {
        const answer = await sendInPieces(exchanges.map(([text]) => text).join(""), 1);
        assert.equal(answer.match(/HTTP\/1\.1 501 /g)?.length, exchanges.length);
        assert.deepEqual(
            await seen(),
            exchanges.map(([, method, body]) => [method, "/a", body]),
        );
    });

    it("does not change how the server refuses an unknown method such as LISP", async () => {
        assert.match(await sendInPieces("LISP /a HTTP/1.1\r\n\r\n"), /^HTTP\/1\.1 400 /);
    });
});
