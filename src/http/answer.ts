/** What an answer means: the body of a success, or an error with the server's own words. */

import { joinSentences } from "../core/format-error";
import { oneLine, redacted } from "../core/redaction";
import {
    denied,
    deniedElsewhere,
    foreignAnswer,
    limitedFor,
    limitedNow,
    nothingServed,
    proxyInTheWay,
    spentAddress,
} from "../core/request-failures";
import type { Answer, Service } from "../core/service";
import {
    AnswerError,
    ConflictError,
    DeniedError,
    type Exchange,
    LimitedError,
    NotFoundError,
    ServiceError,
    type StatecraftError,
    UnreachableError,
} from "../errors";
import { inDocumentedNames } from "../product-names";
import type { ClientContext, Response } from "./retry";
import type { Received, Request, SendFailure } from "./send";

/** The answer of a failure, whatever its type: gateways may send JSON as text, and text as JSON. */
export function readAny({ service }: ClientContext, exchange: Exchange, { status, headers, bytes }: Received): Answer {
    const text = decoder.decode(bytes);
    const isJson = /json$/.test(mediaType(headers)) || /^\s*[[{]/.test(text);
    const body = text.trim() === "" ? undefined : ((isJson ? parse(text) : undefined) ?? { value: text });
    return inDocumentedNames(service.name, { exchange, status, headers, body: body?.value });
}

/** The body of a success. @throws AnswerError for what the service does not answer with */
export function readSuccess({ status, headers, bytes }: Received, exchange: Exchange, service: Service): unknown {
    const text = decoder.decode(bytes);
    if (text.trim() === "") return undefined;
    const type = mediaType(headers);
    const unusable = (problem: string) => new AnswerError(exchange, `${problem} (${status})`, foreignAnswer());
    if (isWebPage(text, headers)) throw unusable("a web page");
    if (type !== "" && type !== "application/json" && type !== service.contentType) {
        throw unusable(`a body of ${type.length > 100 ? "another type" : `the type ${type}`}`);
    }
    const parsed = parse(text);
    if (parsed === undefined) throw unusable("JSON that is cut or broken");
    return parsed.value;
}

/** Whether a body is made for browsers, as those of proxies and sign-in pages are. */
export function isWebPage(body: unknown, headers: Received["headers"]): boolean {
    if (typeof body !== "string") return false;
    return /^\s*(<!doctype html|<html|<head|<body)/i.test(body) || /html/.test(mediaType(headers));
}

const decoder = new TextDecoder();

function mediaType(headers: Received["headers"]): string {
    return (headers["content-type"] ?? "").replace(/;.*$/s, "").trim().toLowerCase();
}

/** Wrapped, because `null` is JSON too. A parser's message quotes the text, so it is dropped. */
function parse(text: string): { value: unknown } | undefined {
    try {
        return { value: JSON.parse(text) };
    } catch {
        return undefined;
    }
}

/** The error for an answer that is not a success. */
export function refused(
    context: ClientContext,
    request: Request,
    response: Response,
    { asked, isDoubtful }: { readonly asked: number | undefined; readonly isDoubtful: boolean },
): ServiceError {
    const { service } = context;
    const { exchange, kind } = request;
    const { status } = response;
    const answer = readAny(context, exchange, response);
    const isPage = isWebPage(answer.body, answer.headers);
    const own = response.own && kind !== "upload";
    const facts = { ...exchange, status, ...saidIn(context, request, answer), doubtful: isDoubtful };
    if (own && !isPage && service.absent(answer)) return new NotFoundError(facts, { code: "not-found" });
    if (status === 409 || status === 412) return new ConflictError(facts, { code: "conflict" });
    if (kind !== "call" && !own && [401, 403, 404, 410].includes(status)) {
        const hint = spentAddress();
        return status < 404 ? new DeniedError(facts, { code: "denied", hint }) : new ServiceError(facts, { hint });
    }
    const known = own ? service.hint?.(answer) : undefined;
    // A web page comes from something in front of the service, which never saw the request.
    const inFront = own && isPage && status < 500 ? foreignAnswer() : undefined;
    if (status === 401 || status === 403) {
        const hint = own ? denied() : deniedElsewhere({ origin: response.from });
        return new DeniedError(facts, { code: "denied", hint: inFront ?? joinSentences(hint, known) });
    }
    if (status === 429) {
        const hint = asked === undefined ? limitedNow() : limitedFor({ seconds: String(Math.ceil(asked)) });
        return new LimitedError({ ...facts, retryAfter: asked }, { code: "limited", hint });
    }
    if (status === 407) return new ServiceError(facts, { hint: proxyInTheWay() });
    // A server without such a path may answer 501.
    const nowhere = status === 404 || status === 501 ? nothingServed() : inFront;
    return new ServiceError(facts, { hint: known ?? nowhere });
}

/** The error for an answer that did not come or cannot be read. `sent`: one of the tries may have had an effect. */
export function unanswered(exchange: Exchange, failure: SendFailure, tries: number, sent: boolean): StatecraftError {
    const { code, hint, kind } = failure;
    const text = oneLine(failure.message);
    if (kind === "unreadable") return new AnswerError(exchange, text, hint);
    const reason = tries > 1 ? `${text}, after ${tries} tries` : text;
    // A plain error: those of axios hold the request's headers and body.
    return new UnreachableError({ ...exchange, sent }, reason, {
        hint,
        cause: Object.assign(new Error(text), { code }),
    });
}

/** Letters of a reason, and reasons of an answer, that are shown. */
const [longest, most] = [500, 10];

/** The reasons as the service reads them, else as a gateway in front of it may have written them, and the request's number in the server's log. */
function saidIn({ service, secrets }: ClientContext, request: Request, answer: Answer) {
    const { body, headers } = answer;
    if (request.kind === "upload")
        return { reasons: ["its answer is not shown, because it may quote what was uploaded"] };
    const clean = (value: unknown) => {
        const text = typeof value === "string" ? redacted(value, [...secrets, ...(request.secrets ?? [])]) : "";
        const line = oneLine(text).replace(/\s+/g, " ").trim();
        return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
    };
    const reasons = service.reasons(answer);
    const gateway = [body, field(body, "message"), field(body, "error")];
    const all = isWebPage(body, headers) ? ["a web page"] : reasons.length > 0 ? reasons : gateway;
    const requestId = clean(field(body, "request_id") ?? headers["x-request-id"]);
    return { reasons: all.slice(0, most).map(clean).filter(Boolean), requestId: requestId || undefined };
}

function field(value: unknown, name: string): unknown {
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
