/** Runs functions on a runtime: checks the arguments, opens a session, and tells failures as one readable paragraph. */

import { InputError } from "../errors";
import { checkValues } from "../schema/check";
import type { Values } from "../schema/facts";
import { asSentence } from "../schema/finding";
import { objectNode } from "../schema/node";
import { secretStrings } from "../schema/secrets";
import { decodedWithDefaults } from "../schema/values";
import { encode } from "../schema/wire";
import { connectionOf } from "./connection";
import type { DefinedFunction } from "./defined-function";
import { formatError } from "./format-error";
import { retold } from "./operation-error";
import { requestContext } from "./request-context";
import type { DeploymentContext, Runtime } from "./runtime";

/**
 * Runs a function.
 * @param args may be left out where none is required
 * @throws InputError for wrong arguments; else what failed, the settings or the service, as one paragraph that begins with the function's name
 */
export async function invokeFunction(
    definition: DefinedFunction,
    runtime: Runtime,
    args: Values = {},
    { signal }: DeploymentContext = {},
): Promise<Values> {
    const { name, service, inputs, anonymous } = definition;
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined && value !== null));
    const connection = connectionOf(given);
    const node = objectNode(inputs);
    const { failures, warnings } = checkValues(node, given);
    if (await told(name, runtime, () => runtime.strict)) failures.push(...warnings);
    if (failures.length > 0) throw new InputError(name, failures.map(asSentence));
    for (const warning of warnings) runtime.say("warning", `${name}: ${asSentence(warning)}`);
    const secrets = secretStrings(node, given);
    const redacted = (message: string) => runtime.redacted(message, secrets);
    return told(name, { redacted }, async () => {
        const opened = await runtime.open(
            service,
            connection,
            (severity, message) => runtime.say(severity, `${name}: ${message}`),
            { secrets, ...(anonymous && { anonymous }) },
        );
        // The arguments were checked against the schema of the function.
        const values = decodedWithDefaults(node, given);
        return definition.invoke(requestContext(opened, { signal }), values, encode(node, values));
    });
}

/** What fails is told as one paragraph. */
async function told<Result>(
    name: string,
    { redacted }: Pick<Runtime, "redacted">,
    work: () => Result | Promise<Result>,
): Promise<Result> {
    try {
        return await work();
    } catch (error) {
        throw retold(error, redacted(`${name}: ${formatError(error)}`), redacted);
    }
}
