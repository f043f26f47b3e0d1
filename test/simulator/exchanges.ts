/**
 * Rows of literal requests and their answers: how these tests say what a section of a document says.
 *
 * ```
 * a sentence, which is the name of a test
 *     POST role/web {"token_ttl": "1h"} | x-secrets-namespace: team -> 204
 *     GET role/web -> 200 {"data": {"token_ttl": 3600}} | content-type: application/json
 *         what is indented deeper goes on with the line before
 * ```
 *
 * | part of an answer     | means                                                                    |
 * |-----------------------|--------------------------------------------------------------------------|
 * | `{"a": 1}`            | the field `a` is 1; other fields may be anything                         |
 * | `= {"a": 1}`, `"a=":` | exactly this, no other field                                             |
 * | `[…]`                 | as many elements, each as it stands here                                 |
 * | `"~ ^a"`, `~ ^a`      | fits the regular expression                                              |
 * | `"<id>"`              | a text that no other name stands for; `<id>` is this text from then on   |
 * | `"<none>"`            | there is no such field                                                   |
 * | other text, `""`      | the whole body                                                           |
 */
import assert from "node:assert/strict";
import type { Seed } from "../../src/simulator/seed";
import { type Vocabulary, withSimulator } from "../support/simulator";
import { call } from "./requests";

/** What the requests of a section share. */
export interface Place {
    /** Where paths begin that do not begin with `/`. */
    readonly below?: string;
    /** Sent unless a request says otherwise; a header without a value is not sent. */
    readonly headers?: Readonly<Record<string, string>>;
    readonly seed?: Seed;
    readonly vocabulary?: Vocabulary;
}

interface Exchange {
    readonly line: string;
    readonly method: string;
    readonly path: string;
    readonly body: string | undefined;
    readonly headers: Readonly<Record<string, string>>;
    readonly status: number;
    readonly answer: string;
    readonly answerHeaders: Readonly<Record<string, string>>;
}

interface Row {
    readonly sentence: string;
    readonly exchanges: readonly Exchange[];
}

/** Texts by the names that stand for them. */
type Kept = Map<string, string>;

/** A template. Objects in it become JSON, and lists become lines. */
type Table<Result> = (strings: TemplateStringsArray, ...values: readonly unknown[]) => Result;

/** A section of a document. Every row is a test, on a simulator that holds the seed and nothing else. */
export function section(title: string, place: Place): Table<void> {
    return (strings, ...values) => {
        describe(`simulator: ${title}`, () => {
            const { seed, vocabulary } = place;
            const simulator = withSimulator(seed, vocabulary && { vocabulary });
            for (const { sentence, exchanges } of rowsIn(textOf(strings, values))) {
                it(sentence, () => run(simulator.url, place, exchanges));
            }
        });
    };
}

/** Runs exchanges at an address, one after the other. */
export function exchangesAt(url: string, place: Place = {}): Table<Promise<void>> {
    return (strings, ...values) => run(url, place, exchangesIn(linesOf(textOf(strings, values))));
}

async function run(url: string, place: Place, exchanges: readonly Exchange[]): Promise<void> {
    const kept: Kept = new Map();
    for (const exchange of exchanges) {
        const path = filled(exchange.path, kept);
        const address = path.startsWith("http") ? path : url + (path.startsWith("/") ? path : place.below + path);
        const headers = Object.entries({ ...place.headers, ...exchange.headers })
            .filter(([, value]) => value !== "")
            .map(([name, value]) => [name, filled(value, kept)]);
        const body = exchange.body === undefined ? undefined : filled(exchange.body, kept);
        const answer = await call(exchange.method, address, { headers: Object.fromEntries(headers), body });
        try {
            assert.equal(answer.status, exchange.status);
            for (const [name, value] of Object.entries(exchange.answerHeaders)) {
                match(answer.headers[name], value, kept);
            }
            const { answer: text } = exchange;
            if (/^(= )?[[{]/.test(text)) compare(answer.json, text, kept);
            else if (text !== "") match(answer.text, text === '""' ? "" : text, kept);
        } catch (error) {
            throw new Error(`${exchange.line}\n${error}\n${answer.text}`);
        }
    }
}

function compare(actual: unknown, text: string, kept: Kept): void {
    const isExact = text.startsWith("= ");
    match(actual, JSON.parse(isExact ? text.slice(2) : text), kept, isExact);
}

function match(actual: unknown, expected: unknown, kept: Kept, isExact = false): void {
    if (Array.isArray(expected)) {
        assert.ok(Array.isArray(actual) && actual.length === expected.length, `${JSON.stringify(actual)}`);
        for (const [index, item] of expected.entries()) match(actual[index], item, kept, isExact);
    } else if (typeof expected === "object" && expected !== null) {
        const fields = new Map(Object.entries(actual ?? {}));
        const names = Object.keys(expected).map((name) => name.replace(/=$/, ""));
        if (isExact) assert.deepEqual([...fields.keys()].sort(), names.sort());
        for (const [name, value] of Object.entries(expected)) {
            match(fields.get(name.replace(/=$/, "")), value, kept, isExact || name.endsWith("="));
        }
    } else if (typeof expected === "string") matchText(actual, expected, kept);
    else assert.equal(actual, expected);
}

function matchText(actual: unknown, expected: string, kept: Kept): void {
    const name = /^<(\w+)>$/.exec(expected)?.[1];
    if (expected.startsWith("~ ")) assert.match(String(actual), new RegExp(filled(expected.slice(2), kept)));
    else if (name === "none") assert.equal(actual, undefined);
    else if (name !== undefined && !kept.has(name)) {
        assert.equal(typeof actual, "string");
        assert.ok(![...kept.values()].includes(String(actual)), `another name stands for ${actual}`);
        kept.set(name, String(actual));
    } else assert.equal(actual, filled(expected, kept));
}

function filled(text: string, kept: Kept): string {
    return text.replace(/<(\w+)>/g, (whole, name) => kept.get(name) ?? whole);
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

function linesOf(text: string): string[] {
    return text.split("\n").filter((line) => line.trim() !== "");
}

function depthOf(line = ""): number {
    return line.search(/\S/);
}

function rowsIn(text: string): Row[] {
    const lines = linesOf(text);
    const starts = lines.flatMap((line, index) => (depthOf(line) === depthOf(lines[0]) ? [index] : []));
    return starts.map((start, row) => {
        const [sentence = "", ...rest] = lines.slice(start, starts[row + 1]);
        return { sentence: sentence.trim(), exchanges: exchangesIn(rest) };
    });
}

function exchangesIn(lines: readonly string[]): Exchange[] {
    const whole: string[] = [];
    for (const line of lines) {
        const isFirst = depthOf(line) === depthOf(lines[0]);
        whole.push(isFirst ? line.trim() : `${whole.pop()} ${line.trim()}`);
    }
    return whole.map(exchangeIn);
}

function exchangeIn(line: string): Exchange {
    const [request = "", response = ""] = line.split(/ +-> +/);
    const [sent = "", ...headers] = request.split(" | ");
    const [given = "", ...answerHeaders] = response.split(" | ");
    const [, method = "", path = "", body] = /^([A-Z]+) (\S+)(?: +(.+))?$/.exec(sent) ?? [];
    const [, status, answer = ""] = /^(\d{3})(?: +(.+))?$/.exec(given) ?? [];
    assert.ok(method !== "" && status !== undefined, `no exchange: ${line}`);
    const heads = { headers: headersIn(headers), answerHeaders: headersIn(answerHeaders) };
    return { line, method, path, body, status: Number(status), answer, ...heads };
}

function headersIn(lines: readonly string[]): Record<string, string> {
    return Object.fromEntries(
        lines.map((line) => {
            const [, name = "", value = ""] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
            return [name.toLowerCase(), value];
        }),
    );
}
