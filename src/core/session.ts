/** What operations may use while they run: handed in, so that nothing here knows HTTP or the engine. */

import type { Defaults } from "../schema/facts";
import { unlessAborted } from "./abort";
import type { KeyedMutex } from "./keyed-mutex";
import type { Client } from "./service";
import type { StandIns } from "./stand-ins";

/** Operations against one service. */
export interface Session extends Defaults {
    readonly client: Client;
    /** The server that the settings lead to, as it is stored in the output `server`, then its `otherAddresses`. */
    readonly servers: readonly [string, ...string[]];
    /** Where its settings are in the stack's configuration: `statecraft:vault`, or `statecraft:connections.dr.vault`. */
    readonly settingsKey: string;
    /** What messages call that server: Vault, or the secrets manager. */
    readonly product: string;
    /** What this process must not do twice at once to one object, under its id. */
    readonly exclusive: KeyedMutex;
    /** What programs wrote where state holds a digest. */
    readonly standIns: StandIns;
    /** Objects that are exactly what is asked for may be taken over in this run (`STATECRAFT_ADOPT=identical`). */
    readonly adoptIdentical: boolean;
    /** Shows the user a warning at the resource. */
    warn(message: string): void;
    /** Shows the user what is good to know. */
    inform(message: string): void;
    /** Shows the user what is being waited for. */
    progress(message: string): void;
    /** Milliseconds since some fixed time, for time-outs. */
    now(): number;
    /** Waits that many milliseconds. */
    sleep(milliseconds: number): Promise<void>;
}

/** A session whose requests and waits end when the signal aborts. */
export function abortable(session: Session, signal: AbortSignal): Session {
    const { client, sleep } = session;
    return {
        ...session,
        sleep: (milliseconds) => unlessAborted(sleep(milliseconds), signal),
        client: {
            call: (operation, call) => client.call(operation, { ...call, signal }),
            download: (address) => client.download(address, signal),
            upload: (address, content) => client.upload(address, content, signal),
        },
    };
}
