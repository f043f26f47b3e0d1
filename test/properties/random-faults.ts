/** Faults by chance: what goes wrong on the way to a service, and what must be true of the failure that comes of it. */

import fc from "fast-check";
import { canaryToken } from "../support/canaries";
import { failureIfAny } from "../support/failures";
import type { Fault } from "../support/injector";
import { type ManagedResource, sealedPaths } from "../support/managed-resource";
import { assertDiscreet, assertReadable } from "../support/messages";
import type { Simulator } from "../support/simulator";

const page = { body: "<html><body>Sign in</body></html>", contentType: "text/html" };

/** One thing that goes wrong. `echo` puts what was sent into the answer, as some servers do. */
const kinds: readonly Fault[] = [
    { drop: "before" },
    { drop: "after" },
    { truncate: 7 },
    { status: 429, headers: { "retry-after": "0" } },
    { status: 503, after: true },
    { status: 502, ...page },
    { status: 504 },
    { status: 500, body: "planted" },
    { status: 403, body: '{"errors":["permission denied"]}' },
    { status: 404, ...page },
    { status: 200, ...page },
    { status: 400, body: "echo" },
];

/** One or two things that go wrong, each for a while, with any request or with those of one method. */
export const faults = (...methods: readonly string[]): fc.Arbitrary<readonly Fault[]> =>
    fc.array(
        fc
            .record({
                kind: fc.constantFrom(...kinds),
                skip: fc.nat(2),
                times: fc.constantFrom(1, 1, 2, 3, 0),
                method: fc.option(fc.constantFrom("GET", ...methods), { nil: undefined }),
            })
            .map(({ kind, skip, times, method }) => ({ ...kind, skip, times, ...(method && { method }) })),
        { minLength: 1, maxLength: 2 },
    );

/** The faults, with these texts wherever a server repeats what it was sent. */
export function echoing(some: readonly Fault[], secrets: readonly string[]): Fault[] {
    const said = JSON.stringify({ errors: [`cannot parse: ${[canaryToken, ...secrets].join(" ")}`] });
    return some.map((fault) =>
        fault.body === "echo" ? { ...fault, body: said, contentType: "application/json" } : fault,
    );
}

/** Runs a command while things go wrong, and returns what it said when it failed: that must be readable. */
export async function underFaults(
    simulator: Simulator,
    life: ManagedResource,
    type: string,
    some: readonly Fault[],
    command: () => Promise<unknown>,
    secrets: readonly string[] = [],
): Promise<unknown> {
    await simulator.fault(...echoing(some, []));
    // Also where a failed assertion ends the run: the next one uses the same simulator.
    const wrong = await failureIfAny(command()).finally(() => simulator.heal());
    if (wrong !== undefined) assertReadable(wrong, type, secrets);
    isSealed(life, secrets);
    return wrong;
}

/** Nothing that is kept or shown holds a secret in clear. */
export function isSealed(life: ManagedResource, secrets: readonly string[]): void {
    assertDiscreet(JSON.stringify([withoutSealed(life.state), life.messages]), secrets);
}

/** What is outside the engine's envelopes. */
function withoutSealed(value: unknown): unknown {
    if (sealedPaths(value).length === 0) return value;
    if (sealedPaths(value).includes("")) return "[secret]";
    if (Array.isArray(value)) return value.map(withoutSealed);
    return Object.fromEntries(Object.entries(value as object).map(([name, inner]) => [name, withoutSealed(inner)]));
}
