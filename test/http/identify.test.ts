import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { ConfigError, UnreachableError } from "../../src/errors";
import { createIdentify } from "../../src/http/identify";
import { failureOf } from "../support/failures";
import { certificate, closeAll, deadAddress, json, serve, wholeText, withEnvironment } from "./support";

describe("identify", () => {
    const identify = createIdentify();
    afterEach(closeAll);

    const plain: [address: string, identity: string][] = [
        ["https://HOST.Example/", "https://host.example"],
        ["https://host.example:443/api/v2//", "https://host.example/api/v2"],
        ["http://host.example:80", "http://host.example"],
        ["http://host.example:8200/Base", "http://host.example:8200/Base"],
        ["https://me:p4ss@host.example/a?b=c#d", "https://host.example/a"],
        ["https://[2001:DB8::1]:8443/", "https://[2001:db8::1]:8443"],
    ];
    for (const [address, identity] of plain) {
        it(`takes ${address} for ${identity}`, async () => assert.equal(await identify(address), identity));
    }

    it("asks a loopback host for the simulator's id, once, without token or user, and past any proxy", async () => {
        const place = await serve((_, answer) => json(answer, 200, { simulator: "data-1" }));
        const address = `${place.address.replace("//", "//me:pass@")}/api/v2?x=y`;
        await withEnvironment({ HTTP_PROXY: await deadAddress() }, async () => {
            assert.equal(await identify(address), "simulator:data-1");
            assert.equal(await identify(address), "simulator:data-1");
            assert.equal(await identify(place.address), "simulator:data-1");
        });
        assert.deepEqual(
            place.seen.map(({ method, url }) => `${method} ${url}`),
            ["GET /simulator"],
        );
        assert.deepEqual(Object.keys(place.seen[0]?.headers ?? {}).sort(), [
            "accept",
            "accept-encoding",
            "connection",
            "host",
            "user-agent",
        ]);
    });

    it("asks once for many questions at a time", async () => {
        const place = await serve((_, answer) => json(answer, 200, { simulator: "data-2" }));
        const all = await Promise.all(Array.from({ length: 5 }, () => identify(place.address)));
        assert.deepEqual(new Set(all), new Set(["simulator:data-2"]));
        assert.equal(place.seen.length, 1);
    });

    const others: [what: string, respond: (answer: ServerResponse) => void][] = [
        ["another server's 404", (answer) => json(answer, 404, { simulator: "x" })],
        ["text", (answer) => answer.end("simulator")],
        ["another JSON", (answer) => json(answer, 200, { simulator: 1 })],
        ["null", (answer) => json(answer, 200, null)],
        ["a redirect", (answer) => answer.writeHead(302, { location: "/simulator" }).end()],
        ["a cut connection", (answer) => answer.destroy()],
    ];
    for (const [what, respond] of others) {
        it(`stays plain after ${what}, and asks no more`, async () => {
            const place = await serve((_, answer) => respond(answer));
            assert.equal(await identify(`${place.address}/base/`), `${place.address}/base`);
            assert.equal(await identify(place.address), place.address);
            assert.equal(place.seen.length, 1);
        });
    }

    it("does not ask what state knows as another server; what state knows as a simulator may be another one now", async () => {
        const place = await serve((_, answer) => json(answer, 200, { simulator: "data-5" }));
        const address = `${place.address}/base`;
        assert.equal(await identify(`${address}/`, { known: address }), address);
        assert.equal(await identify(place.address), place.address);
        assert.equal(place.seen.length, 0);
        const fresh = createIdentify();
        assert.equal(await fresh(address, { known: "simulator:data-4" }), "simulator:data-5");
        assert.equal(await fresh(address, { known: place.address }), "simulator:data-5");
        assert.equal(place.seen.length, 1);
    });

    it("takes a simulator that is too slow for none else: it fails, and asks again", async () => {
        let slow = true;
        const place = await serve((_, answer) => {
            if (!slow) json(answer, 200, { simulator: "data-3" });
        });
        const error = await failureOf(identify(place.address, { patience: 50 }), UnreachableError);
        assert.match(error.message, /^GET \/simulator: no answer from the service: nothing within 0\.05 s/);
        slow = false;
        assert.equal(await identify(place.address), "simulator:data-3");
    });

    it("stays plain where nobody listens, until a simulator does", async () => {
        const address = await deadAddress();
        assert.equal(await identify(address), address);
        const server = createServer((_, answer) => json(answer, 200, { simulator: "data-4" }));
        server.listen(Number(new URL(address).port), "127.0.0.1");
        await once(server, "listening");
        try {
            assert.equal(await identify(address), "simulator:data-4");
        } finally {
            server.close();
        }
    });

    it("asks nothing of an https address: the simulator has none", async () => {
        const place = await serve((_, answer) => json(answer, 200, { simulator: "x" }), certificate("server"));
        assert.equal(await identify(place.address), place.address);
        assert.equal(place.connections(), 0);
    });

    it("says that an address is none, without its text", async () => {
        const error = await failureOf(identify("me:p4ss@"), ConfigError).catch(() =>
            failureOf(identify("//me:p4ss@"), ConfigError),
        );
        assert.doesNotMatch(wholeText(error), /p4ss/);
    });
});
