import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { operation } from "../../src/core/operation";
import type { Service } from "../../src/core/service";
import { AnswerError, UnreachableError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { manager, stateVersions } from "./services";
import { closeAll, connect, serve, serveRaw, wholeText } from "./support";

const write = operation("POST /v1/thing");

/** What a client makes of one answer to a write. */
async function ask(service: Service, status: number, headers: Record<string, string>, body: string | Buffer = "") {
    const place = await serve((_, answer) => answer.writeHead(status, headers).end(body));
    return connect(service, place.address).client.call(write, { parameters: {}, body: { secret: "b0dy-s3cret" } });
}

/** The same with bytes written by hand, after which the connection is closed. */
async function askRaw(bytes: string | Buffer) {
    const place = await serveRaw((socket) => socket.once("data", () => socket.end(bytes)));
    return connect(manager, place.address).client.call(write, { parameters: {}, body: {} });
}

describe("a successful answer", () => {
    afterEach(closeAll);

    it("may be application/json or the service's own type, with parameters", async () => {
        assert.deepEqual((await ask(manager, 200, { "content-type": "application/json" }, '{"a":1}')).body, { a: 1 });
        assert.deepEqual(
            (await ask(manager, 201, { "content-type": "Application/JSON; charset=utf-8" }, "null")).body,
            null,
        );
        assert.deepEqual(
            (await ask(stateVersions, 200, { "content-type": "application/vnd.api+json" }, "[1]")).body,
            [1],
        );
        assert.deepEqual((await ask(stateVersions, 200, { "content-type": "application/json" }, "[2]")).body, [2]);
    });

    it("may be empty, whatever its type", async () => {
        for (const headers of [{}, { "content-type": "application/json" }, { "content-type": "text/html" }]) {
            const answer = await ask(manager, 200, headers);
            assert.equal(answer.status, 200);
            assert.equal(answer.body, undefined);
        }
        assert.equal((await ask(manager, 204, { "content-type": "application/json" })).body, undefined);
        assert.equal((await ask(manager, 200, { "content-type": "application/json" }, "\n")).body, undefined);
    });

    it("is read when compressed", async () => {
        const headers = { "content-type": "application/json", "content-encoding": "gzip" };
        assert.deepEqual((await ask(manager, 200, headers, gzipSync('{"ä":"ö"}'))).body, { ä: "ö" });
    });

    const jsonType = { "content-type": "application/json" };
    const lost: [what: string, headers: Record<string, string>, body: string][] = [
        ["a web page", { "content-type": "text/html; charset=utf-8" }, "<!DOCTYPE html><p>Sign in</p>"],
        ["a web page without a type", {}, "<html><p>Sign in</p></html>"],
        ["plain text", { "content-type": "text/plain" }, "fine"],
        ["JSON as plain text", { "content-type": "text/plain" }, "{}"],
        ["another service's kind of JSON", { "content-type": "application/vnd.api+json" }, "{}"],
        ["JSON that is cut", jsonType, '{"data":{"token":"in-the-b0dy'],
        ["text where JSON is said to be", jsonType, "in-the-b0dy"],
    ];
    for (const [what, headers, body] of lost) {
        it(`that is ${what} is an AnswerError that does not quote it`, async () => {
            const error = await failureOf(ask(manager, 200, headers, body), AnswerError);
            assert.equal(error.code, "answer");
            assert.doesNotMatch(wholeText(error), /b0dy|Sign in/);
        });
    }

    it("of more than 64 MiB after decompression is an AnswerError", async () => {
        const headers = { "content-type": "application/json", "content-encoding": "gzip" };
        const bomb = gzipSync(Buffer.alloc(65 * 1024 ** 2, " "));
        assert.ok(bomb.length < 100_000);
        await failureOf(ask(manager, 200, headers, bomb), AnswerError);
    });

    it("with damaged compression is an AnswerError", async () => {
        const headers = { "content-type": "application/json", "content-encoding": "gzip" };
        await failureOf(ask(manager, 200, headers, "not compressed at all"), AnswerError);
    });

    it("with a cut compressed body is an AnswerError", async () => {
        const headers = { "content-type": "application/json", "content-encoding": "gzip" };
        const whole = gzipSync(JSON.stringify({ text: "x".repeat(1000) }));
        await failureOf(ask(manager, 200, headers, whole.subarray(0, whole.length - 12)), AnswerError);
    });

    it("shorter than its Content-Length is an UnreachableError, and the request was sent", async () => {
        const bytes = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a":1}';
        const error = await failureOf(askRaw(bytes), UnreachableError);
        assert.equal(error.sent, true);
    });

    it("that is not HTTP is an AnswerError", async () => {
        await failureOf(askRaw("SSH-2.0-server\r\n"), AnswerError);
    });

    it("with endless headers is an AnswerError", async () => {
        await failureOf(askRaw(`HTTP/1.1 200 OK\r\nX-Long: ${"x".repeat(70_000)}\r\n\r\n`), AnswerError);
    });
});
