/** The errors that statecraft throws. No message holds a token, a secret or the body of a request. docs/errors.md lists the codes. */

/** Base of everything that statecraft throws on purpose. */
export class StatecraftError extends Error {
    /** A word to branch on, such as `conflict`. */
    readonly code: string;
    /** What the user can do next. */
    readonly hint: string | undefined;

    constructor(code: string, message: string, options: { hint?: string | undefined; cause?: unknown } = {}) {
        super(message, options.cause === undefined ? {} : { cause: options.cause });
        this.name = new.target.name;
        this.code = code;
        this.hint = options.hint;
    }
}

/** A setting is missing or wrong. Thrown before any request. */
export class ConfigError extends StatecraftError {
    /** @param setting the setting, such as `statecraft:vault.address` */
    constructor(
        readonly setting: string,
        message: string,
        hint?: string,
    ) {
        super("config", message, { hint });
    }
}

/** `check` refused inputs. It reports every problem at once. */
export class InputError extends StatecraftError {
    /** @param reasons each begins with the path of its property */
    constructor(
        message: string,
        readonly reasons: readonly string[],
    ) {
        super("input", `${message}: ${reasons.join("; ")}`);
    }
}

/** A request, as messages name it. */
export interface Exchange {
    /** What messages call the server: `Vault`. */
    readonly service: string;
    /** Method and path, without query: `POST /v1/auth/clouda/role/dev`. */
    readonly operation: string;
}

/** An answer with a status that is not a success. */
export interface Refusal {
    /** Method and path, without query. */
    readonly operation: string;
    readonly status: number;
    /** The server's own words. Empty if it gave none. */
    readonly reasons: readonly string[];
    /** An earlier try of the same request may have had an effect, whatever the service answered to the last one. */
    readonly doubtful?: boolean;
}

/** The service answered with a status that is not a success. */
export class ServiceError extends StatecraftError implements Refusal {
    /** The code of this class. */
    static readonly code: string = "service";
    readonly operation: string;
    readonly status: number;
    readonly reasons: readonly string[];
    readonly doubtful: boolean;

    constructor({ operation, status, reasons, doubtful = false }: Refusal, hint?: string) {
        const text = reasons.join("; ") || "the server gave no reason";
        super(new.target.code, `${operation}: ${status}: ${text}`, { hint });
        this.operation = operation;
        this.status = status;
        this.reasons = reasons;
        this.doubtful = doubtful;
    }
}

/** The service said in its own form that the object is absent. Any other 404 is a plain `ServiceError`. */
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

/** No answer: the connection failed, was cut or timed out. */
export class UnreachableError extends StatecraftError {
    /** @param sent false if the request certainly never reached the service; otherwise the service may have acted */
    constructor(
        { service, operation }: Exchange,
        readonly sent: boolean,
        reason: string,
        hint?: string,
    ) {
        super("unreachable", `${operation}: no answer from ${service}: ${reason}`, { hint });
    }
}

/** The service gave an answer that its document does not allow, such as a web page or cut JSON. The service may have acted. */
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

/** The same error with another code, message or hint. It keeps its class, and so its status and the server's own words. */
export function reworded<Failure extends StatecraftError>(
    failure: Failure,
    words: { readonly code?: string; readonly message?: string; readonly hint?: string },
): Failure {
    return Object.assign(failure, words);
}

/** Whether the service may have acted: its answer was lost, cannot be read, or came from a gateway instead. */
export function isLostAnswer(error: unknown): error is StatecraftError {
    if (error instanceof UnreachableError) return error.sent;
    if (error instanceof ServiceError) return error.doubtful || [502, 503, 504].includes(error.status);
    return error instanceof AnswerError;
}

/** The same, for a service that may answer any 5xx after it has acted. */
export function mayHaveActed(error: unknown): error is StatecraftError {
    return isLostAnswer(error) || (error instanceof ServiceError && error.status >= 500);
}
