/**
 * Registrations that this runtime removed last: a replacement that is then refused must be able to say how to put them back. Far more fit
 * in than one deployment replaces at a time.
 */

import type { Body } from "../../core/named-object-spec";
import type { RequestContext } from "../../core/request-context";
import { productDoor } from "../../vocabulary";
import type { Address } from "./whole-volume";

const mostCharacters = 2 ** 20;

const createPayloads = () => new Map<string, string>();

const payloadsOf = ({ memory }: RequestContext) => memory(createPayloads);

async function keyOf({ servers }: RequestContext, { namespace, id }: Address): Promise<string> {
    const [server] = await servers();
    return JSON.stringify([server, namespace, id]);
}

/** Keeps the payload that puts a volume back as it was, as far as the service shows it. */
export async function keepRegistration(context: RequestContext, address: Address, volume: Body): Promise<void> {
    const payloads = payloadsOf(context);
    const key = await keyOf(context, address);
    // What was kept last goes last.
    payloads.delete(key);
    payloads.set(key, JSON.stringify(registration(context, volume)));
    let held = [...payloads.values()].join("").length;
    for (const [oldest, { length }] of payloads) {
        if (held <= mostCharacters) return;
        payloads.delete(oldest);
        held -= length;
    }
}

/** Forgets it: the volume is there. */
export async function dropRegistration(context: RequestContext, address: Address): Promise<void> {
    payloadsOf(context).delete(await keyOf(context, address));
}

/** The payload, if it is still at hand. */
export async function formerRegistration(context: RequestContext, address: Address): Promise<string | undefined> {
    return payloadsOf(context).get(await keyOf(context, address));
}

function registration({ vocabulary }: RequestContext, volume: Body): unknown {
    const body = { Volumes: [volume] };
    return vocabulary === "product" ? productDoor("volumes").request({ query: {}, headers: {}, body }).body : body;
}
