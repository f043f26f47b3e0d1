/** Reads an answer: the body of a success, or an error with the error messages in the answer. */

import { oneLine, redacted } from "../core/redaction";
import type { Answer } from "../core/service";
import {
    AnswerError,
    ConflictError,
    DeniedError,
    type Exchange,
    LimitedError,
    NotFoundError,
    ServiceError,
} from "../errors";
import { inDocumentedNames } from "../product-names";
import type { ClientContext, Response } from "./retry";
import type { Received, Request } from "./send";

const decoder = new TextDecoder();

/** Advice for an answer that did not come from the service, but from something in front of it. */
const foreignAnswer = ({ address, title }: ClientContext) =>
    `A sign-in page or a proxy in front of ${title} probably answered: set \`address\`, now ${address}, to that of the API`;

/** The body of a successful answer. @throws AnswerError for a body that is neither empty nor JSON */
export function readSuccess(context: ClientContext, exchange: Exchange, { status, headers, bytes }: Received): unknown {
    const text = decoder.decode(bytes);
    if (text.trim() === "") return undefined;
    const isJson = ["", "application/json", context.service.contentType].includes(mediaType(headers));
    const body = isJson ? parse(text) : undefined;
    if (body !== undefined) return body;
    const problem = isJson ? "its JSON is cut or broken" : "its type is not JSON";
    const what = isWebPage(text, headers) ? "a web page" : problem;
    throw new AnswerError(exchange, `${what} (${status})`, foreignAnswer(context));
}

/** A failed answer with its body parsed, whatever its content type: gateways may send JSON as text, and text as JSON. */
export function readAny({ service }: ClientContext, exchange: Exchange, { status, headers, bytes }: Received): Answer {
    const text = decoder.decode(bytes);
    const isJson = /json$/.test(mediaType(headers)) || /^\s*[[{]/.test(text);
    const json = isJson ? parse(text) : undefined;
    const body = json === undefined && text.trim() !== "" ? text : json;
    return inDocumentedNames(service.name, { exchange, status, headers, body });
}

/** Whether a body is a web page, such as the sign-in page of a proxy. */
export function isWebPage(body: unknown, headers: Received["headers"]): boolean {
    if (typeof body !== "string") return false;
    return /^\s*(<!doctype html|<html|<head|<body)/i.test(body) || /html/.test(mediaType(headers));
}

function mediaType(headers: Received["headers"]): string {
    return (headers["content-type"] ?? "").replace(/;.*$/s, "").trim().toLowerCase();
}

/** Parses JSON. Returns `undefined` for other texts instead of the parser's error, whose message quotes the text. */
function parse(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

/**
 * The error for an answer that is not 2xx.
 * @param requested seconds that the server asks the client to wait
 * @param doubtful whether an earlier attempt may have taken effect
 */
export function refused(
    context: ClientContext,
    request: Request,
    response: Response,
    requested: number | undefined,
    doubtful: boolean,
): ServiceError {
    const { status, fromService } = response;
    const { operation } = request.exchange;
    const answer = readAny(context, request.exchange, response);
    const refusal = { operation, status, reasons: reasonsIn(context, request, answer), doubtful };
    const isPage = isWebPage(answer.body, answer.headers);
    const known = fromService ? context.service.hint?.(answer) : undefined;
    if (fromService && !isPage && context.service.absent(answer)) return new NotFoundError(refusal, known);
    if (status === 409 || status === 412) return new ConflictError(refusal, known);
    if (status === 429) {
        const when = requested === undefined ? "later" : `after ${Math.ceil(requested)} s`;
        return new LimitedError(refusal, `Run again ${when}, or lower \`maxConcurrency\` in the settings`, requested);
    }
    // A web page with a status below 500 comes from something in front of the service, which has not received the request.
    const advice = isPage && status < 500 ? foreignAnswer(context) : adviceOn(context, response, known);
    const expired = "Run again to get a new address: this one expired, was used already, or its content was deleted";
    const hint =
        request.kind === "call" || fromService ? advice : [401, 403, 404, 410].includes(status) ? expired : undefined;
    return status === 401 || status === 403 ? new DeniedError(refusal, hint) : new ServiceError(refusal, hint);
}

/** Advice for a failed answer. @param known the advice of the service's file */
function adviceOn({ address, title }: ClientContext, { status, fromService }: Response, known?: string) {
    if (status === 404 || status === 501) {
        return known ?? `Set \`address\` to that of ${title}: ${address} has nothing under this path`;
    }
    if (status !== 401 && status !== 403) return known;
    return fromService
        ? (known ?? "Set a valid token that has the right for this request")
        : "Set `address` to where the service answers without a redirect: the token is sent only to that address";
}

/** Limits of messages: characters of one reason, and reasons of one answer. */
const [longest, most] = [500, 10];

/** The error messages in an answer, in the form of the service, or else in usual forms of gateways. */
function reasonsIn({ service, secrets }: ClientContext, request: Request, answer: Answer): string[] {
    const { body, headers } = answer;
    if (request.kind === "upload") return ["the answer is not shown, because it may quote the upload"];
    if (isWebPage(body, headers)) return ["a web page"];
    const clean = (text: string) => {
        const line = oneLine(redacted(text, [...secrets, ...(request.secrets ?? [])]));
        const words = line.replace(/\s+/g, " ").trim();
        return words.length > longest ? `${words.slice(0, longest - 1)}…` : words;
    };
    const reasons = service.reasons(answer);
    const texts = reasons.length > 0 ? reasons : [body, field(body, "message"), field(body, "error")];
    const known = texts.slice(0, most).filter((text) => typeof text === "string");
    return known.map(clean).filter(Boolean);
}

function field(value: unknown, name: string): unknown {
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
