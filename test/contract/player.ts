/** A server that gives the answers of a recording, so that the contract tests run without the real server. */

import assert from "node:assert/strict";
import { serviceSettings } from "../../src/settings/settings-schema";
import { closeAll, type Place, serve } from "../http/support";
import { testClock } from "../support/clock";
import { type Exchange, type Recording, stable, titleIn } from "./recording";
import { prefix, type Target } from "./target";

/** Starts the server for a `describe` block. Every request gets the next unused answer to such a request, of the same test if it has one. */
export function withPlayer({ name, environment, lacks, exchanges }: Recording): Target {
    let [test, door]: [string, Place | undefined] = ["", undefined];
    const waiting = new Map<string, Exchange[]>();
    for (const exchange of exchanges) {
        const key = `${exchange.method} ${exchange.path}`;
        waiting.set(key, [...(waiting.get(key) ?? []), exchange]);
    }
    before(async () => {
        door = await serve(({ method, url = "" }, response) => {
            const key = `${method} ${url.replaceAll(prefix, stable.prefix)}`;
            const answers = waiting.get(key) ?? [];
            const index = answers.findIndex((each) => each.test === test);
            const [exchange] = answers.splice(Math.max(index, 0), 1);
            const file = `test/fixtures/recorded/${name}/exchanges.json`;
            assert(exchange, `${file} has no further answer to ${key}: record it again with \`npm run record\``);
            const { status, type, index: written, answer = "" } = exchange;
            const text = typeof answer === "string" && !/json/.test(type ?? "") ? answer : JSON.stringify(answer);
            const headers = {
                ...(type && { "content-type": type }),
                ...(written && { "x-nomad-index": String(written) }),
            };
            const address = door?.address ?? "";
            response
                .writeHead(status, headers)
                .end(text.replaceAll(stable.address, address).replaceAll(stable.prefix, prefix));
        });
    });
    beforeEach(function () {
        test = titleIn(this.currentTest);
    });
    after(closeAll);
    const variables = Object.entries(environment).map(([key, value]) => [`STATECRAFT_CONTRACT_${key}`, value]);
    const clock = testClock();
    const path = /^(otf|terraform)-/.test(name) ? "/api/v2" : "";
    return {
        name,
        settings: () => serviceSettings.parse({ address: `${door?.address}${path}`, token: "recorded" }),
        environment: { ...Object.fromEntries(variables) },
        pace: { ...clock, clock },
        lacks,
    };
}
