/** Asserts for every resource and function that no id or name in a program changes the path of a request. */

import assert from "node:assert/strict";
import { definitions, functions } from "./support/definitions";
import { functionFacts, type Props, programOf, type ResourceFacts, resourceFacts } from "./support/resource-facts";
import { withSimulator } from "./support/simulator";

type Verb = (...args: unknown[]) => Promise<unknown>;

/** A value without special characters, which shows the place of a value in a path. */
const harmless = "harmless";

const hostile: readonly string[] = [
    "../seal",
    "a/../../../sys/seal",
    "..",
    "%2e%2e%2fseal",
    "a%2fb",
    "\\..\\a",
    "a?force=true",
    "a#b",
    "$&",
    "a\r\nX-Injected: 1",
    "a\0b",
    "",
    " ",
    "ä\u{1f600}\ud800",
    "__proto__",
];

/** Valid arguments, the names of the arguments to replace (`tried`), and templates of ids, in which `{}` is replaced. */
const places: readonly { name: string; args: Props; tried: readonly string[]; ids: readonly string[] }[] = [
    ...resourceFacts.map(({ places: { path, elsewhere = [], ids }, ...facts }) => {
        return { name: facts.type, args: withoutWaits(facts), tried: [...path, ...elsewhere], ids };
    }),
    ...Object.entries(functionFacts).map(([name, { args, places: tried }]) => ({ name, args, tried, ids: [] })),
];

/** Returns the inputs of a resource without waits and `adopt`. */
function withoutWaits(facts: Pick<ResourceFacts, "full" | "beside">): Props {
    return Object.fromEntries(Object.entries(programOf(facts)).filter(([key]) => !/^(wait|adopt)/.test(key)));
}

describe("paths", () => {
    const simulator = withSimulator();
    let called: Record<string, unknown>;
    /** Resources and functions of which a request contained the tested value. */
    const seen = new Set<string>();
    before(() => {
        called = simulator.connect();
    });

    it("are tested for every resource and function", () => {
        const all = [...definitions.map(({ type }) => type), ...functions.map(({ name }) => name)];
        assert.deepEqual(places.map(({ name }) => name).sort(), all.sort(), "the facts in test/resources");
    });

    /** Calls `verb` with each of the values. Returns the requests. */
    async function requestsOf(values: readonly string[], verb: (value: string) => Promise<unknown>) {
        await simulator.forget();
        for (const value of values) {
            const failure = await verb(value).then(
                () => "",
                (error: Error) => error.message,
            );
            assert(!/mistake in statecraft/.test(failure), `${JSON.stringify(value)}: ${failure}`);
        }
        return simulator.requests();
    }

    /** Asserts that every request with a hostile value equals one with the harmless value, except at the place of the value. */
    async function assertInPlace(name: string, verb: (value: string) => Promise<unknown>): Promise<void> {
        const usual = await requestsOf([harmless], verb);
        if (usual.some(({ path, query }) => path.includes(harmless) || Object.values(query).includes(harmless)))
            seen.add(name);
        for (const { method, path, query, headers } of await requestsOf(hostile, verb)) {
            assert.equal(new URL(path, simulator.url).pathname, path, "the path is not normalized");
            assert.equal(headers["x-injected"], undefined);
            const keys = Object.keys(query).sort().join();
            const isUsual = usual.some((one) => {
                const [before = "", after] = one.path.split(harmless);
                const inside = path.slice(before.length, path.length - (after ?? "").length);
                const isPlaced =
                    path === before + inside + (after ?? "") &&
                    (after === undefined ? inside === "" : isEscaped(inside));
                return one.method === method && Object.keys(one.query).sort().join() === keys && isPlaced;
            });
            assert(isUsual, `${method} ${path}?${keys} is none of ${JSON.stringify(usual.map((one) => one.path))}`);
        }
    }

    /** Whether this part of a path is an escaped hostile value. Mounts may contain slashes, which are trimmed at both ends. */
    function isEscaped(inside: string): boolean {
        const values = hostile.flatMap((value) => [value, value.toLowerCase(), value.replace(/^\/+|\/+$/g, "")]);
        return (
            inside.split("/").every((part) => !/^\.{0,2}$/.test(part)) && values.includes(decodeURIComponent(inside))
        );
    }

    for (const { name, args, tried, ids } of places) {
        const verbsOf = () => called[name.charAt(0).toLowerCase() + name.slice(1)] as Verb & Record<string, Verb>;

        for (const field of tried) {
            it(`contain \`${field}\` of ${name} only in its place`, () => {
                const verb = ids.length > 0 ? verbsOf()["create"] : verbsOf();
                assert(verb);
                return assertInPlace(name, (value) => verb({ ...args, [field]: value }));
            });
        }

        for (const form of ids) {
            for (const [verb, given] of [
                ["read", {}],
                ["update", args],
                ["delete", {}],
            ] as const) {
                it(`contain the id ${form} of ${name} only in its place, in \`${verb}\``, () =>
                    assertInPlace(name, async (value) =>
                        verbsOf()[verb]?.(
                            form.replace("{}", () => value),
                            given,
                        ),
                    ));
            }
        }
    }

    it("contained the tested value for every resource and function that has a name in a request", () => {
        const names = places.filter(({ tried }) => tried.length > 0).map(({ name }) => name);
        assert.deepEqual([...seen].sort(), names.sort());
    });
});
