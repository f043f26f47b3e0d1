import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { AnswerError, DeniedError, NotFoundError, ServiceError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { stateVersions } from "./services";
import { closeAll, connect, json, serve, token, wholeText } from "./support";

const bytes = Buffer.from([0, 1, 2, 253, 254, 255]);

describe("download", () => {
    afterEach(closeAll);

    it("of the service's origin is sent with the token and `headers`, by a relative address too", async () => {
        const place = await serve((_, answer) => answer.end(bytes));
        const { client } = connect(stateVersions, `${place.address}/api/v2`, { headers: { "X-Extra": "1" } });
        assert.deepEqual(await client.download("/files/a?sig=1"), bytes);
        assert.deepEqual(await client.download(`${place.address}/files/b`), bytes);
        assert.deepEqual(
            place.seen.map(({ url }) => url),
            ["/files/a?sig=1", "/files/b"],
        );
        for (const { headers, method } of place.seen) {
            assert.equal(method, "GET");
            assert.equal(headers.authorization, `Bearer ${token}`);
            assert.equal(headers["x-extra"], "1");
            assert.equal(headers.accept, "*/*");
        }
    });

    it("of another origin is sent without the token and `headers`", async () => {
        const there = await serve((_, answer) => answer.end(bytes));
        const { client } = connect(stateVersions, "http://127.0.0.1:1/api/v2", { headers: { "X-Extra": "1" } });
        assert.deepEqual(await client.download(`${there.address}/x?sig=1`), bytes);
        assert.deepEqual(Object.keys(there.seen[0]?.headers ?? {}).sort(), [
            "accept",
            "accept-encoding",
            "connection",
            "host",
            "user-agent",
        ]);
        assert.equal(there.seen[0]?.url, "/x?sig=1");
    });

    it("is sent without the token where the service redirects to another origin", async () => {
        const there = await serve((_, answer) => answer.end(bytes));
        const here = await serve((_, answer) => answer.writeHead(302, { location: `${there.address}/x?sig=1` }).end());
        assert.deepEqual(await connect(stateVersions, here.address).client.download("/file"), bytes);
        assert.equal(here.seen[0]?.headers.authorization, `Bearer ${token}`);
        assert.equal(there.seen[0]?.headers.authorization, undefined);
    });

    for (const status of [401, 403, 404, 410]) {
        it(`refused by another origin with ${status} says that the address is expired`, async () => {
            const there = await serve((_, answer) => json(answer, status, { errors: [{ detail: "planted" }] }));
            const own = connect(stateVersions, "http://127.0.0.1:1/api/v2");
            const error = await failureOf(own.client.download(`${there.address}/x`), ServiceError);
            assert.equal(error.status, status);
            assert.match(error.hint ?? "", /new address/);
            assert(!(error instanceof NotFoundError));
        });
    }

    it("may have any type, be compressed, or be empty", async () => {
        const place = await serve(({ url }, answer) => {
            if (url === "/empty") answer.writeHead(200).end();
            else
                answer
                    .writeHead(200, { "content-type": "binary/octet-stream", "content-encoding": "gzip" })
                    .end(gzipSync(bytes));
        });
        const { client } = connect(stateVersions, place.address);
        assert.deepEqual(await client.download("/packed"), bytes);
        assert.equal((await client.download("/empty")).length, 0);
    });

    it("of more than 256 MiB is an AnswerError", async () => {
        const part = Buffer.alloc(16 * 1024 ** 2);
        const place = await serve((_, answer) => {
            for (let parts = 0; parts < 17; parts++) answer.write(part);
        });
        const { client } = connect(stateVersions, place.address);
        await failureOf(client.download("/bomb"), AnswerError);
    });

    it("that is a web page is an AnswerError", async () => {
        const place = await serve((_, answer) => answer.writeHead(200, { "content-type": "text/html" }).end("<html>"));
        await failureOf(connect(stateVersions, place.address).client.download("/file"), AnswerError);
    });

    it("that fails names the origin of its address alone", async () => {
        const place = await serve(({ url }, answer) => {
            if (url?.startsWith("/gone")) json(answer, 404, { errors: [{ detail: "not found" }] });
            else answer.writeHead(403, { "content-type": "application/xml" }).end("<Error>expired</Error>");
        });
        const gone = await failureOf(
            connect(stateVersions, place.address).client.download("/gone/s1gned?sig=s1gned"),
            NotFoundError,
        );
        assert.equal(gone.message, `GET ${place.address}/…: 404: not found`);
        assert.doesNotMatch(wholeText(gone), /s1gned/);
        const elsewhere = connect(stateVersions, "https://service.example").client;
        const foreign = await failureOf(elsewhere.download(`${place.address}/gone/s1gned`), ServiceError);
        assert.equal(foreign.code, "service");
        const denied = await failureOf(elsewhere.download(`${place.address}/s1gned`), DeniedError);
        assert.deepEqual(denied.reasons, ["<Error>expired</Error>"]);
    });

    it("of an address that is not HTTP is refused", async () => {
        const { client } = connect(stateVersions, "https://service.example");
        for (const address of ["file:///s1gned", "https://", "data:text/plain,s1gned"]) {
            const error = await failureOf(client.download(address), AnswerError);
            assert.doesNotMatch(wholeText(error), /s1gned/);
        }
    });
});
