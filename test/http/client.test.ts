import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { operation } from "../../src/core/operation";
import { StatecraftError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { manager, stateVersions } from "./services";
import { closeAll, connect, deadAddress, json, serve, serveRaw, token, wholeText } from "./support";

const read = operation("GET /v1/things/{name}");
const write = operation("PUT /v1/things/{name}");

describe("a client's request", () => {
    afterEach(closeAll);

    it("carries the token, Content-Type, Accept and User-Agent", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}));
        await connect(manager, place.address).client.call(write, { parameters: { name: "a" }, body: { n: 1 } });
        const { version } = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8"));
        const { headers, method, url, body } = place.seen[0] ?? assert.fail();
        assert.equal(method, "PUT");
        assert.equal(url, "/v1/things/a");
        assert.equal(body, '{"n":1}');
        assert.equal(headers["x-secrets-token"], token);
        assert.equal(headers["content-type"], "application/json");
        assert.equal(headers.accept, "application/json");
        assert.equal(headers["user-agent"], `pulumi-statecraft/${version}`);
        assert.equal(headers["content-length"], "7");
    });

    it("has the service's Content-Type on every write, also without a body", async () => {
        const place = await serve((_, answer) => answer.writeHead(204).end());
        const { client } = connect(stateVersions, place.address);
        await client.call(operation("POST /act", "refused"), { parameters: {} });
        await client.call(operation("DELETE /thing"), { parameters: {} });
        await client.call(operation("GET /thing"), { parameters: {} });
        assert.deepEqual(
            place.seen.map(({ method, headers, body }) => [method, headers["content-type"], headers.accept, body]),
            [
                ["POST", "application/vnd.api+json", "application/vnd.api+json, application/json", ""],
                ["DELETE", "application/vnd.api+json", "application/vnd.api+json, application/json", ""],
                ["GET", undefined, "application/vnd.api+json, application/json", ""],
            ],
        );
        assert.equal(place.seen[0]?.headers.authorization, `Bearer ${token}`);
    });

    it("goes below the path of the address, with or without slashes at its end", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}));
        const { client } = connect(manager, `${place.address}/api/v2//`);
        await client.call(read, { parameters: { name: "a/b c" } });
        assert.equal(place.seen[0]?.url, "/api/v2/v1/things/a%2Fb%20c");
    });

    it("leaves undefined parameters out of the query", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}));
        const query = { "page[size]": 20, force: true, region: undefined, text: "a&b=c" };
        await connect(manager, place.address).client.call(read, { parameters: { name: "a" }, query });
        assert.equal(place.seen[0]?.url, "/v1/things/a?page%5Bsize%5D=20&force=true&text=a%26b%3Dc");
    });

    it("sends no token header without a token", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}));
        await connect(manager, place.address, { token: undefined }).client.call(read, { parameters: { name: "a" } });
        assert.ok(!("x-secrets-token" in (place.seen[0]?.headers ?? {})));
    });

    it("carries the `headers` of the settings, which replace User-Agent and the token's header, but not Content-Type", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}));
        const headers = {
            "X-Team": "one",
            "user-agent": "theirs",
            "x-secrets-token": "other",
            "content-type": "text/html",
        };
        const { client } = connect(manager, place.address, { headers });
        await client.call(write, { parameters: { name: "a" }, body: {}, headers: { "X-Namespace": "ns" } });
        const seen = place.seen[0]?.headers ?? {};
        assert.equal(seen["x-team"], "one");
        assert.equal(seen["user-agent"], "theirs");
        assert.equal(seen["x-secrets-token"], "other");
        assert.equal(seen["content-type"], "application/json");
        assert.equal(seen["x-namespace"], "ns");
    });

    it("sends the method LIST", async () => {
        let heard = "";
        const place = await serveRaw((socket) => {
            socket.on("data", (data) => {
                heard += data;
                socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{"n": 1}');
            });
        });
        const list = operation("LIST /v1/things");
        const answer = await connect(manager, place.address).client.call(list, { parameters: {} });
        assert.equal(heard.split("\r\n")[0], "LIST /v1/things HTTP/1.1");
        assert.deepEqual(answer.body, { n: 1 });
        assert.deepEqual(answer.headers, { "content-type": "application/json", "content-length": "8" });
    });

    it("uses a kept connection if it may be repeated `always`, else a fresh one", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}));
        const { client } = connect(manager, place.address);
        for (let round = 0; round < 4; round++) await client.call(read, { parameters: { name: "a" } });
        assert.equal(place.connections(), 1);
        await client.call(operation("PATCH /v1/thing"), { parameters: {}, body: {} });
        await client.call(operation("PATCH /v1/thing"), { parameters: {}, body: {} });
        assert.equal(place.connections(), 3);
        assert.deepEqual(
            place.seen.map(({ headers }) => headers.connection),
            ["keep-alive", "keep-alive", "keep-alive", "keep-alive", "close", "close"],
        );
    });

    it("is one of at most `maxConcurrency` in flight", async () => {
        let [open, most] = [0, 0];
        const place = await serve((_, answer) => {
            most = Math.max(most, ++open);
            setImmediate(() => {
                open--;
                json(answer, 200, {});
            });
        });
        const { client } = connect(manager, place.address, { maxConcurrency: 3 });
        await Promise.all(Array.from({ length: 20 }, (_, n) => client.call(read, { parameters: { name: `${n}` } })));
        assert.equal(place.seen.length, 20);
        assert.ok(most <= 3, `${most} at once`);
        assert.ok(place.connections() <= 3, `${place.connections()} connections`);
    });

    it("sends the product's names where the settings say so, and reads both", async () => {
        const place = await serve((_, answer) => json(answer, 200, { data: { azure_endpoint: "e" } }));
        for (const [names, header] of [
            ["documented", "x-secrets-token"],
            ["product", "x-vault-token"],
        ] as const) {
            const { client } = connect(manager, place.address, { names });
            const answer = await client.call(read, { parameters: { name: "a" } });
            assert.deepEqual(answer.body, { data: { clouda_endpoint: "e" } });
            assert.notEqual(place.seen.at(-1)?.headers[header], undefined);
        }
    });

    it("warns that requests travel unencrypted, or skipTlsVerify accepts any certificate, but not on this machine", async () => {
        const warningsFor = (address: string) => {
            const warnings: string[] = [];
            connect(manager, address, { notify: (text) => warnings.push(text), skipTlsVerify: true });
            return warnings.join();
        };
        assert.match(warningsFor("http://service.test/base"), /http:\/\/service\.test .*\[config\]/);
        assert.match(warningsFor("https://service.test"), /skipTlsVerify.*\[config\]/);
        assert.equal(warningsFor(await deadAddress()), "");
    });

    it("writes a line for each try to `trace`, without query, headers or body", async () => {
        const place = await serve((_, answer, number) => {
            if (number === 1) json(answer, 503, {});
            else if (number === 2) answer.destroy();
            else if (number === 4) answer.writeHead(307, { location: "https://elsewhere.test/" }).end();
            else json(answer, 200, {});
        });
        const told: string[] = [];
        const { client } = connect(manager, place.address, { trace: (text) => told.push(text) });
        const call = { parameters: { name: "a" }, query: { sig: "planted" }, headers: { "X-Own": "planted" } };
        await client.call(write, { ...call, body: { secret: "planted" } });
        await client.call(write, call).catch(() => {});
        await client.download("/files/planted?sig=planted");
        const lines = ["/a: 503", "/a: .*ECONNRESET", "/a: 200", "/a: a redirect", "/…: 200"];
        assert.equal(told.length, lines.length);
        for (const [index, line] of lines.entries()) assert.match(told[index] ?? "", new RegExp(line));
        assert.doesNotMatch(told.join(), /planted/);
    });

    it("is not sent if a header would hold a line break", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}));
        for (const settings of [
            { token: "p4ssw0rd\n" },
            { headers: { "X-A": "p4ssw0rd\r\nX-B: 1" } },
            { headers: { "X A": "p4ssw0rd" } },
        ]) {
            const call = async () =>
                connect(manager, place.address, settings).client.call(read, { parameters: { name: "a" } });
            const error = await failureOf(call(), StatecraftError);
            assert.equal(error.code, "config");
            assert.doesNotMatch(wholeText(error), /p4ssw0rd/);
        }
        assert.equal(place.seen.length, 0);
    });
});
