/** Requests to every endpoint of an API document that no resource sends: without a token, with an unknown one, for absent objects, and with a broken body. */

import assert from "node:assert/strict";
import { type Endpoint, endpoints } from "../support/endpoints";
import { stable } from "./recording";
import { ask } from "./replay";
import { named, prefix, type Target, titleOf } from "./target";

/** The path of an endpoint with the product's names, for an absent object. */
function pathOf({ method, path }: Endpoint, { environment }: Target): string {
    const ids: Readonly<Record<string, string>> = {
        workspace_id: environment["STATECRAFT_CONTRACT_WORKSPACE"] ?? "ws-0000000000000000",
        state_version_id: "sv-0000000000000000",
    };
    const queries = { LIST: "?list=true", "/volumes": "?type=csi", "/detach": "?node=absent" };
    const [, query = ""] = Object.entries(queries).find(([word]) => `${method} ${path}`.includes(word)) ?? [];
    return path.replace("clouda", "azure").replace(/:(\w+)/g, (_, name) => ids[name] ?? named("absent")) + query;
}

/** Registers a test for each endpoint of a document, but for logins and addresses in records. */
export function describeEndpoints(target: Target, document: Endpoint["document"]): void {
    describe(titleOf(`endpoints of ${document}`, target), () => {
        for (const endpoint of endpoints) {
            if (endpoint.document !== document || /\{|login$/.test(endpoint.path)) continue;
            if (endpoint.path.includes("backing_data") && target.lacks["backing data"]) continue;
            const path = pathOf(endpoint, target);
            const method = endpoint.method.replace("LIST", "GET");
            it(`${method} ${path.replaceAll(prefix, stable.prefix)} refuses wrong tokens, and answers in its form otherwise`, async () => {
                const { address = "", token = "" } = target.settings();
                const { origin } = new URL(address);
                const bodies = /GET|DELETE/.test(method) ? [undefined] : ["{}", "{"];
                for (const wrong of [null, "unknown-token"]) {
                    const { status, answer } = await ask(origin, { method, path, token: wrong, body: bodies[0] });
                    assert(status === 401 || status === 403, `${status} with the token ${wrong}: ${answer}`);
                }
                for (const body of bodies) {
                    const { status, answer } = await ask(origin, { method, path, token, body });
                    assert(status !== 501 && !/<html/i.test(String(answer)), `${status} ${answer}`);
                }
            });
        }
    });
}
