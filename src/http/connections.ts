/** How a request reaches its host: pools of kept connections, direct or through a proxy of the environment. */

import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { BlockList, isIP } from "node:net";
import type { AxiosProxyConfig } from "axios";
import { ConfigError } from "../errors";
import type { Tls } from "./tls";
import { type Limits, openTunnels } from "./tunnel";

/** What one request needs of its connection, in axios's terms. */
export interface Connection {
    readonly httpAgent?: HttpAgent;
    readonly httpsAgent?: HttpAgent;
    readonly proxy: AxiosProxyConfig | false;
    /** Origin of the proxy that it goes through, for messages: without user and password. */
    readonly via?: string | undefined;
}

/** Which connection is wanted. */
export interface Target {
    readonly url: URL;
    /** The service's own origin: with client certificate, and verified as the settings say. */
    readonly own: boolean;
    /** A kept connection may be closed by the server just as we write to it: what cannot be sent twice gets a fresh one. */
    readonly fresh: boolean;
}

/** Makes the pools of one client, each when it is first used. */
export function createConnections(tls: Tls, maxSockets: number): (target: Target) => Connection {
    const pools = new Map<string, HttpAgent>();
    const pool = (key: string, make: () => HttpAgent): HttpAgent => {
        const agent = pools.get(key) ?? make();
        pools.set(key, agent);
        return agent;
    };
    const connections = new Map<string, Connection>();
    return (target) => {
        // The environment is read once for each origin: to read it takes longer than all else here.
        const key = `${target.fresh} ${target.own} ${target.url.origin}`;
        const connection = connections.get(key) ?? connect(target);
        connections.set(key, connection);
        return connection;
    };

    function connect({ url, own, fresh }: Target): Connection {
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
            return { httpsAgent: pool(`${kind} tls ${proxy?.href}`, make), proxy: false, via: proxy?.origin };
        }
        // A proxy of plain requests sees them whole; one that is reached by TLS is verified as any public server is.
        const httpAgent = pool(`${kind} plain`, () => new HttpAgent(limits));
        if (proxy === undefined) return { httpAgent, proxy: false };
        const httpsAgent = pool(`${kind} proxy`, () => new HttpsAgent(limits));
        return { httpAgent, httpsAgent, proxy: forward(proxy), via: proxy.origin };
    }
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

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that the environment names for `url` (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in capitals or not), or `undefined` for a direct connection. What no proxy is asked for, a wrong setting of one
 * does not stop.
 * @throws ConfigError for a variable that holds no address of an HTTP proxy
 */
export function proxyFor(url: URL, environment: Environment = process.env): URL | undefined {
    const [, exempt = ""] = variable("no_proxy", environment);
    if (isExempt(url, exempt)) return undefined;
    const own = variable(`${url.protocol.slice(0, -1)}_proxy`, environment);
    const [name, text] = own[1] ? own : variable("all_proxy", environment);
    if (!text) return undefined;
    const whole = text.includes("://") ? text : `http://${text}`;
    const proxy = URL.canParse(whole) ? new URL(whole) : undefined;
    // A proxy on another machine would look for a loopback address on its own side, which is never what is meant.
    if (proxy && isLoopback(url.hostname) && !isLoopback(proxy.hostname)) return undefined;
    if (proxy?.protocol === "http:" || proxy?.protocol === "https:") return proxy;
    // It may hold a password: it is never part of a message.
    throw new ConfigError(name, `the environment variable ${name} is not the address of an HTTP proxy`);
}

/** A variable's name as it is spelt here, and its value. */
function variable(name: string, environment: Environment): [name: string, value: string | undefined] {
    const spelt = environment[name]?.trim() ? name : name.toUpperCase();
    return [spelt, environment[spelt]?.trim()];
}

/** `NO_PROXY` as most tools read it: names with their subdomains, `.suffix`, `*.suffix`, addresses, networks, each with an optional port; `*` is all. */
function isExempt(url: URL, list: string): boolean {
    const host = bare(url.hostname.replace(/\.$/, ""));
    const port = url.port || (url.protocol === "https:" ? "443" : "80");
    return list
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((entry) => entry !== "")
        .some((entry) => matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
    if (entry === "*") return true;
    if (entry.includes("/")) return isInNetwork(host, entry);
    const [, name = entry, only] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    if (only !== undefined && only !== port) return false;
    const wanted = bare(name);
    if (isIP(host) !== 0) return host === wanted;
    const suffix = wanted.replace(/^\*?\./, "");
    return host.endsWith(`.${suffix}`) || host === wanted;
}

function isInNetwork(host: string, entry: string): boolean {
    const version = isIP(host);
    const [network = "", bits = ""] = entry.split("/");
    if (version === 0 || isIP(bare(network)) !== version || !/^\d+$/.test(bits)) return false;
    if (Number(bits) > (version === 4 ? 32 : 128)) return false;
    const family = version === 4 ? "ipv4" : "ipv6";
    const list = new BlockList();
    list.addSubnet(bare(network), Number(bits), family);
    return list.check(host, family);
}

function bare(host: string): string {
    return host.replace(/^\[(.*)\]$/, "$1");
}

/** Whether a URL's host name is loopback: `localhost`, 127.0.0.0/8 or `[::1]`. Every spelling of an IPv4 address is dotted in a parsed URL. */
export function isLoopback(hostname: string): boolean {
    return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/.test(hostname);
}
