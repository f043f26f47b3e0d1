/** A definition as a provider of Pulumi's dynamic host: plain data in, plain data out, and errors whose whole text is for the user. */

import type * as pulumi from "@pulumi/pulumi";
import { OperationError } from "../core/operation-error";
import type { Operations } from "../core/operations";
import type { Values } from "../schema/facts";
import { asSentence } from "../schema/finding";
import { isRecord } from "../schema/unknown";
import { withDeniedAdvice } from "./denied-advice";
import { deploymentContextKey, parseDeploymentContext } from "./deployment-context";

const providerKey = "__provider";

/**
 * Builds the provider that the host looks up by its type's name.
 * @param operationsOn the operations on a stack's configuration, which it reads at once; it is asked without one first
 */
export function dynamicProvider(
    operationsOn: (config: (key: string) => string | undefined) => Operations,
): pulumi.dynamic.ResourceProvider {
    let operations = operationsOn(() => undefined);
    return {
        // The host asks other verbs before it has awaited this one, so nothing here may wait.
        configure({ config }) {
            operations = operationsOn((key) => config.get(key));
            return Promise.resolve();
        },

        check: atDoor(async (olds: Values, news: Values) => {
            const { [providerKey]: _provider, [deploymentContextKey]: context, ...inputs } = news;
            const isNew = Object.keys(olds ?? {}).length === 0;
            const checked = await operations.check(
                isNew ? undefined : withoutProvider(olds),
                inputs,
                parseDeploymentContext(context),
            );
            // The engine prints the value of a named property, secrets in clear: the path stands in the reason instead.
            return {
                inputs: checked.inputs,
                failures: checked.failures.map((finding) => ({ property: "", reason: asSentence(finding) })),
            };
        }),

        diff: atDoor(async (id: string, olds: Values, news: Values) => {
            const found = await operations.diff(id, withoutProvider(olds), withoutProvider(news));
            const { isChanged, replaces, deleteBeforeReplace } = found;
            return { changes: isChanged || isNative(olds), replaces: [...replaces], deleteBeforeReplace };
        }),

        create: atDoor(async (inputs: Values) => {
            const { id, outputs } = await operations.create(withoutProvider(inputs));
            return { id, outs: outputs };
        }),

        read: atDoor(async (id: string, state: Values) => {
            const made = await withDeniedAdvice(operations.read(id, withoutProvider(state)));
            if (made === undefined) return { id: "" };
            return { id, props: made.outputs, inputs: made.inputs };
        }),

        update: atDoor(async (id: string, olds: Values, news: Values) => {
            const inputs = [withoutProvider(olds), withoutProvider(news)] as const;
            const isSame = isNative(olds) && !(await operations.diff(id, ...inputs)).isChanged;
            return { outs: isSame ? inputs[0] : await operations.update(id, ...inputs) };
        }),

        delete: atDoor((id: string, state: Values) => withDeniedAdvice(operations.delete(id, withoutProvider(state)))),
    };
}

/**
 * Whether the native plugin wrote these outputs. They lack the provider's text, by which the host would find it in a refresh or a destroy: an
 * update that changes nothing else adds it.
 */
const isNative = (outputs: Values) => outputs[providerKey] === undefined;

function withoutProvider(props: Values | undefined): Values {
    const { [providerKey]: _provider, ...rest } = props ?? {};
    return rest;
}

/** Shapes whatever a verb throws for the host. The last argument of create and update carries the text that half-made objects must keep. */
function atDoor<Arguments extends unknown[], Result>(
    verb: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
    return async (...args) => {
        try {
            return await verb(...args);
        } catch (error) {
            const props = args.at(-1);
            throw new HostError(error, isRecord(props) ? props[providerKey] : undefined);
        }
    };
}

/** How the host prints a `HostError`. */
const printed = "statecraft: ";

/** Keeps the host from printing errors that it also hands to the engine: each would leave a line without a message under the stack. */
export function printNoHostErrors(): void {
    const { error } = console;
    console.error = (...texts) => {
        if (texts[0] !== printed) error(...texts);
    };
}

/**
 * An error as the host treats it: the message is shown at the resource, while some verbs have `${error}: ${error.stack}` printed as well.
 * With `id`, `properties` and `reasons` the engine keeps a half-made object, and shows the reasons instead of the message.
 */
class HostError extends Error {
    readonly id?: string;
    readonly properties?: Values;
    readonly reasons?: readonly string[];

    constructor(error: unknown, provider: unknown) {
        super(error instanceof Error ? error.message : String(error));
        this.stack = "";
        if (!(error instanceof OperationError) || error.partial === undefined) return;
        this.id = error.partial.id;
        // Without the provider's text, neither refresh nor destroy could ever act on the object.
        this.properties = { ...error.partial.outputs, [providerKey]: provider };
        this.reasons = [this.message];
    }

    override toString(): string {
        return "statecraft";
    }
}
