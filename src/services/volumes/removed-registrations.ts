/**
 * Registrations that this process removed last: a replacement that is then refused must be able to say how to put them back. Far
 * more fit in than one deployment replaces at a time.
 */

import type { Fields, Props } from "../../core/field";
import type { Session } from "../../core/session";
import { productDoor } from "../../vocabulary";

const payloads = new Map<string, string>();
const mostCharacters = 2 ** 20;

interface Place {
    readonly namespace: string;
    readonly id: string;
}

const keyOf = ({ server }: Session, { namespace, id }: Place) => JSON.stringify([server, namespace, id]);

/** Keeps the payload that puts a volume back as it was, as far as the service shows it. */
export function keepRegistration(session: Session, place: Place, fields: Fields, volume: Props): void {
    dropRegistration(session, place);
    payloads.set(keyOf(session, place), JSON.stringify(registration(session, fields, volume)));
    let held = [...payloads.values()].join("").length;
    for (const [oldest, { length }] of payloads) {
        if (held <= mostCharacters) return;
        payloads.delete(oldest);
        held -= length;
    }
}

/** Forgets it: the volume is there. */
export function dropRegistration(session: Session, place: Place): void {
    payloads.delete(keyOf(session, place));
}

/** The payload, if it is still at hand. */
export function formerRegistration(session: Session, place: Place): string | undefined {
    return payloads.get(keyOf(session, place));
}

function registration({ vocabulary }: Session, fields: Fields, volume: Props): unknown {
    const entries = Object.values(fields).flatMap(({ wire, secret }) =>
        wire === undefined || secret ? [] : [[wire, volume[wire]] as const],
    );
    const body = {
        Volumes: [Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null))],
    };
    return vocabulary === "product" ? productDoor("volumes").request({ query: {}, headers: {}, body }).body : body;
}
