/**
 * The client of one service and connection. The way of one request:
 *
 * | file         | what happens there                                                                  |
 * | ------------ | ----------------------------------------------------------------------------------- |
 * | `client.ts`  | address, headers, query and body, in the names that the server speaks               |
 * | `retry.ts`   | queue, rate limit, tries and redirects, until there is an answer                    |
 * | `connect.ts` | the connection: kept or fresh, direct or through a proxy; its TLS is that of `tls.ts` |
 * | `send.ts`    | one request over axios                                                              |
 * | `answer.ts`  | the body of a success, or the error                                                 |
 */

import pLimit from "p-limit";
import { addressProblem } from "../core/address";
import type { Names } from "../core/config-keys";
import { settingsKey } from "../core/connection";
import { noHeader } from "../core/request-failures";
import type { Call, Client, Service } from "../core/service";
import { AnswerError, ConfigError } from "../errors";
import { inDocumentedNames, inProductNames, type Named } from "../product-names";
import { userAgent } from "../version";
import { isWebPage, readSuccess } from "./answer";
import { createConnections, isLoopback } from "./connect";
import { type ClientContext, type Clock, sendUntilAnswered } from "./retry";
import type { Headers, Request } from "./send";
import { readTls, type TlsSettings, type WrongSetting } from "./tls";

/** The settings of one service. */
export interface ClientSettings extends TlsSettings {
    /** Where the settings stand, for messages. Default: the service's key of the stack's configuration. */
    readonly key?: string | undefined;
    /** Base address. Slashes at its end mean nothing. */
    readonly address: string;
    /** Without one no token is sent. */
    readonly token: string | undefined;
    /** Extra headers of every request to the service's own origin. They replace the token's header, `User-Agent` and `Accept`, and no other. */
    readonly headers?: Headers | undefined;
    /** Seconds for one request, its answer included, from when it leaves the queue. Default 60. */
    readonly timeout?: number | undefined;
    /** Default 5. */
    readonly maxRetries?: number | undefined;
    /** Requests in flight. Default 10. */
    readonly maxConcurrency?: number | undefined;
    /** Milliseconds of the first back-off. Default 500. */
    readonly retryBaseDelay?: number | undefined;
    /** Whose names are sent. Default: the documents'. */
    readonly names?: Names | undefined;
    /** Region of the scheduler that requests are for. */
    readonly region?: string | undefined;
    /** Shows a warning: a retry waits longer than 5 seconds, or something travels unprotected to another machine. */
    readonly notify?: ((text: string) => void) | undefined;
    /** Gets a line about every try: method, path, status, milliseconds and its number. */
    readonly trace?: ((text: string) => void) | undefined;
}

const realClock: Clock = {
    now: Date.now,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    timer: (milliseconds, strike) => {
        const timer = setTimeout(strike, milliseconds);
        return () => clearTimeout(timer);
    },
    random: Math.random,
};

/** What no message may hold of the settings of a service. */
export function secretsOf({ token, headers }: Partial<Pick<ClientSettings, "token" | "headers">>): string[] {
    return [token ?? "", ...Object.values(headers ?? {})];
}

/** Makes a client. Nothing is sent before the first call. @throws ConfigError */
export function createClient(service: Service, settings: ClientSettings, clock: Clock = realClock): Client {
    const { address, headers: extra = {}, maxConcurrency = 10, notify = () => {} } = settings;
    const named = <Sent extends Named>(sent: Sent) =>
        settings.names === "product" ? inProductNames(service.name, sent) : sent;
    const region = service.name === "volumes" && settings.region ? { region: settings.region } : {};
    const timeout = (settings.timeout ?? 60) * 1000;
    const wrong: WrongSetting = (field, problem) => {
        const setting = `${settings.key ?? settingsKey(service.name, undefined)}.${field}`;
        return new ConfigError(setting, `${setting}: ${problem}`);
    };
    const problem = addressProblem(address);
    if (problem !== undefined) throw wrong("address", problem);
    const base = address.replace(/\/+$/, "");
    const { origin, protocol, hostname } = new URL(base);
    const tokenHeader = settings.token === undefined ? {} : Object.fromEntries([service.tokenHeader(settings.token)]);
    for (const [field, given] of Object.entries({ headers: extra, token: tokenHeader })) {
        const isSendable = Object.entries(given).every(([name, value]) => isHeader(name, value));
        if (!isSendable) throw wrong(field, "holds a character that no header can carry, such as a line break");
    }
    const { headers: token } = named({ headers: tokenHeader, body: undefined });
    const context: ClientContext = {
        service,
        clock,
        origin,
        connectionTo: createConnections(readTls(settings, wrong), maxConcurrency),
        queue: pLimit(maxConcurrency),
        maxRetries: settings.maxRetries ?? 5,
        baseDelay: settings.retryBaseDelay ?? 500,
        secrets: secretsOf(settings),
        notify,
        trace: settings.trace,
        notBefore: 0,
    };
    const skipped = `skipTlsVerify accepts any certificate of ${origin}; name its authority in caFile instead`;
    const open = `requests travel unencrypted to ${origin}; use https: if the server offers it`;
    const exposure = protocol === "http:" ? open : settings.skipTlsVerify && skipped;
    if (exposure && !isLoopback(hostname)) notify(`${service.title}: ${exposure}`);
    const plain = { "User-Agent": userAgent, Accept: "*/*" };
    const typed = { ...plain, Accept: [...new Set([service.contentType, "application/json"])].join(", ") };

    return {
        async call({ method, repeat, path: pathOf }, call) {
            const path = pathOf(call.parameters);
            const { headers, body } = named({ headers: call.headers ?? {}, body: call.body });
            const exchange = { service: service.title, operation: `${method} ${path}` };
            // One service wants the type on every write, with a body or without.
            const type = method === "GET" || method === "LIST" ? {} : { "Content-Type": service.contentType };
            const response = await sendUntilAnswered(context, {
                kind: "call",
                exchange,
                method,
                url: new URL(base + path + search({ ...region, ...call.query })),
                headers: merged(typed, call.anonymous ? {} : token, extra, type, headers),
                foreignHeaders: typed,
                body: body === undefined ? undefined : JSON.stringify(body),
                repeat,
                timeout: Math.max(timeout, (call.timeout ?? 0) * 1000),
                secrets: call.secrets,
                signal: call.signal,
            });
            const answer = { status: response.status, headers: response.headers };
            return inDocumentedNames(service.name, {
                exchange,
                ...answer,
                body: readSuccess(response, exchange, service),
            });
        },
        async download(to, signal) {
            const place = placeOf(service, origin, "GET", to);
            const response = await sendUntilAnswered(context, {
                ...place,
                kind: "download",
                headers: merged(plain, token, extra),
                foreignHeaders: plain,
                repeat: "always",
                timeout,
                signal,
            });
            if (isWebPage(response.bytes.subarray(0, 100).toString(), response.headers))
                throw new AnswerError(place.exchange, "a web page");
            return response.bytes;
        },
        async upload(to, content, signal) {
            const headers = { ...plain, "Content-Type": "application/octet-stream" };
            await sendUntilAnswered(context, {
                ...placeOf(service, origin, "PUT", to),
                kind: "upload",
                // The address itself is the permission: no token, even for the service's own origin.
                headers: merged(plain, extra, headers),
                foreignHeaders: headers,
                body: content,
                repeat: "refused",
                timeout,
                signal,
            });
        },
    };
}

/** An address that an answer named. Such addresses hold signatures, some of them in the path: only the origin is ever printed. */
function placeOf(service: Service, origin: string, method: "GET" | "PUT", address: string) {
    const url = URL.canParse(address, `${origin}/`) ? new URL(address, `${origin}/`) : undefined;
    const operation = `${method} ${url?.host ? `${url.origin}/…` : "of a file"}`;
    const exchange = { service: service.title, operation };
    if (url?.protocol !== "http:" && url?.protocol !== "https:") {
        throw new AnswerError(exchange, "it named an address that is not one of HTTP");
    }
    url.username = "";
    url.password = "";
    return { exchange, method, url } satisfies Partial<Request>;
}

/** Headers of which later ones win, whatever the case of their names. @throws StatecraftError for what no header can carry */
function merged(...sets: readonly Headers[]): Headers {
    const byName = new Map<string, readonly [string, string]>();
    for (const [name, value] of sets.flatMap((set) => Object.entries(set))) {
        if (!isHeader(name, value)) throw noHeader({ name });
        byName.set(name.toLowerCase(), [name, value]);
    }
    return Object.fromEntries(byName.values());
}

/** Whether a header can carry it. Otherwise axios would drop characters and send something else. */
function isHeader(name: string, value: string): boolean {
    return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/[^\t\x20-\x7e\x80-\xff]/.test(value);
}

function search(query: NonNullable<Call["query"]>): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.append(name, String(value));
    return parameters.size === 0 ? "" : `?${parameters}`;
}
