/** The identity of a server, by which state remembers where its objects are. */

import { ConfigError, UnreachableError } from "../errors";
import { userAgent } from "../version";
import { isLoopback } from "./connect";
import { SendFailure, send } from "./send";

/** What helps to tell an identity. */
interface Hints {
    /** What state says of a server. A server that was not a simulator is not asked again. */
    readonly known?: unknown;
    /** Milliseconds that an answer may take. */
    readonly patience?: number;
}

/**
 * Tells the identity of a server from its address.
 * @throws ConfigError where the address is none; UnreachableError where a loopback host accepts the question whether it is a simulator and
 * says nothing for `patience` milliseconds.
 */
export type Identify = (address: string, hints?: Hints) => Promise<string>;

/**
 * The identity is `simulator:<id>` for our simulator, which has another port each time; else origin and path of the address, without user,
 * query, fragment and the slash at its end.
 *
 * | a host                                     | is asked whether it is our simulator       |
 * | ------------------------------------------ | ------------------------------------------ |
 * | that is not on this machine, or has TLS    | never                                      |
 * | of which state says that it is another     | not any more                               |
 * | that answered, whatever it said            | once                                       |
 * | that did not answer                        | each time                                  |
 */
export function createIdentify(): Identify {
    const places = new Map<string, Place>();
    const known = new Map<string, Promise<string | undefined>>();
    return async (address, { known: stored, patience = 20_000 } = {}) => {
        const place = places.get(address) ?? placeOf(address);
        places.set(address, place);
        const { plain, origin, isHere } = place;
        if (!isHere) return plain;
        const forget = () => known.delete(origin);
        const ask = () => (stored === plain ? Promise.resolve(undefined) : askSimulator(origin, patience, forget));
        const asked = known.get(origin) ?? ask();
        known.set(origin, asked);
        const id = await asked;
        return id === undefined ? plain : `simulator:${id}`;
    };
}

/** What an address says of its server. */
interface Place {
    readonly origin: string;
    /** Origin and path. */
    readonly plain: string;
    /** The simulator may be there: it serves this machine, and no TLS. */
    readonly isHere: boolean;
}

/** @throws ConfigError where the address is none */
function placeOf(address: string): Place {
    if (!URL.canParse(address)) throw new ConfigError("address", "The address of a service is not a URL.");
    const { origin, pathname, protocol, hostname } = new URL(address);
    return {
        origin,
        plain: origin + pathname.replace(/\/+$/, ""),
        isHere: protocol === "http:" && isLoopback(hostname),
    };
}

/** `forget`: nobody has answered, so the next question is asked anew. */
async function askSimulator(origin: string, patience: number, forget: () => void): Promise<string | undefined> {
    try {
        const url = new URL("/simulator", origin);
        const headers = { "User-Agent": userAgent, Accept: "application/json" };
        const exchange = { service: "service", operation: "GET /simulator" };
        const answer = await send(
            {
                exchange,
                kind: "call",
                method: "GET",
                url,
                headers,
                foreignHeaders: headers,
                repeat: "always",
                timeout: patience,
            },
            // No agent of ours: a connection for this one question, past any proxy.
            { url, headers, connection: { proxy: false } },
            AbortSignal.timeout(patience),
        );
        if (answer instanceof SendFailure) throw answer;
        const body: unknown = answer.status === 200 ? JSON.parse(answer.bytes.toString()) : undefined;
        const id = typeof body === "object" && body !== null && "simulator" in body ? body.simulator : undefined;
        return typeof id === "string" && id !== "" ? id : undefined;
    } catch (error) {
        if (!(error instanceof SendFailure)) return undefined;
        const isSilent = error.code === "ETIMEDOUT";
        // One may be started later under the same address, or have more time.
        if (isSilent || error.kind === "unsent") forget();
        if (!isSilent) return undefined;
        // Taken for another server now, a slow simulator would be parted from its objects for good.
        const exchange = { service: "service", operation: "GET /simulator", sent: false };
        throw new UnreachableError(exchange, error.message, { hint: "Is the service overloaded? Run again" });
    }
}
