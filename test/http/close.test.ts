/** Tests the connections that clients of scripts share, and what ends them. */

import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { type Connection, connect } from "../../src/client";
import { closeAll, json, type Place, serve } from "./support";

const toNomad = ({ address }: Place): Connection =>
    connect({ nomad: { address, token: "t", maxRetries: 0 }, environment: {} });

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
        const events = new EventEmitter();
        const begun = once(events, "begun");
        const place = await serve((_, answer, number) =>
            number === 1 ? events.emit("begun", answer) : json(answer, 200, []),
        );
        const client = toNomad(place);
        const first = client.getCsiVolumes();
        const [answer] = await begun;
        await client.close();
        json(answer, 200, []);
        await first;
        await client.getCsiVolumes();
        assert.equal(place.seen.length, 2);
    });
});
