/** Which server inputs lead to. */

import type { Values } from "../schema/facts";
import { holdsUnknown } from "../schema/unknown";
import type { SettingsKey } from "./config-keys";

/** Where settings are in the stack's configuration, as `--path` takes it: those of a connection, or the usual ones. */
export function settingsKey(key: SettingsKey, connection: string | undefined): string {
    if (connection === undefined) return `statecraft:${key}`;
    const part = /^[\w-]+$/.test(connection) ? `.${connection}` : `[${JSON.stringify(connection)}]`;
    return `statecraft:connections${part}.${key}`;
}

/** The connection that inputs name, if it is known. One that is not known yet is that of before: it must lead to the same server. */
export function connectionOf(props: Values, former?: Values): string | undefined {
    const { connection } = props;
    if (holdsUnknown(connection)) return former && connectionOf(former);
    return typeof connection === "string" ? connection : undefined;
}
