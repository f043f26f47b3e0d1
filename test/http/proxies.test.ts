import assert from "node:assert/strict";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { TLSSocket } from "node:tls";
import { operation } from "../../src/core/operation";
import { ConfigError, UnreachableError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { manager } from "./services";
import {
    certificate,
    closeAll,
    connect,
    deadAddress,
    fixture,
    json,
    listen,
    serve,
    socketCode,
    token,
    wholeText,
    withEnvironment,
} from "./support";

const read = operation("GET /v1/thing");

/** A proxy that takes every host for the given port on this machine. */
async function serveProxy(port: number, connectStatus = 200) {
    const asked: string[] = [];
    const headers: http.IncomingHttpHeaders[] = [];
    const server = http.createServer((request, answer) => {
        asked.push(`${request.method} ${request.url}`);
        headers.push(request.headers);
        const path = new URL(request.url ?? "").pathname;
        const onward = http.request(
            { port, host: "127.0.0.1", path, method: request.method, headers: request.headers },
            (inner) => {
                answer.writeHead(inner.statusCode ?? 500, inner.headers);
                inner.pipe(answer);
            },
        );
        request.pipe(onward);
    });
    server.on("connect", (request, socket) => {
        asked.push(`CONNECT ${request.url}`);
        headers.push(request.headers);
        if (connectStatus !== 200)
            return void socket.end(`HTTP/1.1 ${connectStatus} No\r\nContent-Length: 2\r\n\r\nno`);
        const onward = net.connect(port, "127.0.0.1", () => {
            socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
            onward.pipe(socket).pipe(onward);
        });
        for (const end of [onward, socket]) end.on("error", () => {});
    });
    const place = await listen(server, "http");
    return { ...place, asked, headers };
}

describe("a proxy", () => {
    afterEach(closeAll);

    it("gets requests to http: addresses whole, and its own user and password", async () => {
        const place = await serve((_, answer) => json(answer, 200, { ok: true }));
        const proxy = await serveProxy(place.port);
        await withEnvironment({ HTTP_PROXY: proxy.address.replace("//", "//me:p%40ss@") }, async () => {
            const { client } = connect(manager, "http://service.test/base");
            assert.deepEqual((await client.call(read, { parameters: {} })).body, { ok: true });
            await client.call(operation("PUT /v1/thing"), { parameters: {}, body: { n: 1 } });
        });
        assert.deepEqual(proxy.asked, [
            "GET http://service.test/base/v1/thing",
            "PUT http://service.test/base/v1/thing",
        ]);
        assert.equal(proxy.headers[0]?.["proxy-authorization"], `Basic ${Buffer.from("me:p@ss").toString("base64")}`);
        assert.equal(proxy.connections(), 1);
        assert.equal(place.seen[0]?.headers.host, "service.test");
        assert.equal(place.seen[1]?.body, '{"n":1}');
    });

    it("gets CONNECT for https: addresses, and sees no token", async () => {
        const place = await serve((_, answer) => json(answer, 200, { ok: true }), certificate("server"));
        const proxy = await serveProxy(place.port);
        await withEnvironment({ https_proxy: proxy.address.replace("//", "//me:pass@") }, async () => {
            const { client } = connect(manager, "https://service.test", { caFile: fixture("ca.pem") });
            for (let round = 0; round < 3; round++) await client.call(read, { parameters: {} });
        });
        assert.deepEqual(proxy.asked, ["CONNECT service.test:443"]);
        assert.equal(proxy.headers[0]?.["proxy-authorization"], `Basic ${Buffer.from("me:pass").toString("base64")}`);
        assert.ok(!JSON.stringify(proxy.headers).includes(token));
        assert.equal(place.seen[0]?.headers["x-secrets-token"], token);
        assert.equal(place.seen[0]?.headers["proxy-authorization"], undefined);
        assert.equal(place.seen.length, 3);
        assert.equal(place.connections(), 1);
    });

    it("does not weaken TLS: the certificate is verified for the service's host name", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}), certificate("server"));
        const proxy = await serveProxy(place.port);
        await withEnvironment({ HTTPS_PROXY: proxy.address }, async () => {
            const wrongHost = connect(manager, "https://other.test", { caFile: fixture("ca.pem") }).client;
            const name = await failureOf(wrongHost.call(read, { parameters: {} }), UnreachableError);
            assert.equal(socketCode(name), "ERR_TLS_CERT_ALTNAME_INVALID");
            const unknown = await failureOf(
                connect(manager, "https://service.test").client.call(read, { parameters: {} }),
                UnreachableError,
            );
            assert.equal(socketCode(unknown), "UNABLE_TO_VERIFY_LEAF_SIGNATURE");
            assert.equal(unknown.sent, false);
            assert.equal(place.seen.length, 0);
            const otherName = { caFile: fixture("ca.pem"), tlsServerName: "service.test" };
            const { client } = connect(manager, "https://other.test", otherName);
            assert.equal((await client.call(read, { parameters: {} })).status, 200);
        });
    });

    it("passes the client certificate on to the service", async () => {
        let subject: unknown;
        const options = { ...certificate("server"), requestCert: true, rejectUnauthorized: false };
        const server = https.createServer(options, (request, answer) => {
            if (request.socket instanceof TLSSocket) subject = request.socket.getPeerCertificate().subject.CN;
            json(answer, 200, {});
        });
        const proxy = await serveProxy((await listen(server, "https")).port);
        const shown = { clientCertFile: fixture("client.pem"), clientKeyFile: fixture("client.key.pem") };
        await withEnvironment({ HTTPS_PROXY: proxy.address }, () =>
            connect(manager, "https://other.test", { ...shown, skipTlsVerify: true }).client.call(read, {
                parameters: {},
            }),
        );
        assert.equal(subject, "statecraft test client");
    });

    for (const [status, tries] of [
        [407, 0],
        [403, 0],
        [429, 5],
        [500, 5],
        [502, 5],
    ] as const) {
        it(`that answers CONNECT with ${status} counts as not sent`, async () => {
            const proxy = await serveProxy(1, status);
            await withEnvironment({ HTTPS_PROXY: proxy.address.replace("//", "//me:p4ssw0rd@") }, async () => {
                const { client, slept } = connect(manager, "https://service.test");
                const error = await failureOf(
                    client.call(operation("POST /x", "refused"), { parameters: {} }),
                    UnreachableError,
                );
                assert.equal(error.sent, false);
                assert.equal(slept.length, tries);
                assert.equal(socketCode(error), `PROXY_${status}`);
                assert.doesNotMatch(wholeText(error), /p4ssw0rd/);
            });
        });
    }

    for (const scheme of ["http", "https"]) {
        it(`that is not reached is named (${scheme})`, async () => {
            const proxy = await deadAddress();
            const variables = Object.fromEntries(
                ["HTTP_PROXY", "HTTPS_PROXY"].map((name) => [name, proxy.replace("//", "//me:p4ssw0rd@")]),
            );
            await withEnvironment(variables, async () => {
                const { client } = connect(manager, `${scheme}://service.test`);
                const error = await failureOf(client.call(read, { parameters: {} }), UnreachableError);
                assert.ok(error.message.includes(proxy));
                assert.match(error.hint ?? "", /HTTPS_PROXY/);
                assert.equal(error.sent, false);
                assert.doesNotMatch(wholeText(error), /p4ssw0rd/);
            });
        });
    }

    it("is not used for the hosts of NO_PROXY, and one on another machine not for this machine", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}));
        const proxy = await serveProxy(place.port);
        for (const environment of [
            { HTTP_PROXY: proxy.address, NO_PROXY: "127.0.0.1" },
            { HTTP_PROXY: "http://proxy.example:1" },
            { ALL_PROXY: "socks5://proxy.example:1" },
        ]) {
            await withEnvironment(environment, () =>
                connect(manager, place.address).client.call(read, { parameters: {} }),
            );
        }
        assert.deepEqual(proxy.asked, []);
        assert.equal(place.seen.length, 3);
    });

    it("that is not an HTTP proxy fails the request, without the variable's value", async () => {
        await withEnvironment({ HTTPS_PROXY: "socks5://me:p4ss@host:1" }, async () => {
            const { client } = connect(manager, "https://service.test");
            const error = await failureOf(client.call(read, { parameters: {} }), ConfigError);
            assert.equal(error.setting, "HTTPS_PROXY");
            assert.doesNotMatch(wholeText(error), /p4ss/);
        });
    });
});
