/** A server's own words in a failure, made fit to print. */

import { setImmediate as othersTurn } from "node:timers/promises";
import { redacting, type Secret } from "../core/redaction";
import type { Answer, Service } from "../core/service";
import { isWebPage } from "./body";

/** Letters of a reason, and reasons of an answer, that are shown. */
const longest = 500;
const most = 10;

/** What a failing answer says. */
export interface Said {
    readonly reasons: readonly string[];
    /** The request's number in the server's logs. */
    readonly requestId: string | undefined;
}

/**
 * The reasons as the service reads them, else as anything in front of it may have put them; without control characters and secrets: they are
 * looked for before anything is cut or folded. What was sent may be long, so others get their turn meanwhile.
 */
export async function saidIn(service: Service, answer: Answer, secrets: readonly Secret[]): Promise<Said> {
    const id = field(answer.body, "request_id") ?? answer.headers["x-request-id"];
    const texts = [typeof id === "string" ? id : "", ...reasonsIn(service, answer)];
    const steps = redacting(
        texts.map((text) => text.slice(0, 10 * longest)),
        secrets,
    );
    for (;;) {
        const { done, value } = steps.next();
        if (done) {
            const [requestId = "", ...reasons] = value.map(folded);
            return { reasons: reasons.filter((text) => text !== ""), requestId: requestId || undefined };
        }
        await othersTurn();
    }
}

/** One line, at most 500 characters. */
export function folded(text: string): string {
    const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
    return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

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
