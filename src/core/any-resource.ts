/** Resources of both forms, while the older one is being replaced: what a host needs of either. */

import { checkValues } from "../schema/check";
import { objectNode } from "../schema/node";
import { secretStrings } from "../schema/secrets";
import type { DefinedFunction } from "./defined-function";
import type { Definition } from "./definition";
import type { Props } from "./field";
import { type FunctionDefinition, invoke, invokeWith } from "./function";
import type { Host } from "./host";
import { lifecycle } from "./lifecycle";
import { type Operations, operationsOf } from "./operations";
import type { Resource } from "./resource";
import type { Run } from "./run";

/** A resource of either form. */
export type AnyResource = Definition | Resource;

/** A function of either form. */
export type AnyFunction = FunctionDefinition | DefinedFunction;

/** Whether a resource has a schema. */
export const isResource = (resource: AnyResource): resource is Resource => "in" in resource;

/** Whether a function has a schema. */
export const isDefined = (definition: AnyFunction): definition is DefinedFunction => "call" in definition;

/** The operations of a resource. */
export function anyOperations(resource: AnyResource, host: Host, run?: Run): Operations {
    if (isResource(resource)) return operationsOf(resource, host, run);
    const older = lifecycle(resource, host, run);
    return {
        ...older,
        async check(olds, news, about) {
            const { inputs, failures } = await older.check(olds, news, about);
            return { inputs, failures: failures.map((reason) => ({ path: "", reason })) };
        },
        async diff(id, olds, news) {
            const { changes, replaces, deleteBeforeReplace } = await older.diff(id, olds, news);
            return { isChanged: changes, changes: [], names: [], replaces, deleteBeforeReplace };
        },
    };
}

/** Runs a function. */
export function anyInvoke(definition: AnyFunction, host: Host, args: Props): Promise<Props> {
    if (!isDefined(definition)) return invoke(definition, host, args);
    return invokeWith(definition, host, args, {
        check: (given, vocabulary) => {
            const { failures, warnings } = checkValues(objectNode(definition.inputs, vocabulary), given);
            const told = (all: typeof failures) => all.map(({ path, reason }) => `${path}: ${reason}`);
            return { failures: told(failures), warnings: told(warnings) };
        },
        secrets: (given) => secretStrings(objectNode(definition.inputs, "product"), given),
        run: (session, given) => definition.call(session, given),
    });
}
