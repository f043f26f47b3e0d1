/** How a promise ended, for tests that look at the failure. Where a code or a status is all, `assert.rejects` does. */

import assert from "node:assert/strict";
import { inspect } from "node:util";
import { assertDiscreet } from "./messages";

/** The failure that a promise ends with, of this class. It never shows the token. */
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

/** The failure that a call throws, of this class. */
export function thrownBy<E extends Error>(act: () => unknown, kind: abstract new (...parameters: never[]) => E): E {
    try {
        act();
    } catch (error) {
        assert(error instanceof kind, `${kind.name} was expected, not ${inspect(error)}`);
        return error;
    }
    return assert.fail("it was accepted");
}

/** The failure that a promise ends with, if it fails. An assertion that failed is none of its failures. */
export async function failureIfAny(promise: Promise<unknown>): Promise<Error | undefined> {
    try {
        await promise;
        return undefined;
    } catch (error) {
        if (error instanceof Error && !(error instanceof assert.AssertionError)) return error;
        throw error;
    }
}
