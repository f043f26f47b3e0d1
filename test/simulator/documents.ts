/** Documents of state versions, for the tests of the simulator. */
import { createHash } from "node:crypto";

/** A raw state. */
export function rawState(serial: number, extra: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    return { version: 4, tool_version: "1.6.2", serial, lineage: "11aa", outputs: {}, resources: [], ...extra };
}

/** MD5 of a text. */
export function md5(text: string): string {
    return createHash("md5").update(text).digest("hex");
}

/** The body of a create that carries this raw state, or that announces it. */
export function creation(raw: string, serial: number, attributes: Readonly<Record<string, unknown>> = {}): object {
    return {
        data: {
            type: "state-versions",
            attributes: { serial, md5: md5(raw), state: Buffer.from(raw).toString("base64"), ...attributes },
        },
    };
}

/** The body of a rollback. */
export function rollback(id: string): object {
    return {
        data: {
            type: "state-versions",
            relationships: { "rollback-state-version": { data: { type: "state-versions", id } } },
        },
    };
}
