/** For every endpoint of the API documents, a resource or function sends the request and covers every field. */

import assert from "node:assert/strict";
import * as z from "zod";
import { connect } from "../src/client";
import { asType, factsOf, required, wordsOf } from "../src/schema/property";
import { demonstration } from "../src/simulator/demonstration";
import type { Seed } from "../src/simulator/seed";
import { canaryToken } from "./support/canaries";
import { definitions, functions } from "./support/definitions";
import { type Endpoint, patternOf, type Ways } from "./support/endpoints";
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

const resources = new Map(definitions.map((definition) => [definition.type, definition]));
const lookups = new Map(functions.map((each) => [each.name, each] as const));

/** The scenario of each resource and function. */
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

/** Creates the resource, and calls the function. */
async function lookup(simulator: Simulator, of: ResourceFacts, call: Call, args: Props): Promise<unknown> {
    await simulator.resource(of.type).up(of.full);
    return call(args);
}

/** Deploys the programs one after the other, with a refresh after each, and destroys the resource. */
async function live(simulator: Simulator, type: string, programs: readonly Props[]): Promise<void> {
    const resource = simulator.resource(type);
    for (const inputs of programs) {
        await resource.up(inputs);
        await resource.refresh();
    }
    await resource.destroy();
}

describe("coverage of the documents", () => {
    const simulator = withSimulator(demonstration, { vocabulary: "documented" });
    const sent = new Map<string, readonly SeenRequest[]>();

    /** Runs the scenario of a resource or function once, and returns its requests to an endpoint. */
    async function sentTo(endpoint: Endpoint, name: string): Promise<readonly SeenRequest[]> {
        const all = sent.get(name) ?? (await run(name));
        sent.set(name, all);
        return all.filter((request) => isTo(endpoint, request));
    }
    async function run(name: string): Promise<readonly SeenRequest[]> {
        const used = scenarios.get(name);
        assert(used, `${name} needs a scenario in test/resources`);
        assert(resources.has(name) || lookups.has(name), `there is no resource or function ${name}`);
        await simulator.control("POST", "/simulator/reset", used.seed ?? demonstration);
        const token = canaryToken;
        const all = connect({
            manager: { address: simulator.url, token },
            volumes: { address: simulator.url, token },
            stateVersions: { address: `${simulator.url}/api/v2`, token },
            environment: {},
            warn: () => undefined,
        }) as unknown as Record<string, Call>;
        await used.run(simulator, (args) => {
            const call = all[name];
            assert(call);
            return call(args);
        });
        return simulator.requests();
    }

    it("has a scenario and an endpoint for every resource and function", () => {
        const all = [...resources.keys(), ...lookups.keys()];
        const listed = new Set(endpoints.flatMap(({ by }) => by));
        const missing = all.filter((name) => !scenarios.has(name) || !listed.has(name));
        assert.deepEqual(missing, []);
    });

    for (const endpoint of endpoints) {
        describe(`${endpoint.document}: ${endpoint.method} ${endpoint.path}`, () => {
            for (const name of endpoint.by) {
                it(`is sent by ${name}`, async () => {
                    const requests = await sentTo(endpoint, name);
                    assert(requests.some(({ status }) => (status ?? 500) < 300 || status === 404));
                });
            }

            covers(endpoint.request, "is sent with", async (field, way) => {
                const requests = await sentTo(endpoint, nameOf(way));
                assert(requests.some(({ body }) => valuesAt(body, field).length > 0));
            });

            covers(endpoint.query, "is sent with the query", async (field, way) => {
                const requests = await sentTo(endpoint, nameOf(way));
                assert(requests.some(({ query }) => field in query));
            });

            covers(endpoint.response, "answers with");
        });
    }

    function covers(ways: Ways | undefined, verb: string, further?: (field: string, way: string) => Promise<void>) {
        const fields = Object.entries(ways ?? {});
        if (fields.length === 0) return;
        it(`${verb} its ${fields.length} fields, which definitions cover`, async () => {
            const missing: string[] = [];
            for (const [field, all] of fields) {
                if (all.length === 0) missing.push(`${field}: nothing covers it`);
                for (const way of all) {
                    const problem = problemOf(way, field);
                    if (problem !== undefined) missing.push(`${field}: ${problem}`);
                    else
                        await further?.(field, way).catch(() =>
                            missing.push(`${field}: ${nameOf(way)} never sends it`),
                        );
                }
            }
            assert.deepEqual(missing, []);
        });
    }

    for (const [way, allowed] of Object.entries(words)) {
        it(`${way} accepts every value of the document: ${allowed.join(", ")}`, () => {
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
});

/** Returns the resource or function of a property such as `AuthRole.mount`. */
function nameOf(way: string): string {
    return /^\w+/.exec(way)?.[0] ?? "";
}

function isTo(endpoint: Endpoint, { method, path }: SeenRequest): boolean {
    return patternOf(endpoint).test(`${method} ${path}`);
}

/** Returns the values of a body at a path such as `Volumes[].ID`. */
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

/** Returns an error if `way` names no property, or an input that is sent with another name than the document's. */
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

/** Returns the variant of a union with this discriminator; without `word`, the first variant. */
function formOf(type: z.ZodType, word?: string): z.ZodObject | undefined {
    const union = required(type);
    if (!(union instanceof z.ZodDiscriminatedUnion)) return undefined;
    return union.options
        .map((option) => asType(option))
        .filter((option) => option instanceof z.ZodObject)
        .find((option) => word === undefined || wordsOf(asType(option.shape[union.def.discriminator])).includes(word));
}

/** Returns the type of the property at a path such as `allocations[].id`. */
function typeAt(outer: z.ZodType, path: string): z.ZodType | undefined {
    const steps = path.split(/\.|(?=\[\])/);
    return steps.reduce<z.ZodType | undefined>((type, step) => type && inside(type, step), outer);
}

/** Returns the type of one property, of the items of a list (`[]`) or of the entries of a map (`*`). */
function inside(outer: z.ZodType, step: string): z.ZodType | undefined {
    const type = required(outer);
    if (type instanceof z.ZodCodec) return inside(asType(type.out), step);
    if (type instanceof z.ZodArray && step === "[]") return asType(type.element);
    if (type instanceof z.ZodRecord && step === "*") return asType(type.valueType);
    const property = type instanceof z.ZodObject ? type.shape[step] : undefined;
    return property && asType(property);
}
