/** What the tests of state versions share: tokens, raw states, and the bodies of the document's requests. */
import { createHash } from "node:crypto";
import type { Seed, TokenSeed } from "../../../src/simulator/seed";
import type { Place } from "../exchanges";

export const tokens: readonly TokenSeed[] = [
    { token: "t-1", kind: "user", id: "user-1" },
    { token: "t-2", kind: "user", id: "user-2", owner: false },
    { token: "t-team", kind: "team", id: "team-1" },
    { token: "t-read", kind: "user", id: "user-3", access: "read" },
    { token: "t-none", kind: "user", id: "user-4", access: "none" },
    { token: "t-organization", kind: "organization", id: "acme" },
];

/** A workspace that `user-1` has locked. */
export const locked = { by: { type: "users" as const, id: "user-1" } };

/** Requests go to the API, with the token of `user-1` and as JSON:API documents. */
export function placeOf(seed: Seed): Place {
    const headers = { authorization: "Bearer t-1", "content-type": "application/vnd.api+json" };
    return { below: "/api/v2/", headers, seed: { tokens, ...seed } };
}

/** A raw state. */
export function stateOf(serial: number, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    return { version: 4, tool_version: "1.6.2", serial, lineage: "11aa", outputs: {}, resources: [], ...more };
}

/** The text of a raw state. */
export function raw(serial: number, more: Readonly<Record<string, unknown>> = {}): string {
    return JSON.stringify(stateOf(serial, more));
}

export function base64(text: string): string {
    return Buffer.from(text).toString("base64");
}

/** A request to create a version that carries this raw state. */
export function create(
    serial: number,
    text: string = raw(serial),
    attributes: object = {},
    workspace = "ws-1",
): string {
    const md5 = createHash("md5").update(text).digest("hex");
    const whole = { serial, md5, state: base64(text), ...attributes };
    return `POST workspaces/${workspace}/state-versions ${JSON.stringify({ data: { type: "state-versions", attributes: whole } })}`;
}

/** A request to create a version that waits for this raw state. */
export function announce(serial: number, text?: string): string {
    return create(serial, text, { state: undefined });
}

/** What shows the upload addresses of a version and its id, which these names with a number stand for. */
export function addresses(number: number): string {
    const attributes = {
        "hosted-state-upload-url": `<raw${number}>`,
        "hosted-json-state-upload-url": `<json${number}>`,
    };
    return JSON.stringify({ data: { id: `<id${number}>`, attributes } });
}

/** An upload of content. */
export function upload(address: string, content: string): string {
    return `PUT ${address} ${content} | authorization: | content-type: application/octet-stream`;
}

/** A request to roll back to a version. */
export function rollBack(id: string, workspace = "ws-1"): string {
    const relationships = { "rollback-state-version": { data: { type: "state-versions", id } } };
    return `PATCH workspaces/${workspace}/state-versions ${JSON.stringify({ data: { type: "state-versions", relationships } })}`;
}

/** The current version of the workspace is this one. */
export function isCurrent(id: string, workspace = "ws-1"): string {
    return `GET workspaces/${workspace}/current-state-version -> 200 {"data": {"id": "${id}"}}`;
}

/** An answer's attributes. */
export function attributes(fields: object): string {
    return JSON.stringify({ data: { attributes: fields } });
}

/** A version reads with these attributes. */
export function reads(id: string, fields: object): string {
    return `GET state-versions/${id} -> 200 ${attributes(fields)}`;
}
