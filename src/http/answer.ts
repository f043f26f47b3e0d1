/** Reads an answer: the body of a success, or an error with the error messages in the answer. */

import { cut, mostQuoted, oneLine, redacted } from "../core/redaction";
import type { Answer } from "../core/service";
import {
    AnswerError,
    ConflictError,
    DeniedError,
    type Fate,
    LimitedError,
    NotFoundError,
    ServiceError,
} from "../errors";
import { inDocumentedNames } from "../product-names";
import { isRecord, parsedJson } from "../schema/values";
import type { ClientContext } from "./client-context";
import type { Headers, Request, Response } from "./request";
import { accessAdvice } from "./send";

const decoder = new TextDecoder();

/** A successful answer with its body. @throws AnswerError for a body that is neither empty nor JSON */
export function readSuccess(context: ClientContext, request: Request, response: Response): Answer {
    const { status, headers, bytes } = response;
    const isJson = ["", "application/json", context.service.contentType].includes(mediaType(headers));
    const body = isJson ? parsedJson(decoder.decode(bytes)) : undefined;
    if (body !== undefined || isBlank(bytes)) return answerOf(context, request, response, body);
    const problem = isJson ? "its JSON is cut or broken" : "its type is not JSON";
    const what = isWebPage(decoder.decode(bytes), headers) ? "a web page" : problem;
    throw new AnswerError(request.exchange, `${what} (${status})`, foreignAdvice(context, request));
}

const isBlank = (bytes: Buffer) => bytes.every((byte) => byte <= 0x20);

/** The most bytes that are read of a failed answer. Its JSON is not parsed if it is longer. */
const longestFailure = 1024 ** 2;

export type Failure = Answer & Pick<Response, "fromService">;

/** A failed answer with its body parsed, whatever its content type: gateways may send JSON as text, and text as JSON. */
export function readFailure(context: ClientContext, request: Request, response: Response): Failure {
    const text = decoder.decode(response.bytes.subarray(0, longestFailure));
    const isJson = /json$/.test(mediaType(response.headers)) || /^\s*[[{]/.test(text);
    const json = isJson ? parsedJson(text) : undefined;
    const body = json === undefined && text.trim() !== "" ? text : json;
    return { ...answerOf(context, request, response, body), fromService: response.fromService };
}

/** The bytes of a download. @throws AnswerError for a web page */
export function readBytes({ exchange, url }: Request, { headers, bytes }: Response): Buffer {
    if (isWebPage(bytes.subarray(0, 100).toString(), headers)) {
        throw new AnswerError(exchange, "a web page", accessAdvice(url));
    }
    return bytes;
}

function answerOf({ service }: ClientContext, { exchange }: Request, response: Response, body: unknown): Answer {
    const { status, headers } = response;
    const answer = { exchange, status, headers, body };
    return service.name === undefined ? answer : inDocumentedNames(service.name, answer);
}

/** Whether a body is a web page, such as the sign-in page of a proxy. */
function isWebPage(body: unknown, headers: Headers): boolean {
    if (typeof body !== "string") return false;
    return /^\s*(<!doctype html|<html|<head|<body)/i.test(body) || /html/.test(mediaType(headers));
}

const mediaType = (headers: Headers) => (headers["content-type"] ?? "").replace(/;.*$/s, "").trim().toLowerCase();

/** Whether a failure of the service has the form that it documents, and is not that of a gateway. */
export const isOwn = ({ service }: ClientContext, answer: Answer) =>
    !isWebPage(answer.body, answer.headers) && (service.absent(answer) || service.reasons(answer).length > 0);

export const isWrite = ({ method }: Request) => method !== "GET" && method !== "LIST";

/** The error for an answer that is not 2xx. */
export function refusalOf(context: ClientContext, request: Request, answer: Failure, fate: Fate) {
    const { service } = context;
    const { kind, exchange } = request;
    const { status, body, headers, fromService } = answer;
    const reasons = reasonsIn(context, request, answer);
    const absentPlace = fromService ? service.absentPlace?.(answer) : undefined;
    const refusal = { operation: exchange.operation, status, reasons, fate, absentPlace, headers };
    const isPage = isWebPage(body, headers);
    const ofService = fromService ? service.hint?.(answer) : undefined;
    if (fromService && !isPage && service.absent(answer)) return new NotFoundError(refusal, ofService);
    if (status === 409 || status === 412) return new ConflictError(refusal, ofService);
    if (status === 429) {
        const wait = requestedWait(answer, context.clock.date());
        const when = wait === undefined ? "later" : `after ${Math.ceil(wait)} s`;
        const again = `Run again ${when}, or lower \`maxConcurrency\` in the settings`;
        return new LimitedError(refusal, ofService ?? again, wait);
    }
    if (status === 413) {
        const advice = "raise its limit, such as `client_max_body_size` of nginx";
        return new ServiceError(
            refusal,
            `${exchange.service}, or a gateway in front of it, refuses a request of this size: ${advice}`,
        );
    }
    // A web page with a status below 500 comes from something in front of the service, which has not received the request.
    const advice =
        isPage && status < 500 ? foreignAdvice(context, request) : adviceOn(context, request, answer, ofService);
    const expired = "Run again to get a new address: this one expired, was used already, or its content was deleted";
    const usual = [401, 403, 404, 410].includes(status) ? expired : undefined;
    const adviceOnTransfer = isPage ? accessAdvice(request.url) : usual;
    const hint = kind === "call" || fromService ? advice : adviceOnTransfer;
    return status === 401 || status === 403 ? new DeniedError(refusal, hint) : new ServiceError(refusal, hint);
}

/**
 * The wait that the server asks for, in seconds: `Retry-After` in seconds or as a date, or for 429 `x-ratelimit-reset` in seconds, from now or since 1970.
 * @param date the time, for an answer without one
 */
export function requestedWait({ status, headers }: Omit<Response, "bytes">, date: number): number | undefined {
    const after = headers["retry-after"] ?? (status === 429 ? headers["x-ratelimit-reset"] : undefined) ?? "";
    // The clock of the server may differ from that of this machine.
    const now = Date.parse(headers["date"] ?? "") || date;
    const number = /^[\d.]+$/.test(after) ? Number(after) : (Date.parse(after) - now) / 1000;
    // Some gateways send the time of the reset, in seconds since 1970.
    const seconds = number > 1e9 ? number - now / 1000 : number;
    return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Advice for an answer that came from something in front of the service. */
const foreignAdvice = ({ address }: ClientContext, { exchange }: Request) =>
    `A sign-in page or a proxy in front of ${exchange.service} probably answered: set \`address\`, now ${address}, to that of the API`;

/** Advice for a failed answer. @param ofService the advice of `Service.hint` */
function adviceOn({ address }: ClientContext, request: Request, { status, fromService }: Failure, ofService?: string) {
    const { exchange, tokenSource } = request;
    if (status === 404 || status === 501) {
        return ofService ?? `Set \`address\` to that of ${exchange.service}: ${address} has nothing under this path`;
    }
    if (status !== 401 && status !== 403) return ofService;
    const advice = ofService ?? "Set a valid token that has the right for this request";
    if (fromService) return tokenSource === undefined ? advice : `${advice}; ${tokenSource}`;
    const other = "if that is another address of the same server, add it to `otherAddresses`";
    return `Set \`address\` to where the service answers without a redirect, or ${other}: the token is sent only to these`;
}

/** The error messages in an answer, in the form of the service, or else in a usual form of gateways. */
function reasonsIn({ secrets, service }: ClientContext, request: Request, answer: Answer): string[] {
    const { kind, quotable } = request;
    const { body, headers } = answer;
    const hidden = "the answer is not shown, because it may quote the request, or a secret";
    if (kind === "upload") return [hidden];
    if (isWebPage(body, headers)) return ["a web page"];
    const known = [...secrets, ...(request.secrets ?? [])];
    const clean = (text: string) => {
        const shown = quotable ? (text.match(quotable)?.join(": ") ?? hidden) : text;
        return cut(oneLine(redacted(shown, known)).replace(/\s+/g, " ").trim());
    };
    const reasons = service.reasons(answer);
    const usual = isRecord(body) ? [body["message"], body["error"]] : [body];
    const texts = (reasons.length > 0 ? reasons : usual)
        .slice(0, mostQuoted)
        .filter((text) => typeof text === "string");
    return texts.map(clean).filter(Boolean);
}
