/** Which server inputs lead to. */

import type { Values } from "../schema/facts";
import { holdsUnknown } from "../schema/unknown";

/** The connection that inputs name, if it is known. One that is not known yet is that of before: it must lead to the same server. */
export function connectionOf(props: Values, former?: Values): string | undefined {
    const { connection } = props;
    if (holdsUnknown(connection)) return former && connectionOf(former);
    return typeof connection === "string" ? connection : undefined;
}
