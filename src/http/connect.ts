/** How a request reaches its host: kept or fresh connections, direct or through the proxy that the environment names. */

import { type AgentOptions, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { unescape as percentDecoded } from "node:querystring";
import type { AxiosProxyConfig } from "axios";
import { ConfigError } from "../errors";
import type { Tls, TlsOptions } from "./tls";

/** What one request needs of its connection, in axios's terms. */
export interface Connection {
    readonly httpAgent?: HttpAgent;
    readonly httpsAgent?: HttpAgent;
    readonly proxy: AxiosProxyConfig | false;
    /** Origin of the proxy, for messages: without user and password. */
    readonly via?: string | undefined;
}

/**
 * The connections of one client. Those of one origin share an agent, and the environment is read once for each origin.
 *
 * - `own`: to the service's own origin, which gets the client certificate and for which `skipTlsVerify` counts.
 * - `fresh`: for a request that cannot be sent twice. The server may close a kept connection just as a request is written to it.
 */
export function createConnections(tls: Tls, maxSockets: number) {
    const known = new Map<string, Connection>();
    return (url: URL, { own, fresh }: Readonly<Record<"own" | "fresh", boolean>>): Connection => {
        const key = `${fresh} ${own} ${url.origin}`;
        // Node sends `Connection: close` only from an agent without limits. The client's queue limits these.
        const limits = fresh ? {} : { keepAlive: true, maxSockets };
        const connection = known.get(key) ?? connect(url, limits, own ? tls.own : tls.foreign);
        known.set(key, connection);
        return connection;
    };
}

function connect(url: URL, limits: AgentOptions, options: TlsOptions): Connection {
    const proxy = proxyFor(url);
    if (url.protocol === "https:") {
        const httpsAgent = proxy ? tunnels(proxy, limits, options) : new HttpsAgent({ ...limits, ...options });
        return { httpsAgent, proxy: false, via: proxy?.origin };
    }
    const httpAgent = new HttpAgent(limits);
    if (proxy === undefined) return { httpAgent, proxy: false };
    const [username, password] = [percentDecoded(proxy.username), percentDecoded(proxy.password)];
    const forward: AxiosProxyConfig = {
        protocol: proxy.protocol,
        host: proxy.hostname.replace(/^\[(.*)\]$/, "$1"),
        port: Number(proxy.port || (proxy.protocol === "https:" ? "443" : "80")),
        ...(username !== "" && { auth: { username, password } }),
    };
    return { httpAgent, httpsAgent: new HttpsAgent(limits), proxy: forward, via: proxy.origin };
}

/**
 * The proxy that `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` name for a URL.
 * @throws ConfigError for one that is not an HTTP proxy
 */
function proxyFor(url: URL): URL | undefined {
    const { getProxyForUrl } = require("proxy-from-env") as { getProxyForUrl(url: string): string };
    const text = getProxyForUrl(url.href).trim();
    const proxy = URL.canParse(text) ? new URL(text) : undefined;
    // A proxy on another machine would look for a loopback address on its own side.
    if (text === "" || (proxy && isLoopback(url.hostname) && !isLoopback(proxy.hostname))) return undefined;
    if (proxy?.protocol === "http:" || proxy?.protocol === "https:") return proxy;
    const name = `${url.protocol.slice(0, -1).toUpperCase()}_PROXY`;
    // The value may hold a password.
    throw new ConfigError(name, `the environment variable ${name}, or ALL_PROXY, is not the address of an HTTP proxy`);
}

/** Whether a URL's host name is this machine's: `localhost`, 127.0.0.0/8 or `[::1]`. */
export function isLoopback(hostname: string): boolean {
    return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/.test(hostname);
}

/** Connections through a proxy's `CONNECT`. */
function tunnels(proxy: URL, limits: AgentOptions, options: TlsOptions): HttpAgent {
    // Few users need the library.
    const { HttpsProxyAgent } = require("https-proxy-agent") as typeof import("https-proxy-agent");
    const agent = new HttpsProxyAgent(proxy, limits);
    // Options of the constructor are for the connection to the proxy, these for the one inside.
    Object.assign(agent.options, options);
    agent.on(
        "proxyConnect",
        ({ statusCode: status }: { statusCode: number }, request: { destroy(error: Error): void }) => {
            // Otherwise the proxy's refusal would be read as the service's answer.
            if (status !== 200) request.destroy(Object.assign(new Error("refused"), { code: `PROXY_${status}` }));
        },
    );
    return agent;
}
