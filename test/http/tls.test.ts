import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerOptions } from "node:https";
import https from "node:https";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { operation } from "../../src/core/operation";
import { ConfigError, UnreachableError } from "../../src/errors";
import { type ClientSettings, createClient } from "../../src/http/client";
import { failureOf } from "../support/failures";
import { manager } from "./services";
import { certificate, closeAll, connect, fixture, json, listen, serve, socketCode } from "./support";

const read = operation("GET /v1/thing");
const ca = { caFile: fixture("ca.pem") };

async function reach(server: ServerOptions, settings: Partial<ClientSettings>, host = "127.0.0.1") {
    const place = await serve((_, answer) => json(answer, 200, { ok: true }), server);
    const { client, slept } = connect(manager, place.address.replace("127.0.0.1", host), settings);
    return { place, slept, answer: client.call(read, { parameters: {} }) };
}

/** The failure of a connection that must neither be made nor tried again. */
async function refusal(server: ServerOptions, settings: Partial<ClientSettings>) {
    const { answer, slept, place } = await reach(server, settings);
    const error = await failureOf(answer, UnreachableError);
    assert.equal(error.sent, false);
    assert.deepEqual(slept, []);
    assert.equal(place.seen.length, 0);
    return error;
}

describe("TLS", () => {
    afterEach(closeAll);

    it("accepts a server of the authority in `caFile`, by address and by name", async () => {
        for (const host of ["127.0.0.1", "localhost"]) {
            const { answer } = await reach(certificate("server"), ca, host);
            assert.deepEqual((await answer).body, { ok: true });
        }
    });

    const outdated = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const refused: [what: string, server: ServerOptions, settings: Partial<ClientSettings>, code: string][] = [
        ["an unknown authority", certificate("server"), {}, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
        [
            "another authority than caFile",
            certificate("server"),
            { caFile: fixture("other-ca.pem") },
            "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
        ],
        ["a certificate that has expired", certificate("expired"), ca, "CERT_HAS_EXPIRED"],
        [
            "a certificate that is not valid yet",
            certificate("not-yet"),
            { caFile: fixture("not-yet.pem") },
            "CERT_NOT_YET_VALID",
        ],
        ["a certificate for another host", certificate("wrong-name"), ca, "ERR_TLS_CERT_ALTNAME_INVALID"],
        ["TLS before 1.2", { ...certificate("server"), ...outdated }, ca, "EPROTO"],
    ];
    for (const [what, server, settings, code] of refused) {
        it(`refuses ${what}, names the code, and repeats nothing`, async () => {
            const error = await refusal(server, settings);
            assert.equal(socketCode(error), code);
            assert.match(error.hint ?? "", /`caFile`.*`tlsServerName`.*`clientCertFile`/);
        });
    }

    it("asks for `tlsServerName`, and expects its certificate", async () => {
        const asked: unknown[] = [];
        const SNICallback: ServerOptions["SNICallback"] = (name, done) => {
            asked.push(name);
            done(null);
        };
        const settings = { ...ca, tlsServerName: "elsewhere.test" };
        const { answer } = await reach({ ...certificate("wrong-name"), SNICallback }, settings);
        assert.deepEqual((await answer).body, { ok: true });
        assert.deepEqual(asked, ["elsewhere.test"]);
        const error = await refusal(certificate("server"), settings);
        assert.equal(socketCode(error), "ERR_TLS_CERT_ALTNAME_INVALID");
    });

    it("refuses a server that speaks http:", async () => {
        const place = await serve((_, answer) => json(answer, 200, {}));
        const { client, slept } = connect(manager, place.address.replace("http:", "https:"));
        const error = await failureOf(client.call(read, { parameters: {} }), UnreachableError);
        assert.equal(error.sent, false);
        assert.deepEqual(slept, []);
        assert.match(error.hint ?? "", /http:/);
    });

    it("accepts any certificate with `skipTlsVerify`", async () => {
        for (const name of ["server", "expired", "wrong-name"]) {
            const { answer } = await reach(certificate(name), { skipTlsVerify: true });
            assert.equal((await answer).status, 200);
        }
    });

    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
        it(`shows the client certificate, and repeats nothing where the server wants one (${maxVersion})`, async () => {
            let subject = "";
            const mutual = {
                ...certificate("server"),
                ca: readFileSync(fixture("ca.pem")),
                requestCert: true,
                rejectUnauthorized: true,
                maxVersion,
            };
            const server = https.createServer(mutual, (request, answer) => {
                const { socket } = request;
                if (socket instanceof TLSSocket) subject = String(socket.getPeerCertificate().subject.CN);
                json(answer, 200, {});
            });
            const place = await listen(server, "https");
            const shown = { clientCertFile: fixture("client.pem"), clientKeyFile: fixture("client.key.pem") };
            await connect(manager, place.address, { ...ca, ...shown }).client.call(read, { parameters: {} });
            assert.equal(subject, "statecraft test client");

            const { client, slept } = connect(manager, place.address, ca);
            const error = await failureOf(client.call(read, { parameters: {} }), UnreachableError);
            assert.match(error.hint ?? "", /`clientCertFile`/);
            assert.equal(error.sent, false);
            assert.deepEqual(slept, []);
        });
    }

    it("shows the client certificate to the service's origin alone, and verifies others with `skipTlsVerify` too", async () => {
        const peers: unknown[] = [];
        const options = { ...certificate("server"), requestCert: true, rejectUnauthorized: false };
        const server = https.createServer(options, (request, answer) => {
            if (request.socket instanceof TLSSocket) peers.push(request.socket.getPeerCertificate().subject?.CN);
            json(answer, 200, {});
        });
        const there = await listen(server, "https");
        const here = await serve(
            (_, answer) => answer.writeHead(307, { location: there.address }).end(),
            certificate("server"),
        );
        const shown = { clientCertFile: fixture("client.pem"), clientKeyFile: fixture("client.key.pem") };
        await connect(manager, here.address, { ...ca, ...shown }).client.call(read, { parameters: {} });
        assert.deepEqual(peers, [undefined]);

        const { client } = connect(manager, here.address, { skipTlsVerify: true });
        const error = await failureOf(client.call(read, { parameters: {} }), UnreachableError);
        assert.equal(socketCode(error), "UNABLE_TO_VERIFY_LEAF_SIGNATURE");
        assert(error.message.includes(there.address), error.message);
    });

    it("that breaks after the request counts as sent", async () => {
        const sockets: Socket[] = [];
        const server = https.createServer(certificate("server"), () => {
            // What comes next belongs to no secure connection.
            for (const socket of sockets) socket.write("HTTP/1.1 200 OK\r\n\r\n");
        });
        server.prependListener("connection", (socket: Socket) => sockets.push(socket));
        const place = await listen(server, "https");
        const { client, slept } = connect(manager, place.address, ca);
        const error = await failureOf(client.call(operation("POST /x"), { parameters: {} }), UnreachableError);
        assert.match(String(socketCode(error)), /^ERR_SSL_/);
        assert.equal(error.sent, true);
        await failureOf(client.call(read, { parameters: {} }), UnreachableError);
        assert.equal(slept.length, 5);
    });

    describe("with files that cannot be used", () => {
        const folder = mkdtempSync(join(tmpdir(), "statecraft-tls-"));
        after(() => rmSync(folder, { recursive: true }));
        const file = (name: string, text: string | Buffer) => {
            writeFileSync(join(folder, name), text);
            return join(folder, name);
        };
        const encrypted = createPrivateKey(certificate("client").key).export({
            type: "pkcs8",
            format: "pem",
            cipher: "aes-128-cbc",
            passphrase: "word",
        });
        const authorities = readFileSync(fixture("other-ca.pem"), "utf8") + readFileSync(fixture("ca.pem"), "utf8");
        const client = { clientCertFile: fixture("client.pem") };
        const wrong: [what: string, settings: Partial<ClientSettings>, setting: string][] = [
            ["a file that is not there", { caFile: "/nowhere/ca.pem" }, "caFile"],
            ["a key alone", { clientKeyFile: fixture("client.key.pem") }, "clientKeyFile"],
            ["another key", { ...client, clientKeyFile: fixture("server.key.pem") }, "clientCertFile"],
            ["no key", client, "clientCertFile"],
            ["an encrypted key", { ...client, clientKeyFile: file("encrypted.pem", encrypted) }, "clientCertFile"],
            ["an authority that is a key", { caFile: fixture("client.key.pem") }, "caFile"],
        ];
        for (const [what, settings, setting] of wrong) {
            it(`sends nothing: ${what}`, () => {
                const make = () =>
                    createClient(manager, { address: "https://host.example", token: undefined, ...settings });
                assert.throws(make, { name: ConfigError.name, setting: `statecraft:manager.${setting}` });
            });
        }

        it("names the whole path of a relative file", () => {
            const settings = { address: "https://host.example", token: undefined, caFile: "nowhere/ca.pem" };
            assert.throws(() => createClient(manager, settings), {
                message: new RegExp(join(process.cwd(), "nowhere")),
            });
        });

        it("accepts several authorities, CRLF, and text around them", async () => {
            const text = `\ufeffBag Attributes: none\n${authorities}`.replace(/\n/g, "\r\n");
            const { answer } = await reach(certificate("server"), { caFile: file("all.pem", text) });
            assert.equal((await answer).status, 200);
        });
    });
});
