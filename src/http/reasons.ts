/** A server's own words in a failure, made fit to print. */

import { redacted } from "../core/redaction";
import type { Answer, Service } from "../core/service";
import { isWebPage } from "./body";

const longest = 500;

/** The reasons as the service reads them, else as anything in front of it may have put them; without control characters and secrets. */
export function reasonsOf(service: Service, answer: Answer, secrets: readonly string[]): string[] {
    if (isWebPage(answer.body, answer)) return ["a web page"];
    const own = service.reasons(answer);
    const said = own.length > 0 ? own : anybody(answer.body);
    return said.map((text) => tidy(text, secrets)).filter((text) => text !== "");
}

/** One line, at most 500 characters, and none of the secrets that we sent: they are looked for before anything is cut or folded. */
export function tidy(text: string, secrets: readonly string[]): string {
    const line = redacted(text.slice(0, 10 * longest), secrets)
        .replace(/[\s\p{Cc}\p{Cf}]+/gu, " ")
        .trim();
    return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** The request's number in the server's logs. */
export function requestIdOf(answer: Answer, secrets: readonly string[]): string | undefined {
    const id = field(answer.body, "request_id") ?? answer.headers["x-request-id"];
    return typeof id === "string" && id !== "" ? tidy(id, secrets) : undefined;
}

/** Text, `{errors: […]}`, `{message}`, `{error}`: the shapes that gateways share. */
function anybody(body: unknown): string[] {
    if (typeof body === "string") return [body];
    const errors = field(body, "errors");
    const list = Array.isArray(errors) ? errors : [field(body, "message") ?? field(body, "error")];
    return list.flatMap((item) => said(item) ?? []);
}

function said(item: unknown): string | undefined {
    if (typeof item === "string") return item;
    const parts = ["title", "detail", "message"]
        .map((name) => field(item, name))
        .filter((part) => typeof part === "string");
    return parts.length > 0 ? parts.join(": ") : undefined;
}

function field(value: unknown, name: string): unknown {
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
