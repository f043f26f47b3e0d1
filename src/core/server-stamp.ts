/** The output `server`: the server that holds an object. State of one server is never applied to another. */

import type { Values } from "../schema/facts";
import { sealSecrets } from "../schema/secrets";
import { otherServer } from "./failures";
import { type Created, PartialCreateError, type Resource, unfinishedSteps } from "./resource";
import type { Session } from "./session";

/** @throws StatecraftError when the settings lead to another server than `server`, the one in state */
export function requireSameServer({ servers, settingsKey, product }: Session, server: unknown): void {
    if (typeof server !== "string" || servers.includes(server)) return;
    const [other, ...others] = servers;
    const setting = `${settingsKey.replace(/^statecraft:/, "")}.otherAddresses[${others.length}]`;
    throw otherServer({ server, other, title: product, key: settingsKey, add: `{set ${setting}=${server}}` });
}

/** Adds `server` to the outputs and encrypts the secrets, also for an object that was created in part. Calls `tell` with either. */
export async function stamped<Result extends Created | undefined>(
    resource: Resource,
    context: Session,
    operation: () => Promise<Result>,
    tell: (created: Created) => void = () => {},
): Promise<Result> {
    const [server] = context.servers;
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
