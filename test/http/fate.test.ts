/** Tests what an error says that its request has done. */

import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { StatecraftError } from "../../src/errors";
import { failureOf } from "../support/failures";
import { manager, stateVersions, volumes } from "./services";
import { closeAll, connect, deadAddress, json, serve } from "./support";

type Reply = (answer: ServerResponse) => void;

const cut: Reply = (answer) => answer.destroy();
const vault = (status: number): Reply => {
    return (answer) => json(answer, status, { errors: ["no"] });
};
const terraform = (status: number): Reply => {
    return (answer) => json(answer, status, { errors: [{ status: String(status), title: "no" }] });
};
const text = (status: number, body: string, type = "text/plain"): Reply => {
    return (answer) => answer.writeHead(status, { "content-type": type }).end(body);
};
const gateway = (status: number) => text(status, "<html>No</html>", "text/html");

describe("the fate of a request", () => {
    afterEach(closeAll);

    for (const [service, method, what, replies, fate] of [
        [manager, "POST", "a cut connection, then 400", [cut, vault(400)], "unknown"],
        [manager, "POST", "503, then 409", [vault(503), vault(409)], "unknown"],
        [manager, "POST", "a cut connection, then 429", [cut, vault(429)], "unknown"],
        [manager, "POST", "502, then 429 and 404", [vault(502), vault(429), vault(404)], "unknown"],
        [manager, "POST", "429, then 400", [vault(429), vault(400)], "refused"],
        [manager, "POST", "409", [vault(409)], "refused"],
        [manager, "GET", "a cut connection, then 400", [cut, vault(400)], "refused"],
        [manager, "POST", "a cut connection", [cut], "unknown"],
        [manager, "POST", "500 in Vault's form", [vault(500)], "refused"],
        [manager, "POST", "503 in Vault's form", [vault(503)], "unknown"],
        [manager, "POST", "501 in Vault's form", [vault(501)], "refused"],
        [manager, "POST", "500 of a gateway", [gateway(500)], "unknown"],
        [manager, "POST", "408 in Vault's form, which a proxy sends", [vault(408)], "unknown"],
        [manager, "POST", "403 of a gateway", [gateway(403)], "diverted"],
        [manager, "POST", "429 of a gateway", [gateway(429)], "refused"],
        [manager, "POST", "200 as a web page", [gateway(200)], "unknown"],
        [volumes, "PUT", "500 of Nomad", [text(500, "no such volume: a")], "refused"],
        [volumes, "PUT", "500 without words", [text(500, "")], "unknown"],
        [stateVersions, "POST", "500 in the form of HCP Terraform, which may have acted", [terraform(500)], "unknown"],
        [stateVersions, "POST", "422 in the form of HCP Terraform", [terraform(422)], "refused"],
        [stateVersions, "POST", "404 of a gateway", [text(404, "404 page not found")], "diverted"],
    ] as const) {
        it(`after ${what} of ${service.title} to a ${method} is ${fate}`, async () => {
            const place = await serve((_, answer, number) => (replies[number - 1] ?? replies.at(-1) ?? cut)(answer));
            const { call } = connect(service, place.address, { maxRetries: replies.length - 1 });
            const error = await failureOf(call(`${method} /v1/thing`, { repeat: "always" }), StatecraftError);
            assert.equal(error.fate, fate, error.message);
        });
    }

    it("without a connection is unsent", async () => {
        const { call } = connect(manager, await deadAddress(), { maxRetries: 0 });
        assert.equal((await failureOf(call("POST /v1/thing"), StatecraftError)).fate, "unsent");
    });
});
