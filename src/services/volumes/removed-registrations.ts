/**
 * Registrations that this host removed last: a replacement that is then refused must be able to say how to put them back. Far
 * more fit in than one deployment replaces at a time.
 */

import type { Fields, Props } from "../../core/field";
import { place } from "../../core/memory";
import type { Session } from "../../core/session";
import { productDoor } from "../../vocabulary";

const payloadsIn = place(() => new Map<string, string>());
const mostCharacters = 2 ** 20;

interface Place {
    readonly namespace: string;
    readonly id: string;
}

const keyOf = ({ server }: Session, { namespace, id }: Place) => JSON.stringify([server, namespace, id]);

/** Keeps the payload that puts a volume back as it was, as far as the service shows it. */
export function keepRegistration(session: Session, at: Place, fields: Fields, volume: Props): void {
    dropRegistration(session, at);
    const payloads = payloadsIn(session.memory);
    payloads.set(keyOf(session, at), JSON.stringify(registration(session, fields, volume)));
    let held = [...payloads.values()].join("").length;
    for (const [oldest, { length }] of payloads) {
        if (held <= mostCharacters) return;
        payloads.delete(oldest);
        held -= length;
    }
}

/** Forgets it: the volume is there. */
export function dropRegistration(session: Session, at: Place): void {
    payloadsIn(session.memory).delete(keyOf(session, at));
}

/** The payload, if it is still at hand. */
export function formerRegistration(session: Session, at: Place): string | undefined {
    return payloadsIn(session.memory).get(keyOf(session, at));
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
