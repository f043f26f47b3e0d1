/** Tests the connections that clients of scripts share, and what ends them. */

import assert from "node:assert/strict";
import { type Connection, connect } from "../../src/client";
import { certificate, closeAll, json, type Place, serve } from "./support";

const toNomad = ({ address }: Place, settings: object = {}): Connection =>
    connect({ nomad: { address, token: "t", maxRetries: 0, ...settings }, environment: {} });

describe("the connections of clients in one process", () => {
    afterEach(closeAll);
    const list = () => serve((_, answer) => json(answer, 200, []));

    it("are few for 150 scripts, one after the other, that are closed, and none is open afterwards", async () => {
        const place = await list();
        for (let count = 0; count < 150; count++) {
            const client = toNomad(place);
            await client.getCsiVolumes();
            await client.close();
        }
        await place.emptied();
        assert.equal(place.seen.length, 150);
        assert(place.most() < 5, `${place.most()} at once`);
    });

    it("of 150 clients that are not closed end without a request", async () => {
        const place = await list();
        await Promise.all(Array.from({ length: 150 }, () => toNomad(place).getCsiVolumes()));
        await place.emptied();
        assert.equal(place.seen.length, 150);
    });

    it("are shared by clients with other tokens and limits, each of which has its own limit", async () => {
        const place = await list();
        const clients = [1, 4, 2].map((maxConcurrency) =>
            toNomad(place, { maxConcurrency, token: `${maxConcurrency}` }),
        );
        for (const client of clients) await Promise.all([1, 2, 3, 4].map(() => client.getCsiVolumes()));
        assert.equal(place.connections(), 4);
    });

    it("end with the last client, and not with the first", async () => {
        const place = await list();
        const [first, last] = [toNomad(place), toNomad(place)];
        for (const client of [first, last]) await client.getCsiVolumes();
        await first.close();
        await first.close();
        await last.getCsiVolumes();
        assert.equal(place.connections(), 1);
        for (let closed = 1; closed < 4; closed++) {
            await last.close();
            await last.getCsiVolumes();
            assert.equal(place.connections(), closed + 1, "a closed connection is not used again");
        }
    });

    it("leave a request under way to its end", async () => {
        let release: () => void = () => assert.fail("no request yet");
        const begun = new Promise<void>((begin) => {
            release = begin;
        });
        let answerLater: () => void = () => undefined;
        const place = await serve((_, answer, number) => {
            answerLater = () => json(answer, 200, []);
            if (number > 1) answerLater();
            else release();
        });
        const client = toNomad(place);
        const first = client.getCsiVolumes();
        await begun;
        await client.close();
        answerLater();
        await first;
        await client.getCsiVolumes();
        assert.equal(place.seen.length, 2);
    });

    it("are not shared by servers with other TLS settings", async () => {
        const place = await serve((_, answer) => json(answer, 200, []), certificate("server"));
        const clients = ["localhost", "vault.example"].map((tlsServerName) =>
            toNomad(place, { skipTlsVerify: true, tlsServerName }),
        );
        await Promise.all(clients.map((client) => client.getCsiVolumes()));
        assert.equal(place.connections(), 2);
    });
});
