/** The interface of a service's client, and the facts by which it reads the service's answers. HTTP is in `http/`. */

import type { Exchange } from "../errors";
import type { Operation } from "./operation";

/** The three services, by the names of their settings. */
export type ServiceName = "stateVersions" | "manager" | "volumes";

/** An answer of a service. `body` is parsed JSON, or text, or `undefined` if it is empty. */
export interface Answer {
    /** The request, for messages. */
    readonly exchange: Exchange;
    readonly status: number;
    /** Names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
}

/** The facts about a service that its client uses. One constant per service, in `services/<service>/service.ts`. */
export interface Service {
    readonly name: ServiceName;
    /** What messages call it: `secrets manager`. */
    readonly title: string;
    /** Content type of bodies sent, and of answers beside `application/json`. */
    readonly contentType: "application/json" | "application/vnd.api+json";
    /** The header that carries the token, in the documents' words. */
    tokenHeader(token: string): readonly [name: string, value: string];
    /** The server's reasons in an answer that is not a success, in its own words. */
    reasons(answer: Answer): string[];
    /** Whether an answer says, in the service's own form, that the object is absent. An answer of a gateway never does. */
    absent(answer: Answer): boolean;
    /** Advice for a failure that the service words in a known way. */
    hint?(answer: Answer): string | undefined;
    /** Whether a failure says that the service had no effect, for a reason that passes by itself, as 429 does. */
    passing(answer: Answer): boolean;
}

/** One request of an operation. */
export interface Call<Parameter extends string = string> {
    readonly parameters: Readonly<Record<Parameter, string>>;
    readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    /** Seconds that a blocking query may take. A longer `timeout` of the settings wins. */
    readonly timeout?: number | undefined;
    /** Sent without the token, for a login. */
    readonly anonymous?: true;
    /** Secrets of the operation, which no message may contain. */
    readonly secrets?: readonly string[];
    /** Aborts the request, and the wait before its repetition. */
    readonly signal?: AbortSignal;
}

/** The client of one service and connection. Failures are of the family in `errors.ts`. */
export interface Client {
    /**
     * Sends one request. Resolves with any 2xx whose body is empty or of the service's own type.
     * @throws NotFoundError, ConflictError, DeniedError, LimitedError, ServiceError, UnreachableError, AnswerError
     */
    call<Parameter extends string>(operation: Operation<Parameter>, call: Call<Parameter>): Promise<Answer>;
    /** Fetches the raw bytes of an absolute or relative address that an answer named; the token goes only to the service's own origin. */
    download(address: string, signal?: AbortSignal): Promise<Buffer>;
    /** Sends raw bytes with PUT to an absolute or relative address that an answer named, without the token. Repeated only if the service refused before it had an effect. */
    upload(address: string, content: Buffer, signal?: AbortSignal): Promise<void>;
}
