/** What a preview tells beside the changes: settings that will not do, and what a resource can look up. */

import { ConfigError, type StatecraftError } from "../errors";
import type { Values } from "../schema/facts";
import { holdsUnknown, unknown } from "../schema/unknown";
import { connectionOf } from "./connection";
import { noPreview, refusedNow } from "./failures";
import { formatError } from "./format-error";
import { type RequestContext, requestContext } from "./request-context";
import type { Handlers } from "./resource";
import type { Runtime, Severity } from "./runtime";
import type { Service } from "./service";
import type { Session } from "./session";

/** What is going to be deployed. */
interface Plan {
    readonly service: Service;
    readonly handlers: Handlers;
    readonly inputs: Values;
    /** The inputs of the last deployment, if there was one. */
    readonly olds: Values | undefined;
    readonly urn: string | undefined;
    readonly secrets: readonly string[];
    /** Looks for an object that stands in the way of a new one. */
    findExisting(context: RequestContext): Promise<StatecraftError | undefined>;
}

/** Shows what `pulumi up` would do, and returns what would make it fail. Settings that cannot work do so; a look-up that fails does not. */
export async function previewChange(runtime: Runtime, plan: Plan): Promise<readonly string[]> {
    const { service, handlers, inputs, olds, urn, secrets } = plan;
    // Which server it will be is not known yet.
    if (holdsUnknown(inputs["connection"])) return [];
    const readable = (text: string) => runtime.redacted(text.replaceAll(unknown, "[not known yet]"), secrets);
    const say = (severity: Severity, message: string) => runtime.say(severity, readable(message), urn);
    const failures: string[] = [];
    const reportBlocker = (problem: Error) => {
        const told = refusedNow({ problem: formatError(problem) });
        if (runtime.strict) failures.push(readable(told));
        else say("warning", told);
    };
    let opened: Session;
    try {
        opened = await runtime.open(service, connectionOf(inputs), say, { secrets });
    } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return [readable(formatError(error))];
    }
    try {
        const context = requestContext(opened, { reportBlocker });
        const existing = await plan.findExisting(context);
        if (existing !== undefined) reportBlocker(existing);
        await handlers.previewChange(context, inputs, olds);
    } catch (error) {
        say("warning", noPreview({ problem: formatError(error) }));
    }
    return failures;
}
