/** The resources and functions send every request of the API documents with every field, and show every field of the answers. */

import assert from "node:assert/strict";
import type * as z from "zod";
import { ServiceError } from "../src/client";
import { check } from "../src/schema/check";
import { Declared } from "../src/schema/declared";
import { objectNode } from "../src/schema/property";
import { isRecord, type Values } from "../src/schema/values";
import { manager } from "../src/services/manager/service";
import { seed } from "./faults/subjects";
import { definitions, functions } from "./support/definitions";
import { type Endpoint, endpoints, fieldsOf, otherRequests, patternOf } from "./support/endpoints";
import type { Answerer } from "./support/injector";
import { filesIn, textOf } from "./support/repository";
import { functionFacts, joined, type Props, programsOf, resourceFacts } from "./support/resource-facts";
import { type SeenRequest, withSimulator } from "./support/simulator";
import { stateOf } from "./support/workspaces";

/** Requests about the locks of workspaces, which the documents do not describe. */
const undocumented = /^POST \/api\/v2\/workspaces\/[^/]+\/actions\/(lock|unlock)$/;

/** Fields of answers that are no `wire` of a property, and what uses them. */
const exceptions: Readonly<Record<string, string>> = {
    keys: "the result `names`",
    included: "the result `included`",
    meta: "the results `totalCount` and `totalPages`",
    type: "every read, which refuses another type",
    "hosted-state-download-url": "downloadState",
    "hosted-json-state-upload-url": "StateVersion",
};

const related = "created_by run run.created_by run.configuration_version outputs";
const including = (word: string) => ({ include: [word] });

/** The values that the documents allow for an argument. `given` returns inputs with one of them. */
const words: readonly (readonly [of: string, path: string, allowed: string, given: (word: string) => Props])[] = [
    [
        "AuthConfig",
        "environment",
        "CloudAPublicCloud CloudAUSGovernmentCloud CloudAChinaCloud CloudAGermanCloud",
        (environment) => ({ environment }),
    ],
    ["AuthRole", "tokenType", "service batch default default-service default-batch", (tokenType) => ({ tokenType })],
    ["SnapshotConfig", "storage.type", "local clouda-blob cloudb-s3 cloudc-gcs", (type) => ({ storage: { type } })],
    ["getStateVersions", "status", "pending finalized discarded", (status) => ({ status })],
    ["getStateVersions", "include", related, including],
    ["getStateVersion", "include", related, including],
    ["getCurrentStateVersion", "include", related, including],
];

/** A workspace with two pages of versions. */
const many = {
    ...{ id: "ws-many", name: "many", organization: "example" },
    stateVersions: Array.from({ length: 101 }, (_, index) => ({ id: `sv-many-${index}`, state: stateOf(index) })),
};

const inputs: ReadonlyMap<string, z.ZodObject> = new Map([
    ...definitions.map((each) => [each.type, each.inputs] as const),
    ...functions.map((each) => [each.name, each.inputs] as const),
]);

/** The fields of the API that a resource has in its state, or a function in its result. */
const shown: ReadonlyMap<string, readonly string[]> = new Map([
    ...definitions.map((each) => [each.type, namesIn(each.inputs, each.outputs)] as const),
    ...functions.map((each) => [each.name, namesIn(each.result)] as const),
]);

function namesIn(...schemas: readonly z.ZodObject[]): string[] {
    return schemas.flatMap((schema) => fieldsOf(objectNode(schema)).map(([field]) => field));
}

/** The objects around a record, and what every record of JSON:API has. */
const envelope = ["data", "auth", "attributes", "relationships", "id", "type"];

/** Removes all other fields from each record of an answer, at its outermost level. */
function withOnly(fields: readonly string[], record: unknown): unknown {
    if (Array.isArray(record)) return record.map((item) => withOnly(fields, item));
    if (!isRecord(record)) return record;
    const entries = Object.entries(record).filter(([name]) => fields.includes(name) || envelope.includes(name));
    return Object.fromEntries(
        entries.map(([name, value]) => [name, envelope.includes(name) ? withOnly(fields, value) : value]),
    );
}

/** Leaves in answers only the fields of their documents, of which resources and functions need no other. */
const documented: Answerer = async ({ method, path }, act) => {
    const answer = await act();
    const line = `${method} ${path}`;
    const fields = endpoints.filter((each) => patternOf(each).test(line)).flatMap((each) => each.answer);
    if (fields.length === 0 || answer.status !== 200) return answer;
    return { ...answer, body: Buffer.from(JSON.stringify(withOnly(fields, JSON.parse(answer.body.toString())))) };
};

describe("the API documents, on a server whose answers have only their fields,", () => {
    const simulator = withSimulator(joined(seed, { workspaces: [many] }), { vocabulary: "documented", lasts: true });
    const sent = new Map<string, readonly SeenRequest[]>();

    before(async () => {
        simulator.answerWith(documented);
        for (const facts of resourceFacts) {
            await simulator.reset();
            const resource = simulator.resource(facts.type);
            for (const program of programsOf(facts)) {
                await resource.up(program);
                await resource.refresh();
            }
            await resource.destroy();
            sent.set(facts.type, await simulator.requests());
        }
        const lookups: Values = simulator.connect();
        for (const [name, { args, calls = [args] }] of Object.entries(functionFacts)) {
            await simulator.reset();
            for (const each of calls) {
                // The object may be absent: only the request matters.
                const isOfService = (error: unknown) => assert(error instanceof ServiceError, String(error));
                await (lookups[name] as (args: Props) => Promise<unknown>)(each).catch(isOfService);
            }
            sent.set(name, await simulator.requests());
        }
    });

    /** Returns the requests to an endpoint, by the resource or function that sends them. */
    function sentTo(endpoint: Endpoint): ReadonlyMap<string, readonly SeenRequest[]> {
        const pattern = patternOf(endpoint);
        const all = [...sent].map(([name, requests]) => {
            return [name, requests.filter(({ method, path }) => pattern.test(`${method} ${path}`))] as const;
        });
        return new Map(all.filter(([, requests]) => requests.length > 0));
    }

    it("describe every request of every resource and function, except those about locks", () => {
        assert.deepEqual([...sent.keys()].sort(), [...inputs.keys()].sort());
        const lines = [...sent.values()].flat().map(({ method, path }) => `${method} ${path}`);
        const described = [...endpoints.map(patternOf), undocumented];
        const wrong = lines.filter((line) => !described.some((pattern) => pattern.test(line)));
        assert.deepEqual(wrong, [], "not in the endpoints of test/documents/rules.md");
    });

    for (const endpoint of endpoints) {
        const { method, path, by, query, request, answer } = endpoint;
        it(`${method} ${path} is sent by ${by.join(", ")} with every field, and every field of the answer is shown`, () => {
            const requests = sentTo(endpoint);
            assert.deepEqual([...requests.keys()].sort(), by, "the resources and functions of test/documents/rules.md");
            const all = [...requests.values()].flat();
            // One of them shows every field; resources show less of a state version than `getStateVersion`.
            const [unshown] = by
                .map((name) => lacking(answer, [...(shown.get(name) ?? []), ...Object.keys(exceptions)]))
                .sort((one, other) => one.length - other.length);
            const unsent = {
                query: lacking(
                    query,
                    all.flatMap((each) => Object.keys(each.query)),
                ),
                request: lacking(
                    request,
                    all.flatMap(({ body }) => pathsIn(body)),
                ),
            };
            const advice =
                "no program or call in test/resources sends the field, or no property has its name as `wire`";
            assert.deepEqual({ ...unsent, unshown }, { query: [], request: [], unshown: [] }, advice);
        });
    }

    for (const [name, path, allowed, given] of words) {
        it(`\`${path}\` of ${name} accepts every value of the document: ${allowed}`, () => {
            const node = objectNode(inputs.get(name) ?? assert.fail(name));
            const failures = allowed.split(" ").flatMap((word) => check(new Declared(node, given(word))).failures);
            const wrong = failures.filter((failure) => failure.path.startsWith(path));
            assert.deepEqual(wrong, []);
        });
    }
});

it("test/documents/rules.md has every request of src, and none that src does not send", () => {
    const sources = filesIn("src")
        .filter((file) => !file.startsWith("src/simulator/"))
        .map(textOf);
    // The second part of a line is the path below the prefix of the service.
    // `GET /` is the request to `ACTIONS_ID_TOKEN_REQUEST_URL`, which belongs to no product.
    const written = sources.flatMap((text) => [...text.matchAll(/(?<!`)\bendpoint\(\s*"([A-Z]+) (\/.+?)"/g)]);
    const sent = written.map(([, method, path = ""]) => {
        return `${method} ${path.startsWith("/v1/") ? "" : "/api/v2"}${path.replace(/\{\+mount\}/, "clouda").replace(/\{\w+\}/g, "x")}`;
    });
    const listed = [
        ...endpoints.map(({ method, path }) => `${method} ${path}`),
        ...otherRequests.map(({ line }) => line),
    ];
    const patterns = listed.map((line) => {
        const [method = "", path = ""] = line.split(" ");
        return [line, patternOf({ method, path })] as const;
    });
    assert(sent.length > 30);
    assert.deepEqual(
        sent.filter((line) => !patterns.some(([, pattern]) => pattern.test(line))),
        [],
        "not in test/documents/rules.md",
    );
    const unsent = patterns.filter(([line, pattern]) => !/\{/.test(line) && !sent.some((one) => pattern.test(one)));
    assert.deepEqual(
        unsent.map(([line]) => line),
        [],
        "in test/documents/rules.md only",
    );
});

it("a refusal of Vault names the policy for each endpoint, and docs/settings.md has it", () => {
    const policies = /path "(.*?)" \{ capabilities = \[(.*?)\] \}/g;
    const granted = new Map(
        [...textOf("docs/settings.md").matchAll(policies)].map(([, path = "", all = ""]) => [path, all]),
    );
    const withPolicy = endpoints.filter(({ document, by }) => document === "Secrets Manager" && !by.includes("login"));
    const missing = withPolicy.flatMap(({ method, path }) => {
        const operation = `${method} ${path.replace("clouda", "azure").replace(":name", "*")}`;
        const answer = { headers: {}, body: { errors: ["permission denied"] }, exchange: { service: "", operation } };
        const [[, at = "", wanted = "undefined"] = []] =
            manager.hint?.({ ...answer, status: 403 })?.matchAll(policies) ?? [];
        return wanted
            .split(", ")
            .filter((each) => !granted.get(at)?.includes(each))
            .map((each) => `${operation}: ${each}`);
    });
    assert.deepEqual(
        missing,
        [],
        "missing in `capabilities` of src/services/manager/service.ts, or in docs/settings.md",
    );
});

function lacking(fields: readonly string[], among: readonly string[]): string[] {
    return fields.filter((field) => !among.includes(field));
}

/** Returns the paths of the fields in a body, such as `Volumes[].ID`. */
function pathsIn(body: unknown, path = ""): string[] {
    if (typeof body !== "object" || body === null) return [path];
    const inner = Array.isArray(body)
        ? body.flatMap((item) => pathsIn(item, `${path}[]`))
        : Object.entries(body).flatMap(([name, value]) => pathsIn(value, path === "" ? name : `${path}.${name}`));
    return [path, ...inner];
}
