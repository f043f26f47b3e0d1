import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { Service } from "../../src/core/service";
import { DeniedError, LimitedError, NotFoundError, ServiceError, StatecraftError } from "../../src/errors";
import type { TestClock } from "../support/clock";
import { failureOf } from "../support/failures";
import { manager, stateVersions, volumes } from "./services";
import { closeAll, connect, json, serve, token, wholeText } from "./support";

type Class = abstract new (...parameters: never[]) => ServiceError;
type Reply = (answer: ServerResponse) => void;

async function fail(service: Service, respond: Reply, kind: Class = ServiceError) {
    const place = await serve((_, answer) => respond(answer));
    return failureOf(connect(service, place.address).call("POST /v1/things/a", { body: {} }), kind);
}

const text = (status: number, body: string, type = "text/plain"): Reply => {
    return (answer) => answer.writeHead(status, { "content-type": type }).end(body);
};
const page = (status: number) => text(status, "<html>No</html>", "text/html");
const vault = (status: number): Reply => {
    return (answer) => json(answer, status, { errors: ["no", "never"] });
};
const terraform = (status: number): Reply => {
    return (answer) => json(answer, status, { errors: [{ status: String(status), title: "no" }] });
};
const cut: Reply = (answer) => answer.destroy();
const half: Reply = (answer) => answer.writeHead(200, { "content-length": "9" }).write("{", () => answer.destroy());

/** Answers, of which the last one is repeated; class, code and fate of the error; and the requests with the repeat `always` and with `refused`. */
const failures: readonly (readonly [
    Service,
    what: string,
    replies: Reply[],
    end: string,
    always: number,
    refused: number,
])[] = [
    [manager, "300", [vault(300)], "ServiceError service refused", 1, 1],
    [manager, "400", [vault(400)], "ServiceError service refused", 1, 1],
    [manager, "401", [vault(401)], "DeniedError denied refused", 1, 1],
    [manager, "403", [vault(403)], "DeniedError denied refused", 1, 1],
    [manager, "408, which a proxy sends", [vault(408)], "ServiceError service unknown", 6, 1],
    [manager, "409", [vault(409)], "ConflictError conflict refused", 1, 1],
    [manager, "412", [vault(412)], "ConflictError conflict refused", 1, 1],
    [manager, "429", [vault(429)], "LimitedError limited refused", 11, 11],
    [manager, "500", [vault(500)], "ServiceError service refused", 3, 1],
    [manager, "501", [vault(501)], "ServiceError service refused", 1, 1],
    [manager, "502", [vault(502)], "ServiceError service unknown", 6, 1],
    [manager, "503", [vault(503)], "ServiceError service unknown", 6, 1],
    [manager, "504", [vault(504)], "ServiceError service unknown", 6, 1],
    [manager, "200 as a web page", [page(200)], "AnswerError answer unknown", 1, 1],
    [manager, "403 of a gateway", [page(403)], "DeniedError denied diverted", 1, 1],
    [manager, "429 of a gateway", [page(429)], "LimitedError limited refused", 11, 11],
    [manager, "500 of a gateway", [page(500)], "ServiceError service unknown", 6, 1],
    [manager, "JSON that is broken", [text(200, "{", "application/json")], "AnswerError answer unknown", 1, 1],
    [manager, "an answer that is cut", [half], "UnreachableError unreachable unknown", 6, 1],
    [manager, "a cut connection", [cut], "UnreachableError unreachable unknown", 6, 1],
    [manager, "a cut connection, then 400", [cut, vault(400)], "ServiceError service unknown", 2, 1],
    [manager, "a cut connection, then 429", [cut, vault(429)], "LimitedError limited unknown", 12, 1],
    [manager, "503, then 409", [vault(503), vault(409)], "ConflictError conflict unknown", 2, 1],
    [manager, "502, then 429 and 404", [vault(502), vault(429), vault(404)], "ServiceError service unknown", 3, 1],
    [manager, "429, then 400", [vault(429), vault(400)], "ServiceError service refused", 2, 2],
    [volumes, "500 with words", [text(500, "no such volume: a")], "ServiceError service refused", 1, 1],
    [volumes, "500 without a leader", [text(500, "No cluster leader")], "ServiceError service refused", 6, 6],
    [volumes, "500 without words", [text(500, "")], "ServiceError service unknown", 6, 1],
    [stateVersions, "422", [terraform(422)], "ServiceError service refused", 1, 1],
    [stateVersions, "500, after which it may have acted", [terraform(500)], "ServiceError service unknown", 3, 1],
    [stateVersions, "404 of a gateway", [text(404, "404 page not found")], "ServiceError service diverted", 1, 1],
];

describe("a failing answer", () => {
    afterEach(closeAll);

    for (const [service, what, replies, end, always, refused] of failures) {
        it(`${what}, of ${service.title} ends as ${end}, after ${always} requests with \`always\` and ${refused} with \`refused\``, async () => {
            const ends: string[] = [];
            const counts: number[] = [];
            for (const repeat of ["always", "refused"] as const) {
                const place = await serve((_, answer, number) =>
                    (replies[number - 1] ?? replies.at(-1) ?? cut)(answer),
                );
                const { call } = connect(service, place.address);
                const error = await failureOf(call("PATCH /v1/thing", { repeat, body: { n: 1 } }), StatecraftError);
                ends.push([error.constructor.name, error.code, error.fate].join(" "));
                counts.push(place.seen.length);
            }
            assert.deepEqual([ends[0], ...counts], [end, always, refused]);
        });
    }

    it("to a read is refused, also after a cut connection, because a read has no effect", async () => {
        const place = await serve((_, answer, number) => (number === 1 ? cut : vault(400))(answer));
        const { fate } = await failureOf(connect(manager, place.address).call("GET /v1/thing"), ServiceError);
        assert.equal(fate, "refused");
    });

    it("has the operation and the server's reasons in its message", async () => {
        const error = await fail(manager, vault(409));
        assert.deepEqual([error.name, error.status, error.reasons], ["ConflictError", 409, ["no", "never"]]);
        assert.equal(error.message, `${error.operation}: 409: no; never`);
        assert.equal(error.operation, "POST /v1/things/a");
    });

    it("of a server of Nomad that limits connections has a hint with the name of the limit", async () => {
        const words = "Your IP is issuing too many concurrent connections, please rate limit your calls\n";
        const { hint = "" } = await fail(volumes, text(429, words), LimitedError);
        assert.match(hint, /`http_max_conns_per_client`/);
    });

    it("is a NotFoundError only if its body has the service's form for an absent object, with any status", async () => {
        const gone = await fail(manager, (answer) => json(answer, 404, { errors: [] }), NotFoundError);
        assert.deepEqual([gone.code, gone.message], ["absent", "POST /v1/things/a: 404: the server gave no reason"]);
        const worded = await fail(volumes, text(500, "volume not found: v1"), NotFoundError);
        assert.deepEqual([worded.status, worded.reasons], [500, ["volume not found: v1"]]);
        for (const respond of [
            (answer: ServerResponse) => json(answer, 404, { errors: ["no handler for route"] }),
            text(404, ""),
            text(404, "404 page not found"),
            (answer: ServerResponse) => json(answer, 501, { errors: ["no route: GET /v1/v1/things/a"] }),
            text(404, "<html>Not here</html>", "text/html"),
        ]) {
            const error = await fail(manager, respond);
            assert.deepEqual([error.name, error.code], ["ServiceError", "service"]);
            assert.match(error.hint ?? "", /`address`/);
        }
    });

    it("of a gateway is quoted, with any content type", async () => {
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
            const error = await fail(manager, text(400, body, type));
            assert.deepEqual(error.reasons, reasons, body);
        }
    });

    it("has its headers in the error, by the product's names and by those of the documents", async () => {
        const error = await fail(volumes, (answer) => json(answer, 500, {}, { "X-Nomad-Index": "7" }));
        const names = ["x-nomad-index", "x-volumes-index", "x-other"];
        assert.deepEqual(
            names.map((name) => error.header(name)),
            ["7", "7", undefined],
        );
    });

    it("that is a web page is not quoted", async () => {
        for (const type of ["text/html", "text/plain"]) {
            const error = await fail(volumes, text(502, "<!doctype html><h1>Bad gateway</h1>", type));
            assert.equal(error.message, "POST /v1/things/a: 502: a web page");
        }
    });

    for (const status of [400, 401, 403, 405]) {
        it(`of ${status} that is a web page has a hint about the \`address\`, and none about the token`, async () => {
            const { hint = "" } = await fail(manager, text(status, "<html>No</html>", "text/html"));
            assert.match(hint, /`address`/);
            assert.doesNotMatch(hint, /token/);
        });
    }

    it("is quoted in one line of 4,000 characters without control characters", async () => {
        const long = await fail(volumes, text(500, `${"x".repeat(3999)}yz`));
        assert.equal(long.reasons[0]?.length, 4000);
        assert.ok(long.reasons[0]?.endsWith("x…"));
        const odd = await fail(volumes, text(500, "1 error:\n\t* \u001b[31mred\u0000\u202eback\n"));
        assert.deepEqual(odd.reasons, ["1 error: * [31mred back"]);
    });

    it("is read up to 1 MiB, so that a list in it is no list", async () => {
        const error = await fail(manager, (answer) => json(answer, 400, { errors: Array(200_000).fill("no way") }));
        assert.equal(error.reasons.length, 1);
        assert.match(error.reasons[0] ?? "", /^\{"errors":\["no way",.{3960,}…$/);
    });

    for (const status of [401, 403]) {
        it(`of ${status} has a hint with the place of the token, unless the request has no token`, async () => {
            const { address } = await serve((_, answer) => json(answer, status, { errors: ["permission denied"] }));
            const { call } = connect(manager, address, { tokenSource: "the token comes from MY_VARIABLE" });
            assert.match((await failureOf(call("GET /x"), DeniedError)).hint ?? "", /MY_VARIABLE/);
            const anonymous = await failureOf(call("GET /x", { anonymous: true }), DeniedError);
            assert.doesNotMatch(anonymous.hint ?? "", /MY_VARIABLE/);
        });
    }
});

describe("an error never shows a token, header, body or query", () => {
    afterEach(closeAll);

    const settings = { headers: { "X-Extra": "extra-s3cret" }, maxRetries: 1 };
    const planted = {
        query: { sig: "query-s3cret" },
        headers: { "X-Own": "own-s3cret" },
        body: { client_secret: "b0dy-s3cret" },
    };

    for (const [what, respond] of Object.entries<(answer: ServerResponse, clock: TestClock) => void>({
        "a refusal that quotes what was sent": (answer) =>
            json(answer, 400, { errors: [`bad ${token} and extra-s3cret`] }, { "x-echo": `${token} b0dy-s3cret` }),
        429: (answer) => json(answer, 429, {}, { "retry-after": "900" }),
        "an absence": (answer) => json(answer, 404, { errors: [] }),
        "a reset": (answer) => answer.destroy(),
        "a time-out": (_, clock) => clock.elapse(),
    })) {
        it(`after ${what}`, async () => {
            const place = await serve((_, answer) => respond(answer, clock));
            const { call, clock } = connect(manager, place.address, settings);
            const error = await failureOf(call("POST /v1/things/a", planted), StatecraftError);
            const whole = wholeText(error) + wholeText(error.cause) + JSON.stringify(error) + error.stack;
            assert.doesNotMatch(whole, /s3cret/);
            assert(!whole.includes(token));
        });
    }
});
