/** What an answer means: the body of a success, or an error with the server's own words. */

import { oneLine, redacted } from "../core/redaction";
import type { Answer, Service } from "../core/service";
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
const foreignAnswer =
    "Set `address` to where the service itself answers: this answer is from something else, such as a sign-in page or a gateway in front of it";

/** The body of a success. @throws AnswerError for what the service does not answer with */
export function readSuccess({ status, headers, bytes }: Received, exchange: Exchange, service: Service): unknown {
    const text = decoder.decode(bytes);
    if (text.trim() === "") return undefined;
    const type = mediaType(headers);
    const unusable = (problem: string) => new AnswerError(exchange, `${problem} (${status})`, foreignAnswer);
    if (isWebPage(text, headers)) throw unusable("a web page");
    if (!["", "application/json", service.contentType].includes(type)) throw unusable("its type is not JSON");
    const body = parse(text);
    if (body === undefined) throw unusable("its JSON is cut or broken");
    return body;
}

/** The answer of a failure, whatever its type: gateways may send JSON as text, and text as JSON. */
export function readAny({ service }: ClientContext, exchange: Exchange, { status, headers, bytes }: Received): Answer {
    const text = decoder.decode(bytes);
    const isJson = /json$/.test(mediaType(headers)) || /^\s*[[{]/.test(text);
    const json = isJson ? parse(text) : undefined;
    const body = json === undefined && text.trim() !== "" ? text : json;
    return inDocumentedNames(service.name, { exchange, status, headers, body });
}

/** Whether a body is for browsers, such as a sign-in page of a proxy. */
export function isWebPage(body: unknown, headers: Received["headers"]): boolean {
    if (typeof body !== "string") return false;
    return /^\s*(<!doctype html|<html|<head|<body)/i.test(body) || /html/.test(mediaType(headers));
}

function mediaType(headers: Received["headers"]): string {
    return (headers["content-type"] ?? "").replace(/;.*$/s, "").trim().toLowerCase();
}

/** `undefined` for what is not JSON. The parser's own message quotes the text. */
function parse(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** The error for an answer that is not a success. `asked`: seconds that the server asks to wait. */
export function refused(
    context: ClientContext,
    request: Request,
    response: Response,
    asked: number | undefined,
    doubtful: boolean,
): ServiceError {
    const { status } = response;
    const answer = readAny(context, request.exchange, response);
    const { operation } = request.exchange;
    const refusal = { operation, status, reasons: reasonsIn(context, request, answer), doubtful };
    const { own } = response;
    const isPage = isWebPage(answer.body, answer.headers);
    if (own && !isPage && context.service.absent(answer)) return new NotFoundError(refusal);
    if (status === 409 || status === 412) return new ConflictError(refusal);
    if (status === 429) {
        const when = asked === undefined ? "later" : `after ${Math.ceil(asked)} s`;
        return new LimitedError(refusal, `Run again ${when}, or lower \`maxConcurrency\` in the settings`, asked);
    }
    const hint = adviceOn(request, response, isPage, own ? context.service.hint?.(answer) : undefined);
    return status === 401 || status === 403 ? new DeniedError(refusal, hint) : new ServiceError(refusal, hint);
}

/** What to do about a refusal. `known`: what the service's file advises. */
function adviceOn(request: Request, response: Response, isPage: boolean, known?: string): string | undefined {
    const { status, own } = response;
    const isDenied = status === 401 || status === 403;
    if (request.kind !== "call" && !own) {
        const spent = "Run again to get a new address: this one has expired, or its content is gone";
        return isDenied || status === 404 || status === 410 ? spent : undefined;
    }
    if (status === 404 || status === 501) {
        return known ?? "Check `address` in the settings, and the mount: the server has nothing under this path";
    }
    if (isDenied && !own) {
        return "Set `address` to where the service answers without a redirect: the token is sent only to that address";
    }
    // The service never saw the request.
    if (isPage && status < 500) return foreignAnswer;
    return known ?? (isDenied ? "Set a valid token that has the right for this request" : undefined);
}

/** Letters of a reason, and reasons of an answer, that are shown. */
const [longest, most] = [500, 10];

/** The reasons as the service words them, otherwise as a gateway in front of it may have worded them. */
function reasonsIn({ service, secrets }: ClientContext, request: Request, answer: Answer): string[] {
    const { body, headers } = answer;
    if (request.kind === "upload") return ["the answer is not shown, because it may quote the upload"];
    if (isWebPage(body, headers)) return ["a web page"];
    const clean = (text: string) => {
        const line = oneLine(redacted(text, [...secrets, ...(request.secrets ?? [])]));
        const short = line.replace(/\s+/g, " ").trim();
        return short.length > longest ? `${short.slice(0, longest - 1)}…` : short;
    };
    const reasons = service.reasons(answer);
    const texts = reasons.length > 0 ? reasons : [body, field(body, "message"), field(body, "error")];
    const known = texts.slice(0, most).filter((text) => typeof text === "string");
    return known.map(clean).filter(Boolean);
}

function field(value: unknown, name: string): unknown {
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
