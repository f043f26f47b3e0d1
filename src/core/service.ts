/** The interface of the HTTP client of a service, which `http/` implements, and what the client has to know about each service. */

import type { Exchange } from "../errors";
import type { Endpoint } from "./endpoint";

/** The three services, by the names of their settings. */
export type ServiceName = "stateVersions" | "manager" | "volumes";

/** The names that a server uses: the product's, or those of the API documents. */
export type Names = "product" | "documented";

/** An answer of a service. `body` is parsed JSON, or text, or `undefined` if it is empty. */
export interface Answer {
    /** The request, for messages. */
    readonly exchange: Exchange;
    readonly status: number;
    /** Headers by their names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
}

/** `login` in the settings of a service: its fields, such as `mount`, by their names. */
export type Login = Readonly<Record<string, string>>;

/** The token of a login. */
export interface LoginToken {
    readonly value: string;
    /** Seconds until the token ends. 0: it never ends. */
    readonly lifetime: number;
    /** How many requests may use the token. 0: any number. */
    readonly uses: number;
    readonly policies: readonly string[];
    /** The reason why the token cannot be used. Default: it can. */
    readonly problem?: string | false;
    /** The request that revokes the token. Default: nothing can revoke it. */
    readonly revocation?: readonly [Endpoint, Call] | false;
    /** The request that lengthens the token's life. Its answer has the form of that to the login. Default: nothing can. */
    readonly renewal?: readonly [Endpoint, Call] | false;
}

/** How a service logs in a machine. */
export interface LoginRequests {
    /** The request of a login. @param credential the JWT or the secret ID */
    request(login: Login, credential: string): readonly [Endpoint, Call];
    /** The token in the answer to a login. @param now the time, for an answer without one @throws AnswerError if there is none */
    read(answer: Answer, login: Login, now: number): LoginToken;
    /** Milliseconds after a login in which a 403 may come from a server that does not know the token yet. Default: 0. */
    readonly lag?: number;
    /** Advice on a failed login, by `no credential`, or the status, the service's words and, on another line, the JWT's `sub`. The first match counts. */
    readonly advice: readonly (readonly [problem: RegExp, advice: string])[];
}

/** The facts about a service that the HTTP client needs. One constant per service, in `services/<service>/service.ts`. */
export interface Service<Defaults = unknown> extends Server {
    readonly name: ServiceName;
    /** The values that a server chooses for inputs that the program leaves out, by the names that it uses. Default: none. */
    readonly defaults?: Readonly<Record<Names, Defaults>>;
}

/** The facts about a server that the HTTP client needs. */
export interface Server {
    /** Default: names are not translated. */
    readonly name?: ServiceName;
    /** The name of the service in messages, such as `secrets manager`. */
    readonly title: string;
    /** Content type of the bodies of requests, and of answers, which may also be `application/json`. */
    readonly contentType: "application/json" | "application/vnd.api+json";
    /** The host in the requests over a Unix socket. Default: the service has no socket. */
    readonly socketHost?: string;
    /** Maximum number of requests at the same time. Default 64. */
    readonly maxConcurrency?: number;
    /** The header that carries the token, by its name in the API documents. @param isBesideBasic whether `Authorization` holds a user */
    tokenHeader(token: string, isBesideBasic?: boolean): readonly [name: string, value: string];
    /** The error messages in an answer that is not 2xx. */
    reasons(answer: Answer): string[];
    /** Whether an answer says, in the form that the service documents, that the object is absent. False for an answer of a gateway. */
    absent(answer: Answer): boolean;
    /** A 404 may also mean that the token may not see an object: a refresh then keeps the object in state. Default: it means that the object is absent. */
    readonly hidesObjects?: true;
    /** Advice for a failure whose error message is a known one, or that of its endpoint (`answer.exchange.advice`). */
    hint?(answer: Answer): string | undefined;
    /** Advice on an answer that says that the object's place is absent, such as a mount, which the program may create. Default: none says so. */
    absentPlace?(answer: Answer): string | undefined;
    /** Whether a failure lasts, so that waiting does not end it. Default: never. */
    lasting?(answer: Answer): boolean;
    /** Whether the service may have acted although it answers a write with 500. Default: then it has done nothing. */
    readonly acts500?: true;
    /** Matches (with the flag `g`) texts of refusals that quote nothing of a request, and are shown although a secret is not known. Default: none. */
    readonly ownWords?: RegExp;
    /** Default: the service has no login. */
    readonly login?: LoginRequests;
    /** Whether a failed request had no effect and may succeed later, as after 429. Default: never. */
    passing?(answer: Answer): boolean;
}

/** One request of an operation. */
export interface Call<Parameter extends string = string> {
    readonly parameters: Readonly<Record<Parameter, string>>;
    readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    /** The subject of the request beside its path, such as a namespace, for `Service.hint`. */
    readonly about?: string;
    /** Seconds that a blocking query may take. A longer `timeout` of the settings takes precedence. */
    readonly timeout?: number | undefined;
    /** Seconds that the request may take with its retries. Default: no limit. */
    readonly within?: number | undefined;
    /** The request is sent without the token, as for a login. */
    readonly anonymous?: true;
    /** Secrets of the operation, which no message may contain. */
    readonly secrets?: readonly string[] | undefined;
    /** Reads secrets that are not known yet, before a refusal is quoted. Resolves with whether all are known then. Default: all are. */
    readonly learn?: (() => Promise<boolean>) | undefined;
    /** Matches (with the flag `g`) the sentences of a refusal that messages may quote, if the body holds more secrets than can be searched for. Default: all. */
    readonly quotable?: RegExp | undefined;
    /** Aborts the request, and the wait before a retry. */
    readonly signal?: AbortSignal | undefined;
}

/** The client of one service and connection. It throws the errors of `errors.ts`. */
export interface Client {
    /**
     * Sends one request. Resolves with any 2xx whose body is empty or has the content type of the service.
     * @throws NotFoundError, ConflictError, DeniedError, LimitedError, ServiceError, UnreachableError, AnswerError
     */
    call<Parameter extends string>(endpoint: Endpoint<Parameter>, request: Call<Parameter>): Promise<Answer>;
    /** Fetches the raw bytes at an absolute or relative address from an answer. Only the origin of the service gets the token. */
    download(address: string, signal?: AbortSignal): Promise<Buffer>;
    /**
     * Sends raw bytes with PUT to an absolute or relative address from an answer, without the token. Repeated only if the first request
     * certainly had no effect.
     */
    upload(address: string, content: Buffer, signal?: AbortSignal): Promise<void>;
}
