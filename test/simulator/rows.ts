/** Rows of requests and answers, for what the simulator does and no other test reaches. */

import assert from "node:assert/strict";
import type { Seed } from "../../src/simulator/seed";
import { type Vocabulary, withSimulator } from "../support/simulator";

/** A request, and what its status and body match, such as `/^404 .*unsupported path/`. A number is the status alone. */
export type Row = readonly [
    line: string,
    answer: RegExp | number,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
];

/** Defaults for the requests of a `describe` block. */
interface Place {
    /** The prefix of paths that do not begin with `/`. */
    readonly below?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly seed?: Seed;
    readonly vocabulary?: Vocabulary;
}

/** Registers a test for each title. Its rows follow one another on a new server. */
export function describeRows(title: string, place: Place, tests: Readonly<Record<string, () => readonly Row[]>>): void {
    const { seed, vocabulary = "documented", below = "", headers = { authorization: "Bearer any" } } = place;
    describe(`simulator: ${title}`, () => {
        const simulator = withSimulator(seed, { vocabulary });
        for (const [sentence, rows] of Object.entries(tests)) {
            it(sentence, async () => {
                for (const [line, answer, body = "", more] of rows()) {
                    const [method = "", path = ""] = line.split(" ");
                    const { status, body: bytes } = await simulator.exchange(
                        method,
                        path.startsWith("/") ? path : below + path,
                        { ...headers, ...more },
                        Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
                    );
                    const pattern = typeof answer === "number" ? new RegExp(`^${answer} `) : answer;
                    assert.match(`${status} ${bytes}`, pattern, line);
                }
            });
        }
    });
}
