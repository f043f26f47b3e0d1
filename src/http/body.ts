/** Reading the bytes of a body. */

import type { Service } from "../core/service";
import type { Received } from "./send";

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
        return { problem: `a body of the type ${type.slice(0, 100)} (${received.status})` };
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

function decode(bytes: Buffer): string {
    return new TextDecoder().decode(bytes);
}

/** Wrapped, because `null` is JSON too. A parser's message quotes the text and is dropped. */
function parse(text: string): { value: unknown } | undefined {
    try {
        return { value: JSON.parse(text) };
    } catch {
        return undefined;
    }
}
