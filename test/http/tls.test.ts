import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import type { ServerOptions } from "node:https";
import https from "node:https";
import { connect as connectTo, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ConfigError, UnreachableError } from "../../src/errors";
import type { ClientSettings } from "../../src/http/client-context";
import { failureOf } from "../support/failures";
import { temporaryFolder } from "../support/temporary-folder";
import { manager } from "./services";
import {
    certificate,
    closeAll,
    connect,
    fixture,
    listen,
    serve,
    serveMutualTls,
    serveRaw,
    socketCode,
} from "./support";

const [unverified, otherName] = ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "ERR_TLS_CERT_ALTNAME_INVALID"];
const ca = { caFile: fixture("ca.pem") };
const clientCertificate = { clientCertFile: fixture("client.pem"), clientKeyFile: fixture("client.key.pem") };

async function reach(server: ServerOptions, settings: Partial<ClientSettings>, host = "127.0.0.1") {
    const place = await serve(undefined, server);
    const { call, slept } = connect(manager, place.address.replace("127.0.0.1", host), settings);
    return { place, slept, answer: call("GET /v1/thing") };
}

/** Asserts that a connection fails before a request is sent, and is not tried again. Returns the error. */
async function refusal(server: ServerOptions, settings: Partial<ClientSettings>) {
    const { answer, slept, place } = await reach(server, settings);
    const error = await failureOf(answer, UnreachableError);
    assert.deepEqual([error.fate, slept, place.seen.length], ["unsent", [], 0]);
    return error;
}

describe("TLS", () => {
    afterEach(closeAll);

    it("accepts a server with a certificate of the authority in `caFile`, a file or the text itself, by IP address and by name", async () => {
        const atHome = { caFile: "~/ca.pem", environment: { HOME: dirname(ca.caFile) } };
        for (const [host, settings] of [
            ["127.0.0.1", ca],
            ["localhost", ca],
            ["localhost", atHome],
            ["127.0.0.1", { caFile: readFileSync(ca.caFile, "utf8") }],
        ] as const) {
            const { answer } = await reach(certificate("server"), settings, host);
            assert.equal((await answer).status, 200);
        }
    });

    const outdated = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const otherCa = { caFile: fixture("other-ca.pem") };
    const notYetCa = { caFile: fixture("not-yet.pem") };
    for (const [what, server, settings, code, advice] of [
        ["an unknown authority", certificate("server"), {}, unverified, /`caFile`/],
        ["another authority than caFile", certificate("server"), otherCa, unverified, /`caFile`/],
        ["a certificate that has expired", certificate("expired"), ca, "CERT_HAS_EXPIRED", /Renew/],
        ["a certificate that is not valid yet", certificate("not-yet"), notYetCa, "CERT_NOT_YET_VALID", /clock/],
        ["a certificate for another host", certificate("wrong-name"), ca, otherName, /`tlsServerName`/],
        ["TLS before 1.2", { ...certificate("server"), ...outdated }, ca, "EPROTO", /speak TLS/],
    ] as const) {
        it(`refuses ${what}, names the code, and does not try again`, async () => {
            const error = await refusal(server, settings);
            assert.equal(socketCode(error), code);
            assert.match(error.hint ?? "", advice);
        });
    }

    it("sends `tlsServerName`, and requires a certificate of that name", async () => {
        const names: unknown[] = [];
        const SNICallback: ServerOptions["SNICallback"] = (name, done) => {
            names.push(name);
            done(null);
        };
        const settings = { ...ca, tlsServerName: "elsewhere.test" };
        const { answer } = await reach({ ...certificate("wrong-name"), SNICallback }, settings);
        assert.equal((await answer).status, 200);
        assert.deepEqual(names, ["elsewhere.test"]);
        const error = await refusal(certificate("server"), settings);
        assert.equal(socketCode(error), otherName);
    });

    it("refuses a server without TLS", async () => {
        const place = await serve();
        const { call, slept } = connect(manager, place.address.replace("http:", "https:"));
        const error = await failureOf(call("GET /v1/thing"), UnreachableError);
        assert.deepEqual([error.fate, slept], ["unsent", []]);
        assert.match(error.hint ?? "", /http:/);
    });

    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
        it(`sends the client certificate, and does not try again if a required one is not set (${maxVersion})`, async () => {
            const { address, peers } = await serveMutualTls({ ca: readFileSync(ca.caFile), maxVersion });
            await connect(manager, address, { ...ca, ...clientCertificate }).call("GET /v1/thing");
            assert.deepEqual(peers, ["statecraft test client"]);
            const { call, slept } = connect(manager, address, ca);
            const error = await failureOf(call("GET /v1/thing"), UnreachableError);
            assert.match(error.hint ?? "", /`clientCertFile`/);
            assert.deepEqual([error.fate, slept], ["unsent", []]);
        });
    }

    it("sends the client certificate only to the service's origin, and verifies other origins even with `skipTlsVerify`", async () => {
        const there = await serveMutualTls();
        const here = await serve(
            (_, answer) => answer.writeHead(307, { location: there.address }).end(),
            certificate("server"),
        );
        await connect(manager, here.address, { ...ca, ...clientCertificate }).call("GET /v1/thing");
        assert.deepEqual(there.peers, [undefined]);
        const call = connect(manager, here.address, { skipTlsVerify: true }).call("GET /v1/thing");
        const error = await failureOf(call, UnreachableError);
        assert.equal(socketCode(error), unverified);
        assert(error.message.includes(there.address), error.message);
    });

    it("accepts for other origins, beside `caFile`, the authorities of NODE_EXTRA_CA_CERTS; the process ends although connections stay open", async () => {
        const there = await serve(undefined, { ...certificate("server"), keepAliveTimeout: 600_000 });
        const here = await serve((_, answer) => answer.writeHead(302, { location: there.address }).end());
        const script = ["-r", "./scripts/ts-node.cjs", fixture("one-request.ts"), here.address, otherCa.caFile];
        const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca.caFile };
        // The script prints how many files of axios it loaded before the first request. If the script hangs, the time-out fails the test.
        const { stdout } = await promisify(execFile)(process.execPath, script, { env, timeout: 55_000 });
        assert.equal(stdout, "0 200");
    });

    it("that breaks after the request fails with `unknown`", async () => {
        const sockets: Socket[] = [];
        const server = https.createServer(certificate("server"), () => {
            // Unencrypted bytes break the TLS connection.
            for (const socket of sockets) socket.write("HTTP/1.1 200 OK\r\n\r\n");
        });
        server.prependListener("connection", (socket: Socket) => sockets.push(socket));
        const place = await listen(server, "https");
        const { call, slept } = connect(manager, place.address, ca);
        const error = await failureOf(call("POST /x"), UnreachableError);
        assert.match(String(socketCode(error)), /^ERR_SSL_/);
        assert.equal(error.fate, "unknown");
        await failureOf(call("GET /x"), UnreachableError);
        assert.equal(slept.length, 5);
    });

    it("that the server ends after the request, for another reason than our certificate, counts as sent", async () => {
        let disturb = () => {};
        const server = await listen(
            https.createServer(certificate("server"), () => disturb()),
            "https",
        );
        const between = await serveRaw((socket) => {
            const onward = connectTo(Number(new URL(server.address).port), "127.0.0.1");
            onward.on("error", () => {});
            socket.pipe(onward).pipe(socket);
            // The server refuses this record of encrypted data by an alert.
            disturb = () => onward.write(Buffer.from(`1703030020${"00".repeat(32)}`, "hex"));
        });
        const { call } = connect(manager, between.address.replace("http:", "https:"), ca);
        const error = await failureOf(call("POST /x"), UnreachableError);
        assert.match(String(socketCode(error)), /_ALERT_BAD_RECORD_MAC$/);
        assert.equal(error.fate, "unknown");
    });

    describe("with files that cannot be used", () => {
        const folder = temporaryFolder();
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
        const fifo = join(folder, "fifo");
        execFileSync("mkfifo", [fifo]);
        const wrong: [what: string, settings: Partial<ClientSettings>, setting: string][] = [
            ["a file that is not there", { caFile: "/nowhere/ca.pem" }, "caFile"],
            ["a FIFO", { caFile: fifo }, "caFile"],
            ["a FIFO as the certificate", { clientCertFile: fifo }, "clientCertFile"],
            ["a FIFO as the key", { ...client, clientKeyFile: fifo }, "clientKeyFile"],
            ["a key alone", { clientKeyFile: fixture("client.key.pem") }, "clientKeyFile"],
            ["another key", { ...client, clientKeyFile: fixture("server.key.pem") }, "clientCertFile"],
            ["no key", client, "clientCertFile"],
            ["an encrypted key", { ...client, clientKeyFile: file("encrypted.pem", encrypted) }, "clientCertFile"],
        ];
        for (const [what, settings, setting] of wrong) {
            it(`sends no request: ${what}`, () => {
                const make = () => connect(manager, "https://host.example", settings);
                assert.throws(make, { name: ConfigError.name, setting: `statecraft:manager.${setting}` });
            });
        }

        it("names the whole path of a relative file", () => {
            const make = () => connect(manager, "https://host.example", { caFile: "nowhere/ca.pem" });
            assert.throws(make, { message: new RegExp(join(process.cwd(), "nowhere")) });
        });

        it("accepts a `caFile` with several authorities, CRLF, and text around the certificates", async () => {
            const text = `\ufeffBag Attributes: none\n${authorities}`.replace(/\n/g, "\r\n");
            const { answer } = await reach(certificate("server"), { caFile: file("all.pem", text) });
            assert.equal((await answer).status, 200);
        });
    });
});
