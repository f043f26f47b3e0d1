import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { Service } from "../../src/core/service";
import { AnswerError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { manager, stateVersions } from "./services";
import { closeAll, connect, serve, serveRaw, wholeText } from "./support";

/** Sends a write to a server that gives this answer. Returns the client's result. */
async function receive(service: Service, status: number, headers: Record<string, string>, body: string | Buffer = "") {
    const place = await serve((_, answer) => answer.writeHead(status, headers).end(body));
    return connect(service, place.address).call("POST /v1/thing", { body: { secret: "b0dy-s3cret" } });
}

/** Sends a write to a server that answers with these bytes and closes the connection. Returns the client's result. */
async function receiveRaw(bytes: string) {
    const place = await serveRaw((socket) => socket.once("data", () => socket.end(bytes)));
    return connect(manager, place.address).call("POST /v1/thing", { body: {} });
}

const jsonType = { "content-type": "application/json" };
const zipped = { ...jsonType, "content-encoding": "gzip" };

describe("a successful answer", () => {
    afterEach(closeAll);

    for (const [what, service, type, text, body] of [
        ["JSON", manager, "application/json", '{"a":1}', { a: 1 }],
        ["JSON with parameters of its type", manager, "Application/JSON; charset=utf-8", "null", null],
        ["the service's own type", stateVersions, "application/vnd.api+json", "[1]", [1]],
        ["JSON from a service with a type of its own", stateVersions, "application/json", "[2]", [2]],
        ["empty", manager, "application/json", "", undefined],
        ["blank", manager, "application/json", "\n", undefined],
        ["an empty web page", manager, "text/html", "", undefined],
    ] as const) {
        it(`may be ${what}`, async () => {
            assert.deepEqual((await receive(service, 200, { "content-type": type }, text)).body, body);
        });
    }

    it("may be compressed", async () => {
        assert.deepEqual((await receive(manager, 201, zipped, gzipSync('{"ä":"ö"}'))).body, { ä: "ö" });
    });

    const whole = gzipSync(JSON.stringify({ text: "x".repeat(1000) }));
    for (const [what, headers, body] of [
        ["a web page", { "content-type": "text/html; charset=utf-8" }, "<!DOCTYPE html><p>Sign in</p>"],
        ["a web page without a type", {}, "<html><p>Sign in</p></html>"],
        ["JSON as plain text", { "content-type": "text/plain" }, "{}"],
        ["another service's kind of JSON", { "content-type": "application/vnd.api+json" }, "{}"],
        ["JSON that is cut", jsonType, '{"data":{"token":"in-the-b0dy'],
        ["more than 64 MiB after decompression", zipped, gzipSync(Buffer.alloc(65 * 1024 ** 2, " "))],
        ["damaged by compression", zipped, "not compressed at all"],
        ["compressed and cut", zipped, whole.subarray(0, whole.length - 12)],
    ] as const) {
        it(`that is ${what} is an AnswerError, which does not quote it`, async () => {
            const error = await failureOf(receive(manager, 200, headers, body), AnswerError);
            assert.equal(error.code, "answer");
            assert.doesNotMatch(wholeText(error), /b0dy|Sign in/);
        });
    }

    it("that is a web page is an error that names the address and the setting to change", async () => {
        const place = await serve((_, answer) => answer.end("<html>"));
        const call = connect(manager, place.address, { title: "Vault" }).call("GET /v1/thing");
        const { hint = "" } = await failureOf(call, AnswerError);
        assert(hint.includes(place.address) && /Vault .*set `address`/.test(hint), hint);
    });

    it("that is not HTTP, or has endless headers, is an AnswerError", async () => {
        await failureOf(receiveRaw("SSH-2.0-server\r\n"), AnswerError);
        await failureOf(receiveRaw(`HTTP/1.1 200 OK\r\nX-Long: ${"x".repeat(70_000)}\r\n\r\n`), AnswerError);
    });
});
