/**
 * Registrations that this runtime removed last: a replacement that is then refused must be able to say how to put them back. Far more fit
 * in than one deployment replaces at a time.
 */

import type { RequestContext } from "../../core/request-context";
import type { Values } from "../../schema/facts";
import type { ObjectNode } from "../../schema/node";
import { changeSecrets } from "../../schema/secrets";
import { encode } from "../../schema/wire";
import { doorOf } from "../../vocabulary";
import type { Address } from "./whole-volume";

const mostCharacters = 2 ** 20;

/** What puts a volume back as it was. */
export interface Registration {
    readonly payload: string;
    /** The volume had secrets, which are not in the payload: it stands in a message. */
    readonly hadSecrets: boolean;
}

const createRegistrations = () => new Map<string, Registration>();

const registrationsOf = ({ memory }: RequestContext) => memory(createRegistrations);

async function keyOf({ servers }: RequestContext, { namespace, id }: Address): Promise<string> {
    const [server] = await servers();
    return JSON.stringify([server, namespace, id]);
}

/** Keeps the registration of a volume: `values` are what the service shows of it and, where it shows nothing, what state holds. */
export async function keepRegistration(
    context: RequestContext,
    address: Address,
    node: ObjectNode,
    values: Values,
): Promise<void> {
    const registrations = registrationsOf(context);
    const key = await keyOf(context, address);
    // What was kept last goes last.
    registrations.delete(key);
    registrations.set(key, registration(context, node, values));
    let held = [...registrations.values()].reduce((sum, { payload }) => sum + payload.length, 0);
    for (const [oldest, { payload }] of registrations) {
        if (held <= mostCharacters) return;
        registrations.delete(oldest);
        held -= payload.length;
    }
}

/** Forgets it: the volume is there. Called at each read, when there is mostly none. */
export async function dropRegistration(context: RequestContext, address: Address): Promise<void> {
    const registrations = registrationsOf(context);
    if (registrations.size > 0) registrations.delete(await keyOf(context, address));
}

/** The registration, if it is still at hand. */
export async function formerRegistration(context: RequestContext, address: Address): Promise<Registration | undefined> {
    return registrationsOf(context).get(await keyOf(context, address));
}

function registration({ vocabulary }: RequestContext, node: ObjectNode, values: Values): Registration {
    let hadSecrets = false;
    const shown = changeSecrets(node.secrets, values, (secret) => {
        hadSecrets ||= Object.keys(Object(secret)).length > 0;
        return undefined;
    });
    const body = { Volumes: [encode(node, shown)] };
    const request = { query: {}, headers: {}, body };
    const { body: sent } = doorOf("volumes", { vocabulary })?.request(request) ?? request;
    return { payload: JSON.stringify(sent).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped), hadSecrets };
}

/** A character that no message shows, as JSON writes it. */
const escaped = (character: string) =>
    character
        .split("")
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .join("");
