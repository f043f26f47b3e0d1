import assert from "node:assert/strict";
import http from "node:http";
import net from "node:net";
import { ConfigError, ServiceError, UnreachableError } from "../../src/errors";
import { createConnections, proxyFor } from "../../src/http/connect";
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
    serveMutualTls,
    socketCode,
    token,
    wholeText,
    withEnvironment,
} from "./support";

/** Starts a proxy that forwards requests for any host to this port on this machine, and answers CONNECT with `status`. */
async function serveProxy(port: number, status = 200) {
    const requests: string[] = [];
    const headers: http.IncomingHttpHeaders[] = [];
    const server = http.createServer((request, answer) => {
        requests.push(`${request.method} ${request.url}`);
        headers.push(request.headers);
        const { method, headers: sent } = request;
        const path = new URL(request.url ?? "").pathname;
        const onward = http.request({ port, host: "127.0.0.1", path, method, headers: sent }, (inner) => {
            inner.pipe(answer.writeHead(inner.statusCode ?? 500, inner.headers));
        });
        request.pipe(onward);
    });
    server.on("connect", (request, socket) => {
        requests.push(`CONNECT ${request.url}`);
        headers.push(request.headers);
        if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 2\r\n\r\nno`);
        const onward = net.connect(port, "127.0.0.1", () => {
            socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
            onward.pipe(socket).pipe(onward);
        });
        for (const end of [onward, socket]) end.on("error", () => {});
    });
    return { ...(await listen(server, "http")), requests, headers };
}

const caFile = fixture("ca.pem");

describe("a proxy", () => {
    afterEach(closeAll);

    it("may quote its user and password, which no message shows", async () => {
        const place = await serve(({ headers }, answer) => {
            const given = String(headers["proxy-authorization"]);
            json(answer, 407, { errors: [`${given}, ${Buffer.from(given.slice(6), "base64")}, planted p%40ss`] });
        });
        await withEnvironment({ HTTP_PROXY: place.address.replace("//", "//planted:p%40ss@") }, async () => {
            const error = await failureOf(
                connect(manager, "http://service.test").call("GET /v1/things/a"),
                ServiceError,
            );
            assert.match(error.message, /407: Basic \[secret\], \[secret\], \[secret\] \[secret\]$/);
        });
    });
    it("gets requests to http: URLs whole, and the user and password of the proxy's URL", async () => {
        const place = await serve((_, answer) => json(answer, 200, { ok: true }));
        const proxy = await serveProxy(place.port);
        await withEnvironment({ HTTP_PROXY: proxy.address.replace("//", "//me:p%40ss@") }, async () => {
            const { call } = connect(manager, "http://service.test/base");
            assert.deepEqual((await call("GET /v1/thing")).body, { ok: true });
            await call("PUT /v1/thing", { body: { n: 1 } });
        });
        assert.deepEqual(proxy.requests, [
            "GET http://service.test/base/v1/thing",
            "PUT http://service.test/base/v1/thing",
        ]);
        assert.equal(proxy.headers[0]?.["proxy-authorization"], `Basic ${Buffer.from("me:p@ss").toString("base64")}`);
        assert.equal(proxy.connections(), 1);
        assert.equal(place.seen[0]?.headers.host, "service.test");
        assert.equal(place.seen[1]?.body, '{"n":1}');
    });

    for (const [address, port] of [
        ["http://proxy.test", 80],
        ["https://proxy.test", 443],
        ["proxy.test:3128", 3128],
    ] as const) {
        it(`at ${address} is reached at port ${port}`, async () => {
            await withEnvironment({ HTTP_PROXY: address }, async () => {
                const connectionTo = createConnections("statecraft:vault", {});
                const { proxy } = connectionTo(new URL("http://service.test"), { toService: true, fresh: false });
                assert(proxy);
                assert.equal(proxy.port, port);
            });
        });
    }

    it("gets CONNECT for https: URLs, also without `http://` in its own address, and no token", async () => {
        const place = await serve((_, answer) => json(answer, 200, { ok: true }), certificate("server"));
        const proxy = await serveProxy(place.port);
        await withEnvironment({ https_proxy: proxy.address.replace("http://", "me:pass@") }, async () => {
            const { call } = connect(manager, "https://service.test", { caFile });
            for (let round = 0; round < 3; round++) await call("GET /v1/thing");
        });
        assert.deepEqual(proxy.requests, ["CONNECT service.test:443"]);
        assert.equal(proxy.headers[0]?.["proxy-authorization"], `Basic ${Buffer.from("me:pass").toString("base64")}`);
        assert(!JSON.stringify(proxy.headers).includes(token));
        assert.equal(place.seen[0]?.headers["x-secrets-token"], token);
        assert.equal(place.seen[0]?.headers["proxy-authorization"], undefined);
        assert.equal(place.seen.length, 3);
        assert.equal(place.connections(), 1);
    });

    it("does not weaken TLS: the certificate is verified for the service's host name", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}), certificate("server"));
        const proxy = await serveProxy(place.port);
        const reach = (host: string, settings = {}) => connect(manager, host, settings).call("GET /v1/thing");
        await withEnvironment({ HTTPS_PROXY: proxy.address }, async () => {
            const name = await failureOf(reach("https://other.test", { caFile }), UnreachableError);
            assert.equal(socketCode(name), "ERR_TLS_CERT_ALTNAME_INVALID");
            const unknown = await failureOf(reach("https://service.test"), UnreachableError);
            assert.equal(socketCode(unknown), "UNABLE_TO_VERIFY_LEAF_SIGNATURE");
            assert.equal(unknown.fate, "unsent");
            assert.equal(place.seen.length, 0);
            const { status } = await reach("https://other.test", { caFile, tlsServerName: "service.test" });
            assert.equal(status, 200);
        });
    });

    it("forwards the client certificate to the service", async () => {
        const { address, port, peers } = await serveMutualTls();
        const proxy = await serveProxy(port);
        const shown = { clientCertFile: fixture("client.pem"), clientKeyFile: fixture("client.key.pem") };
        const { call } = connect(manager, address.replace("127.0.0.1", "other.test"), {
            ...shown,
            skipTlsVerify: true,
        });
        await withEnvironment({ HTTPS_PROXY: proxy.address }, () => call("GET /v1/thing"));
        assert.deepEqual(peers, ["statecraft test client"]);
    });

    for (const [status, tries] of [
        [407, 0],
        [403, 0],
        [429, 5],
        [502, 5],
    ] as const) {
        it(`that answers CONNECT with ${status} fails the request with \`sent: false\``, async () => {
            const proxy = await serveProxy(1, status);
            await withEnvironment({ HTTPS_PROXY: proxy.address.replace("//", "//me:p4ssw0rd@") }, async () => {
                const { call, slept } = connect(manager, "https://service.test");
                const error = await failureOf(call("POST /x"), UnreachableError);
                assert.deepEqual([error.fate, slept.length, socketCode(error)], ["unsent", tries, `PROXY_${status}`]);
                assert.doesNotMatch(wholeText(error), /p4ssw0rd/);
            });
        });
    }

    for (const scheme of ["http", "https"]) {
        it(`that cannot be reached is named in the error (${scheme})`, async () => {
            const proxy = await deadAddress();
            const variable = `${scheme.toUpperCase()}_PROXY`;
            await withEnvironment({ [variable]: proxy.replace("//", "//me:p4ssw0rd@") }, async () => {
                const { call } = connect(manager, `${scheme}://service.test`);
                const error = await failureOf(call("GET /v1/thing"), UnreachableError);
                assert(error.message.includes(proxy));
                assert.match(error.hint ?? "", /HTTPS_PROXY/);
                assert.equal(error.fate, "unsent");
                assert.doesNotMatch(wholeText(error), /p4ssw0rd/);
            });
        });
    }

    for (const [list, exempt, proxied] of [
        ["corp.test", ["https://corp.test", "https://a.b.corp.test:8200"], ["https://mycorp.test", "https://10.0.0.1"]],
        [".corp.test", ["https://a.corp.test"], ["https://corp.test"]],
        ["*.corp.test", ["https://a.corp.test"], ["https://corp.test"]],
        ["Corp.Test:8200, other.test", ["https://a.corp.test:8200", "https://other.test"], ["https://corp.test"]],
        ["corp.test:443", ["https://corp.test"], ["https://corp.test:8443"]],
        ["172.16.0.0/12", ["https://172.20.1.1:8200"], ["https://172.32.1.1", "https://a.172.20.1.1.test"]],
        ["fd00::/8", ["https://[fd12::1]:8200"], ["https://[fe80::1]", "https://172.16.1.1"]],
        ["192.168.7.7", ["https://192.168.7.7:1"], ["https://192.168.7.70"]],
        ["192.168.7.7:443 [fd00::1]:443", ["https://192.168.7.7", "https://[fd00::1]"], ["https://[fd00::1]:1"]],
        ["fd00::1", ["https://[fd00:0::1]:8200"], ["https://[fd00::2]"]],
        ["*", ["https://corp.test", "https://10.0.0.1"], []],
        ["10.0.0.0/33,10.0.0.0/, :443,,", [], ["https://10.0.0.1", "https://corp.test"]],
    ] as const) {
        it(`is not used for what NO_PROXY=${JSON.stringify(list)} names`, () => {
            const environment = { HTTPS_PROXY: "proxy.test:3128", NO_PROXY: list };
            const isProxied = (address: string) => proxyFor(new URL(address), environment) !== undefined;
            assert.deepEqual([...exempt, ...proxied].filter(isProxied), proxied);
        });
    }

    it("is that of the variable in capitals, else of the other one, else of ALL_PROXY; in a CGI program not that of HTTP_PROXY", () => {
        const variables = { HTTP_PROXY: "a.test", http_proxy: "b.test", all_proxy: "https://c.test" };
        const hostFor = (environment: object) => proxyFor(new URL("http://service.test"), { ...environment })?.host;
        assert.equal(hostFor(variables), "a.test");
        assert.equal(hostFor({ ...variables, HTTP_PROXY: "" }), "b.test");
        assert.equal(hostFor({ ...variables, REQUEST_METHOD: "GET" }), "c.test");
    });

    it("is not used for this machine", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}));
        const proxy = await serveProxy(place.port);
        for (const environment of [
            { HTTP_PROXY: proxy.address },
            { HTTP_PROXY: "http://proxy.example:1" },
            { ALL_PROXY: "socks5://proxy.example:1" },
        ]) {
            await withEnvironment(environment, () => connect(manager, place.address).call("GET /v1/thing"));
        }
        assert.deepEqual(proxy.requests, []);
        assert.equal(place.seen.length, 3);
    });

    it("that is not an HTTP proxy fails the request, with an error that does not show the variable's value", async () => {
        for (const HTTPS_PROXY of ["socks5://me:p4ss@host:1", "http://me:p4ss@host:1 2"]) {
            await withEnvironment({ HTTPS_PROXY }, async () => {
                const error = await failureOf(connect(manager, "https://service.test").call("GET /x"), ConfigError);
                assert.equal(error.setting, "HTTPS_PROXY");
                assert.doesNotMatch(wholeText(error), /p4ss/);
            });
        }
    });
});
