/** How a request reaches its host: pools of kept connections, direct or through a proxy of the environment. */

import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { AxiosProxyConfig } from "axios";
import { proxyFor } from "./proxy";
import type { Tls } from "./tls";
import { type Limits, openTunnels } from "./tunnel";

/** What one request needs of its connection, in axios's terms. */
export interface Route {
    readonly httpAgent?: HttpAgent;
    readonly httpsAgent?: HttpAgent;
    readonly proxy: AxiosProxyConfig | false;
}

/** Which connection is wanted. */
export interface Way {
    readonly url: URL;
    /** The service's own origin: with client certificate, and verified as the settings say. */
    readonly own: boolean;
    /** A kept connection may be closed by the server just as we write to it: what cannot be sent twice gets a fresh one. */
    readonly fresh: boolean;
}

/** Makes the pools of one client, each when it is first used. */
export function createRoutes(tls: Tls, maxSockets: number): (way: Way) => Route {
    const pools = new Map<string, HttpAgent>();
    const pool = (key: string, make: () => HttpAgent): HttpAgent => {
        const agent = pools.get(key) ?? make();
        pools.set(key, agent);
        return agent;
    };
    return ({ url, own, fresh }) => {
        // Only an agent without bounds says `Connection: close`; the client's queue bounds these.
        const limits: Limits = fresh
            ? { keepAlive: false, maxSockets: Number.POSITIVE_INFINITY }
            : { keepAlive: true, maxSockets };
        const proxy = proxyFor(url);
        const options = own ? tls.own : tls.foreign;
        const kind = `${fresh} ${own}`;
        if (url.protocol === "https:") {
            const make = () =>
                proxy === undefined ? new HttpsAgent({ ...limits, ...options }) : openTunnels(proxy, limits, options);
            return { httpsAgent: pool(`${kind} tls ${proxy?.href}`, make), proxy: false };
        }
        // A proxy of plain requests sees them whole; one that is reached by TLS is verified as any public server is.
        const httpAgent = pool(`${kind} plain`, () => new HttpAgent(limits));
        if (proxy === undefined) return { httpAgent, proxy: false };
        return { httpAgent, httpsAgent: pool(`${kind} proxy`, () => new HttpsAgent(limits)), proxy: forward(proxy) };
    };
}

function forward(proxy: URL): AxiosProxyConfig {
    const auth = { username: decoded(proxy.username), password: decoded(proxy.password) };
    return {
        protocol: proxy.protocol,
        host: proxy.hostname.replace(/^\[(.*)\]$/, "$1"),
        port: Number(proxy.port || (proxy.protocol === "https:" ? "443" : "80")),
        ...(auth.username === "" ? {} : { auth }),
    };
}

/** A user or password of a proxy's address as it was meant: a lone `%` stands for itself. */
function decoded(part: string): string {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}
