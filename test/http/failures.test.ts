import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { operation } from "../../src/core/operation";
import type { Service } from "../../src/core/service";
import {
    ConflictError,
    DeniedError,
    LimitedError,
    NotFoundError,
    ServiceError,
    type StatecraftError,
    UnreachableError,
} from "../../src/errors";
import { failureOf } from "../support/failures";
import { manager, volumes } from "./services";
import { closeAll, connect, deadAddress, type FakeClock, json, serve, token, wholeText } from "./support";

type Class = abstract new (...parameters: never[]) => ServiceError;

const write = operation("POST /v1/things/{name}");

async function fail(service: Service, respond: (answer: ServerResponse) => void, kind: Class = ServiceError) {
    const place = await serve((_, answer) => respond(answer));
    return failureOf(connect(service, place.address).client.call(write, { parameters: { name: "a" }, body: {} }), kind);
}

function text(status: number, body: string, headers: Record<string, string> = { "content-type": "text/plain" }) {
    return (answer: ServerResponse) => answer.writeHead(status, headers).end(body);
}

describe("a failing answer", () => {
    afterEach(closeAll);

    const kinds: [status: number, kind: Class, code: string][] = [
        [400, ServiceError, "service"],
        [401, DeniedError, "denied"],
        [403, DeniedError, "denied"],
        [405, ServiceError, "service"],
        [409, ConflictError, "conflict"],
        [412, ConflictError, "conflict"],
        [422, ServiceError, "service"],
        [429, LimitedError, "limited"],
        [500, ServiceError, "service"],
        [503, ServiceError, "service"],
        [300, ServiceError, "service"],
        [304, ServiceError, "service"],
    ];
    for (const [status, kind, code] of kinds) {
        it(`of ${status} is a ${kind.name}`, async () => {
            const error = await fail(manager, (answer) => json(answer, status, { errors: ["no", "never"] }), kind);
            assert.equal(error.name, kind.name);
            assert.equal(error.code, code);
            assert.equal(error.status, status);
            assert.equal(error.operation, "POST /v1/things/a");
            if (status === 304) return;
            assert.deepEqual(error.reasons, ["no", "never"]);
            assert.equal(error.message, `POST /v1/things/a: ${status}: no; never`);
        });
    }

    it("is a NotFoundError only in the service's own shape", async () => {
        const gone = await fail(manager, (answer) => json(answer, 404, { errors: [] }), NotFoundError);
        assert.equal(gone.code, "absent");
        assert.equal(gone.message, "POST /v1/things/a: 404: the server gave no reason");
        for (const respond of [
            (answer: ServerResponse) => json(answer, 404, { errors: ["no handler for route"] }),
            text(404, ""),
            text(404, "404 page not found"),
            (answer: ServerResponse) => json(answer, 501, { errors: ["no route: GET /v1/v1/things/a"] }),
            text(404, "<html>Not here</html>", { "content-type": "text/html" }),
        ]) {
            const error = await fail(manager, respond);
            assert.equal(error.name, "ServiceError");
            assert.equal(error.code, "service");
            assert.match(error.hint ?? "", /`address`/);
        }
    });

    it("may be a NotFoundError with another status than 404", async () => {
        const error = await fail(volumes, text(500, "volume not found: v1"), NotFoundError);
        assert.equal(error.code, "absent");
        assert.equal(error.status, 500);
        assert.deepEqual(error.reasons, ["volume not found: v1"]);
    });

    it("of a gateway is quoted, whatever its type", async () => {
        const cases: [type: string, body: string, reasons: string[]][] = [
            ["text/plain", "you need to login", ["you need to login"]],
            ["application/json", '{"message":"no quota"}', ["no quota"]],
            ["text/plain", '{"error":"no quota"}', ["no quota"]],
            ["application/json", '{"cut', ['{"cut']],
            ["application/json", "null", []],
            ["application/json", "17", []],
            ["application/octet-stream", "", []],
        ];
        for (const [type, body, reasons] of cases) {
            const error = await fail(manager, text(400, body, { "content-type": type }));
            assert.deepEqual(error.reasons, reasons, body);
        }
    });

    it("that is a web page is not quoted", async () => {
        for (const headers of [{ "content-type": "text/html" }, { "content-type": "text/plain" }]) {
            const error = await fail(volumes, text(502, "<!doctype html><h1>Bad gateway</h1>", headers));
            assert.equal(error.message, "POST /v1/things/a: 502: a web page");
        }
    });

    for (const status of [400, 401, 403, 413]) {
        it(`of ${status} that is a web page names a gateway, and not the token`, async () => {
            const { hint = "" } = await fail(manager, text(status, "<html>No</html>", { "content-type": "text/html" }));
            assert.match(hint, /`address`/);
            assert.doesNotMatch(hint, /token/);
        });
    }

    it("is quoted in one line of 500 characters without control characters", async () => {
        const long = await fail(volumes, text(500, "x".repeat(2000)));
        assert.equal(long.reasons[0]?.length, 500);
        assert.ok(long.reasons[0]?.endsWith("x…"));
        const odd = await fail(volumes, text(500, "1 error:\n\t* \u001b[31mred\u0000\u202eback\n"));
        assert.deepEqual(odd.reasons, ["1 error: * [31mred back"]);
    });
});

describe("no failure", () => {
    afterEach(closeAll);

    const body = { client_secret: "b0dy-s3cret" };
    const settings = { headers: { "X-Extra": "extra-s3cret" }, maxRetries: 1 };
    const call = {
        parameters: { name: "a" },
        query: { sig: "query-s3cret" },
        headers: { "X-Own": "own-s3cret" },
        body,
    };

    const ends: [what: string, respond: (answer: ServerResponse, clock: FakeClock) => void][] = [
        [
            "a refusal that quotes what was sent",
            (answer) => json(answer, 400, { errors: [`bad ${token} and extra-s3cret`] }),
        ],
        ["429", (answer) => json(answer, 429, {}, { "retry-after": "900" })],
        ["an absence", (answer) => json(answer, 404, { errors: [] })],
        ["a web page", text(200, "<html>s3cret</html>", { "content-type": "text/html" })],
        ["broken JSON", text(200, '{"s3cret', { "content-type": "application/json" })],
        ["a reset", (answer) => answer.destroy()],
        ["a time-out", (_, clock) => clock.elapse()],
        ["a redirect", (answer) => answer.writeHead(302, { location: "https://x.example/?sig=s3cret" }).end()],
    ];
    for (const [what, respond] of ends) {
        it(`shows a token, header, body or query: ${what}`, async () => {
            const place = await serve((_, answer) => respond(answer, clock));
            const { client, clock } = connect(manager, place.address, settings);
            const error = await client.call(write, call).then(
                () => assert.fail(),
                (reason: StatecraftError) => reason,
            );
            const whole = wholeText(error) + wholeText(error.cause) + JSON.stringify(error) + error.stack;
            assert.doesNotMatch(whole, /s3cret/);
            assert.ok(!whole.includes(token));
            assert.ok(!/axios/i.test(error.name));
        });
    }

    it("shows them for a refused connection", async () => {
        const { client } = connect(manager, await deadAddress(), settings);
        const error = await failureOf(client.call(operation("PUT /v1/things/{name}"), call), UnreachableError);
        assert.doesNotMatch(wholeText(error), /s3cret/);
        assert.ok(!wholeText(error).includes(token));
        assert.equal(error.cause, undefined);
    });
});
