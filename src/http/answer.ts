/** What an answer means: the body of a success, or one of the family of errors with the server's own words. */

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
import type { Received, SendFailure } from "./send";

/** The body of a failure, whatever it is: parsed JSON, else text, else `undefined`. */
export function readAny(received: Received): unknown {
    const text = decode(received.bytes);
    if (text.trim() === "") return undefined;
    // Types lie in failures: a gateway may well send JSON as text.
    const parsed = isJsonType(mediaType(received)) || /^\s*[[{]/.test(text) ? parse(text) : undefined;
    return parsed === undefined ? text : parsed.value;
}

/** The body of a success, or what is wrong with it. */
export function readSuccess(received: Received, service: Service): { body: unknown } | { problem: string } {
    const text = decode(received.bytes);
    if (text.trim() === "") return { body: undefined };
    if (isWebPage(text, received)) return { problem: `a web page (${received.status})` };
    const type = mediaType(received);
    if (type !== "" && type !== "application/json" && type !== service.contentType) {
        // A secret that is cut would not be found.
        return { problem: `a body of ${type.length > 100 ? "another type" : `the type ${type}`} (${received.status})` };
    }
    const parsed = parse(text);
    return parsed === undefined
        ? { problem: `JSON that is cut or broken (${received.status})` }
        : { body: parsed.value };
}

/** Whether a body is made for browsers, as proxies and sign-in pages are. */
export function isWebPage(body: unknown, received: Pick<Received, "headers">): boolean {
    if (typeof body !== "string") return false;
    return /^\s*(<!doctype html|<html|<head|<body)/i.test(body) || /html/.test(mediaType(received));
}

function mediaType(received: Pick<Received, "headers">): string {
    return (received.headers["content-type"] ?? "").split(";", 1).join().trim().toLowerCase();
}

function isJsonType(type: string): boolean {
    return type === "application/json" || type.endsWith("+json");
}

const decoder = new TextDecoder();

function decode(bytes: Buffer): string {
    return decoder.decode(bytes);
}

/** Wrapped, because `null` is JSON too. A parser's message quotes the text and is dropped. */
function parse(text: string): { value: unknown } | undefined {
    try {
        return { value: JSON.parse(text) };
    } catch {
        return undefined;
    }
}

/** A failing answer, and what is known around it. */
export interface Refusal {
    readonly service: Service;
    readonly exchange: Exchange;
    readonly answer: Answer;
    /** False for an answer of another origin, to which a redirect or an address led, or of an object store: it says nothing about our objects. */
    readonly own: boolean;
    /** The origin that gave it. */
    readonly from: string;
    /** Whether another answer named the address. */
    readonly named: boolean;
    /** It refuses an upload: it may quote the content. */
    readonly isUpload: boolean;
    /** Whether the request had the products' names. */
    readonly isTranslated: boolean;
    /** What must not be repeated, should the server quote it. */
    readonly secrets: readonly string[];
    /** Seconds the server asked to wait. */
    readonly asked: number | undefined;
    /** An earlier try may have had an effect. */
    readonly doubtful: boolean;
}

/** The error for an answer that is not a success. */
export function refused(refusal: Refusal): ServiceError {
    const { service, exchange, answer, own, from, named, isTranslated, asked, doubtful } = refusal;
    const { status } = answer;
    const facts = { ...exchange, status, ...saidIn(refusal), doubtful };
    const isPage = isWebPage(answer.body, answer);
    if (own && !isPage && service.absent(answer)) return new NotFoundError(facts, { code: "not-found" });
    if (status === 409 || status === 412) return new ConflictError(facts, { code: "conflict" });
    if (named && !own && [401, 403, 404, 410].includes(status)) {
        const spent = { hint: spentAddress() };
        return status < 404 ? new DeniedError(facts, { code: "denied", ...spent }) : new ServiceError(facts, spent);
    }
    const known = own ? service.hint?.(answer, isTranslated) : undefined;
    // A page is of something in front of the service, which never saw the request.
    const inFront = own && isPage && status < 500 ? foreignAnswer() : undefined;
    if (status === 401 || status === 403) {
        if (inFront !== undefined) return new DeniedError(facts, { code: "denied", hint: inFront });
        const hint = own ? denied() : deniedElsewhere({ origin: from });
        return new DeniedError(facts, { code: "denied", hint: joinSentences(hint, known) });
    }
    if (status === 429)
        return new LimitedError({ ...facts, retryAfter: asked }, { code: "limited", hint: later(asked) });
    if (status === 407) return new ServiceError(facts, { hint: proxyInTheWay() });
    // 501 is what a server without such a path answers where 404 would say something of objects.
    if (status === 404 || status === 501) {
        return new ServiceError(facts, { hint: known ?? nothingServed() });
    }
    return new ServiceError(facts, { hint: known ?? inFront });
}

/** The error for a wait that the server asked for and that is too long for us. */
export function tooLong(refusal: Refusal, asked: number): LimitedError {
    const { exchange, answer, doubtful } = refusal;
    const said = saidIn(refusal);
    const reasons = [...said.reasons, `it asked to wait ${Math.ceil(asked)} s, which is too long to wait here`];
    const facts = { ...exchange, ...said, status: answer.status, reasons, retryAfter: asked, doubtful };
    return new LimitedError(facts, { code: "limited", hint: later(asked) });
}

function later(asked: number | undefined): string {
    return asked === undefined ? limitedNow() : limitedFor({ seconds: String(Math.ceil(asked)) });
}

/** The error for an answer that did not come or cannot be read, after so many tries, any of which may have been `sent`. */
export function unanswered(
    exchange: Exchange,
    failure: SendFailure,
    { tries, sent }: { tries: number; sent: boolean },
): StatecraftError {
    const said = shortened(oneLine(failure.message));
    if (failure.kind === "unreadable") return new AnswerError(exchange, said, failure.hint);
    const reason = tries > 1 ? `${said}, after ${tries} tries` : said;
    // A plain error: those of axios hold the request's headers and body.
    const cause = Object.assign(new Error(said), { code: failure.code });
    return new UnreachableError({ ...exchange, sent }, reason, { hint: failure.hint, cause });
}

/** Letters of a reason, and reasons of an answer, that are shown. */
const longest = 500;
const most = 10;

/** What a failing answer says. */
interface Said {
    readonly reasons: readonly string[];
    /** The request's number in the server's logs. */
    readonly requestId: string | undefined;
}

/** The reasons as the service reads them, else as a gateway in front of it may have written them. */
function saidIn({ service, answer, isUpload, secrets }: Refusal): Said {
    const clean = (text: unknown) =>
        typeof text === "string" ? shortened(oneLine(redacted(text, secrets)).replace(/\s+/g, " ").trim()) : "";
    if (isUpload) return { reasons: [uploadAnswer], requestId: undefined };
    const reasons = reasonsIn(service, answer)
        .map(clean)
        .filter((text) => text !== "");
    const requestId = clean(field(answer.body, "request_id") ?? answer.headers["x-request-id"]);
    return { reasons, requestId: requestId || undefined };
}

const uploadAnswer = "its answer is not shown, because it may quote what was uploaded";

const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

function reasonsIn(service: Service, answer: Answer): string[] {
    if (isWebPage(answer.body, answer)) return ["a web page"];
    const own = service.reasons(answer);
    const all = own.length > 0 ? own : anybody(answer.body);
    return all.length > most ? [...all.slice(0, most), `and ${all.length - most} more`] : all;
}

/** Text, `{errors: […]}`, `{message}`, `{error}`: the shapes that gateways share. */
function anybody(body: unknown): string[] {
    if (typeof body === "string") return [body];
    const errors = field(body, "errors");
    const list = Array.isArray(errors) ? errors : [field(body, "message") ?? field(body, "error")];
    return list.map(said);
}

function said(item: unknown): string {
    if (typeof item === "string") return item;
    return ["title", "detail", "message"]
        .map((name) => field(item, name))
        .filter((part) => typeof part === "string")
        .join(": ");
}

function field(value: unknown, name: string): unknown {
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
