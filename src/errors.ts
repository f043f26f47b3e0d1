/** The one family of failures. Every message is a readable sentence or paragraph that says what to do, and holds no token, secret or request body. */

/** Base of everything statecraft throws on purpose. */
export class StatecraftError extends Error {
    /** Stable word to branch on, such as `conflict`. */
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

/** A setting is missing or wrong. Raised before any request. */
export class ConfigError extends StatecraftError {
    /** The setting, such as `statecraft:manager.address`. */
    readonly setting: string;

    constructor(setting: string, message: string, hint?: string) {
        super("config", message, { hint });
        this.setting = setting;
    }
}

/** Inputs were refused by `check`: every problem at once. */
export class InputError extends StatecraftError {
    /** Each reason begins with the path of its property. */
    readonly reasons: readonly string[];

    constructor(message: string, reasons: readonly string[]) {
        super("input", `${message}: ${reasons.join("; ")}`);
        this.reasons = reasons;
    }
}

/** What is known of a failed exchange with a service. */
export interface Exchange {
    /** How messages call the service. */
    readonly service: string;
    /** Method and path, without query: `POST /v1/auth/clouda/role/dev`. */
    readonly operation: string;
}

/** The service answered with a status that is not a success. */
export class ServiceError extends StatecraftError {
    readonly service: string;
    readonly operation: string;
    readonly status: number;
    /** The server's own words; empty when it gave none. */
    readonly reasons: readonly string[];
    readonly requestId: string | undefined;
    /** An earlier try of the same request may have taken effect: what the service says of the last one does not tell. */
    readonly doubtful: boolean;

    constructor(
        exchange: Exchange & {
            status: number;
            reasons: readonly string[];
            requestId?: string | undefined;
            doubtful?: boolean;
        },
        options: { code?: string; hint?: string | undefined } = {},
    ) {
        const said = exchange.reasons.length > 0 ? exchange.reasons.join("; ") : "the server gave no reason";
        super(options.code ?? "service", `${exchange.operation}: ${exchange.status}: ${said}`, { hint: options.hint });
        this.service = exchange.service;
        this.operation = exchange.operation;
        this.status = exchange.status;
        this.reasons = exchange.reasons;
        this.requestId = exchange.requestId;
        this.doubtful = exchange.doubtful ?? false;
    }
}

/** A 404 in the service's own shape: the object is absent, or may not be seen. Any other 404 is a plain `ServiceError`. */
export class NotFoundError extends ServiceError {}

/** 409 or 412: the object's state does not allow the request. */
export class ConflictError extends ServiceError {}

/** 401 or 403: the token is missing, invalid or lacks a right. */
export class DeniedError extends ServiceError {}

/** 429, after all the retries that were allowed. */
export class LimitedError extends ServiceError {
    /** Seconds the server asked to wait, if it said so. */
    readonly retryAfter: number | undefined;

    constructor(
        exchange: ConstructorParameters<typeof ServiceError>[0] & { retryAfter?: number | undefined },
        options: ConstructorParameters<typeof ServiceError>[1] = {},
    ) {
        super(exchange, options);
        this.retryAfter = exchange.retryAfter;
    }
}

/** Products have names, and services of the documents have none. */
const called = (service: string) => (/^[A-Z]/.test(service) ? service : `the ${service}`);

/** No answer: the connection failed, was cut, or timed out. Whether the service acted is unknown unless `sent` is false. */
export class UnreachableError extends StatecraftError {
    readonly service: string;
    readonly operation: string;
    /** False when the request surely never reached the service (refused connection, unknown host, failed TLS). */
    readonly sent: boolean;

    constructor(
        exchange: Exchange & { sent: boolean },
        reason: string,
        options: { hint?: string | undefined; cause?: unknown } = {},
    ) {
        super("unreachable", `${exchange.operation}: no answer from ${called(exchange.service)}: ${reason}`, options);
        this.service = exchange.service;
        this.operation = exchange.operation;
        this.sent = exchange.sent;
    }
}

/** The service answered with something its document does not allow (a web page, cut or foreign JSON): the effect is unknown. */
export class AnswerError extends StatecraftError {
    readonly service: string;
    readonly operation: string;

    constructor(exchange: Exchange, problem: string, hint?: string) {
        super(
            "answer",
            `${exchange.operation}: ${called(exchange.service)} gave an answer that cannot be used: ${problem}`,
            { hint },
        );
        this.service = exchange.service;
        this.operation = exchange.operation;
    }
}

/** A mistake in statecraft itself. */
export class InternalError extends StatecraftError {
    constructor(message: string, cause?: unknown) {
        super("internal", `${message}. This is a mistake in statecraft: please report it.`, { cause });
    }
}

/** The same failure in other words, or with another hint: its class stays, and with it the status and whatever else the service told. */
export function reworded<Failure extends StatecraftError>(
    failure: Failure,
    words: { readonly code?: string; readonly message?: string; readonly hint?: string },
): Failure {
    return Object.assign(failure, words);
}

/** Whether a failure leaves open what the service did: an answer was lost, cannot be read, or is a gateway's instead of the service's. */
export function isLostAnswer(error: unknown): error is StatecraftError {
    if (error instanceof UnreachableError) return error.sent;
    if (error instanceof ServiceError) return error.doubtful || [502, 503, 504].includes(error.status);
    return error instanceof AnswerError;
}

/** The same, where a service is known to answer any 5xx after it has acted as well. */
export function mayHaveActed(error: unknown): error is StatecraftError {
    return isLostAnswer(error) || (error instanceof ServiceError && error.status >= 500);
}
