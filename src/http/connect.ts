/** The connections of requests: reused or new, direct or through the proxy that the environment names, with the TLS settings. */

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

/** The options of axios for the connection of one request. */
export interface Connection {
    readonly httpAgent?: HttpAgent;
    readonly httpsAgent?: HttpAgent;
    readonly proxy: AxiosProxyConfig | false;
    /** Origin of the proxy, for messages: without user and password. */
    readonly via?: string | undefined;
}

/**
 * Makes a function that returns the connection of a request. Connections to one origin share an agent.
 * The variables of the proxy are read once for each origin.
 *
 * - `toService`: the request goes to the origin of the service, which gets the client certificate and to which `skipTlsVerify` applies.
 * - `fresh`: the request gets a new connection, because it cannot be sent twice: a server may close a reused connection at any moment.
 *
 * @param at the key of the settings in the stack's configuration, for messages
 * @throws ConfigError for a file that cannot be used
 */
export function createConnections(at: string, settings: TlsSettings, maxSockets: number) {
    const { ca, ...tls } = readTls(at, settings);
    // The certificate of a storage server may come from the authority in `caFile`, or from a public one.
    const foreign = { ca: ca === undefined ? undefined : [...rootCertificates, ca], rejectUnauthorized: true };
    const connections = new Map<string, Connection>();
    return (url: URL, { toService, fresh }: Readonly<Record<"toService" | "fresh", boolean>>): Connection => {
        const key = `${fresh} ${toService} ${url.origin}`;
        // Node sends `Connection: close` only for an agent without limits. The queue of the client limits the number of these connections.
        const limits = fresh ? {} : { keepAlive: true, maxSockets };
        const connection = connections.get(key) ?? connect(url, limits, toService ? { ca, ...tls } : foreign);
        connections.set(key, connection);
        return connection;
    };
}

/** The TLS options for the origin of the service. */
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
        // The message shows the absolute path, because a relative path depends on the working directory.
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
        const httpsAgent = proxy ? tunnelAgent(proxy, limits, options) : new HttpsAgent({ ...limits, ...options });
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
 * The proxy for a URL, from `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`.
 * @throws ConfigError for an address that is not an HTTP proxy's
 */
function proxyFor(url: URL): URL | undefined {
    const { getProxyForUrl } = require("proxy-from-env") as { getProxyForUrl(url: string): string };
    const text = getProxyForUrl(url.href).trim();
    const proxy = URL.canParse(text) ? new URL(text) : undefined;
    // For a proxy on another machine, a loopback address would be that of the proxy's machine.
    if (text === "" || (proxy && isLoopback(url.hostname) && !isLoopback(proxy.hostname))) return undefined;
    if (proxy?.protocol === "http:" || proxy?.protocol === "https:") return proxy;
    const name = `${url.protocol.slice(0, -1).toUpperCase()}_PROXY`;
    // The message does not show the value, which may contain a password.
    throw new ConfigError(name, `the environment variable ${name}, or ALL_PROXY, is not the address of an HTTP proxy`);
}

/** Whether a host name is that of this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export function isLoopback(hostname: string): boolean {
    return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/.test(hostname);
}

/** Makes an agent whose connections go through a proxy by the method `CONNECT`. */
function tunnelAgent(proxy: URL, limits: AgentOptions, options: TlsOptions): HttpAgent {
    // Loaded only for a proxy, which few users have.
    const { HttpsProxyAgent } = require("https-proxy-agent") as typeof import("https-proxy-agent");
    const agent = new HttpsProxyAgent(proxy, limits);
    // The constructor's options apply to the connection to the proxy, these options to the connection inside the tunnel.
    Object.assign(agent.options, options);
    agent.on(
        "proxyConnect",
        ({ statusCode: status }: { statusCode: number }, request: { destroy(error: Error): void }) => {
            // Otherwise the proxy's answer to `CONNECT` would be taken for an answer of the service.
            if (status !== 200) request.destroy(Object.assign(new Error("refused"), { code: `PROXY_${status}` }));
        },
    );
    return agent;
}
