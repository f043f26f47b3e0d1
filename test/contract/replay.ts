/** Sends one request as another client, to a server or to the simulator instead. */

import { createSimulator, type Simulator } from "../../src/simulator/app";
import type { Seed } from "../../src/simulator/seed";
import { canaryToken } from "../support/canaries";
import type { Reply } from "../support/likeness";
import type { Exchange } from "./recording";

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

/** Ids, tokens and addresses that a server chooses. */
const chosen = /^(id|client_token|SecretID|hosted-.*-url)$/;

/** A simulator in process. It chooses other ids, tokens and addresses than the server, so later requests with those of the server get its own. */
export class Replay {
    readonly store: Simulator["store"];
    private readonly simulator: Simulator;
    /** Values that the simulator chose, by those that the server chose. */
    private readonly own = new Map<string, string>();

    constructor(seed: Seed) {
        const tokens = [{ token: canaryToken, kind: "user" as const, id: "tester" }];
        this.simulator = createSimulator({ names: "product", seed: { tokens, ...seed } });
        this.store = this.simulator.store;
    }

    /** Sends a request. `answer`: that of the server. */
    async send({ method, path, token = canaryToken, body }: Asked, answer?: unknown): Promise<Reply> {
        const asked = JSON.stringify({ method, path, token, body });
        // An address contains an id, and comes first.
        const byLength = [...this.own].sort(([one], [other]) => other.length - one.length);
        const own = byLength.reduce((text, [real, mine]) => text.replaceAll(real, mine), asked);
        const reply = await ask("http://127.0.0.1", JSON.parse(own), this.simulator.fetch);
        this.compare(answer, reply.answer);
        return reply;
    }

    private compare(real: unknown, simulated: unknown, name = ""): void {
        if (typeof real === "string" && typeof simulated === "string" && chosen.test(name)) {
            const [text, mine] = [real, simulated].map((each) => each.replace(/^https?:\/\/[^/]+/, ""));
            if (text && mine && text !== mine) this.own.set(text, mine);
        }
        const [one, other] = [Object(real), Object(simulated)];
        if (typeof real === "object") for (const key of Object.keys(one)) this.compare(one[key], other[key], key);
    }
}
