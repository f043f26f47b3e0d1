/** Tests requests over a Unix socket, and the user of `NOMAD_HTTP_AUTH`. */

import assert from "node:assert/strict";
import http, { type IncomingHttpHeaders, type RequestListener } from "node:http";
import { join } from "node:path";
import { connect } from "../../src/client";
import { StatecraftError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { temporaryFolder } from "../support/temporary-folder";
import { closeAll, json, serve, withEnvironment } from "./support";

describe("a Unix socket", () => {
    const folder = temporaryFolder();
    const path = join(folder, "v1");
    const warnings: string[] = [];
    const said = { warn: (text: string) => void warnings.push(text), inform: () => undefined };
    let seen: [url: string | undefined, headers: IncomingHttpHeaders][] = [];
    let respond: RequestListener = (_, answer) => json(answer, 200, []);
    const server = http.createServer((request, answer) => {
        seen.push([request.url, request.headers]);
        respond(request, answer);
    });
    before((done) => void server.listen(path, done));
    beforeEach(() => {
        seen = [];
        warnings.length = 0;
    });
    afterEach(closeAll);
    after(() => {
        server.closeAllConnections();
        server.close();
    });
    const address = `unix://${path}`;
    const proxies = { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" };
    const vault = (settings: object = {}) => connect({ vault: { address, token: "t", ...settings }, ...said });

    it("carries the requests to Vault and to Nomad, with the host of the product's tools and without a proxy", async () => {
        await withEnvironment(proxies, async () => {
            const nomad = connect({ environment: { NOMAD_ADDR: address, NOMAD_TOKEN: "t" }, ...said });
            await nomad.getCsiVolumes();
            respond = (_, answer) => json(answer, 200, { data: { keys: ["a"] } });
            assert.deepEqual((await vault().getAuthRoles()).names, ["a"]);
        });
        const hosts = seen.map(([, { host }]) => host);
        assert.deepEqual(hosts, ["127.0.0.1", "localhost"]);
        const authorizations = seen.map(([, headers]) => headers["x-vault-token"] ?? headers.authorization);
        assert.deepEqual(authorizations, ["Bearer t", "t"]);
        assert.deepEqual(warnings, []);
    });

    it("is the output `server`, and names TLS settings that have no effect", async () => {
        respond = (_, answer) => json(answer, 200, { data: { bound_locations: ["north"] } });
        const client = vault({ caFile: "/nonexistent", tlsServerName: "x", otherAddresses: [`unix://${folder}/old`] });
        const role = await client.authRole.read("auth/azure/role/web");
        assert.equal(role?.server, address);
        assert.match(warnings.join(), /caFile, tlsServerName.*\[config\]/);
    });

    it("keeps a redirect to its own host, and no other", async () => {
        const other = await serve();
        for (const [location, isKept] of [
            ["/v1/auth/b/role?list=true", true],
            [`${other.address}/x`, false],
        ] as const) {
            seen = [];
            respond = ({ url }, answer) => {
                if (url?.startsWith("/v1/auth/b/")) json(answer, 200, { data: { keys: ["b"] } });
                else answer.writeHead(307, { location }).end();
            };
            const end = await vault()
                .getAuthRoles()
                .catch((error: unknown) => error);
            assert.equal(end instanceof Error, !isKept, String(end));
            assert.equal(seen.length, isKept ? 2 : 1);
        }
        const tokens = other.seen.flatMap(({ headers }) => headers["x-vault-token"] ?? []);
        assert.deepEqual(tokens, []);
    });

    it("that is absent is an error that names it", async () => {
        const client = connect({ vault: { address: `unix://${folder}/none`, token: "t", maxRetries: 0 }, ...said });
        const { code, message } = await failureOf(client.getAuthRoles(), StatecraftError);
        assert.equal(code, "unreachable");
        assert(message.includes(`unix://${folder}/none`), message);
    });

    for (const [given, user] of [
        ["planted-user:planted:pass", "planted-user:planted:pass"],
        ["planted-user", "planted-user:"],
    ] as const) {
        it(`may be behind a user: NOMAD_HTTP_AUTH=${given}`, async () => {
            const basic = Buffer.from(user).toString("base64");
            respond = (_, answer) => answer.writeHead(401, { "content-type": "text/plain" }).end(`no ${user} ${basic}`);
            const environment = { NOMAD_ADDR: address, NOMAD_TOKEN: "planted-token", NOMAD_HTTP_AUTH: given };
            const { message } = await failureOf(connect({ environment, ...said }).getCsiVolumes(), StatecraftError);
            const [[, headers] = ["", {} as IncomingHttpHeaders]] = seen;
            assert.equal(headers.authorization, `Basic ${basic}`);
            assert.equal(headers["x-nomad-token"], "planted-token");
            assert(!message.includes("planted") && !message.includes(basic), message);
        });
    }
});
