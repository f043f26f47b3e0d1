/**
 * The HTTP client of one service and connection. The files that a request passes through:
 *
 * | file         | task                                                                                |
 * | ------------ | ----------------------------------------------------------------------------------- |
 * | `client.ts`  | address, headers, query and body, in the names that the server uses                 |
 * | `retry.ts`   | queue, rate limit, retries and redirects, until there is an answer                  |
 * | `login.ts`   | a token that may change: that of a file, or of a login                              |
 * | `job-token.ts` | the JWT of a job of GitHub Actions, for a login                                   |
 * | `connect.ts` | the connection: reused or new, direct or through a proxy, with its TLS settings     |
 * | `send.ts`    | one request over axios                                                              |
 * | `answer.ts`  | the body of a success, or the error                                                 |
 */

import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import type { Method } from "../core/endpoint";
import type { Client, Server } from "../core/service";
import { AnswerError, ConfigError, StatecraftError } from "../errors";
import { headersInProductNames, inProductNames, type Sent } from "../product-names";
import { simulatorVariable } from "../settings/config-keys";
import { userAgent } from "../version";
import { readBytes, readSuccess } from "./answer";
import type { ClientContext, ClientSettings, Clock } from "./client-context";
import { createConnections, isLoopback, tlsFields } from "./connect";
import type * as Logins from "./login";
import type { Headers, Request, Tokens } from "./request";
import { sendUntilAnswered } from "./retry";

/** Real time. */
export const realClock: Clock = {
    now: performance.now.bind(performance),
    date: Date.now,
    sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => {}),
    timer: (milliseconds, callback) => {
        const timer = setTimeout(callback, milliseconds);
        return () => clearTimeout(timer);
    },
    random: Math.random,
};

/** Milliseconds. A timer of Node with a longer time ends immediately. */
const longestTimer = 2 ** 31 - 1;

/** The secrets in the settings of a service. */
export function secretsOf({
    token,
    headers,
    httpAuth = "",
}: Partial<Pick<ClientSettings, "token" | "headers" | "httpAuth">>): string[] {
    const [, user = httpAuth, password = ""] = /^(.*?):(.*)$/s.exec(httpAuth) ?? [];
    return [token ?? "", ...Object.values(headers ?? {}), httpAuth, user, password, basic(httpAuth)];
}

/** The credential of Basic authentication. @param httpAuth `user:password` or `user` */
const basic = (httpAuth: string) =>
    httpAuth && Buffer.from(httpAuth.includes(":") ? httpAuth : `${httpAuth}:`).toString("base64");

/** The token of the settings, or the tokens of a file or of logins, which are loaded for them. */
function tokensOf(...given: Parameters<typeof Logins.createTokens>): Tokens {
    const [{ settings }] = given;
    const { login, token, tokenFile } = settings;
    if (!login && tokenFile === undefined) return { current: async () => token, refused: async () => false };
    return (require("./login") as typeof Logins).createTokens(...given);
}

/** Makes a client. Nothing is sent before the first call. @throws ConfigError */
export function createClient(service: Server, settings: ClientSettings, clock: Clock = realClock): Client {
    const context = contextOf(service, settings, clock);
    const { base, origin, title } = context;
    const { headers: configured = {}, login } = settings;
    const { secrets } = context;
    const tokens = tokensOf(context, (other) => {
        const { environment, notify, trace, timeout, closers } = settings;
        const none = { token: undefined, tokenFile: undefined, login: undefined };
        if (other === undefined) return createClient(service, { ...settings, ...none, secrets }, clock);
        for (const secret of secretsOf(other.settings)) secrets.add(secret);
        return createClient(
            other.service,
            { environment, notify, trace, timeout, closers, secrets, ...other.settings },
            clock,
        );
    });
    const exposure = exposureOf(origin, settings.skipTlsVerify);
    // With a login, the client that logs in has shown the exposure.
    if (exposure && !login) settings.notify?.(`${title}: ${exposure}.`, "config");

    const timeout = (settings.timeout ?? 60) * 1000;
    const product = settings.names === "product" ? service.name : undefined;
    /** The headers of a request. Those of its body go to every origin, its other ones only to that of the service. */
    const headersFor =
        (accept: string, ofBody: Headers = {}, others: Headers = {}): Request["headers"] =>
        (toService, token) => {
            const general = { "User-Agent": userAgent, Accept: accept };
            if (!toService) return merged(general, ofBody);
            const user = basic(settings.httpAuth ?? "");
            const headers = Object.fromEntries([
                ...(user ? [["Authorization", `Basic ${user}`]] : []),
                ...(token ? [service.tokenHeader(token, user !== "")] : []),
            ]);
            const named = product ? headersInProductNames(product, headers) : headers;
            return merged(general, named, configured, ofBody, others);
        };

    return {
        async call({ method, repeat, path: pathOf, advice }, call) {
            const { parameters, query, headers = {}, about, anonymous, secrets, learn, quotable, signal } = call;
            const within = call.within === undefined ? longestTimer : call.within * 1000;
            const path = pathOf(parameters);
            const plain: Sent = { method, query: { ...settings.query, ...query }, headers, body: call.body };
            const sent = product ? inProductNames(product, plain) : plain;
            // Also without a body: some servers require a content type for every write.
            const type = method === "GET" || method === "LIST" ? {} : { "Content-Type": service.contentType };
            const url = new URL(base + path);
            for (const [name, value] of Object.entries(sent.query)) {
                if (value !== undefined) url.searchParams.append(name, String(value));
            }
            const accept = [...new Set([service.contentType, "application/json"])].join(", ");
            const request: Request = {
                kind: "call",
                exchange: { service: title, operation: `${method} ${path}`, about, parameters, advice },
                method: sent.method,
                url,
                headers: headersFor(accept, type, sent.headers),
                body: sent.body === undefined ? undefined : JSON.stringify(sent.body),
                repeat,
                timeout: Math.min(Math.max(timeout, (call.timeout ?? 0) * 1000), within),
                within,
                ...(!anonymous && { tokens, tokenSource: settings.tokenSource }),
                ...{ secrets, learn, quotable, signal },
            };
            return readSuccess(context, request, await sendUntilAnswered(context, request));
        },
        async download(to, signal) {
            const method = "GET";
            const more = { kind: "download", method, repeat: "always", headers: headersFor("*/*"), tokens } as const;
            const request = { ...transferOf(context, method, to), ...more, timeout, signal };
            return readBytes(request, await sendUntilAnswered(context, request));
        },
        async upload(to, body, signal) {
            const method = "PUT";
            const headers = headersFor("*/*", { "Content-Type": "application/octet-stream" });
            // Without the token: the address of an upload is signed.
            const more = { kind: "upload", method, repeat: "refused", headers, body } as const;
            await sendUntilAnswered(context, { ...transferOf(context, method, to), ...more, timeout, signal });
        },
    };
}

/** The address in an answer from which bytes are downloaded, or to which they are uploaded, and its name in messages. @throws AnswerError */
function transferOf({ origin, title }: ClientContext, method: Method, to: string): Pick<Request, "exchange" | "url"> {
    const url = URL.canParse(to, origin) ? new URL(to, origin) : undefined;
    // Messages show only the origin, because such addresses contain signatures, some of them in the path.
    const store = url === undefined || url.origin === origin ? title : `the store ${url.host}`;
    const exchange = { service: store, operation: `${method} ${url?.host ? url.origin : ""}/…` };
    if (url?.protocol !== "http:" && url?.protocol !== "https:") {
        throw new AnswerError(exchange, "it names a file whose address is neither http: nor https:");
    }
    const isOfMachine = isLoopback(url.hostname);
    if (
        url.protocol === "http:" &&
        (isOfMachine ? !isLoopback(new URL(origin).hostname) : origin.startsWith("https:"))
    ) {
        const ofMachine = `${url.origin} is on this machine, and ${title} is not`;
        const open = `requests to ${url.origin} are not encrypted, and those to ${title} are`;
        throw new AnswerError(exchange, isOfMachine ? ofMachine : open);
    }
    return { exchange, url };
}

/** @throws ConfigError in a command of the simulator, for the address of another server */
function contextOf(service: Server, settings: ClientSettings, clock: Clock): ClientContext {
    const { key = `statecraft:${service.name}`, title = `the ${service.title}` } = settings;
    const { maxConcurrency = service.maxConcurrency ?? 64, otherAddresses = [] } = settings;
    const address = settings.address.replace(/\/+$/, "");
    const { [simulatorVariable]: simulator } = settings.environment ?? {};
    if (simulator && new URL(address).origin !== simulator) {
        const problem = `${title} is at ${address}, and ${simulatorVariable} allows requests to ${simulator} only`;
        const hint =
            "Remove the address from the settings, or run the command without `npx pulumi-statecraft simulator --`";
        throw new ConfigError(`${key}.address`, problem, hint);
    }
    const [, socketPath] = /^unix:\/\/(\/.*)$/.exec(address) ?? [];
    const base = socketPath === undefined ? address : `http://${service.socketHost}`;
    const { origin } = new URL(base);
    const unused = socketPath === undefined ? [] : tlsFields.filter((field) => settings[field]);
    if (unused.length > 0) settings.notify?.(`${title}: ${unused.join(", ")}: no effect on a Unix socket.`, "config");
    const { secrets = new Set(secretsOf(settings)) } = settings;
    const tls = socketPath ? {} : settings;
    const connectionTo = createConnections(key, tls, socketPath, secrets, settings.closers);
    const otherOrigins = otherAddresses.flatMap((other) => (other.startsWith("unix:") ? [] : [new URL(other).origin]));
    const queue = pLimit(maxConcurrency);
    const server = { title, address, base, origin, otherOrigins };
    return { service, settings, clock, ...server, secrets, connectionTo, queue, notBefore: 0, successes: 0 };
}

/** The reason why others could read or change the requests. `false`: they could not. */
function exposureOf(origin: string, skipTlsVerify = false): string | false {
    const { protocol, hostname } = new URL(origin);
    const open = `requests to ${origin} are not encrypted: use https: if the server offers it`;
    const skipped = `skipTlsVerify accepts any certificate of ${origin}: name its authority in caFile instead`;
    return !isLoopback(hostname) && (protocol === "http:" ? open : skipTlsVerify && skipped);
}

/** Merges headers by name, ignoring case; later ones override earlier ones. @throws StatecraftError for a value that no header can have */
function merged(...sets: readonly Headers[]): Headers {
    const byName = new Map<string, readonly [string, string]>();
    for (const [name, value] of sets.flatMap((set) => Object.entries(set))) {
        // axios would remove such characters and send a different value.
        if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
            throw new StatecraftError("input", `the header ${name} cannot be sent: no header can hold its value`, {
                hint: "Remove line breaks and other special characters from the setting or input",
            });
        }
        byName.set(name.toLowerCase(), [name, value]);
    }
    return Object.fromEntries(byName.values());
}
