/** An object is only touched on the server that it was made on. */

import { StatecraftError } from "../errors";
import type { Values } from "../schema/facts";
import type { Service } from "./service";
import type { Opened } from "./session";

/** All identities of a server. */
export const namesOf = ({ server, formerServers }: Pick<Opened, "server" | "formerServers">): readonly string[] => [
    server,
    ...formerServers,
];

/** @throws StatecraftError when the object of this state is on another server than the one that the settings lead to */
export function requireSameServer({ name, title }: Service, opened: Opened, state: Values): void {
    const server = state["server"];
    if (typeof server !== "string" || namesOf(opened).includes(server)) return;
    throw new StatecraftError(
        "server",
        `it is on ${server}, but the settings of the ${title} lead to ${opened.server}, so nothing was done`,
        {
            hint:
                `Point \`statecraft:${name}.address\` back; if both are one server, list the former address in ` +
                `\`statecraft:${name}.formerAddresses\`; if the object is lost with its server, \`pulumi state delete\` forgets it`,
        },
    );
}
