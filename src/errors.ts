/** The errors that statecraft throws. No message contains a token, a secret or the body of a request. docs/errors.md lists the codes. */

/**
 * The effect of a failed request, over all of its attempts:
 *
 * | fate       | how it ended                                                                         | effect         |
 * | ---------- | ------------------------------------------------------------------------------------ | -------------- |
 * | `unsent`   | no connection                                                                        | none           |
 * | `refused`  | 429, or the service refused it in its own words: with 4xx, 501, and to a write 500   | none           |
 * | `diverted` | something in front of the service refused it: a gateway's 403, a store's 404         | probably none  |
 * | `unknown`  | no answer, 408, any other 5xx, or an answer that is not one that the API documents   | may have had it |
 *
 * A write one of whose earlier attempts was `unknown` is `unknown`. So is a 500 of a service with `acts500`.
 */
export type Fate = "unsent" | "refused" | "diverted" | "unknown";

/** Base class of the errors that statecraft throws. */
export class StatecraftError extends Error {
    /** The error's code in docs/errors.md, such as `conflict`. Programs may compare it. */
    code: string;
    /** Advice: the next step for the user. */
    hint: string | undefined;
    /** The effect of the request. `undefined`: the error is not that of a request. */
    readonly fate: Fate | undefined;

    constructor(
        code: string,
        message: string,
        options: { hint?: string | undefined; cause?: unknown; fate?: Fate } = {},
    ) {
        super(message, options.cause === undefined ? {} : { cause: options.cause });
        this.name = new.target.name;
        this.code = code;
        this.hint = options.hint;
        this.fate = options.fate;
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
    /** The parameters of the path, by their names in the endpoint. */
    readonly parameters?: Readonly<Record<string, string>>;
    /** `Endpoint.advice` */
    readonly advice?: Advice | undefined;
}

/** Advice on refusals of a request, by status. */
export type Advice = Readonly<Record<number, string>>;

/** An answer whose status is not 2xx. */
export interface Refusal {
    /** Method and path, without query. */
    readonly operation: string;
    readonly status: number;
    /** The error messages in the answer. Empty if it has none. */
    readonly reasons: readonly string[];
    /** Default: `refused`. */
    readonly fate?: Fate;
    /** Advice for an answer that says that the object's place is absent, such as a mount, which the program may create. */
    readonly absentPlace?: string | undefined;
    /** The headers of the answer, by their names in lower case. */
    readonly headers?: Readonly<Record<string, string>>;
}

/** The service answered with a status that is not 2xx. */
export class ServiceError extends StatecraftError implements Omit<Refusal, "fate"> {
    /** The `code` of errors of this class. */
    static readonly code: string = "service";
    readonly operation: string;
    readonly status: number;
    readonly reasons: readonly string[];
    readonly absentPlace: string | undefined;
    // Private, because a program may print the error, and a header may contain a secret.
    readonly #headers: Readonly<Record<string, string>>;

    constructor(refusal: Refusal, hint?: string) {
        const { status, reasons, fate = "refused", headers = {} } = refusal;
        const text = reasons.join("; ") || "the server gave no reason";
        super(new.target.code, `${refusal.operation}: ${status}: ${text}`, { hint, fate });
        this.operation = refusal.operation;
        this.status = status;
        this.reasons = reasons;
        this.absentPlace = refusal.absentPlace;
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
    constructor({ service, operation }: Exchange, fate: Fate, reason: string, hint?: string) {
        super("unreachable", `${operation}: no answer from ${service}: ${reason}`, { hint, fate });
    }
}

/** The answer is not one that the API documents, such as a web page or truncated JSON. The service may have processed the request. */
export class AnswerError extends StatecraftError {
    constructor({ service, operation }: Exchange, problem: string, hint?: string) {
        const message = `${operation}: the answer from ${service} cannot be used: ${problem}`;
        super("answer", message, { hint, fate: "unknown" });
    }
}

/** A defect of statecraft itself. */
export class InternalError extends StatecraftError {
    constructor(message: string, cause?: unknown) {
        super("internal", message, { hint: "This is a defect of statecraft: please report it", cause });
    }
}

/** Whether a failed request may have had its effect, so that only a read shows whether it has. */
export const mayHaveActed = (error: unknown): error is StatecraftError =>
    error instanceof StatecraftError && error.fate === "unknown";

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
