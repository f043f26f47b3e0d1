/** The errors that statecraft throws. No message contains a token, a secret or the body of a request. docs/errors.md lists the codes. */

/** Base class of the errors that statecraft throws. */
export class StatecraftError extends Error {
    /** The error's code in docs/errors.md, such as `conflict`. Programs may compare it. */
    code: string;
    /** Advice: the next step for the user. */
    hint: string | undefined;

    constructor(code: string, message: string, options: { hint?: string | undefined; cause?: unknown } = {}) {
        super(message, options.cause === undefined ? {} : { cause: options.cause });
        this.name = new.target.name;
        this.code = code;
        this.hint = options.hint;
    }

    /** Sets another code, message or hint. The class, status and reasons stay the same. */
    reword(words: { readonly code?: string; readonly message?: string; readonly hint?: string | undefined }): this {
        return Object.assign(this, words);
    }
}

/** A setting is missing or wrong. Thrown before any request. */
export class ConfigError extends StatecraftError {
    /** @param setting the setting, such as `statecraft:strict` */
    constructor(
        readonly setting: string,
        message: string,
        hint?: string,
    ) {
        super("config", message, { hint });
    }
}

/** Inputs or arguments are invalid. `reasons` contains every problem. */
export class InputError extends StatecraftError {
    /** @param reasons the problems, each of which begins with the path of its property */
    constructor(
        message: string,
        readonly reasons: readonly string[],
    ) {
        super("input", `${message}: ${reasons.join("; ")}`);
    }
}

/** How messages name a request. */
export interface Exchange {
    /** The name of the server in messages. */
    readonly service: string;
    /** Method and path, without query: `POST /v1/auth/clouda/role/dev`. */
    readonly operation: string;
    /** The subject of the request beside its path, for the advice of its service. */
    readonly about?: string | undefined;
}

/** An answer whose status is not 2xx. */
export interface Refusal {
    /** Method and path, without query. */
    readonly operation: string;
    readonly status: number;
    /** The error messages in the answer. Empty if it has none. */
    readonly reasons: readonly string[];
    /** Whether the service may have processed the request: an earlier attempt, or the last one, as after a gateway's 502. */
    readonly doubtful?: boolean;
    /** Whether the answer has the form in which the service itself answers a failure. */
    readonly inOwnWords?: boolean;
    /** The headers of the answer, by their names in lower case. */
    readonly headers?: Readonly<Record<string, string>>;
}

/** The service answered with a status that is not 2xx. */
export class ServiceError extends StatecraftError implements Refusal {
    /** The `code` of errors of this class. */
    static readonly code: string = "service";
    readonly operation: string;
    readonly status: number;
    readonly reasons: readonly string[];
    readonly doubtful: boolean;
    readonly inOwnWords: boolean;
    // Private, because a program may print the error, and a header may contain a secret.
    readonly #headers: Readonly<Record<string, string>>;

    constructor(refusal: Refusal, hint?: string) {
        const { status, reasons, doubtful = false, inOwnWords = false, headers = {} } = refusal;
        const text = reasons.join("; ") || "the server gave no reason";
        super(new.target.code, `${refusal.operation}: ${status}: ${text}`, { hint });
        this.operation = refusal.operation;
        this.status = status;
        this.reasons = reasons;
        this.doubtful = doubtful;
        this.inOwnWords = inOwnWords;
        this.#headers = headers;
    }

    /** A header of the answer. @param name the name in lower case */
    header(name: string): string | undefined {
        return this.#headers[name];
    }
}

/**
 * The object does not exist: the answer is a 404 in the form that the service documents. Any other 404, such as a gateway's, is a
 * `ServiceError`.
 */
export class NotFoundError extends ServiceError {
    static override readonly code = "absent";
}

/** 409 or 412: the state of the object does not allow the request. */
export class ConflictError extends ServiceError {
    static override readonly code = "conflict";
}

/** 401 or 403: the token is missing or invalid, or lacks a right. */
export class DeniedError extends ServiceError {
    static override readonly code = "denied";
}

/** 429, after all retries. */
export class LimitedError extends ServiceError {
    static override readonly code = "limited";

    /** @param retryAfter seconds that the server asked to wait */
    constructor(
        refusal: Refusal,
        hint?: string,
        readonly retryAfter?: number,
    ) {
        super(refusal, hint);
    }
}

/** There is no answer: the connection failed, was interrupted or timed out. */
export class UnreachableError extends StatecraftError {
    /** @param sent false if the request certainly never reached the service; if true, the service may have processed it */
    constructor(
        { service, operation }: Exchange,
        readonly sent: boolean,
        reason: string,
        hint?: string,
    ) {
        super("unreachable", `${operation}: no answer from ${service}: ${reason}`, { hint });
    }
}

/** The answer is not one that the API documents, such as a web page or truncated JSON. The service may have processed the request. */
export class AnswerError extends StatecraftError {
    constructor({ service, operation }: Exchange, problem: string, hint?: string) {
        super("answer", `${operation}: the answer from ${service} cannot be used: ${problem}`, { hint });
    }
}

/** A defect of statecraft itself. */
export class InternalError extends StatecraftError {
    constructor(message: string, cause?: unknown) {
        super("internal", message, { hint: "This is a defect of statecraft: please report it", cause });
    }
}

/** Whether a status says that a request failed on its way or in the service, which may have processed it: 408, and every 5xx but 501. */
export const isFailedStatus = (status: number): boolean => status === 408 || (status >= 500 && status !== 501);

/** Whether the service may have processed a failed request: the answer was lost or is unreadable, or the status leaves it open. */
export function isLostAnswer(error: unknown): error is StatecraftError {
    if (error instanceof UnreachableError) return error.sent;
    return error instanceof ServiceError ? error.doubtful : error instanceof AnswerError;
}

/** Like `isLostAnswer`, and true for every 5xx but 501: for services that may answer so to a request that they have processed. */
export function mayHaveActed(error: unknown): error is StatecraftError {
    return isLostAnswer(error) || (error instanceof ServiceError && isFailedStatus(error.status));
}

/** An error as sentences: what happened, and what to do. */
export function sentencesOf({ message, hint }: Pick<StatecraftError, "message" | "hint">): string {
    return [message, hint].flatMap((text) => (text ? [`${text.replace(/(?<![.\s])[.\s]+$/, "")}.`] : [])).join(" ");
}

/** An error as a message: what happened, what to do, and its code. */
export function textOf(error: unknown): string {
    const known = asStatecraftError(error);
    return `${sentencesOf(known)} [${known.code}]`;
}

/** Returns a `StatecraftError` as it is, and any other error as an `InternalError`. */
export function asStatecraftError(error: unknown): StatecraftError {
    if (error instanceof StatecraftError) return error;
    return new InternalError(error instanceof Error ? error.message : String(error), error);
}

/** For the `catch` of a read or a deletion: an absent object is not a failure there. */
export function unlessAbsent(error: unknown): undefined {
    if (error instanceof NotFoundError) return undefined;
    throw error;
}
