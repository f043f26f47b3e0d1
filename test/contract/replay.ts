/** Sends one request as another client, to a server or to a simulator that stands in for it. */

import { createSimulator, type Simulator } from "../../src/simulator/app";
import type { Seed } from "../../src/simulator/seed";
import { canaryToken } from "../support/canaries";
import type { Reply } from "../support/likeness";
import { type Exchange, issuedIn } from "./recording";

export type Asked = Pick<Exchange, "method" | "path" | "token" | "body">;

/** Sends a request with a token, or without one if it is `null`. */
export async function ask(
    origin: string,
    { method, path, token, body }: Asked,
    send: (request: Request) => Response | Promise<Response> = fetch,
): Promise<Reply> {
    const isVault = /^\/v1\/(auth|sys)\//.test(path);
    const headers = {
        "content-type": path.startsWith("/api/") ? "application/vnd.api+json" : "application/json",
        ...(token != null && (isVault ? { "x-vault-token": token } : { authorization: `Bearer ${token}` })),
    };
    const text = body === undefined || typeof body === "string" ? (body ?? null) : JSON.stringify(body);
    const answer = await send(new Request(origin + path, { method, headers, body: text }));
    const type = answer.headers.get("content-type")?.split(";")[0];
    const content = await answer.text();
    if (content === "") return { status: answer.status };
    return { status: answer.status, type, answer: /json/.test(type ?? "") ? JSON.parse(content) : content };
}

/** A simulator in process. It issues other tokens than the server, so later requests with those of the server get its own. */
export class Replay {
    readonly store: Simulator["store"];
    private readonly simulator: Simulator;
    private readonly tokens = new Map<string, string>();

    constructor(seed: Seed) {
        const tokens = [{ token: canaryToken, kind: "user" as const, id: "tester" }];
        this.simulator = createSimulator({ names: "product", seed: { tokens, ...seed } });
        this.store = this.simulator.store;
    }

    /** Sends a request. `issued`: the token that the server issued to it. */
    async send(asked: Asked, issued?: string): Promise<Reply> {
        const { token = canaryToken } = asked;
        const own = token && (this.tokens.get(token) ?? token);
        const reply = await ask("http://127.0.0.1", { ...asked, token: own }, this.simulator.fetch);
        const now = issuedIn(reply.answer);
        if (issued !== undefined && now !== undefined) this.tokens.set(issued, now);
        return reply;
    }
}
