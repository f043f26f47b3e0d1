/** Returns the error of a promise or call, for tests that assert more than a code or a status. */

import assert from "node:assert/strict";
import { inspect } from "node:util";
import { assertDiscreet } from "./messages";

/** Asserts that a promise rejects with an error of this class that does not contain the token. Returns the error. */
export async function failureOf<E extends Error>(
    promise: Promise<unknown>,
    kind: abstract new (...parameters: never[]) => E,
): Promise<E> {
    const error = await promise.then(
        (value: unknown) => assert.fail(`no failure, but ${inspect(value)}`),
        (reason: unknown) => reason,
    );
    assert(error instanceof kind, `${kind.name} was expected, not ${inspect(error)}`);
    assertDiscreet(error.message);
    return error;
}

/** Asserts that a call throws an error of this class. Returns the error. */
export function thrownBy<E extends Error>(act: () => unknown, kind: abstract new (...parameters: never[]) => E): E {
    try {
        act();
    } catch (error) {
        assert(error instanceof kind, `${kind.name} was expected, not ${inspect(error)}`);
        return error;
    }
    return assert.fail("it was accepted");
}

/** Returns the error of a rejected promise, and throws a failed assertion. */
export async function failureIfAny(promise: Promise<unknown>): Promise<Error | undefined> {
    try {
        await promise;
        return undefined;
    } catch (error) {
        if (error instanceof Error && !(error instanceof assert.AssertionError)) return error;
        throw error;
    }
}
