/**
 * Inputs that a program leaves out. The SDK makes several promises for every property that a resource declares, and an `AuthRole` has
 * four times as many properties as most programs give. So a class declares what it is given, and answers for the rest when it is read.
 *
 * | property                                         | declared to the SDK | where its value comes from              |
 * | ------------------------------------------------ | ------------------- | --------------------------------------- |
 * | given by the program                             | yes                 | the engine                              |
 * | not an input, or settled by the settings         | yes                 | the engine                              |
 * | left out, and the output `unfinished`            | no                  | `__leftOut`, one object for all of them |
 * | any: `.get`, `ignoreChanges`, own `transforms`   | yes                 | the engine                              |
 */

import type * as pulumi from "@pulumi/pulumi";
import type { Operations } from "../core/operations";
import type { Values } from "../schema/facts";
import { isRecord } from "../schema/unknown";
import type { ClassFacts } from "./class-facts";

/** The output that holds the values of inputs that the program left out. The engine does not show names that begin with two underscores. */
export const leftOutKey = "__leftOut";

/**
 * What a class declares beside its arguments: what is looked up, may keep values of an earlier program, or may be given others on the way to
 * the engine, may have any property. A transform of the stack or of a parent cannot be seen from here.
 */
export function declaredBy(
    { declared, optional }: ClassFacts,
    { id, ignoreChanges, transforms }: pulumi.CustomResourceOptions,
): Record<string, undefined> {
    const isWhole = id !== undefined || ignoreChanges !== undefined || transforms !== undefined;
    const names = [...declared, ...(isWhole ? optional : [leftOutKey])];
    return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** Answers for a property that was left out. One that is declared stands on the instance itself and comes first. */
export function answerFor(prototype: object, name: string): void {
    Object.defineProperty(prototype, name, {
        configurable: true,
        get(this: Readonly<Record<string, pulumi.Output<Values | undefined> | undefined>>) {
            return this[leftOutKey]?.apply((leftOut) => leftOut?.[name]);
        },
        // The SDK assigns what is declared.
        set(value: unknown) {
            Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
        },
    });
}

/**
 * Operations whose outputs say apart what they hold of inputs that the program left out. Mostly that is nothing, which is said too: to the SDK, an
 * output that is absent is unknown in each preview.
 */
export function withLeftOut(operations: Operations, optional: readonly string[]): Operations {
    const apart = (outputs: Values, given: Values): Values => {
        const leftOut = Object.entries(outputs).filter(
            ([name]) => optional.includes(name) && given[name] === undefined,
        );
        return { ...outputs, [leftOutKey]: Object.fromEntries(leftOut) };
    };
    return {
        check: (...asked) => operations.check(...asked),
        diff: (id, olds, news) => operations.diff(id, withoutLeftOut(olds), news),
        previewCreate: (...asked) => operations.previewCreate(...asked),
        async create(inputs, about) {
            const { id, outputs } = await operations.create(inputs, about);
            return { id, outputs: apart(outputs, inputs) };
        },
        async read(id, state, about) {
            const found = await operations.read(id, withoutLeftOut(state), about);
            // What is imported or looked up was not written by a program.
            if (found === undefined || Object.keys(state).length === 0) return found;
            return { ...found, outputs: apart(found.outputs, givenIn(state)) };
        },
        previewUpdate: (id, olds, ...asked) => operations.previewUpdate(id, withoutLeftOut(olds), ...asked),
        async update(id, olds, news, about) {
            return apart(await operations.update(id, withoutLeftOut(olds), news, about), news);
        },
        delete: (id, state, about) => operations.delete(id, withoutLeftOut(state), about),
        requireNamed: (id, props) => operations.requireNamed(id, withoutLeftOut(props)),
    };
}

function withoutLeftOut({ [leftOutKey]: _leftOut, ...state }: Values): Values {
    return state;
}

/** The inputs of a state that the program gave, as far as the state tells. */
function givenIn(state: Values): Values {
    const leftOut = state[leftOutKey];
    return isRecord(leftOut) ? Object.fromEntries(Object.entries(state).filter(([name]) => !(name in leftOut))) : state;
}
