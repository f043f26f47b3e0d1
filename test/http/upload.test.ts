import assert from "node:assert/strict";
import { spentAddress } from "../../src/core/request-failures";
import { AnswerError, NotFoundError, ServiceError, UnreachableError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { stateVersions } from "./services";
import { closeAll, connect, json, serve, serveRaw, token, wholeText } from "./support";

const bytes = Buffer.from("raw bytes, é and all");

describe("upload", () => {
    afterEach(closeAll);

    it("puts raw bytes to an absolute or relative address, never with the token", async () => {
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

    it("sends nothing of the settings to another origin, nor what stands in the address itself", async () => {
        const there = await serve((_, answer) => answer.writeHead(201).end("<html>stored</html>"));
        const { client } = connect(stateVersions, "http://127.0.0.1:1/api/v2", { headers: { "X-Extra": "1" } });
        await client.upload(`${there.address.replace("//", "//me:pass@")}/x`, bytes);
        const { authorization, "x-extra": extra } = there.seen[0]?.headers ?? {};
        assert.deepEqual([authorization, extra], [undefined, undefined]);
    });

    for (const status of [401, 403, 404, 410]) {
        it(`that the object store refuses with ${status} says that the address is spent, and nothing of the token`, async () => {
            const there = await serve((_, answer) => json(answer, status, { errors: [{ detail: "planted" }] }));
            const own = connect(stateVersions, there.address);
            const error = await failureOf(own.client.upload("/x", bytes), ServiceError);
            assert.equal(error.status, status);
            assert.equal(error.hint, spentAddress());
            assert(!(error instanceof NotFoundError));
        });
    }

    it("is not sent again once it may have had an effect", async () => {
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

    it("is sent again where the service surely did nothing", async () => {
        const place = await serve((_, answer, number) => answer.writeHead(number === 1 ? 429 : 200).end());
        await connect(stateVersions, place.address).client.upload("/x", bytes);
        assert.equal(place.seen.length, 2);
    });

    describe("that is refused with parts of the content", () => {
        const content = Buffer.from(
            Array.from(
                { length: 40_000 },
                (_, number) => `{"password":"pw-${Math.imul(number, 2_654_435_761)}"}`,
            ).join(),
        );
        const spellings: Readonly<Record<string, (part: Buffer) => string>> = {
            "as they are": (part) => part.toString(),
            "in quotes": (part) => JSON.stringify(JSON.stringify(part.toString())),
            "in base64": (part) => part.toString("base64"),
            "in hex": (part) => part.toString("hex"),
            "in percent": (part) => encodeURIComponent(part.toString()),
        };
        for (const [how, spell] of Object.entries(spellings)) {
            it(`says none of them, and lets others have their turns meanwhile: ${how}`, async () => {
                const parts = [1000, 300_000, 700_000].map((at) => spell(content.subarray(at, at + 90)));
                const errors = parts.map((detail) => ({ status: "422", title: "invalid", detail }));
                let turns = 0;
                const place = await serve((_, answer) => json(answer, 422, { errors }));
                const failing = failureOf(
                    connect(stateVersions, place.address).client.upload("/x", content),
                    ServiceError,
                );
                let isOver = false;
                const over = failing.finally(() => {
                    isOver = true;
                });
                while (!isOver) {
                    await new Promise(setImmediate);
                    if (place.seen.length > 0) turns++;
                }
                const { reasons, message } = await over;
                assert.equal(reasons.length, 3);
                for (const part of parts)
                    for (let at = 0; at + 16 <= part.length; at++)
                        assert.ok(!message.includes(part.slice(at, at + 16)), message);
                assert.ok(turns >= content.length / (128 * 1024), `${turns} turns`);
            });
        }
    });

    it("says ten reasons, and how many more there are", async () => {
        const errors = Array.from({ length: 12 }, (_, number) => ({ detail: `reason ${number}` }));
        const place = await serve((_, answer) => json(answer, 422, { errors }));
        const { reasons } = await failureOf(
            connect(stateVersions, place.address).client.upload("/x", bytes),
            ServiceError,
        );
        assert.deepEqual(reasons.slice(-2), ["reason 9", "and 2 more"]);
        assert.equal(reasons.length, 11);
    });

    it("never prints the address, whose signature is a secret", async () => {
        const place = await serve((_, answer) => answer.writeHead(403).end("signature expired"));
        const failure = await failureOf(
            connect(stateVersions, place.address).client.upload("/x/signed-7f?sig=8", bytes),
            ServiceError,
        );
        const text = wholeText(failure);
        assert(!text.includes("signed-7f") && !text.includes("sig=8") && !text.includes(token), text);
        assert.match(text, /PUT http:\/\/127\.0\.0\.1:\d+\/…: 403: signature expired/);
        const odd = await failureOf(
            connect(stateVersions, place.address).client.upload("ftp://x/signed-7f", bytes),
            AnswerError,
        );
        assert(!wholeText(odd).includes("signed-7f"));
    });
});
