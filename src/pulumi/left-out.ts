/**
 * Inputs that a program leaves out. The SDK makes several promises for every property that a resource declares, and an `AuthRole` has
 * four times as many properties as most programs give. So a class declares what it is given, and answers for the rest when it is read.
 *
 * | property                                  | declared to the SDK | where its value comes from                     |
 * | ----------------------------------------- | ------------------- | ---------------------------------------------- |
 * | given by the program                      | yes                 | the engine                                     |
 * | not an input, or settled by the settings  | yes                 | the engine                                     |
 * | left out                                  | no                  | `__leftOut`, one object for all of them        |
 * | any, with `ignoreChanges` or in `.get`    | yes                 | the engine                                     |
 */

import type { Values } from "../schema/facts";
import { isRecord } from "../schema/unknown";

/** The output that holds the values of inputs that the program left out. The engine does not show names that begin with two underscores. */
export const leftOutKey = "__leftOut";

/** The inputs of a state that the program gave, as far as the state tells. */
export function givenIn(state: Values): Values {
    const leftOut = state[leftOutKey];
    return isRecord(leftOut) ? Object.fromEntries(Object.entries(state).filter(([name]) => !(name in leftOut))) : state;
}

/** Outputs with what they hold of inputs that were left out. Mostly that is nothing. */
export function withLeftOut(outputs: Values, inputs: Values, optional: readonly string[]): Values {
    const leftOut = Object.entries(outputs).filter(([name]) => optional.includes(name) && inputs[name] === undefined);
    return leftOut.length === 0 ? outputs : { ...outputs, [leftOutKey]: Object.fromEntries(leftOut) };
}
