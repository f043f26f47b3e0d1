/** Downloads from and uploads to URLs in a service's answers. */

import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import {
    AnswerError,
    DeniedError,
    NotFoundError,
    ServiceError,
    StatecraftError,
    UnreachableError,
} from "../../src/errors";
import { failureOf } from "../support/failures";
import { stateVersions } from "./services";
import {
    certificate,
    closeAll,
    connect,
    deadAddress,
    fixture,
    json,
    serve,
    serveRaw,
    token,
    wholeText,
} from "./support";

const bytes = Buffer.from("raw bytes, é and all");
const headers = { "X-Extra": "1" };
const elsewhere = () => connect(stateVersions, "http://127.0.0.1:1/api/v2", { headers }).client;

describe("download", () => {
    afterEach(closeAll);

    it("from the service's origin, also by a relative URL, is sent with the token and `headers`", async () => {
        const place = await serve((_, answer) => answer.end(bytes));
        const { client } = connect(stateVersions, `${place.address}/api/v2`, { headers });
        assert.deepEqual(await client.download("/files/a?sig=1"), bytes);
        assert.deepEqual(await client.download(`${place.address}/files/b`), bytes);
        const sent = [`Bearer ${token}`, "1", "*/*"];
        assert.deepEqual(
            place.seen.map(({ method, url, headers: { authorization, accept, "x-extra": extra } }) => {
                return [method, url, authorization, extra, accept];
            }),
            [
                ["GET", "/files/a?sig=1", ...sent],
                ["GET", "/files/b", ...sent],
            ],
        );
    });

    it("from another origin, also after a redirect by the service, is sent without the token and `headers`", async () => {
        const there = await serve((_, answer) => answer.end(bytes));
        const here = await serve((_, answer) => answer.writeHead(302, { location: `${there.address}/x?sig=1` }).end());
        assert.deepEqual(await elsewhere().download(`${there.address}/x?sig=1`), bytes);
        assert.deepEqual(await connect(stateVersions, here.address, { headers }).client.download("/file"), bytes);
        assert.equal(here.seen[0]?.headers.authorization, `Bearer ${token}`);
        for (const seen of there.seen) {
            assert.equal(seen.url, "/x?sig=1");
            const names = ["accept", "accept-encoding", "connection", "host", "user-agent"];
            assert.deepEqual(Object.keys(seen.headers).sort(), names);
        }
    });

    it("may have any type, be compressed, or be empty", async () => {
        const place = await serve(({ url }, answer) => {
            answer.writeHead(200, { "content-type": "binary/octet-stream", "content-encoding": "gzip" });
            answer.end(url === "/empty" ? gzipSync("") : gzipSync(bytes));
        });
        const { client } = connect(stateVersions, place.address);
        assert.deepEqual(await client.download("/packed"), bytes);
        assert.equal((await client.download("/empty")).length, 0);
    });

    it("of more than 256 MiB, or of a web page, is an AnswerError", async () => {
        const part = Buffer.alloc(16 * 1024 ** 2);
        const place = await serve(({ url }, answer) => {
            if (url === "/page") answer.end("<html>");
            else for (let parts = 0; parts < 17; parts++) answer.write(part);
        });
        const { client } = connect(stateVersions, place.address);
        for (const path of ["/bomb", "/page"]) await failureOf(client.download(path), AnswerError);
    });

    it("that fails names only the origin of its URL", async () => {
        const place = await serve(({ url }, answer) => {
            if (url?.startsWith("/gone")) json(answer, 404, { errors: [{ detail: "not found" }] });
            else answer.writeHead(403, { "content-type": "application/xml" }).end("<Error>expired</Error>");
        });
        const own = connect(stateVersions, place.address).client;
        const gone = await failureOf(own.download("/gone/s1gned?sig=s1gned"), NotFoundError);
        assert.equal(gone.message, `GET ${place.address}/…: 404: not found`);
        assert.doesNotMatch(wholeText(gone), /s1gned/);
        const denied = await failureOf(elsewhere().download(`${place.address}/s1gned`), DeniedError);
        assert.deepEqual(denied.reasons, ["<Error>expired</Error>"]);
        for (const address of ["file:///s1gned", "https://", "data:text/plain,s1gned"]) {
            const error = await failureOf(own.download(address), AnswerError);
            assert.doesNotMatch(wholeText(error), /s1gned/);
        }
    });
});

describe("upload", () => {
    afterEach(closeAll);

    it("sends bytes to an absolute or relative URL, without the token", async () => {
        const place = await serve();
        const { client } = connect(stateVersions, `${place.address}/api/v2`, { headers });
        await client.upload("/v1/object/a?sig=1", bytes);
        await client.upload(`${place.address}/v1/object/b`, bytes);
        assert.deepEqual(
            place.seen.map(({ method, url, body }) => [method, url, body]),
            [
                ["PUT", "/v1/object/a?sig=1", bytes.toString()],
                ["PUT", "/v1/object/b", bytes.toString()],
            ],
        );
        for (const seen of place.seen) {
            assert.equal(seen.headers.authorization, undefined);
            assert.equal(seen.headers["content-type"], "application/octet-stream");
            assert.equal(seen.headers["content-length"], String(bytes.length));
            assert.equal(seen.headers["x-extra"], "1");
        }
    });

    it("sends no `headers` to another origin", async () => {
        const there = await serve((_, answer) => answer.writeHead(201).end("<html>stored</html>"));
        await elsewhere().upload(`${there.address}/x`, bytes);
        const { authorization, "x-extra": extra } = there.seen[0]?.headers ?? {};
        assert.deepEqual([authorization, extra], [undefined, undefined]);
    });

    it("is repeated after a 429, and not after a 503 or a cut connection", async () => {
        const statuses = [429, 200, 503];
        const place = await serve((_, answer, number) => answer.writeHead(statuses[number - 1] ?? 500).end());
        const { client } = connect(stateVersions, place.address);
        await client.upload("/x", bytes);
        assert.equal((await failureOf(client.upload("/x", bytes), ServiceError)).status, 503);
        assert.equal(place.seen.length, 3);
        const cut = await serveRaw((socket) => socket.once("data", () => socket.destroy()));
        const lost = await failureOf(connect(stateVersions, cut.address).client.upload("/x", bytes), UnreachableError);
        assert.deepEqual([lost.fate, cut.connections()], ["unknown", 1]);
    });

    it("that the service's own origin does not find is no absent object", async () => {
        const place = await serve((_, answer) =>
            json(answer, 404, { errors: [{ status: "404", title: "not found" }] }),
        );
        const error = await failureOf(connect(stateVersions, place.address).client.upload("/x", bytes), ServiceError);
        assert.equal(error.code, "service");
    });

    it("that is refused fails without quoting the answer or the URL, whose signature is a secret", async () => {
        const quoted = { errors: [{ status: "422", title: "invalid", detail: bytes.toString() }] };
        const part = bytes.subarray(5).toString("base64");
        const place = await serve(({ url, headers }, answer) => {
            if (url === "/text/signed-7f") answer.writeHead(400).end(`${part} ${JSON.stringify(headers)}`);
            else json(answer, 422, quoted, { "x-request-id": bytes.toString("hex") });
        });
        const { client } = connect(stateVersions, place.address);
        const refused = ["/x/signed-7f?sig=8", "/text/signed-7f"].map((url) =>
            failureOf(client.upload(url, bytes), ServiceError),
        );
        const odd = failureOf(client.upload("ftp://x/signed-7f", bytes), AnswerError);
        const secrets = [bytes.toString(), bytes.toString("hex"), part, "signed-7f", "sig=8", token];
        for (const text of (await Promise.all([...refused, odd])).map(wholeText)) {
            for (const secret of secrets) assert(!text.includes(secret), text);
        }
    });
});

/** Larger than every buffer between client and server. */
const large = 16 * 1024 ** 2;

describe("a transfer", () => {
    afterEach(closeAll);

    for (const scheme of ["http", "https"]) {
        it(`may take longer than \`timeout\`, while 64 KiB move within it (${scheme})`, async () => {
            const part = Buffer.alloc(large);
            const parts = (answer: ServerResponse, count: number) => {
                if (count === 0) return answer.end();
                return answer.write(part, () => {
                    clock.elapse();
                    parts(answer, count - 1);
                });
            };
            const tls = scheme === "https" ? certificate("server") : undefined;
            const place = await serve((_, answer) => void parts(answer, 3), tls);
            const settings = { maxRetries: 0, caFile: fixture("ca.pem") };
            const { client, clock } = connect(stateVersions, place.address, settings);
            assert.equal((await client.download("/x")).length, 3 * large);
            assert.equal(clock.timeouts.length, 4);
        });
    }

    it("may upload longer than `timeout`, while 64 KiB move within it", async () => {
        let [received, next] = [0, large];
        const place = await serveRaw((socket) =>
            socket.on("data", ({ length }) => {
                received += length;
                if (received >= next) clock.elapse();
                if (received >= next) next += large;
                if (received > 3 * large) socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            }),
        );
        const { client, clock } = connect(stateVersions, place.address, { maxRetries: 0 });
        await client.upload("/x", Buffer.alloc(3 * large));
        assert.equal(clock.timeouts.length, 4);
    });

    it("fails when it stalls", async () => {
        const place = await serve((_, answer) => void answer.write("x", () => download.clock.elapse()));
        let elapsing: NodeJS.Timeout | undefined;
        const silent = await serveRaw((socket) =>
            socket.once("data", () => {
                socket.pause();
                elapsing = setInterval(() => upload.clock.elapse(), 20);
            }),
        );
        const download = connect(stateVersions, place.address, { maxRetries: 0 });
        const upload = connect(stateVersions, silent.address, { maxRetries: 0 });
        const ends = [download.client.download("/x"), upload.client.upload("/x", Buffer.alloc(3 * large))];
        for (const end of ends) assert.equal((await failureOf(end, UnreachableError)).fate, "unknown");
        clearInterval(elapsing);
    });

    it("fails after an hour", async () => {
        let now = 0;
        const place = await serve((_, answer) => {
            answer.write(Buffer.alloc(large), () => {
                now = 3_600_000;
                clock.elapse();
            });
        });
        const { client, clock } = connect(stateVersions, place.address, { maxRetries: 0 }, { now: () => now });
        const { message } = await failureOf(client.download("/x"), UnreachableError);
        assert.match(message, /an hour/);
    });
});

describe("a URL of another origin", () => {
    afterEach(closeAll);

    it("is named in every failure, and `address` is not", async () => {
        const there = await serve(({ url }, answer) => {
            if (url === "/page") answer.end("<html>Sign in</html>");
            else answer.writeHead(url === "/broken" ? 500 : 403, {}).end();
        });
        const dead = await deadAddress();
        for (const address of [dead, ...["page", "broken", "denied"].map((path) => `${there.address}/${path}`)]) {
            const { client } = connect(stateVersions, "http://127.0.0.1:1/api/v2", { maxRetries: 0 });
            const { message, hint = "" } = await failureOf(client.download(address), StatecraftError);
            assert(message.includes(new URL(address).origin), message);
            assert.doesNotMatch(hint, /`address`/);
        }
        const { message } = await failureOf(elsewhere().download(dead), StatecraftError);
        assert.match(message, /no answer from the store 127\.0\.0\.1/);
    });

    it("that is not encrypted gets no request of a service that is, and no redirect leads there", async () => {
        const there = await serve();
        const here = await serve(
            (_, answer) => answer.writeHead(302, { location: there.address }).end(),
            certificate("server"),
        );
        const { client } = connect(stateVersions, here.address, { caFile: fixture("ca.pem") });
        await failureOf(client.upload("http://store.test/x", bytes), AnswerError);
        await failureOf(client.download("http://store.test/x"), AnswerError);
        await failureOf(client.download("/x"), AnswerError);
        assert.deepEqual([here.seen.length, there.seen.length], [1, 0]);
    });

    it("on this machine gets no request of a service on another one, with TLS or without", async () => {
        const there = await serve();
        for (const service of ["https://service.test/api/v2", "http://service.test/api/v2"]) {
            const { client } = connect(stateVersions, service, { maxRetries: 0 });
            for (const address of [there.address, there.address.replace("127.0.0.1", "localhost")]) {
                await failureOf(client.upload(`${address}/v1/kv/x`, bytes), AnswerError);
                await failureOf(client.download(`${address}/x`), AnswerError);
            }
        }
        assert.deepEqual(there.seen, []);
    });

    for (const status of [401, 403, 404, 410]) {
        it(`that refuses with ${status} counts as expired, not as an absent object of the service`, async () => {
            const there = await serve((_, answer) => json(answer, status, { errors: [{ detail: "planted" }] }));
            const address = `${there.address}/x`;
            for (const end of [elsewhere().download(address), elsewhere().upload(address, bytes)]) {
                const error = await failureOf(end, ServiceError);
                assert.equal(error.status, status);
                assert.match(error.hint ?? "", /new address/);
                assert(!(error instanceof NotFoundError));
            }
        });
    }
});
