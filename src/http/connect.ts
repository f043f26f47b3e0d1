/** The connections of requests: reused or new, direct or through the proxy that the environment names, with the TLS settings. */

import { type AgentOptions, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { BlockList, isIP } from "node:net";
import { resolve } from "node:path";
import { unescape as percentDecoded } from "node:querystring";
import * as tls from "node:tls";
import type { AxiosProxyConfig } from "axios";
import { ConfigError } from "../errors";
import type * as SecretSource from "../settings/secret-source";
import type { UsableSettings } from "../settings/settings";

/** The settings of TLS. */
export const tlsFields = ["caFile", "clientCertFile", "clientKeyFile", "tlsServerName", "skipTlsVerify"] as const;

/** The settings of TLS, with the environment of the process. */
export interface TlsSettings extends Partial<Pick<UsableSettings, (typeof tlsFields)[number]>> {
    /** Has the home folder, for `~`, and the variables of a login. */
    readonly environment?: NodeJS.ProcessEnv | undefined;
}

type TlsOptions = Pick<tls.ConnectionOptions, "ca" | "cert" | "key" | "servername" | "rejectUnauthorized">;

/** The options of axios for the connection of one request. */
export interface Connection {
    readonly httpAgent?: HttpAgent;
    readonly httpsAgent?: HttpAgent;
    readonly proxy: AxiosProxyConfig | false;
    readonly socketPath?: string;
    /** Origin of the proxy, for messages: without user and password. */
    readonly via?: string | undefined;
}

/** Milliseconds after which a reused connection ends that has no request. */
const longestIdle = 4000;

/** The agents of reused connections in this process, by origin, proxy and TLS settings, and the number of clients that use each. */
const inUse = new Map<string, { readonly connection: Connection; users: number }>();

/**
 * Shares the agent of a reused connection, because a server may limit the connections from one machine.
 * @returns the connection, and the function that gives its agent back: without a user it ends the connections that have no request
 */
function shared(key: string, make: (reuse: AgentOptions) => Connection) {
    const entry = inUse.get(key) ?? { connection: make({ keepAlive: true, timeout: longestIdle }), users: 0 };
    inUse.set(key, entry);
    entry.users++;
    const { connection } = entry;
    const agents = [connection.httpAgent, connection.httpsAgent].filter((agent) => agent !== undefined);
    const giveBack = () => {
        if (--entry.users > 0) return;
        inUse.delete(key);
        const free = agents.flatMap(({ freeSockets }) => Object.values(freeSockets).flat());
        for (const socket of free) socket?.destroy();
    };
    return { connection, giveBack };
}

/**
 * Makes a function that returns the connection of a request. Connections to one origin share an agent.
 * The variables of the proxy are read once for each origin.
 *
 * - `toService`: the request goes to the origin of the service, which gets the client certificate and to which `skipTlsVerify` applies.
 * - `fresh`: the request gets a new connection, because it cannot be sent twice: a server may close a reused connection at any moment.
 *
 * @param at the key of the settings in the stack's configuration, for messages
 * @param socketPath the Unix socket of the service, which has no TLS
 * @param secrets gets the user and the password of a proxy, which a proxy may quote
 * @param closers gets a function for each reused connection, which ends it unless another client uses it
 * @throws ConfigError for a file that cannot be used
 */
export function createConnections(
    at: string,
    settings: TlsSettings,
    socketPath?: string,
    secrets = new Set<string>(),
    closers = new Set<() => void>(),
) {
    const { ca, ...others } = readTls(at, settings);
    // The certificate of a storage server may come from the authority in `caFile`, or from one that the process trusts.
    const foreign = { ca: ca === undefined ? undefined : [...authoritiesOfProcess(), ca], rejectUnauthorized: true };
    const connections = new Map<string, Connection>();
    return (url: URL, { toService, fresh }: Readonly<Record<"toService" | "fresh", boolean>>): Connection => {
        const key = `${fresh} ${toService} ${url.origin}`;
        const known = connections.get(key);
        if (known !== undefined) return known;
        const socket = toService ? socketPath : undefined;
        const proxy = socket ? undefined : proxyFor(url);
        for (const secret of credentialsIn(proxy)) secrets.add(secret);
        const options = toService ? { ca, ...others } : foreign;
        const make = (reuse: AgentOptions): Connection =>
            socket
                ? { httpAgent: new HttpAgent(reuse), proxy: false, socketPath: socket }
                : connect(url, reuse, options, proxy);
        const keep = () => {
            const parts = JSON.stringify([url.origin, socket, proxy, options]);
            const { connection, giveBack } = shared(parts, make);
            closers.add(() => void (connections.delete(key) && giveBack()));
            return connection;
        };
        // The queue of the client limits the number of its connections.
        const connection = fresh ? make({}) : keep();
        connections.set(key, connection);
        return connection;
    };
}

/** The reader of files, which most connections do not need. */
const files = () => require("../settings/secret-source") as typeof SecretSource;

/** The authorities that this process trusts, with those of `NODE_EXTRA_CA_CERTS`. */
function authoritiesOfProcess(): readonly string[] {
    const { getCACertificates } = tls as { getCACertificates?(type: "default"): string[] };
    if (getCACertificates) return getCACertificates("default");
    const { NODE_EXTRA_CA_CERTS: file = "" } = process.env;
    const read = files().readNamed(file);
    return typeof read === "string" ? tls.rootCertificates : [...tls.rootCertificates, read.toString()];
}

/** The TLS options for the origin of the service. */
function readTls(at: string, settings: TlsSettings) {
    const wrong = (field: keyof TlsSettings, problem: string) =>
        new ConfigError(`${at}.${field}`, `${at}.${field}: ${problem}`);
    const read = (field: "caFile" | "clientCertFile" | "clientKeyFile") => {
        const file = settings[field];
        if (file === undefined || /-----BEGIN /.test(file)) return file;
        // The message shows the absolute path, because a relative path depends on the working directory.
        const path = resolve(files().atHome(file, settings.environment ?? process.env));
        const read = files().readNamed(path);
        if (typeof read === "string") throw wrong(field, `the file ${path} ${read}`);
        return read.toString();
    };
    const [ca, cert] = [read("caFile"), read("clientCertFile")];
    const key = read("clientKeyFile") ?? cert;
    if (cert === undefined && key !== undefined) throw wrong("clientKeyFile", "needs clientCertFile beside it");
    try {
        if (cert !== undefined) tls.createSecureContext({ cert, key });
    } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
        const problem = "the certificate and its key, in PEM form and not encrypted, cannot be used together";
        throw wrong("clientCertFile", `${problem} (${code})`);
    }
    return { ca, cert, key, servername: settings.tlsServerName, rejectUnauthorized: settings.skipTlsVerify !== true };
}

/** The user and the password of a proxy, as it may quote them. */
function credentialsIn(proxy: URL | undefined): string[] {
    const [user = "", password = ""] = [proxy?.username, proxy?.password].map((text) => percentDecoded(text ?? ""));
    return user === "" ? [] : [user, password, `${user}:${password}`];
}

function connect(url: URL, reuse: AgentOptions, options: TlsOptions, proxy: URL | undefined): Connection {
    if (url.protocol === "https:") {
        const httpsAgent = proxy ? tunnelAgent(proxy, reuse, options) : new HttpsAgent({ ...reuse, ...options });
        return { httpsAgent, proxy: false, via: proxy?.origin };
    }
    const httpAgent = new HttpAgent(reuse);
    if (proxy === undefined) return { httpAgent, proxy: false };
    const [username = "", password = ""] = credentialsIn(proxy);
    const forward: AxiosProxyConfig = {
        protocol: proxy.protocol,
        host: proxy.hostname.replace(/^\[(.*)\]$/, "$1"),
        port: Number(portOf(proxy)),
        ...(username !== "" && { auth: { username, password } }),
    };
    return { httpAgent, httpsAgent: new HttpsAgent(reuse), proxy: forward, via: proxy.origin };
}

/**
 * The proxy for a URL, from `HTTPS_PROXY` or `HTTP_PROXY`, else `ALL_PROXY`, and `NO_PROXY`, as the products' tools read them (Go's package
 * `httpproxy`). A name in capitals takes precedence. A loopback address has none: for the proxy it would be that of the proxy's machine.
 * @throws ConfigError for an address that is not an HTTP proxy's
 */
export function proxyFor(url: URL, environment = process.env): URL | undefined {
    const read = (name: string) => (environment[name] || environment[name.toLowerCase()] || "").trim();
    const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
    // A CGI program gets the header `Proxy` of a request as `HTTP_PROXY`.
    const isForged = name === "HTTP_PROXY" && read("REQUEST_METHOD") !== "";
    const text = (isForged ? "" : read(name)) || read("ALL_PROXY");
    if (text === "" || isLoopback(url.hostname) || isExempt(url, read("NO_PROXY"))) return undefined;
    const address = text.includes("://") ? text : `http://${text}`;
    const proxy = URL.canParse(address) ? new URL(address) : undefined;
    if (proxy?.protocol === "http:" || proxy?.protocol === "https:") return proxy;
    // The message does not show the value, which may contain a password.
    throw new ConfigError(name, `the environment variable ${name}, or ALL_PROXY, is not the address of an HTTP proxy`);
}

/**
 * Whether a list such as `NO_PROXY` names the host of a URL: by an address, a network (`10.0.0.0/8`), a name, which also means its subdomains,
 * or `.name` or `*.name` for the subdomains alone. All but networks may end in a port. `*` names every host.
 */
function isExempt(url: URL, list: string): boolean {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const family = (address: string) => (isIP(address) === 4 ? "ipv4" : "ipv6");
    const entries = list.toLowerCase().match(/[^\s,]+/g) ?? [];
    return entries.some((entry) => {
        const [, before = entry, only] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
        if (only !== undefined && only !== portOf(url)) return false;
        const [, place = "", prefix] = /^(.*?)(?:\/(\d+))?$/.exec(before.replace(/^\[|\]$/g, "")) ?? [];
        const whole = isIP(place) === 4 ? 32 : 128;
        const bits = Number(prefix ?? whole);
        if (isIP(place) !== 0 && bits <= whole) {
            const network = new BlockList();
            network.addSubnet(place, bits, family(place));
            return isIP(host) !== 0 && network.check(host, family(host));
        }
        const name = place.replace(/^\*\./, ".");
        return name === "*" || host === name || (isIP(host) === 0 && host.endsWith(name.replace(/^\.?/, ".")));
    });
}

const portOf = ({ port, protocol }: URL) => port || (protocol === "https:" ? "443" : "80");

/** Whether a host name is that of this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export function isLoopback(hostname: string): boolean {
    return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/.test(hostname);
}

/** Makes an agent whose connections go through a proxy by the method `CONNECT`. */
function tunnelAgent(proxy: URL, reuse: AgentOptions, options: TlsOptions): HttpAgent {
    // Loaded only for a proxy, which few users have.
    const { HttpsProxyAgent } = require("https-proxy-agent") as typeof import("https-proxy-agent");
    const agent = new HttpsProxyAgent(proxy, reuse);
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
