/** Runs functions on a runtime: checks the arguments, opens a session, and tells failures as one readable paragraph. */

import { InputError } from "../errors";
import { checkValues } from "../schema/check";
import type { Values } from "../schema/facts";
import { asSentence } from "../schema/finding";
import { objectNode } from "../schema/node";
import { secretStrings } from "../schema/secrets";
import { connectionOf } from "./connection";
import type { DefinedFunction } from "./defined-function";
import { formatError } from "./format-error";
import { retold } from "./operation-error";
import { requestContext } from "./request-context";
import type { DeploymentContext, Runtime } from "./runtime";
import { limited } from "./session";
import { withRedaction } from "./with-redaction";

/**
 * Runs a function.
 * @throws InputError for wrong arguments; else the service's failure as one paragraph that begins with the function's name
 */
export async function invokeFunction(
    definition: DefinedFunction,
    runtime: Runtime,
    args: Values,
    { signal }: DeploymentContext = {},
): Promise<Values> {
    const { name, service, inputs, anonymous } = definition;
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined && value !== null));
    const connection = connectionOf(given);
    const node = objectNode(inputs, runtime.vocabulary(service, connection));
    const { failures, warnings } = checkValues(node, given);
    if (runtime.strict) failures.push(...warnings);
    if (failures.length > 0) throw new InputError(name, failures.map(asSentence));
    for (const warning of warnings) runtime.say("warning", `${name}: ${asSentence(warning)}`);
    const secrets = secretStrings(node, given);
    const own = withRedaction(runtime, () => secrets);
    try {
        const opened = await own.open(
            service,
            connection,
            (severity, message) => runtime.say(severity, `${name}: ${message}`),
            anonymous ? { anonymous } : {},
        );
        return await definition.call(requestContext(limited(opened, undefined), {}, signal), given);
    } catch (error) {
        throw retold(error, own.redacted(`${name}: ${formatError(error)}`), own.redacted);
    }
}
