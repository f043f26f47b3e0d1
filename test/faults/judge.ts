/** Runs a cell of the fault matrix, and asserts that it ends as `promises.ts` allows. */

import assert from "node:assert/strict";
import { planted } from "../support/canaries";
import { testClock } from "../support/clock";
import { failureIfAny } from "../support/failures";
import { Shown, type State } from "../support/managed-resource";
import { assertDiscreet, assertReadable } from "../support/messages";
import { adviceToUnlock, type FaultFixture, patience, recover } from "./fixture";
import { assertSame } from "./moment";
import { type Ending, mayDiffer, mayRepeat, promiseOf } from "./promises";
import type { Subject } from "./subjects";
import type { Cell, Passed, Story } from "./verbs";

/**
 * Runs the verb of a cell with its fault in a new process. Asserts that the fault hits the target, no message contains a secret, no token goes to
 * another origin, every request has the time-out of the settings and at most the allowed tries, a failure is readable, and a message names each lock
 * that the resource did not release.
 */
async function underFault(fixture: FaultFixture, cell: Cell, attempts = 3) {
    const { subject, verb, fault, target } = cell;
    const { simulator } = fixture;
    const { state } = await fixture.begin(cell);
    const clock = testClock(() => fixture.admit());
    const resource = fixture.process(subject, clock);
    resource.state = state;
    fixture.harm(cell, () => {
        if (fault.stalls) clock.elapse();
    });
    const failure = await failureIfAny(verb.act(resource, subject));
    const requests = await simulator.requests();
    await fixture.heal();

    for (const { headers } of await fixture.foreign.requests())
        assert.doesNotMatch(
            Object.keys(headers).join(),
            /token|authorization|cookie/,
            "a token went to another origin",
        );
    const messages = resource.messages.map(({ message }) => message);
    const tries = messages.flatMap((message) => tryIn(message) ?? []);
    const said = [...(failure ? [failure.message] : []), ...messages.filter((message) => !tryIn(message))];
    for (const message of [...said, ...messages]) assertDiscreet(message, secrets);
    assert(tries.length > 0, "no request was logged");
    isInTime(tries, clock.timeouts, cell);
    if (failure !== undefined) isReadable(failure, subject);
    if (fixture.isLocked()) {
        assert(
            said.some((message) => message.search(adviceToUnlock) >= 0),
            `no message names the lock that stays: ${said.join("; ")}`,
        );
    }
    // No server sees a refused connection.
    if (fault.reply !== undefined) {
        const { method } = requests[target.number - 1] ?? assert.fail("the fault hit no request");
        // A parallel read of the command before, which failed without it, may still arrive and shift the count.
        if (method !== target.method && attempts > 1) return underFault(fixture, cell, attempts - 1);
        assert.equal(method, target.method, "the fault hit another request");
    }
    return { resource, failure, said };
}

/** Returns the command that the user runs next. */
function commandAfter({ subject, verb, next }: Cell, failure: Error | undefined, state?: State, isAccepted?: boolean) {
    // After a failed create without state, `destroy` would do nothing.
    if (failure !== undefined && state === undefined && verb.program(subject) !== undefined) return "up";
    // Only a refresh can detect that a reported success had no effect.
    return isAccepted && next === "up" ? "refresh" : next;
}

/**
 * Runs a cell. Asserts that it ends as its row of `promises.ts` allows, and that after the next command the server and the state equal those of the
 * same story without the fault.
 * @throws Error that names the failed expectation
 */
export async function runCell(fixture: FaultFixture, cell: Cell): Promise<void> {
    const { subject, verb, fault } = cell;
    const { because, endings } = promiseOf(cell);
    const { moment: done } = await fixture.done(cell);
    const { resource, failure, said } = await underFault(fixture, cell);
    const after = fixture.moment(subject, resource);
    const isAccepted = after !== done && (failure === undefined || verb.onlyLooks === true);
    if (isAccepted && !endings.includes("accepted")) assertSame(after, done, "after the verb");
    // After a false 404 for an existing object, a command may write.
    if (verb.onlyLooks && !fault.believable) {
        const writes = (await fixture.simulator.writes()).map(({ method, path }) => `${method} ${path}`);
        assert.deepEqual(writes, [], "the verb only reads");
    }

    const resumed = fixture.process(subject);
    resumed.state = resource.state;
    const story: Story = { ...cell, next: commandAfter(cell, failure, resource.state, isAccepted) };
    const wasAdopted = await recover(story, resumed);
    const isGivenUp = failure !== undefined && story.next === "destroy";
    if (isGivenUp) await fixture.releaseAsAdvised([...said, ...resumed.messages.map(({ message }) => message)]);
    const now = fixture.moment(subject, resumed, isGivenUp);
    const ending = isAccepted ? "accepted" : endingOf(failure, wasAdopted);
    assert(
        endings.includes(ending),
        `${because}, so ${endings.join(" or ")} is promised: ${failure?.message ?? ending}`,
    );
    if (!mayDiffer({ ...cell, ...story }, ending) && !(isGivenUp && now === (await fixture.end(story, true)))) {
        assertSame(now, await fixture.end(story), "after the next command");
    }
}

function endingOf(failure: Error | undefined, wasAdopted: boolean): Ending {
    if (failure === undefined) return "unnoticed";
    return wasAdopted ? "adopted" : "finished by the next command";
}

const secrets = Object.values(planted);

interface Try extends Passed {
    readonly number: number;
}

/** Parses a message of the request log. */
function tryIn(message: string): Try | undefined {
    const [, method = "", path = "", number] = /: ([A-Z]+) (\S+): .* ms, try (\d+)$/.exec(message) ?? [];
    return number === undefined ? undefined : { method, path, number: Number(number) };
}

/** The most repetitions after 429, which `maxRetries` does not limit. */
const mostLimited = 10;

/** Asserts that every request has the time-out of the settings, or in a preview a shorter one, and no more tries than its repeat rule and the settings allow. */
function isInTime(tries: readonly Try[], timeouts: readonly number[], { fault, verb }: Cell): void {
    const { maxRetries, timeout } = patience;
    assert(tries.length <= timeouts.length, "a request was sent without a time-out");
    assert(
        timeouts.every((each) => (verb.name.startsWith("preview") ? each <= timeout * 1000 : each === timeout * 1000)),
        "a request has another time-out than the settings",
    );
    for (const attempt of tries) {
        const repeats = fault.name.startsWith("429") ? mostLimited : maxRetries;
        const most = mayRepeat(attempt, fault) ? repeats + 1 : 1;
        assert(attempt.number <= most, `${attempt.method} ${attempt.path} was sent ${attempt.number} times`);
    }
}

/** Codes of failures whose message names an object instead of a request. */
const ofObjects = ["absent", "conflict", "content", "exists", "in-use", "only", "timeout", "unheeded", "vanished"];

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
