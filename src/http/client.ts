/**
 * The HTTP client of one service and connection. The files that a request passes through:
 *
 * | file         | task                                                                                |
 * | ------------ | ----------------------------------------------------------------------------------- |
 * | `client.ts`  | address, headers, query and body, in the names that the server uses                 |
 * | `retry.ts`   | queue, rate limit, retries and redirects, until there is an answer                  |
 * | `connect.ts` | the connection: reused or new, direct or through a proxy, with its TLS settings     |
 * | `send.ts`    | one request over axios                                                              |
 * | `answer.ts`  | the body of a success, or the error                                                 |
 */

import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import type { Client, Names, Service } from "../core/service";
import { AnswerError, StatecraftError } from "../errors";
import { inDocumentedNames, inProductNames, type Named } from "../product-names";
import { userAgent } from "../version";
import { isWebPage, readSuccess } from "./answer";
import { createConnections, isLoopback, type TlsSettings } from "./connect";
import { type ClientContext, type Clock, sendUntilAnswered } from "./retry";
import type { Headers, Request } from "./send";

/** The settings of one service. */
export interface ClientSettings extends TlsSettings {
    /** The key of the settings in the stack's configuration, for messages: `statecraft:vault`. */
    readonly key?: string | undefined;
    /** The name of the server in messages, such as `Vault`. */
    readonly title?: string | undefined;
    /** Base address, with or without slashes at its end. */
    readonly address: string;
    /** `undefined`: requests are sent without a token. */
    readonly token: string | undefined;
    /**
     * More headers for every request to the origin of the service. They override only the header of the token, `User-Agent` and `Accept`.
     */
    readonly headers?: Headers | undefined;
    /** Maximum time of one attempt in seconds, from when it leaves the queue until the answer is complete. Default 60. */
    readonly timeout?: number | undefined;
    /** Maximum number of retries of a request. Default 5. */
    readonly maxRetries?: number | undefined;
    /** Maximum number of requests at the same time. Default 10. */
    readonly maxConcurrency?: number | undefined;
    /** Milliseconds before the first retry. Default 500. */
    readonly retryBaseDelay?: number | undefined;
    /** The names that the server uses: the product's or those of the API documents. Default: those of the documents. */
    readonly names?: Names | undefined;
    /** Nomad region of the requests. */
    readonly region?: string | undefined;
    /** Shows a warning: a retry waits longer than 5 seconds, or requests are not encrypted. */
    readonly notify?: ((text: string) => void) | undefined;
    /** Gets one line about each attempt: method, path, status, milliseconds and its number. */
    readonly trace?: ((text: string) => void) | undefined;
}

const realClock: Clock = {
    now: Date.now,
    sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => {}),
    timer: (milliseconds, callback) => {
        const timer = setTimeout(callback, milliseconds);
        return () => clearTimeout(timer);
    },
    random: Math.random,
};

/** The secrets in the settings of a service. */
export function secretsOf({ token, headers }: Partial<Pick<ClientSettings, "token" | "headers">>): string[] {
    return [token ?? "", ...Object.values(headers ?? {})];
}

/** Makes a client. Nothing is sent before the first call. @throws ConfigError */
export function createClient(service: Service, settings: ClientSettings, clock: Clock = realClock): Client {
    const { headers: extra = {}, maxConcurrency = 10, notify = () => {} } = settings;
    const { title = `the ${service.title}`, key = `statecraft:${service.name}` } = settings;
    const address = settings.address.replace(/\/+$/, "");
    const { origin, protocol, hostname } = new URL(address);
    const context: ClientContext = {
        service,
        title,
        clock,
        address,
        origin,
        connectionTo: createConnections(key, settings, maxConcurrency),
        queue: pLimit(maxConcurrency),
        maxRetries: settings.maxRetries ?? 5,
        baseDelay: settings.retryBaseDelay ?? 500,
        secrets: secretsOf(settings),
        notify,
        trace: settings.trace,
        notBefore: 0,
    };
    const skipped = `skipTlsVerify accepts any certificate of ${origin}: name its authority in caFile instead`;
    const open = `requests to ${origin} are not encrypted: use https: if the server offers it`;
    const exposure = protocol === "http:" ? open : settings.skipTlsVerify && skipped;
    if (exposure && !isLoopback(hostname)) notify(`${title}: ${exposure}. [config]`);

    const timeout = (settings.timeout ?? 60) * 1000;
    const plain = { "User-Agent": userAgent, Accept: "*/*" };
    const typed = { ...plain, Accept: [...new Set([service.contentType, "application/json"])].join(", ") };
    const named = <Sent extends Named>(sent: Sent) =>
        settings.names === "product" ? inProductNames(service.name, sent) : sent;
    const tokenHeader = settings.token === undefined ? [] : [service.tokenHeader(settings.token)];
    const { headers: token } = named({ headers: Object.fromEntries(tokenHeader), body: undefined });
    const region = service.name === "volumes" && settings.region ? { region: settings.region } : {};

    /** Uploads or downloads bytes at an address from an answer. */
    const transfer = async (to: string, request: Omit<Request, "exchange" | "url" | "timeout">) => {
        const url = URL.canParse(to, origin) ? new URL(to, origin) : undefined;
        // Messages show only the origin, because such addresses contain signatures, some of them in the path.
        const exchange = { service: title, operation: `${request.method} ${url?.host ? url.origin : ""}/…` };
        if (url?.protocol !== "http:" && url?.protocol !== "https:") {
            throw new AnswerError(exchange, "it names a file whose address is neither http: nor https:");
        }
        return { ...(await sendUntilAnswered(context, { ...request, exchange, url, timeout })), exchange };
    };

    return {
        async call({ method, repeat, path: pathOf }, call) {
            const path = pathOf(call.parameters);
            const { headers, body } = named({ headers: call.headers ?? {}, body: call.body });
            const exchange = { service: title, operation: `${method} ${path}` };
            // Nomad requires a content type for every write, also for one without a body.
            const type = method === "GET" || method === "LIST" ? {} : { "Content-Type": service.contentType };
            const url = new URL(address + path);
            for (const [name, value] of Object.entries({ ...region, ...call.query })) {
                if (value !== undefined) url.searchParams.append(name, String(value));
            }
            const response = await sendUntilAnswered(context, {
                kind: "call",
                exchange,
                method,
                url,
                headers: merged(typed, call.anonymous ? {} : token, extra, type, headers),
                foreignHeaders: typed,
                body: body === undefined ? undefined : JSON.stringify(body),
                repeat,
                timeout: Math.max(timeout, (call.timeout ?? 0) * 1000),
                secrets: call.secrets,
                signal: call.signal,
            });
            const { status, headers: received } = response;
            const answer = { exchange, status, headers: received, body: readSuccess(context, exchange, response) };
            return inDocumentedNames(service.name, answer);
        },
        async download(to, signal) {
            const headers = merged(plain, token, extra);
            const request = { kind: "download", method: "GET", repeat: "always", signal } as const;
            const {
                bytes,
                headers: received,
                exchange,
            } = await transfer(to, {
                ...request,
                headers,
                foreignHeaders: plain,
            });
            if (isWebPage(bytes.subarray(0, 100).toString(), received)) throw new AnswerError(exchange, "a web page");
            return bytes;
        },
        async upload(to, body, signal) {
            const type = { "Content-Type": "application/octet-stream" };
            // The address of an upload is signed and works without a token, so the token is never sent.
            const headers = { headers: merged(plain, extra, type), foreignHeaders: { ...plain, ...type } };
            await transfer(to, { kind: "upload", method: "PUT", repeat: "refused", body, signal, ...headers });
        },
    };
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
