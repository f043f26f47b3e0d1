/** Tests of functions as rows: what a call returns, what it sends, and how it fails. */

import assert from "node:assert/strict";
import { inspect } from "node:util";
import { AnswerError, type Connection, InputError, NotFoundError } from "../../src/client";
import { objectNode } from "../../src/schema/property";
import { functions } from "./definitions";
import { failureOf } from "./failures";
import { pathsOf } from "./managed-resource";
import type { Props } from "./pulumi-values";
import type { Simulator } from "./simulator";

/** The promises of a function. Each row is a test. */
export interface FunctionPromises {
    /** Valid arguments, which those of each row change. Default: none. */
    readonly args?: Props;
    /** The path of its first request. */
    readonly path: string;
    /** Prepares the server for `returns`. */
    readonly given?: () => unknown;
    /** Arguments, the whole result, and the query of the first request. */
    readonly returns?: readonly (readonly [args: Props, result: object, query?: Props])[];
    /** Answers of the server, and the whole result. */
    readonly reads?: readonly (readonly [answer: unknown, result: object, what?: string])[];
    /** Answers that are not in the document's form. */
    readonly malformed?: readonly unknown[];
    /** Arguments of objects that are absent. */
    readonly absent?: readonly Props[];
    /** Arguments that are refused before any request, and those that the error names. */
    readonly refused?: readonly (readonly [args: Props, ...paths: string[]])[];
    /** Arguments, and members of the error. */
    readonly fails?: readonly (readonly [args: Props, error: object])[];
    /** Members of the result that are secret in programs. */
    readonly secrets?: readonly string[];
}

/** Tests a function. */
export function describeFunction(
    name: keyof Connection & `${"get" | "download"}${string}`,
    simulator: Simulator,
    promises: FunctionPromises,
): void {
    const { args: usual = {}, path, given, secrets = [] } = promises;
    const call = (args: Props = {}) =>
        (simulator.connect()[name] as (args: Props) => Promise<Props>)({ ...usual, ...args });
    const answer = (body: unknown) =>
        simulator.fault({ method: "GET", status: 200, contentType: "application/json", body: JSON.stringify(body) });

    describe(name, () => {
        for (const [args, result, query] of promises.returns ?? []) {
            it(`returns what the server has for ${JSON.stringify(args)}`, async () => {
                await given?.();
                await simulator.forget();
                assert.deepEqual(await call(args), result);
                const [sent] = await simulator.requests();
                assert.deepEqual(sent?.query, query ?? sent?.query);
            });
        }

        for (const [body, result, what = JSON.stringify(body)] of promises.reads ?? []) {
            it(`returns each valid part of an answer: ${what}`, async () => {
                await answer(body);
                assert.deepEqual(await call(), result);
            });
        }

        for (const [args, error] of promises.fails ?? []) {
            it(`fails with ${inspect(error)} for ${JSON.stringify(args)}`, async () => {
                await assert.rejects(call(args), error);
            });
        }

        for (const args of promises.absent ?? []) {
            it(`fails with \`absent\` for ${JSON.stringify(args)}`, async () => {
                const { code, status } = await failureOf(call(args), NotFoundError);
                assert.deepEqual([code, status], ["absent", 404]);
            });
        }

        for (const body of promises.malformed ?? []) {
            it(`fails for the answer ${JSON.stringify(body)} to a request for ${path}`, async () => {
                await answer(body);
                await failureOf(call(), AnswerError);
                const [sent] = await simulator.requests();
                assert.deepEqual([sent?.method, sent?.path], ["GET", path]);
            });
        }

        for (const [args, ...paths] of promises.refused ?? []) {
            it(`refuses ${JSON.stringify(args)} before any request`, async () => {
                const { reasons } = await failureOf(call(args), InputError);
                assert.deepEqual(pathsOf(reasons), paths);
                assert.deepEqual(await simulator.requests(), []);
            });
        }

        it(`has in programs the secrets ${JSON.stringify(secrets)}`, () => {
            const { result } = functions.find((each) => each.name === name) ?? assert.fail(name);
            const properties = [...objectNode(result).properties.values()];
            const names = properties.filter(({ facts }) => facts.secret).map((property) => property.name);
            assert.deepEqual(names, secrets);
        });
    });
}
