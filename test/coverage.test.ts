/** Whatever the three documents describe can be used from a program: every endpoint is sent, and every field has a way to it. */

import assert from "node:assert/strict";
import * as z from "zod";
import { connect } from "../src/client";
import { asType, factsOf, required, wordsOf } from "../src/schema/property";
import { demonstration } from "../src/simulator/demonstration";
import type { Seed } from "../src/simulator/seed";
import { canaryToken } from "./support/canaries";
import { definitions, functions } from "./support/definitions";
import { type Endpoint, prefixes, type Ways } from "./support/endpoints";
import {
    endpoints,
    functionFacts,
    type Props,
    programOf,
    type ResourceFacts,
    resourceFacts,
    type Scenario,
    words,
} from "./support/resource-facts";
import { type SeenRequest, type Simulator, withSimulator } from "./support/simulator";

type Call = (args: Props) => Promise<unknown>;

const byHand = { "x-secrets-token": canaryToken, authorization: `Bearer ${canaryToken}` };

const resources = new Map(definitions.map((definition) => [definition.type, definition]));
const lookups = new Map(functions.map((each) => [each.name, each] as const));

/** What a resource or function has to do. */
const scenarios: ReadonlyMap<string, Scenario> = new Map([
    ...resourceFacts.map((facts): [string, Scenario] => [facts.type, lifeOf(facts)]),
    ...Object.entries(functionFacts).map(([name, { of, args, scenario }]): [string, Scenario] => {
        return [name, scenario ?? { seed: seedOf(of), run: (simulator, call) => lookup(simulator, of, call, args) }];
    }),
]);

function seedOf(facts: ResourceFacts): Seed {
    return { ...demonstration, ...facts.seed };
}

function lifeOf(facts: ResourceFacts): Scenario {
    const { adopt: _adopt, ...whole } = programOf(facts);
    const { seed = seedOf(facts), programs = [whole], run } = facts.life ?? {};
    return { seed, run: run ?? ((simulator) => live(simulator, facts.type, programs)) };
}

/** A call that finds what the resource has made. */
async function lookup(simulator: Simulator, of: ResourceFacts, call: Call, args: Props): Promise<unknown> {
    await simulator.resource(of.type).up(of.full);
    return call(args);
}

/** One resource from program to program, with a refresh after each, to its end. */
async function live(simulator: Simulator, type: string, programs: readonly Props[]): Promise<void> {
    const resource = simulator.resource(type);
    for (const inputs of programs) {
        await resource.up(inputs);
        await resource.refresh();
    }
    await resource.destroy();
}

interface Seen {
    readonly requests: readonly SeenRequest[];
    /** What the service answers to the same look, sent by hand. */
    readonly answers: readonly { readonly request: SeenRequest; readonly body: unknown }[];
    readonly result: unknown;
}

describe("coverage of the documents", () => {
    const simulator = withSimulator(demonstration);
    const seen = new Map<string, Promise<Seen>>();

    /** What the scenario of a resource or function did, run once, one at a time. */
    let last: Promise<unknown> = Promise.resolve();
    const scenario = (name: string): Promise<Seen> => {
        const running = seen.get(name) ?? last.then(() => run(name));
        seen.set(name, running);
        last = running.catch(() => undefined);
        return running;
    };
    async function run(name: string): Promise<Seen> {
        const told = scenarios.get(name);
        assert(told, `say in test/resources how ${name} is used`);
        assert(resources.has(name) || lookups.has(name), `there is no resource or function ${name}`);
        await simulator.control("POST", "/simulator/reset", told.seed ?? demonstration);
        const token = canaryToken;
        const all = connect({
            manager: { address: simulator.url, token },
            volumes: { address: simulator.url, token },
            stateVersions: { address: `${simulator.url}/api/v2`, token },
            environment: {},
            warn: () => undefined,
        }) as unknown as Record<string, Call>;
        const result = await told.run(simulator, (args) => {
            const call = all[name];
            assert(call);
            return call(args);
        });
        const requests = await simulator.requests();
        const answers: { request: SeenRequest; body: unknown }[] = [];
        for (const request of lookups.has(name) ? requests : []) {
            if (request.method !== "GET" && request.method !== "LIST") continue;
            const path = `${request.path}?${new URLSearchParams(request.query)}`;
            answers.push({ request, body: await simulator.outside(request.method, path, undefined, byHand) });
        }
        return { requests, answers, result };
    }

    it("has a scenario for every resource and function, and none is left out of the list", () => {
        const all = [...resources.keys(), ...lookups.keys()].sort();
        assert.deepEqual(
            all.filter((name) => !scenarios.has(name)),
            [],
        );
        const listed = new Set(endpoints.flatMap(({ by }) => by));
        assert.deepEqual(
            all.filter((name) => !listed.has(name)),
            [],
        );
    });

    for (const endpoint of endpoints) {
        describe(`${endpoint.document}: ${endpoint.method} ${endpoint.path}`, () => {
            for (const name of endpoint.by) {
                it(`is sent by ${name}`, async () => {
                    const { requests } = await scenario(name);
                    const sent = requests.filter((request) => isTo(endpoint, request));
                    assert(sent.length > 0, `${name} sends no such request`);
                    assert(sent.some(({ status }) => (status ?? 500) < 300 || status === 404));
                });
            }

            each(endpoint.request, "is sent with", async (field, way) => {
                const { requests } = await scenario(nameOf(way));
                const bodies = requests.filter((request) => isTo(endpoint, request)).map(({ body }) => body);
                assert(
                    bodies.some((body) => valuesAt(body, field).length > 0),
                    `${field} is never sent`,
                );
            });

            each(endpoint.query, "is asked with", async (field, way) => {
                const { requests } = await scenario(nameOf(way));
                const queries = requests.filter((request) => isTo(endpoint, request)).map(({ query }) => query);
                assert(
                    queries.some((query) => field in query),
                    `${field} is never sent`,
                );
            });

            each(endpoint.response, "answers with");
        });
    }

    function each(ways: Ways | undefined, verb: string, further?: (field: string, way: string) => Promise<void>) {
        const fields = Object.entries(ways ?? {});
        if (fields.length === 0) return;
        it(`${verb} ${fields.length === 1 ? fields[0]?.[0] : `its ${fields.length} fields, each within reach`}`, async () => {
            const missing: string[] = [];
            for (const [field, all] of fields) {
                if (all.length === 0) missing.push(`${field}: no way leads to it`);
                for (const way of all) {
                    const problem = problemOf(way, field);
                    if (problem !== undefined) missing.push(`${field}: ${problem}`);
                    else
                        await further?.(field, way).catch((error: Error) => missing.push(`${field}: ${error.message}`));
                }
            }
            assert.deepEqual(missing, []);
        });
    }

    for (const [way, allowed] of Object.entries(words)) {
        it(`${way} takes every word of the document: ${allowed.join(", ")}`, () => {
            const [, name = "", argument = ""] = /^(\w+)[.(](\w+)\)?$/.exec(way) ?? [];
            const declared = (resources.get(name) ?? lookups.get(name))?.inputs.shape[argument];
            assert(declared, `there is no ${way}`);
            const type = asType(declared);
            const isTaken = (word: string) =>
                formOf(type, word) !== undefined || [word, [word]].some((value) => type.safeParse(value).success);
            assert.deepEqual(
                allowed.filter((word) => !isTaken(word)),
                [],
            );
        });
    }

    for (const endpoint of endpoints) {
        const told = Object.entries(endpoint.response ?? {}).flatMap(([field, ways]) =>
            ways.flatMap((way) => {
                const [, name = "", path = ""] = /^(\w+)\(\)\.(.+)$/.exec(way) ?? [];
                return lookups.has(name) ? [{ field, name, path }] : [];
            }),
        );
        if (told.length === 0) continue;
        it(`${endpoint.method} ${endpoint.path}: results hold the values of the answer`, async () => {
            const wrong: string[] = [];
            for (const { field, name, path } of told) {
                const { answers, result } = await scenario(name);
                const bodies = answers.filter(({ request }) => isTo(endpoint, request)).map(({ body }) => body);
                const held = new Set(leavesOf(valuesAt(result, path)));
                const missing = leavesOf(bodies.map((body) => valuesAt(body, field))).filter(
                    // The server counts some durations in nanoseconds.
                    (leaf) => !held.has(leaf) && !held.has(`${Number(leaf) / 1e9}s`),
                );
                if (missing.length > 0)
                    wrong.push(`${name}().${path} lacks what ${field} says: ${missing.slice(0, 3)}`);
            }
            assert.deepEqual(wrong, []);
        });
    }
});

/** The resource or function of a way. */
function nameOf(way: string): string {
    return /^\w+/.exec(way)?.[0] ?? "";
}

function isTo({ document, method, path }: Endpoint, request: SeenRequest): boolean {
    // The addresses of contents stand on the records, whole.
    const place = path.startsWith("{") ? "/v1/object/:id" : `${prefixes[document]}${path}`;
    const pattern = place.replace(/:[a-z_]+/g, "[^/]+");
    return request.method === method && new RegExp(`^${pattern}$`).test(request.path);
}

/** Everything that a value says, as text; what is empty says nothing, and a map to nothing is a list of names. */
function leavesOf(value: unknown): string[] {
    if (value === null || value === "") return [];
    if (Array.isArray(value)) return value.flatMap(leavesOf);
    if (typeof value === "object") {
        return Object.entries(value).flatMap(([name, inner]) => (inner === null ? [name] : leavesOf(inner)));
    }
    return [String(value)];
}

/** The values of a body at a path such as `Volumes[].ID`. */
function valuesAt(body: unknown, path: string): unknown[] {
    const steps = path.split(/\.|(?=\[\])/).filter((step) => step !== "");
    return steps.reduce<unknown[]>(
        (values, step) =>
            values.flatMap((value) => {
                if (step === "[]") return Array.isArray(value) ? value : [];
                if (typeof value !== "object" || value === null) return [];
                if (step === "*") return Object.values(value);
                const inner = (value as Props)[step];
                return inner === undefined ? [] : [inner];
            }),
        [body],
    );
}

/** Why a way does not lead to something that the definitions have. Where an input says its name on the wire, it is the document's. */
function problemOf(way: string, documented: string): string | undefined {
    const name = nameOf(way);
    const [resource, lookup] = [resources.get(name), lookups.get(name)];
    if (resource === undefined && lookup === undefined) return `there is no resource or function ${name}`;
    if (way === name) return undefined;
    const [, argument] = /^\w+\((\w+)\)$/.exec(way) ?? [];
    if (argument !== undefined)
        return lookup?.inputs.shape[argument] ? undefined : `${name} has no argument ${argument}`;
    const [, result] = /^\w+\(\)\.(.+)$/.exec(way) ?? [];
    if (result !== undefined) return lookup && typeAt(lookup.result, result) ? undefined : `there is no ${way}`;
    const [, field = "", form, inner] = /^\w+\.(\w+)(?:\(([^)]+)\))?(?:\.(.+))?$/.exec(way) ?? [];
    const outer = resource?.inputs.shape[field] && asType(resource.inputs.shape[field]);
    const input = inner === undefined || outer === undefined ? outer : typeAt(formOf(outer, form) ?? outer, inner);
    if (input === undefined && !resource?.outputs.shape[field] && field !== "id") return `there is no ${way}`;
    const wire = input === undefined ? undefined : factsOf(input).wire;
    return wire === undefined || wire === documented.split(".").at(-1) ? undefined : `${way} is sent as ${wire}`;
}

/** The form of a union that a word names; without a word, its first one. */
function formOf(type: z.ZodType, word?: string): z.ZodObject | undefined {
    const union = required(type);
    if (!(union instanceof z.ZodDiscriminatedUnion)) return undefined;
    return union.options
        .map((option) => asType(option))
        .filter((option) => option instanceof z.ZodObject)
        .find((option) => word === undefined || wordsOf(asType(option.shape[union.def.discriminator])).includes(word));
}

/** The type of the property that a path such as `allocations[].id` leads to. */
function typeAt(outer: z.ZodType, path: string): z.ZodType | undefined {
    const steps = path.split(/\.|(?=\[\])/);
    return steps.reduce<z.ZodType | undefined>((type, step) => type && inside(type, step), outer);
}

/** The type of one property, of the items of a list (`[]`) or of the entries of a map (`*`). */
function inside(outer: z.ZodType, step: string): z.ZodType | undefined {
    const type = required(outer);
    if (type instanceof z.ZodCodec) return inside(asType(type.out), step);
    if (type instanceof z.ZodArray && step === "[]") return asType(type.element);
    if (type instanceof z.ZodRecord && step === "*") return asType(type.valueType);
    const property = type instanceof z.ZodObject ? type.shape[step] : undefined;
    return property && asType(property);
}
