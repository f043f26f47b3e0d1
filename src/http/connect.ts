/**
 * How a request reaches its host: kept or fresh connections, direct or through the proxy that the environment names, with the TLS of the
 * settings.
 */

import { readFileSync } from "node:fs";
import { type AgentOptions, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { resolve } from "node:path";
import { unescape as percentDecoded } from "node:querystring";
import { type ConnectionOptions, createSecureContext, rootCertificates } from "node:tls";
import type { AxiosProxyConfig } from "axios";
import { ConfigError } from "../errors";

/** The settings of TLS. */
export interface TlsSettings {
    readonly caFile?: string | undefined;
    readonly clientCertFile?: string | undefined;
    readonly clientKeyFile?: string | undefined;
    readonly tlsServerName?: string | undefined;
    readonly skipTlsVerify?: boolean | undefined;
}

type TlsOptions = Pick<ConnectionOptions, "ca" | "cert" | "key" | "servername" | "rejectUnauthorized">;

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
 *
 * @param at where the settings are in the stack's configuration, for messages
 * @throws ConfigError for a file that cannot be used
 */
export function createConnections(at: string, settings: TlsSettings, maxSockets: number) {
    const { ca, ...own } = readTls(at, settings);
    // Storage to which the service leads may have a certificate of the service's authority, or of a public one.
    const foreign = { ca: ca === undefined ? undefined : [...rootCertificates, ca], rejectUnauthorized: true };
    const known = new Map<string, Connection>();
    return (url: URL, { own: isOwn, fresh }: Readonly<Record<"own" | "fresh", boolean>>): Connection => {
        const key = `${fresh} ${isOwn} ${url.origin}`;
        // Node sends `Connection: close` only from an agent without limits. The client's queue limits these.
        const limits = fresh ? {} : { keepAlive: true, maxSockets };
        const connection = known.get(key) ?? connect(url, limits, isOwn ? { ca, ...own } : foreign);
        known.set(key, connection);
        return connection;
    };
}

/** The TLS of the service's own origin. */
function readTls(at: string, settings: TlsSettings) {
    const wrong = (field: keyof TlsSettings, problem: string) =>
        new ConfigError(`${at}.${field}`, `${at}.${field}: ${problem}`);
    const attempt = <Result>(field: keyof TlsSettings, problem: string, work: () => Result): Result => {
        try {
            return work();
        } catch (error) {
            const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
            throw wrong(field, `${problem} (${code})`);
        }
    };
    const read = (field: "caFile" | "clientCertFile" | "clientKeyFile") => {
        const file = settings[field];
        if (file === undefined) return undefined;
        // The absolute path shows in which folder a relative one was looked up.
        const path = resolve(file);
        return attempt(field, `the file ${path} cannot be read`, () => readFileSync(path, "utf8"));
    };
    const [ca, cert] = [read("caFile"), read("clientCertFile")];
    const key = read("clientKeyFile") ?? cert;
    if (cert === undefined && key !== undefined) throw wrong("clientKeyFile", "needs clientCertFile beside it");
    const noPair = "the certificate and its key, in PEM form and not encrypted, cannot be used together";
    attempt("clientCertFile", noPair, () => cert !== undefined && createSecureContext({ cert, key }));
    return { ca, cert, key, servername: settings.tlsServerName, rejectUnauthorized: settings.skipTlsVerify !== true };
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
