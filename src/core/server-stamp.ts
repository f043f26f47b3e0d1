/** The output `server`: which server holds an object. It is added to all that an operation made, and no other server is touched for it. */

import type { Values } from "../schema/facts";
import { sealSecrets } from "../schema/secrets";
import { settingsKey } from "./connection";
import { otherServer } from "./failures";
import { type Created, PartialCreateError, type Resource, unfinishedSteps } from "./resource";
import type { Service } from "./service";
import type { Session } from "./session";

/** @throws StatecraftError when the settings lead to another server than `server`, where state has an object */
export async function requireSameServer(
    { name, title }: Service,
    connection: string | undefined,
    opened: Session,
    server: unknown,
): Promise<void> {
    if (typeof server !== "string") return;
    const servers = await opened.servers();
    if (servers.includes(server)) return;
    throw otherServer({ server, title, other: servers[0], key: settingsKey(name, connection) });
}

/** Adds `server` to the outputs and encrypts the secrets, also for an object that was created in part. Calls `tell` with either. */
export async function stamped<Result extends Created | undefined>(
    resource: Resource,
    context: Session,
    operation: () => Promise<Result>,
    tell: (created: Created) => void = () => {},
): Promise<Result> {
    const [server] = await context.servers();
    const stamp = (outputs: Values) => sealSecrets(resource.node, { ...outputs, server });
    try {
        const created = await operation();
        const whole = created && { ...created, outputs: stamp(created.outputs) };
        if (whole) tell(whole);
        return whole;
    } catch (error) {
        if (!(error instanceof PartialCreateError)) throw error;
        const { id, message, cause, outputs } = error;
        const partial = new PartialCreateError(id, stamp(outputs), unfinishedSteps(outputs), message, cause);
        tell(partial);
        throw partial;
    }
}
