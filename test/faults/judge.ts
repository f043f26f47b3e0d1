/** One run of a cell, and what must be true of it. */

import assert from "node:assert/strict";
import { planted } from "../support/canaries";
import { failureIfAny } from "../support/failures";
import { type ManagedResource, Shown, type State } from "../support/managed-resource";
import { assertDiscreet, assertReadable } from "../support/messages";
import type { Fault } from "./faults";
import { type FaultFixture, patience, recover, watchedClock } from "./fixture";
import { assertSame } from "./moment";
import { type Ending, kindOf, mayRepeat, promised } from "./promises";
import type { Passed } from "./proxy";
import type { Subject } from "./subjects";
import type { Cell, Story } from "./verbs";

/** A command that meets a fault. */
interface Meeting {
    readonly subject: Subject;
    readonly fault: Fault;
    /** The request that meets it, counted from 1. */
    readonly from: number;
    /** Only that request; else all that follow as well. */
    readonly once: boolean;
    /** What is there before. */
    readonly state: State | undefined;
    act(resource: ManagedResource): Promise<unknown>;
}

/**
 * Runs a command under a fault, in a process of its own. Whatever comes of it: no secret is shown or goes astray, each request is given its time
 * and sent no more often than is right, a failure can be read, and a lock that is left is told.
 */
export async function underFault(fixture: FaultFixture, { subject, fault, from, once, state, act }: Meeting) {
    const proxy = fixture.proxyFor(fault);
    const clock = watchedClock(() => proxy.expect());
    const resource = fixture.process(subject, proxy, clock);
    resource.state = state;
    const met = () => {
        if (fault.stalls) clock.elapse();
    };
    await proxy.harm({ harm: fault.harm, from, once, met });
    const failure = await failureIfAny(act(resource));
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
            `a lock was left behind: ${said.join("; ")}`,
        );
    }
    return { proxy, resource, failure, said, tries, harmed, requests };
}

/**
 * Runs a cell. The measure is the same story without the fault: when all is over the server's objects and the resource's state must be equal
 * to it.
 * @throws Error that says which promise was not kept
 */
export async function runCell(fixture: FaultFixture, cell: Cell): Promise<Ending> {
    const { subject, verb, fault, target } = cell;
    const measure = await fixture.measure(cell);
    const { state } = await fixture.begin(cell, fixture.proxyFor(fault));
    await fixture.simulator.forget();
    const { proxy, resource, failure, said, tries, harmed, requests } = await underFault(fixture, {
        ...cell,
        from: target.number,
        state,
        act: (one) => verb.act(one, subject),
    });
    assert(tries.length > 0, "no try was told");
    // Who meets a closed door is not seen.
    if (!("door" in fault.harm)) {
        assert(harmed > 0, "the fault met nobody");
        assert.equal(requests[target.number - 1]?.method, target.method, "the fault met another request");
    }

    // A service that says that there is nothing has whoever only wanted to look write, whatever it tells of that afterwards.
    const mayBelieve = fault.believable === true && (failure === undefined || verb.onlyLooks === true);
    const isBelieved = mayBelieve && fixture.moment(subject, resource) !== measure.done;
    if ((failure === undefined || verb.onlyLooks) && !isBelieved) {
        const when = failure ? "it was only to look, but" : "it says it succeeded, but";
        assertSame(fixture.moment(subject, resource), measure.done, when);
    }
    // Whom the service itself tells that there is nothing may write.
    if (verb.onlyLooks && !fault.believable) {
        const writes = (await fixture.simulator.writes()).map(({ method, path }) => `${method} ${path}`);
        assert.deepEqual(writes, [], "it was only to look");
    }

    const next = fixture.process(subject, proxy);
    next.state = resource.state;
    // Where nothing came into state there is nothing to destroy: the next command is another `up`.
    const isNowhere = failure !== undefined && verb.program(subject) !== undefined && resource.state === undefined;
    // Whoever was told of a success that was none sees it at the next refresh.
    const isToLook = isBelieved && cell.next === "up";
    const story: Story = isNowhere ? { ...cell, next: "up" } : isToLook ? { ...cell, next: "refresh" } : cell;
    const isTaken = await recover(story, next);
    const isGivenUp = story.next === "destroy" && failure !== undefined;
    if (isGivenUp) await fixture.releaseAsTold([...said, ...next.messages.map(({ message }) => message)]);
    // Whoever was told of success by the service itself has nothing left to do, and nobody to ask.
    const isDark = kindOf(target) === "in the dark";
    const isUnseen = subject.isOneShot || isDark || (subject.hidesEdit && verb.name === "update");
    const isTrusted = fault.believable && (isUnseen || (isBelieved && next.state === undefined));
    const now = fixture.moment(subject, next, isGivenUp);
    const { end } = await fixture.measure(story);
    if (!isTrusted && !(isGivenUp && now === (await fixture.undone(story)))) assertSame(now, end, "in the end");

    const ending = isBelieved
        ? "believed"
        : failure === undefined
          ? "unnoticed"
          : isTaken
            ? "taken over when told to"
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

/** The try that a message tells of, if it does. */
function tryTold(message: string): Try | undefined {
    const [, method = "", path = "", number] = /: ([A-Z]+) (\S+): .* ms, try (\d+)$/.exec(message) ?? [];
    return number === undefined ? undefined : { method, path, number: Number(number) };
}

/** Repetitions after 429, which `maxRetries` does not count. */
const mostLimited = 10;

/** Every request was given the time of the settings, and was not sent again more often than they say, nor where that could do it twice. */
function isInTime(tries: readonly Try[], timeouts: readonly number[], fault: Fault): void {
    const { maxRetries, timeout } = patience;
    assert(tries.length <= timeouts.length, "a request was sent without a time-out");
    assert(
        timeouts.every((each) => each === timeout * 1000),
        "a request was given another time than the settings say",
    );
    for (const told of tries) {
        const repeats = fault.name.startsWith("429") ? mostLimited : maxRetries;
        const most = mayRepeat(told, fault) ? repeats + 1 : 1;
        assert(told.number <= most, `${told.method} ${told.path} was sent ${told.number} times`);
    }
}

/** Codes of failures that no request is to blame for: they say what is there. */
const ofObjects = ["absent", "conflict", "exists", "in-use", "unheeded", "vanished"];

/** Beyond what is true of every failure: the matrix's name the request or say what is there, and are neither long nor broken off. */
function isReadable(failure: Error, { type }: Subject): void {
    const { message } = failure;
    assertReadable(failure, type, secrets);
    const isOfObject = failure instanceof Shown && failure.code !== undefined && ofObjects.includes(failure.code);
    assert(
        isOfObject || /\b(GET|PUT|POST|PATCH|DELETE) (\/|https?:)/.test(message),
        `it does not name the operation: ${message}`,
    );
    assert(/^[^\r\n]+\. \[[a-z-]+\]$/.test(message) && message.length < 1500, `it is no paragraph: ${message}`);
}
