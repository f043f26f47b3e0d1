import assert from "node:assert/strict";
import { AnswerError, NotFoundError, ServiceError, UnreachableError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { stateVersions } from "./services";
import { closeAll, connect, json, serve, serveRaw, token, wholeText } from "./support";

const bytes = Buffer.from("raw bytes, é and all");

describe("upload", () => {
    afterEach(closeAll);

    it("sends bytes to an absolute or relative address, without the token", async () => {
        const place = await serve((_, answer) => answer.writeHead(200).end());
        const { client } = connect(stateVersions, `${place.address}/api/v2`, { headers: { "X-Extra": "1" } });
        await client.upload("/v1/object/a?sig=1", bytes);
        await client.upload(`${place.address}/v1/object/b`, bytes);
        assert.deepEqual(
            place.seen.map(({ method, url, body }) => [method, url, body]),
            [
                ["PUT", "/v1/object/a?sig=1", bytes.toString()],
                ["PUT", "/v1/object/b", bytes.toString()],
            ],
        );
        for (const { headers } of place.seen) {
            assert.equal(headers.authorization, undefined);
            assert.equal(headers["content-type"], "application/octet-stream");
            assert.equal(headers["content-length"], String(bytes.length));
            assert.equal(headers["x-extra"], "1");
        }
    });

    it("sends no `headers` to another origin", async () => {
        const there = await serve((_, answer) => answer.writeHead(201).end("<html>stored</html>"));
        const { client } = connect(stateVersions, "http://127.0.0.1:1/api/v2", { headers: { "X-Extra": "1" } });
        await client.upload(`${there.address}/x`, bytes);
        const { authorization, "x-extra": extra } = there.seen[0]?.headers ?? {};
        assert.deepEqual([authorization, extra], [undefined, undefined]);
    });

    for (const status of [401, 403, 404, 410]) {
        it(`refused with ${status} says that the address is expired`, async () => {
            const there = await serve((_, answer) => json(answer, status, { errors: [{ detail: "planted" }] }));
            const own = connect(stateVersions, there.address);
            const error = await failureOf(own.client.upload("/x", bytes), ServiceError);
            assert.equal(error.status, status);
            assert.match(error.hint ?? "", /new address/);
            assert(!(error instanceof NotFoundError));
        });
    }

    it("is not repeated after a 503 or a cut connection", async () => {
        const broken = await serve((_, answer) => answer.writeHead(503).end());
        const failure = await failureOf(
            connect(stateVersions, broken.address).client.upload("/x", bytes),
            ServiceError,
        );
        assert.equal(failure.status, 503);
        assert.equal(broken.seen.length, 1);
        const cut = await serveRaw((socket) => socket.once("data", () => socket.destroy()));
        const lost = await failureOf(connect(stateVersions, cut.address).client.upload("/x", bytes), UnreachableError);
        assert(lost.sent);
        assert.equal(cut.connections(), 1);
    });

    it("is repeated after a 429", async () => {
        const place = await serve((_, answer, number) => answer.writeHead(number === 1 ? 429 : 200).end());
        await connect(stateVersions, place.address).client.upload("/x", bytes);
        assert.equal(place.seen.length, 2);
    });

    it("that is refused quotes nothing of the answer", async () => {
        const quoted = { errors: [{ status: "422", title: "invalid", detail: bytes.toString() }] };
        const place = await serve((_, answer) => json(answer, 422, quoted, { "x-request-id": bytes.toString("hex") }));
        const upload = connect(stateVersions, place.address).client.upload("/x", bytes);
        const text = wholeText(await failureOf(upload, ServiceError));
        assert(!text.includes(bytes.toString()) && !text.includes(bytes.toString("hex")), text);
    });

    it("never prints the address, whose signature is a secret", async () => {
        const place = await serve((_, answer) => answer.writeHead(403).end("signature expired"));
        const failure = await failureOf(
            connect(stateVersions, place.address).client.upload("/x/signed-7f?sig=8", bytes),
            ServiceError,
        );
        const text = wholeText(failure);
        assert(!text.includes("signed-7f") && !text.includes("sig=8") && !text.includes(token), text);
        const odd = await failureOf(
            connect(stateVersions, place.address).client.upload("ftp://x/signed-7f", bytes),
            AnswerError,
        );
        assert(!wholeText(odd).includes("signed-7f"));
    });
});
