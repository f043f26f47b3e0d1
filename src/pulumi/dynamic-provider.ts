/** The operations of a resource as a provider of Pulumi's dynamic host. */

import type * as pulumi from "@pulumi/pulumi";
import { OperationError, type Operations } from "../core/operations";
import { asMessage } from "../schema/check";
import { isRecord, type Values } from "../schema/values";
import { deploymentContextKey, parseDeploymentContext, settingsAdvice } from "./deployment-context";

const providerKey = "__provider";

/**
 * Makes a dynamic provider.
 * @param operationsOn makes the operations for a stack configuration, which it must read at once; it is first called without a
 * configuration
 * @param logins counts the operations that are under way
 */
export function dynamicProvider(
    operationsOn: (config: (key: string) => string | undefined) => Operations,
    logins: { during<Result>(operation: Promise<Result>): Promise<Result> },
): pulumi.dynamic.ResourceProvider {
    let operations = operationsOn(() => undefined);
    const verb = <Arguments extends unknown[], Result>(act: (...args: Arguments) => Promise<Result>) => {
        return withHostErrors((...args: Arguments) => logins.during(act(...args)));
    };
    return {
        // Without an `await`, because the host calls other functions before `configure` has resolved.
        async configure({ config }) {
            operations = operationsOn((key) => config.get(key));
        },

        check: verb(async (olds: Values, news: Values) => {
            const { [deploymentContextKey]: context, ...values } = withoutProvider(news);
            const before = Object.keys(olds).length === 0 ? undefined : withoutProvider(olds);
            const { inputs, failures } = await operations.check(before, values, parseDeploymentContext(context));
            // The engine prints the value of a named property, secrets included, so the reason begins with the path instead.
            return { inputs, failures: failures.map((finding) => ({ property: "", reason: asMessage(finding) })) };
        }),

        diff: verb(async (id: string, olds: Values, news: Values) => {
            const difference = await operations.diff(id, withoutProvider(olds), withoutProvider(news));
            const { isChanged, replaces, deleteBeforeReplace } = difference;
            return { changes: isChanged || isNative(olds), replaces: [...replaces], deleteBeforeReplace };
        }),

        create: verb(async (inputs: Values) => {
            const { id, outputs } = await operations.create(withoutProvider(inputs));
            return { id, outs: outputs };
        }),

        read: verb(async (id: string, state: Values) => {
            const made = await operations.read(id, withoutProvider(state), { settingsAdvice });
            return made === undefined ? { id: "" } : { id, props: made.outputs, inputs: made.inputs };
        }),

        update: verb(async (id: string, olds: Values, news: Values) => {
            return { outs: await operations.update(id, withoutProvider(olds), withoutProvider(news)) };
        }),

        delete: verb((id: string, state: Values) => operations.delete(id, withoutProvider(state), { settingsAdvice })),
    };
}

/**
 * Whether the native plugin wrote these outputs. They lack the text of the provider, without which the host can neither refresh nor delete
 * the resource, so an update adds it.
 */
const isNative = (outputs: Values) => outputs[providerKey] === undefined;

const withoutProvider = ({ [providerKey]: _provider, ...values }: Values): Values => values;

/**
 * Converts the errors of an operation for the host. The last argument of create and update contains the text of the provider, which the
 * state of a partly created object needs.
 */
function withHostErrors<Arguments extends unknown[], Result>(
    verb: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
    return async (...args) => {
        try {
            return await verb(...args);
        } catch (error) {
            const props = args.at(-1);
            throw asHostError(error, isRecord(props) ? props[providerKey] : undefined);
        }
    };
}

/** The text of an error for the host, which prints `${error}: ${error.stack}` for some operations. */
const errorText = "statecraft";

/** Stops the host from printing errors that it also passes to the engine, because each would print an empty line under the stack. */
export function printNoHostErrors(): void {
    const { error } = console;
    console.error = (...texts) => {
        if (texts[0] !== `${errorText}: `) error(...texts);
    };
}

/**
 * An error for the host, which shows the message at the resource. With `id`, `properties` and `reasons`, the engine stores a partly created
 * object, and shows the reasons instead of the message.
 */
function asHostError(error: unknown, provider: unknown): Error {
    const message = error instanceof Error ? error.message : String(error);
    const failure = Object.assign(new Error(message), { stack: "", toString: () => errorText });
    if (!(error instanceof OperationError) || error.partial === undefined) return failure;
    const { id, outputs } = error.partial;
    // Without the text of the provider, each refresh and delete of the object would fail.
    return Object.assign(failure, { id, properties: { ...outputs, [providerKey]: provider }, reasons: [message] });
}
