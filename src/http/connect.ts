/** How a request reaches its host: kept or fresh connections, direct or through the proxy that the environment names. */

import { Agent as HttpAgent } from "node:http";
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

/** Which connection a request takes. */
export interface Target {
    readonly url: URL;
    /** It is the service's own origin: the client certificate is shown, and `skipTlsVerify` counts. */
    readonly own: boolean;
    /** The server may close a kept connection just as a request is written to it: one that cannot be sent twice takes a fresh connection. */
    readonly fresh: boolean;
}

interface Limits {
    readonly keepAlive: boolean;
    readonly maxSockets: number;
}

/** The connections of one client. Those of one origin share an agent, and the environment is read once for each origin. */
export function createConnections(tls: Tls, maxSockets: number): (target: Target) => Connection {
    const known = new Map<string, Connection>();
    return ({ url, own, fresh }) => {
        const key = `${fresh} ${own} ${url.origin}`;
        // Node sends `Connection: close` only from an agent without limits. The client's queue limits these.
        const limits = fresh
            ? { keepAlive: false, maxSockets: Number.POSITIVE_INFINITY }
            : { keepAlive: true, maxSockets };
        const connection = known.get(key) ?? connect(url, limits, own ? tls.own : tls.foreign);
        known.set(key, connection);
        return connection;
    };
}

function connect(url: URL, limits: Limits, options: TlsOptions): Connection {
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

/** A proxy answered `CONNECT` with something other than 200. */
export class ProxyRefusal extends Error {
    constructor(readonly status: number) {
        super(`the proxy answered ${status}`);
    }
}

/** Connections through a proxy's `CONNECT`. A request's option `deadline`, an `AbortSignal`, ends its wait for the proxy. */
function tunnels(proxy: URL, limits: Limits, options: TlsOptions): HttpAgent {
    // Few users need the library.
    const { HttpsProxyAgent } = require("https-proxy-agent") as typeof import("https-proxy-agent");
    const agent = new HttpsProxyAgent(proxy, limits);
    // Options of the constructor are for the connection to the proxy, these for the one inside.
    Object.assign(agent.options, options);
    agent.on("proxyConnect", (answer: { statusCode: number }, request: { destroy(error: Error): void }) => {
        // Otherwise the proxy's refusal would be read as the service's answer.
        if (answer.statusCode !== 200) request.destroy(new ProxyRefusal(answer.statusCode));
    });
    const connectThrough = agent.connect.bind(agent);
    agent.connect = (request, details) => {
        // Otherwise a proxy that stays silent keeps the process alive.
        Object.assign(agent.connectOpts, { signal: Reflect.get(details, "deadline") });
        return connectThrough(request, details);
    };
    return agent;
}
