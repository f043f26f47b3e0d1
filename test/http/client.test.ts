import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { endpoint } from "../../src/core/endpoint";
import { StatecraftError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { manager, stateVersions } from "./services";
import { closeAll, connect, deadAddress, json, serve, token, wholeText } from "./support";

describe("a client's request", () => {
    afterEach(closeAll);

    it("carries the token, Content-Type, Accept and User-Agent", async () => {
        const place = await serve();
        await connect(manager, place.address).call("PUT /v1/thing", { body: { n: 1 } });
        const { version } = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8"));
        const { headers, method, url, body } = place.seen[0] ?? assert.fail();
        assert.deepEqual([method, url, body], ["PUT", "/v1/thing", '{"n":1}']);
        assert.equal(headers["x-secrets-token"], token);
        assert.equal(headers["content-type"], "application/json");
        assert.equal(headers.accept, "application/json");
        assert.equal(headers["user-agent"], `pulumi-statecraft/${version}`);
        assert.equal(headers["content-length"], "7");
    });

    it("has the service's Content-Type on every write, also without a body", async () => {
        const place = await serve((_, answer) => answer.writeHead(204).end());
        const { call } = connect(stateVersions, place.address);
        for (const method of ["POST", "DELETE", "GET"] as const) await call(`${method} /thing`);
        await connect(manager, place.address, { names: "product" }).call("LIST /thing", { query: { after: "a" } });
        const [type, accept] = ["application/vnd.api+json", "application/vnd.api+json, application/json"];
        assert.deepEqual(
            place.seen.map(({ method, url, headers, body }) => [
                `${method} ${url}`,
                headers["content-type"],
                headers.accept,
                body,
            ]),
            [
                ["POST /thing", type, accept, ""],
                ["DELETE /thing", type, accept, ""],
                ["GET /thing", undefined, accept, ""],
                ["GET /thing?after=a&list=true", undefined, "application/json", ""],
            ],
        );
        assert.equal(place.seen[3]?.headers["x-vault-request"], "true");
        assert.equal(place.seen[0]?.headers.authorization, `Bearer ${token}`);
    });

    it("has a path below that of the `address`, escaped parameters, and no undefined parameters in its query", async () => {
        const place = await serve();
        const { client } = connect(manager, `${place.address}/api/v2//`, { token: "" });
        const query = { "page[size]": 20, force: true, region: undefined, text: "a&b=c" };
        await client.call(endpoint("GET /v1/things/{name}"), { parameters: { name: "a/b c" }, query });
        const { url, headers } = place.seen[0] ?? assert.fail();
        assert.equal(url, "/api/v2/v1/things/a%2Fb%20c?page%5Bsize%5D=20&force=true&text=a%26b%3Dc");
        assert(!("x-secrets-token" in headers), "the token is empty");
    });

    it("carries the `headers` of the settings, which replace User-Agent and the token's header, but not Content-Type", async () => {
        const place = await serve();
        const headers = { "X-Team": "one", "user-agent": "theirs", "x-secrets-token": "other" };
        const { call } = connect(manager, place.address, { headers: { ...headers, "content-type": "text/html" } });
        await call("PUT /v1/thing", { body: {}, headers: { "X-Namespace": "ns" } });
        const sent = { ...headers, "content-type": "application/json", "X-Namespace": "ns" };
        for (const [name, value] of Object.entries(sent))
            assert.equal(place.seen[0]?.headers[name.toLowerCase()], value);
    });

    it("uses an open connection again only if its `repeat` is `always`", async () => {
        const place = await serve();
        const { call } = connect(manager, place.address);
        for (let round = 0; round < 3; round++) await call("GET /v1/thing");
        assert.equal(place.connections(), 1);
        for (let round = 0; round < 2; round++) await call("PATCH /v1/thing", { body: {} });
        assert.equal(place.connections(), 3);
        const connections = place.seen.map(({ headers }) => headers.connection);
        assert.deepEqual(connections, ["keep-alive", "keep-alive", "keep-alive", "close", "close"]);
    });

    it("that may take longer than a timer of Node has the longest timer", async () => {
        const place = await serve();
        const { call, clock } = connect(manager, place.address);
        await call("GET /v1/thing", { timeout: 40 * 86_400 });
        assert.deepEqual(clock.timeouts, [2 ** 31 - 1]);
    });

    it("warns of an unencrypted connection and of `skipTlsVerify`, but not for a server on this machine", async () => {
        const warningsFor = (address: string) => {
            const warnings: string[] = [];
            connect(manager, address, { notify: (...warning) => warnings.push(warning.join()), skipTlsVerify: true });
            return warnings.join();
        };
        assert.match(warningsFor("http://service.test/base"), /http:\/\/service\.test .*,config$/);
        assert.match(warningsFor("https://service.test"), /skipTlsVerify.*,config$/);
        assert.equal(warningsFor(await deadAddress()), "");
    });

    it("writes a line for each try to `trace`, without query, headers or body", async () => {
        const place = await serve((_, answer, number) => {
            if (number === 1) json(answer, 503, {});
            else if (number === 2) answer.destroy();
            else if (number === 4) answer.writeHead(307, { location: "https://elsewhere.test/" }).end();
            else json(answer, 200, {});
        });
        const traced: string[] = [];
        const { client, call } = connect(manager, place.address, { trace: (text) => traced.push(text) });
        const planted = { query: { sig: "planted" }, headers: { "X-Own": "planted" }, body: { secret: "planted" } };
        await call("PUT /a", planted);
        await call("PUT /a", planted).catch(() => {});
        await client.download("/files/planted?sig=planted");
        const lines = ["/a: 503", "/a: .*ECONNRESET", "/a: 200", "/a: a redirect", "/…: 200"];
        assert.equal(traced.length, lines.length);
        for (const [index, line] of lines.entries()) assert.match(traced[index] ?? "", new RegExp(line));
        assert.doesNotMatch(traced.join(), /planted/);
    });

    it("is not sent if a header contains a line break", async () => {
        const place = await serve();
        for (const settings of [
            { token: "p4ssw0rd\n" },
            { headers: { "X-A": "p4ssw0rd\r\nX-B: 1" } },
            { headers: { "X A": "p4ssw0rd" } },
        ]) {
            const error = await failureOf(connect(manager, place.address, settings).call("GET /a"), StatecraftError);
            assert.equal(error.code, "input");
            assert.doesNotMatch(wholeText(error), /p4ssw0rd/);
        }
        assert.equal(place.seen.length, 0);
    });
});
