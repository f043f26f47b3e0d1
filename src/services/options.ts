/** Options that several resources share. */

import { field } from "../core/field";
import { flag, text } from "../core/kind";

/** Takes over an object that exists already. */
export const adoptField = field(flag, {
    option: true,
    default: false,
    doc: "Takes over an object that exists already, and overwrites it with what is declared here. Off by default: an existing object is an error.",
});

/** Chooses the server. */
export const connectionField = field(text(), {
    option: true,
    doc: "Name of the connection in `statecraft:connections` that this object is reached through. Defaults to the service's own settings.",
});
