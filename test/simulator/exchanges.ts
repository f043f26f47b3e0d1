/**
 * A notation for the tests of the simulator: rows of requests and their answers.
 *
 * ```
 * the title of a test
 *     POST role/web {"token_ttl": "1h"} | x-secrets-namespace: team -> 204
 *     GET role/web -> 200 {"data": {"token_ttl": 3600}} | content-type: application/json
 *         a deeper line continues the line before
 * ```
 *
 * | in an answer          | meaning                                                           |
 * |-----------------------|-------------------------------------------------------------------|
 * | `{"a": 1}`            | the field `a` is 1; other fields are not compared                 |
 * | `"a=": {…}`           | the field `a` has these fields and no others                      |
 * | `{"=": {…}}`          | these fields and no others                                        |
 * | `[…]`                 | this number of elements, each compared like this                  |
 * | `"~ ^a"`, `~ ^a`      | text that matches the regular expression                          |
 * | `"<id>"`              | any text; `<id>` in later rows is the same text                   |
 * | `"<none>"`            | the field is absent                                               |
 * | other text, `""`      | the whole body                                                    |
 */
import assert from "node:assert/strict";
import type { Seed } from "../../src/simulator/seed";
import { type Simulator, type Vocabulary, withSimulator } from "../support/simulator";

/** Defaults for the requests of a section. */
export interface Place {
    /** The prefix of paths that do not begin with `/`. */
    readonly below?: string;
    /** Default headers. An empty value in a request removes a header. */
    readonly headers?: Readonly<Record<string, string>>;
    readonly seed?: Seed;
    readonly vocabulary?: Vocabulary;
    /** Texts by name, made when a test runs, such as `jwt` for `<jwt>`. */
    readonly texts?: () => Readonly<Record<string, string>>;
}

interface Exchange {
    readonly line: string;
    readonly method: string;
    readonly path: string;
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly status: number;
    readonly answer: string;
    readonly answerHeaders: Readonly<Record<string, string>>;
}

/** Texts by name, such as `id` for `<id>`. */
type Known = Map<string, string>;

/** Registers the tests of a section of a document. In the template, an object becomes JSON, and a list becomes lines. */
export function section(title: string, place: Place): (text: TemplateStringsArray, ...values: unknown[]) => void {
    return (strings, ...values) => {
        describe(`simulator: ${title}`, () => {
            const { seed, vocabulary } = place;
            const simulator = withSimulator(seed, { vocabulary: vocabulary ?? "documented" });
            const lines = textOf(strings, values)
                .split("\n")
                .filter((line) => line.trim() !== "");
            for (const [sentence = "", ...rest] of groupsOf(lines)) {
                const exchanges = groupsOf(rest).map(exchangeIn);
                it(sentence.trim(), async () => {
                    const known: Known = new Map(Object.entries(place.texts?.() ?? {}));
                    for (const exchange of exchanges) await run(simulator, place, exchange, known);
                });
            }
        });
    };
}

async function run(simulator: Simulator, place: Place, exchange: Exchange, known: Known): Promise<void> {
    const path = filled(exchange.path, known).replace(simulator.url, "");
    const headers = Object.entries({ ...place.headers, ...exchange.headers }).filter(([, value]) => value !== "");
    const answer = await simulator.exchange(
        exchange.method,
        path.startsWith("/") ? path : `${place.below}${path}`,
        Object.fromEntries(headers),
        Buffer.from(filled(exchange.body, known)),
    );
    const text = answer.body.toString();
    try {
        assert.equal(answer.status, exchange.status);
        for (const [name, value] of Object.entries(exchange.answerHeaders)) match(answer.headers[name], value, known);
        if (/^[[{]/.test(exchange.answer)) match(JSON.parse(text), JSON.parse(exchange.answer), known);
        else if (exchange.answer !== "") match(text, exchange.answer === '""' ? "" : exchange.answer, known);
    } catch (error) {
        throw new Error(`${exchange.line}\n${error}\n${text}`);
    }
}

function match(actual: unknown, expected: unknown, known: Known, isExact = false): void {
    if (typeof expected === "string") matchText(actual, expected, known);
    else if (Array.isArray(expected)) {
        assert(Array.isArray(actual) && actual.length === expected.length, JSON.stringify(actual));
        for (const [index, item] of expected.entries()) match(actual[index], item, known, isExact);
    } else if (typeof expected === "object" && expected !== null && "=" in expected) {
        match(actual, expected["="], known, true);
    } else if (typeof expected === "object" && expected !== null) {
        const fields = new Map(Object.entries(actual ?? {}));
        const names = Object.keys(expected).map((name) => name.replace(/=$/, ""));
        if (isExact) assert.deepEqual([...fields.keys()].sort(), names.sort());
        for (const [name, value] of Object.entries(expected)) {
            match(fields.get(name.replace(/=$/, "")), value, known, isExact || name.endsWith("="));
        }
    } else assert.equal(actual, expected);
}

function matchText(actual: unknown, expected: string, known: Known): void {
    const [, name] = /^<(\w+)>$/.exec(expected) ?? [];
    if (expected.startsWith("~ ")) assert.match(String(actual), new RegExp(filled(expected.slice(2), known)));
    else if (name === "none") assert.equal(actual, undefined);
    else if (name !== undefined && !known.has(name)) {
        assert.equal(typeof actual, "string");
        known.set(name, String(actual));
    } else assert.equal(actual, filled(expected, known));
}

function filled(text: string, known: Known): string {
    return text.replace(/<(\w+)>/g, (whole, name) => known.get(name) ?? whole);
}

function textOf(strings: TemplateStringsArray, values: readonly unknown[]): string {
    return strings.raw.reduce((text, string, index) => {
        const value = values[index - 1];
        const indentation = /(?:^|\n)( *)[^\n]*$/.exec(text)?.[1] ?? "";
        const isLines = Array.isArray(value) && value.every((line) => typeof line === "string");
        if (isLines) return text + value.join(`\n${indentation}`) + string;
        return text + (typeof value === "object" ? JSON.stringify(value) : value) + string;
    });
}

/** Groups lines: each group begins with a line that has the indentation of the first line. */
function groupsOf(lines: readonly string[]): string[][] {
    const depthOf = (line = "") => line.search(/\S/);
    const starts = lines.flatMap((line, index) => (depthOf(line) === depthOf(lines[0]) ? [index] : []));
    return starts.map((start, index) => lines.slice(start, starts[index + 1]));
}

function exchangeIn(lines: readonly string[]): Exchange {
    const line = lines.map((part) => part.trim()).join(" ");
    const [request = "", response = ""] = line.split(/ +-> +/);
    const [sent = "", ...headers] = request.split(" | ");
    const [given = "", ...answerHeaders] = response.split(" | ");
    const [, method = "", path = "", body = ""] = /^([A-Z]+) (\S+)(?: +(.+))?$/.exec(sent) ?? [];
    const [, status, answer = ""] = /^(\d{3})(?: +(.+))?$/.exec(given) ?? [];
    assert(method !== "" && status !== undefined, `not an exchange: ${line}`);
    const heads = { headers: headersIn(headers), answerHeaders: headersIn(answerHeaders) };
    return { line, method, path, body, status: Number(status), answer, ...heads };
}

function headersIn(lines: readonly string[]): Record<string, string> {
    return Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s).slice(0, 2)));
}
