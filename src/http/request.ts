/** A request, its answer, and where it gets its token. */

import type { Method, Repeat } from "../core/endpoint";
import type { Call } from "../core/service";
import type { Exchange } from "../errors";

/** Headers by their names. */
export type Headers = Readonly<Record<string, string>>;

/** Where the requests of a client get their token. */
export interface Tokens {
    /** The token for the next request. Logs in if there is none, or if it ends soon. @throws StatecraftError */
    current(signal: AbortSignal | undefined): Promise<string | undefined>;
    /** Whether to repeat a request that was refused with this token, for the `count`th time. Waits, or logs in once more. */
    refused(
        token: string | undefined,
        status: number,
        count: number,
        signal: AbortSignal | undefined,
    ): Promise<boolean>;
}

/** One request, which may be sent several times. */
export interface Request extends Pick<Call, "secrets" | "learn" | "quotable" | "signal"> {
    readonly exchange: Exchange;
    /** `download` and `upload` use an address from an answer. The answer to an upload does not concern the objects of the service. */
    readonly kind: "call" | "download" | "upload";
    readonly method: Method;
    readonly url: URL;
    /** Headers for the origin of the service, with the token; or for any other origin, without it and the headers of the settings. */
    headers(toService: boolean, token: string | undefined): Headers;
    /** Where the request gets its token. Default: it has none. */
    readonly tokens?: Tokens | undefined;
    readonly body?: string | Buffer | undefined;
    readonly repeat: Repeat;
    /**
     * Maximum time of one attempt with its redirects, in milliseconds. For a download or an upload: the time in which it has to move 64 KiB.
     */
    readonly timeout: number;
    /** The most milliseconds that the attempts may take together. Default: no limit. */
    readonly within?: number | undefined;
    /** Where the token comes from: a sentence for messages about its refusal. */
    readonly tokenSource?: string | undefined;
}

/** An answer with its unparsed body. Header names are in lower case. */
export interface Response {
    readonly status: number;
    readonly headers: Headers;
    readonly bytes: Buffer;
    /**
     * Whether the origin of the service sent the answer, without a redirect from another origin.
     * False for an upload, whose answer does not concern the objects of the service.
     */
    readonly fromService: boolean;
}
