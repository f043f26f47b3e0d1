/** Connections through a proxy's `CONNECT`. */

import type { Agent } from "node:http";
import type { TlsOptions } from "./tls";

/** Bounds of a pool. */
export interface Limits {
    readonly keepAlive: boolean;
    readonly maxSockets: number;
}

/** A proxy answered `CONNECT` with something other than 200. */
export class ProxyRefusal extends Error {
    constructor(readonly status: number) {
        super(`the proxy answered ${status}`);
    }
}

/**
 * A pool of tunnels. Requests may carry an option `deadline`, an `AbortSignal`.
 * The module is loaded here because few need it and every process would pay.
 */
export function openTunnels(proxy: URL, limits: Limits, options: TlsOptions): Agent {
    const { HttpsProxyAgent } = require("https-proxy-agent") as typeof import("https-proxy-agent");
    const agent = new HttpsProxyAgent(proxy, limits);
    // Options given to its constructor are for the connection to the proxy; these are for the one inside.
    Object.assign(agent.options, options);
    agent.on("proxyConnect", (answer: { statusCode: number }, request: { destroy(error: Error): void }) => {
        // Else the proxy's refusal would be read as the service's answer.
        if (answer.statusCode !== 200) request.destroy(new ProxyRefusal(answer.statusCode));
    });
    // A request that is given up does not end its wait for a proxy that stays silent, which would keep the process alive.
    const connect = agent.connect.bind(agent);
    agent.connect = async (request, details) => {
        const deadline = Reflect.get(details, "deadline");
        const opening = new AbortController();
        const giveUp = () => opening.abort();
        if (deadline instanceof AbortSignal) deadline.addEventListener("abort", giveUp);
        Object.assign(agent.connectOpts, { signal: opening.signal });
        try {
            return await connect(request, details);
        } finally {
            if (deadline instanceof AbortSignal) deadline.removeEventListener("abort", giveUp);
        }
    };
    return agent;
}
