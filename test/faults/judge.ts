/** Runs a cell of the fault matrix, and asserts its promises. */

import assert from "node:assert/strict";
import { planted } from "../support/canaries";
import { failureIfAny } from "../support/failures";
import { Shown, type State } from "../support/managed-resource";
import { assertDiscreet, assertReadable } from "../support/messages";
import type { Fault } from "./faults";
import { type FaultFixture, patience, recover, watchedClock } from "./fixture";
import { assertSame } from "./moment";
import { type Ending, kindOf, mayRepeat, promised } from "./promises";
import type { Passed } from "./proxy";
import type { Subject } from "./subjects";
import type { Cell, Story } from "./verbs";

/**
 * Runs the verb of a cell under its fault, as a new process. Asserts that no message shows a secret, no token goes to another origin, every request has its
 * time-out and no more tries than allowed, a failure is readable, and a message names a lock that stays.
 */
async function underFault(fixture: FaultFixture, cell: Cell, state: State | undefined) {
    const { subject, verb, fault, target, once } = cell;
    const { proxy } = fixture;
    const clock = watchedClock(() => proxy.expect());
    const resource = fixture.process(subject, clock);
    resource.state = state;
    const met = () => {
        if (fault.stalls) clock.elapse();
    };
    await proxy.harm({ harm: fault.harm, from: target.number, once, met });
    const failure = await failureIfAny(verb.act(resource, subject));
    const { harmed, strayed, requests } = proxy;
    await proxy.heal();

    assert.deepEqual(strayed, [], "a token went to another origin");
    const messages = resource.messages.map(({ message }) => message);
    const tries = messages.flatMap((message) => tryTold(message) ?? []);
    const said = [...(failure ? [failure.message] : []), ...messages.filter((message) => !tryTold(message))];
    for (const message of [...said, ...messages]) assertDiscreet(message, secrets);
    isInTime(tries, clock.timeouts, fault);
    if (failure !== undefined) isReadable(failure, subject);
    if (fixture.isLocked()) {
        assert(
            said.some((message) => /actions\/unlock/.test(message)),
            `no message names the lock that stays: ${said.join("; ")}`,
        );
    }
    return { resource, failure, said, tries, harmed, requests };
}

/**
 * Runs a cell. After the next command, the objects on the server and the state must equal those of the same story without the fault.
 * @throws Error that names the broken promise
 */
export async function runCell(fixture: FaultFixture, cell: Cell): Promise<Ending> {
    const { subject, verb, fault, target } = cell;
    const measure = await fixture.measure(cell);
    const { state } = await fixture.begin(cell);
    await fixture.simulator.forget();
    const { resource, failure, said, tries, harmed, requests } = await underFault(fixture, cell, state);
    assert(tries.length > 0, "no request was logged");
    // The proxy does not see a refused connection.
    if (!("door" in fault.harm)) {
        assert(harmed > 0, "the fault hit no request");
        assert.equal(requests[target.number - 1]?.method, target.method, "the fault hit another request");
    }

    // A false 404 lets a command write that would have found the object, whatever a later read says.
    const mayBelieve = fault.believable === true && (failure === undefined || verb.onlyLooks === true);
    const isBelieved = mayBelieve && fixture.moment(subject, resource) !== measure.done;
    if ((failure === undefined || verb.onlyLooks) && !isBelieved) {
        const when = failure ? "the verb only reads, but" : "the verb succeeded, but";
        assertSame(fixture.moment(subject, resource), measure.done, when);
    }
    // After a false 404 a write is correct.
    if (verb.onlyLooks && !fault.believable) {
        const writes = (await fixture.simulator.writes()).map(({ method, path }) => `${method} ${path}`);
        assert.deepEqual(writes, [], "the verb only reads");
    }

    const next = fixture.process(subject);
    next.state = resource.state;
    // Without state there is nothing to destroy, so the next command is another `up`.
    const isNowhere = failure !== undefined && verb.program(subject) !== undefined && resource.state === undefined;
    // Only a refresh finds out that a reported success was none.
    const isToLook = isBelieved && cell.next === "up";
    const story: Story = isNowhere ? { ...cell, next: "up" } : isToLook ? { ...cell, next: "refresh" } : cell;
    const isTaken = await recover(story, next);
    const isGivenUp = story.next === "destroy" && failure !== undefined;
    if (isGivenUp) await fixture.releaseAsTold([...said, ...next.messages.map(({ message }) => message)]);
    // No read contradicts these false successes of the service.
    const isDark = kindOf(target) === "in the dark";
    const isUnseen = subject.isOneShot || isDark || (subject.hidesEdit && verb.name === "update");
    const isTrusted = fault.believable && (isUnseen || (isBelieved && next.state === undefined));
    const now = fixture.moment(subject, next, isGivenUp);
    const { end } = await fixture.measure(story);
    if (!isTrusted && !(isGivenUp && now === (await fixture.undone(story))))
        assertSame(now, end, "after the next command");

    const ending = isBelieved
        ? "accepted"
        : failure === undefined
          ? "unnoticed"
          : isTaken
            ? "adopted"
            : "finished by the next command";
    assert(
        promised(cell).includes(ending),
        `promised is ${promised(cell).join(" or ")}: ${failure?.message ?? ending}`,
    );
    return ending;
}

const secrets = Object.values(planted);

interface Try extends Passed {
    readonly number: number;
}

/** The try in a message of the request log. */
function tryTold(message: string): Try | undefined {
    const [, method = "", path = "", number] = /: ([A-Z]+) (\S+): .* ms, try (\d+)$/.exec(message) ?? [];
    return number === undefined ? undefined : { method, path, number: Number(number) };
}

/** Repetitions after 429, which `maxRetries` does not count. */
const mostLimited = 10;

/** Asserts that every request has the time-out of the settings, and no more tries than its repeat rule and the settings allow. */
function isInTime(tries: readonly Try[], timeouts: readonly number[], fault: Fault): void {
    const { maxRetries, timeout } = patience;
    assert(tries.length <= timeouts.length, "a request was sent without a time-out");
    assert(
        timeouts.every((each) => each === timeout * 1000),
        "a request has another time-out than the settings",
    );
    for (const told of tries) {
        const repeats = fault.name.startsWith("429") ? mostLimited : maxRetries;
        const most = mayRepeat(told, fault) ? repeats + 1 : 1;
        assert(told.number <= most, `${told.method} ${told.path} was sent ${told.number} times`);
    }
}

/** Codes of failures that name an object instead of a request. */
const ofObjects = ["absent", "conflict", "exists", "in-use", "timeout", "unheeded", "vanished"];

/** Asserts that a failure is one short paragraph which names the request or the object. */
function isReadable(failure: Error, { type }: Subject): void {
    const { message } = failure;
    assertReadable(failure, type, secrets);
    const isOfObject = failure instanceof Shown && failure.code !== undefined && ofObjects.includes(failure.code);
    assert(
        isOfObject || /\b(GET|PUT|POST|PATCH|DELETE) (\/|https?:)/.test(message),
        `the message does not name the operation: ${message}`,
    );
    assert(
        /^[^\r\n]+\. \[[a-z-]+\]$/.test(message) && message.length < 1500,
        `the message is no paragraph: ${message}`,
    );
}
