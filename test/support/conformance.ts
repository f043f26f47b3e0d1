/** Tests of the behaviour that all named objects share: create, adopt, update, replace, refresh, delete, and recovery after failed requests. */

import assert from "node:assert/strict";
import { inspect, isDeepStrictEqual } from "node:util";
import { isRecord } from "../../src/schema/values";
import type { Seed } from "../../src/simulator/seed";
import { definitionOf } from "./definitions";
import { failureOf } from "./failures";
import { type Answerer, withoutEmptyFields } from "./injector";
import { type ManagedResource, pathsOf, Shown, sealedPaths, unsealed } from "./managed-resource";
import { withCode } from "./messages";
import type { Props } from "./pulumi-values";
import type { Vocabulary } from "./simulator";
import { type Simulator, withSimulator } from "./simulator";

/** A fault of every read after the first one. */
const readsFail = { method: "GET", skip: 1, times: 0, path: "^/v1/" };

/** Facts of a named object that this suite uses. */
export interface Conformance {
    readonly type: string;
    readonly seed?: Seed;
    /** Whether the server uses the names and rules of the product or of the API document. Default: `product`. */
    readonly vocabulary?: Vocabulary;
    /** The id of `minimal` and `full`. */
    readonly id: string;
    /** The required inputs, and inputs that make the id equal to that of `full`. */
    readonly minimal: Props;
    /** Inputs of `minimal` that `check` does not require. */
    readonly optional?: readonly string[];
    /** Inputs with every field of the service. */
    readonly full: Props;
    /** A change of `full`, for which the resource sends `requests.edited`. */
    readonly edited?: Props;
    /** Changes of `full` in place. `undefined` removes an input. */
    readonly changes: readonly Props[];
    /** Changes of `full` that replace the object. */
    readonly replaces: readonly Props[];
    /** Other spellings of `full` with the same meaning. */
    readonly spellings?: readonly Props[];
    /** Changes of inputs that are stored in state and not sent. Default: `adopt`. */
    readonly options?: readonly Props[];
    /** The path of the object. */
    readonly path: string;
    /** The query of reads and deletions of the object. */
    readonly query?: `?${string}`;
    /** The headers of reads, writes and deletions of the object. */
    readonly headers?: Readonly<Record<string, string>>;
    /**
     * Bodies of writes, from the API document: of `minimal`, of `full`, the fields that `edited` changes in the body of `full`, and those
     * that an adoption adds to it.
     */
    readonly requests: {
        readonly method: string;
        readonly minimal: Props;
        readonly full: Props;
        readonly edited?: Props;
        readonly adopted?: Props;
    };
    /** The body of another client's write to the object. */
    readonly drifted: Props;
    /** Outputs that a refresh reports as changed after `drifted`. */
    readonly drift: readonly string[];
    /** `drift` on a server that omits empty fields from its answers. Default: `drift`. */
    readonly driftWithoutEmpty?: readonly string[];
    /** The service never omits empty fields. */
    readonly showsEmpty?: true;
    /** Inputs that `check` refuses when added to `minimal`, and the properties that the failures name. */
    readonly refused: readonly (readonly [inputs: Props, ...paths: string[]])[];
    /** Inputs of which `check` warns when added to `minimal`, and the properties that the warnings name; none for inputs without a warning. */
    readonly warned?: readonly (readonly [inputs: Props, ...paths: string[]])[];
    /** Inputs added to `minimal`, fields that answers then have (`undefined`: that they lack), and the outputs that drift. */
    readonly shown?: readonly (readonly [inputs: Props, answer: Props, ...drift: string[]])[];
    /** Paths of the secrets in `full`. */
    readonly secrets?: readonly string[];
    /** Inputs of `full` that no read returns, so that adoption writes them. */
    readonly unseen?: readonly string[];
    /** Inputs that every write replaces, although no read returns them: the program has to declare them, and the import warns of that. */
    readonly redeclared?: readonly string[];
}

/** Tests a named object in both hosts, and on a server that omits empty fields from its answers. */
export function describeResource(spec: Conformance): void {
    describePromises(spec);
    if (!spec.showsEmpty) describePromises(spec, { omitsEmpty: true });
    describePromises(spec, { isNative: true });
}

/** Tests a named object in one host, on one server. */
export function describePromises(spec: Conformance, choices: Choices = {}): void {
    const { omitsEmpty = false, isNative = false } = choices;
    const server = [spec.vocabulary ?? "", omitsEmpty ? "without empty fields" : "", isNative ? "native" : ""];
    describe([spec.type, ...server.filter(Boolean)].join(", "), () => {
        const trial = new Trial(spec, choices);
        if (!omitsEmpty) describe("check", () => itChecks(trial));
        describe("create", () => itCreates(trial));
        describe("update", () => itUpdates(trial));
        describe("read", () => itReads(trial));
        describe("delete", () => itDeletes(trial));
        describe("when requests fail", () => itRecovers(trial));
    });
}

/** The host and the server of a trial. */
interface Choices {
    readonly omitsEmpty?: boolean;
    readonly isNative?: boolean;
}

/** A named object, and a simulator on which the tests of a `describe` block deploy it. */
class Trial {
    readonly simulator: Simulator;
    /** `GET` or `DELETE` of the object by another client. */
    readonly outside: (verb: "GET" | "DELETE") => Promise<unknown>;

    constructor(
        readonly spec: Conformance,
        readonly choices: Choices,
    ) {
        const { path, query = "", headers } = spec;
        this.simulator = withSimulator(spec.seed, spec);
        this.outside = (verb) => this.simulator.outside(verb, path + query, undefined, headers);
        beforeEach(() => this.simulator.answerWith(choices.omitsEmpty ? withoutEmptyFields : undefined));
    }

    /** Creates a resource that is not deployed yet. */
    readonly start = (options: Parameters<Simulator["resource"]>[1] = {}): ManagedResource =>
        this.simulator.resource(this.spec.type, { ...options, isNative: this.choices.isNative === true });

    /** Deploys a new resource. */
    readonly created = async (inputs: Props, environment: NodeJS.ProcessEnv = {}): Promise<ManagedResource> => {
        const resource = this.start({ environment });
        assert.equal(await resource.up(inputs), "created");
        return resource;
    };

    /** Asserts that neither an `up` nor a refresh finds a change. */
    readonly isQuiet = async (resource: ManagedResource, inputs: Props): Promise<void> => {
        await resource.isQuiet(inputs);
        const dropped = resource.warnings.filter((warning) => withCode("dropped").test(warning));
        assert.deepEqual(dropped, []);
    };

    /** Asserts that a command fails with this code or status, and that the message begins with the type. */
    readonly fails = (command: Promise<unknown>, as: { readonly code: string } | { readonly status: number }) =>
        assert.rejects(command, { ...as, message: new RegExp(`^${this.spec.type} `) });

    /** Returns the writes since the last `forget`. */
    readonly written = async () =>
        (await this.simulator.writes()).map(({ method, path, body }) => [method, path, body] as const);

    readonly exists = async () => (await this.outside("GET")) !== undefined;

    /** Registers a test once, not again for a server that omits empty fields, because that cannot change its result. */
    readonly itOnce = (title: string, test: () => Promise<void>): void => {
        if (!this.choices.omitsEmpty) it(title, test);
    };

    /** Returns all rows in the first trial of a type, and the first row in the others: one row shows that its result passes the host. */
    readonly sample = <Row>(rows: readonly Row[] = []): readonly Row[] => {
        const { omitsEmpty, isNative } = this.choices;
        return omitsEmpty || isNative || this.spec.vocabulary === "documented" ? rows.slice(0, 1) : rows;
    };
}

function itChecks({ spec, start, sample }: Trial): void {
    const { minimal, full } = spec;

    it("accepts the minimal and the full inputs, and leaves checked inputs unchanged", async () => {
        for (const inputs of [minimal, full]) {
            const checked = await start().check(inputs);
            const { __provider, ...clear } = unsealed(checked) as Props;
            assert.deepEqual({ ...clear, ...inputs }, clear);
            assertOnlyPlaces(Object.keys(clear).filter((name) => !(name in inputs)));
            assert.deepEqual(await start().check(clear), checked);
        }
    });

    for (const name of Object.keys(minimal).filter((each) => !spec.optional?.includes(each))) {
        it(`requires \`${name}\`, and also reports its misspelling`, async () => {
            const { [name]: value, ...rest } = minimal;
            await assert.rejects(start().check(rest), { paths: [name] });
            const misspelt = { ...rest, [`${name}x`]: value };
            await assert.rejects(start().check(misspelt), { paths: [`${name}x`, name] });
        });
    }

    for (const [inputs, ...paths] of sample(spec.refused)) {
        it(`refuses ${JSON.stringify(inputs)}`, async () => {
            await assert.rejects(start().check({ ...minimal, ...inputs }), { paths });
        });
    }

    for (const [inputs, ...paths] of sample(spec.warned)) {
        it(`warns of ${paths.join(", ") || "nothing"} in ${inline(inputs)}`, async () => {
            const resource = start();
            await resource.check(without({ ...minimal, ...inputs }));
            assert.deepEqual(pathsOf(resource.warnings), paths);
        });
    }
}

function itCreates({ spec, choices, simulator, start, created, isQuiet, fails, written, itOnce }: Trial): void {
    const { minimal, full, path, requests } = spec;
    const { method } = requests;
    const { omitsEmpty = false, isNative = false } = choices;
    /** Only the native plugin can import objects, so only its messages name this command. */
    const importCommand = `pulumi import statecraft:index:${spec.type} x ${spec.id}`;

    it("sends the document's request, stores the id and the inputs, and a second `up` changes nothing", async () => {
        for (const [inputs, body] of [
            [minimal, requests.minimal],
            [full, requests.full],
        ] as const) {
            await simulator.reset();
            const resource = await created(inputs);
            assert.equal(resource.state?.id, spec.id);
            assert.deepEqual(await written(), [[method, path, body]], inFacts(spec, "requests"));
            const { __provider, server, ...outputs } = resource.outputs();
            assert(String(server).startsWith(simulator.url));
            assert.deepEqual({ ...outputs, ...inputs }, outputs);
            const own = definitionOf(spec.type).outputs.shape;
            assertOnlyPlaces(Object.keys(outputs).filter((name) => !(name in inputs || name in own)));
            await isQuiet(resource, inputs);
        }
    });

    itOnce("encrypts every secret in inputs and outputs, also after a refresh", async () => {
        const resource = await created(full);
        const secrets = [...(spec.secrets ?? [])].sort();
        const areEncrypted = () => {
            assert.deepEqual(sealedPaths(resource.state?.inputs).sort(), secrets, inFacts(spec, "secrets"));
            assert.deepEqual(sealedPaths(resource.state?.outputs).sort(), secrets);
        };
        areEncrypted();
        await resource.refresh();
        areEncrypted();
    });

    itOnce("warns of an object that exists after one GET in the preview, and not of a new one", async () => {
        const existing = async (inputs: Props, environment: NodeJS.ProcessEnv = {}) =>
            (await start({ environment }).preview(inputs)).filter((message) => withCode("exists").test(message));
        assert.deepEqual(await start().preview(full), []);
        await created(full);
        await simulator.forget();
        const [warning = "", ...others] = await existing(full);
        assert.deepEqual(others, []);
        assert.equal(warning.includes(importCommand), isNative, warning);
        await assert.rejects(existing(full, { STATECRAFT_STRICT: "true" }), /exists already/);
        const methods = (await simulator.requests()).map((request) => request.method);
        assert.deepEqual(methods, ["GET", "GET"]);
        assert.deepEqual(await existing({ ...full, adopt: true }), []);
    });

    it("refuses an object that exists, and writes nothing", async () => {
        await created(full);
        await simulator.forget();
        assertDiffering(spec);
        for (const inputs of [full, minimal, { ...minimal, adopt: "identical" }]) {
            const second = start();
            const { code, message } = await failureOf(second.up(inputs), Shown);
            assert.deepEqual([code, message.includes(importCommand), second.state], ["exists", isNative, undefined]);
        }
        const environment = { STATECRAFT_ADOPT: "identical" };
        await fails(start({ environment }).up(minimal), { code: "exists" });
        assert.deepEqual(await written(), []);
    });

    it("adopts an identical object, and writes nothing", async () => {
        const seen = Object.fromEntries(Object.entries(full).filter(([name]) => !spec.unseen?.includes(name)));
        await created(seen);
        await simulator.forget();
        await isQuiet(await created(seen, { STATECRAFT_ADOPT: "identical" }), seen);
        await isQuiet(await created({ ...seen, adopt: "identical" }), { ...seen, adopt: "identical" });
        assert.deepEqual(await written(), []);
        await isQuiet(await created({ ...seen, adopt: true }), { ...seen, adopt: true });
        // If the server omits an empty field, the resource cannot know its value, and may write it.
        assert((await written()).length <= (omitsEmpty ? 1 : 0));
    });

    for (const change of spec.changes.slice(0, 1)) {
        it("takes over an object that differs with `adopt: true`, and writes every field", async () => {
            await created(without({ ...full, ...change }));
            await simulator.forget();
            const inputs = { ...full, adopt: true };
            const resource = await created(inputs);
            const request = [method, path, { ...requests.full, ...requests.adopted }];
            assert.deepEqual(await written(), [request], inFacts(spec, "requests"));
            await isQuiet(resource, inputs);
        });
    }
}

function itUpdates({ spec, choices, simulator, created, isQuiet, written, itOnce, sample }: Trial): void {
    const { full, path, requests } = spec;

    for (const change of choices.isNative ? sample(spec.changes) : spec.changes) {
        it(`writes ${inline(change)} in place, and a second \`up\` changes nothing`, async () => {
            const resource = await created(full);
            const inputs = without({ ...full, ...change });
            assert.equal(await resource.up(inputs), "updated");
            await isQuiet(resource, inputs);
        });
    }

    if (requests.edited) {
        itOnce("sends every field of the object", async () => {
            const resource = await created(full);
            await simulator.forget();
            assert.equal(await resource.up({ ...full, ...spec.edited }), "updated");
            const request = [requests.method, path, { ...requests.full, ...requests.edited }];
            assert.deepEqual(await written(), [request], inFacts(spec, "requests"));
        });
    }

    for (const change of sample(spec.replaces)) {
        itOnce(`replaces the object for ${inline(change)}, and a second \`up\` changes nothing`, async () => {
            const resource = await created(full);
            const inputs = without({ ...full, ...change });
            const diff = await resource.diff(inputs);
            assert.deepEqual(diff.replaces, Object.keys(change));
            const former = resource.state?.id;
            assert.equal(await resource.up(inputs), "replaced");
            // Otherwise a refused create would leave neither object.
            assert.equal(diff.deleteBeforeReplace, resource.state?.id === former);
            await isQuiet(resource, inputs);
        });
    }

    itOnce("sees no change in another spelling of the same values", async () => {
        const resource = await created(full);
        for (const spelling of sample(spec.spellings)) {
            assert.equal(await resource.up(without({ ...full, ...spelling })), "same", inline(spelling));
        }
    });

    for (const option of sample(spec.options ?? [{ adopt: true }])) {
        itOnce(`stores the option ${inline(option)}, and sends nothing`, async () => {
            const resource = await created(full);
            await simulator.forget();
            const inputs = { ...full, ...option };
            assert.equal(await resource.up(inputs), "updated");
            assert.deepEqual(await written(), []);
            assert.deepEqual({ ...resource.outputs(), ...option }, resource.outputs());
            await isQuiet(resource, inputs);
            assert.equal(await resource.up(full), "updated");
            await isQuiet(resource, full);
        });
    }
}

function itReads(trial: Trial): void {
    const { spec, choices, simulator, outside, start, created, isQuiet, fails, itOnce, sample } = trial;
    const { full, path, requests } = spec;

    it("shows drift field by field, and the next `up` repairs it", async () => {
        const resource = await created(full);
        await simulator.outside(requests.method, path, spec.drifted, spec.headers);
        const drift = (choices.omitsEmpty && spec.driftWithoutEmpty) || spec.drift;
        assert.deepEqual(await resource.refresh(), [...drift].sort(), inFacts(spec, "drift"));
        const { __provider, ...inputs } = unsealed(resource.state?.inputs) as Props;
        const outputs = Object.entries(resource.outputs()).filter(([name]) => name in inputs);
        assert.deepEqual(inputs, Object.fromEntries(outputs));
        assert.notEqual(await resource.up(full), "same");
        await isQuiet(resource, full);
    });

    for (const [inputs, answer, ...drift] of sample(spec.shown)) {
        itOnce(`finds ${drift.join(", ") || "no drift"} in an answer with ${inline(answer)}`, async () => {
            const program = without({ ...spec.minimal, ...inputs });
            if (drift.length === 0) simulator.answerWith(showing(answer));
            const resource = await created(program);
            simulator.answerWith(showing(answer));
            assert.deepEqual(await resource.refresh(), drift);
            if (drift.length === 0) await isQuiet(resource, program);
        });
    }

    itOnce("reports a deleted object as gone, and the next `up` creates it", async () => {
        const resource = await created(full);
        await outside("DELETE");
        assert.equal(await resource.refresh(), "gone");
        assert.equal(await resource.up(full), "created");
        await isQuiet(resource, full);
    });

    itOnce("fails with the status of a refused read, and keeps the object in state", async () => {
        const resource = await created(full);
        for (const status of sample([503, 401, 403, 405, 500])) {
            await simulator.fault({ status, times: 0, body: '{"errors":["planted"]}' });
            await fails(resource.refresh(), { status });
            await simulator.heal();
        }
        await isQuiet(resource, full);
    });

    it("finds an object by its id, and fails for a malformed id or an absent object", async () => {
        const found = start();
        await fails(found.get(""), { code: "id" });
        await fails(found.get(spec.id), { code: "absent" });
        await created(full);
        await found.get(spec.id);
        assert.deepEqual((await found.diff(full)).replaces, []);
    });

    itOnce("keeps what no answer shows if an imported object changes", async () => {
        const { id, edited, redeclared = [] } = spec;
        // All but the times of snapshots, which follow from the clock.
        const stored = () => JSON.parse(JSON.stringify(simulator.store, (name, value) => (name === "due" ? 0 : value)));
        await (await created(full)).up({ ...full, ...edited });
        const wanted = stored();

        await simulator.reset();
        await created(full);
        const resource = await start().imported(id);
        if (redeclared.length > 0) assert.match(resource.said, withCode("import"));
        const declared = Object.fromEntries(redeclared.map((name) => [name, full[name]]));
        const seen = shownOf(full, resource.outputs(), unsealed(resource.state?.inputs) as Props) as Props;
        assert.equal(await resource.up({ ...seen, ...declared, ...edited }), "updated");
        assert.deepEqual(stored(), wanted);
    });
}

/** Changes fields in the answers of Vault to reads. */
const showing =
    (fields: Props): Answerer =>
    async ({ method }, act) => {
        const answer = await act();
        if (method !== "GET" || answer.status !== 200) return answer;
        const { data } = JSON.parse(answer.body.toString());
        return { ...answer, body: Buffer.from(JSON.stringify({ data: { ...data, ...fields } })) };
    };

/** Returns what an import gives as inputs, with the values of the program that the outputs show too, such as a secret. */
function shownOf(program: unknown, output: unknown, input: unknown): unknown {
    if (!isRecord(program) || !isRecord(output)) return isDeepStrictEqual(program, output) ? program : input;
    const given = isRecord(input) ? input : {};
    const names = Object.keys({ ...program, ...given }).filter((name) => !name.startsWith("__"));
    const values = names.map((name) => [name, shownOf(program[name], output[name], given[name])] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function itDeletes({ spec, start, created, exists, itOnce }: Trial): void {
    const { full } = spec;

    itOnce("removes the object, and succeeds for an absent object", async () => {
        const resource = await created(full);
        const second = start();
        second.state = resource.state;
        assert.equal(await exists(), true);
        await resource.destroy();
        assert.equal(await exists(), false);
        await second.destroy();
    });
}

function itRecovers({ spec, simulator, start, created, exists, isQuiet, fails, written }: Trial): void {
    const { minimal, full } = spec;
    const { method } = spec.requests;

    it("neither overwrites nor deletes another program's object after an unfinished creation", async () => {
        await simulator.fault({ method, drop: "before", times: 0 }, { ...readsFail, drop: "before" });
        const resource = start();
        assertDiffering(spec);
        await fails(resource.up(full), { code: "unreachable" });
        await simulator.heal();
        await created(minimal);
        await fails(resource.up(full), { code: "exists" });
        await fails(resource.destroy(), { code: "exists" });
        assert.equal(await exists(), true);
    });

    it("stores an object that cannot be read back as unfinished, and the next `up` only reads", async () => {
        for (const refreshes of [false, true]) {
            await simulator.reset();
            await simulator.fault({ ...readsFail, status: 500, body: "planted" });
            const resource = start();
            await fails(resource.up(full), { status: 500 });
            assert.deepEqual(resource.outputs()["unfinished"], ["readBack"]);
            await simulator.heal();
            if (refreshes) await resource.refresh();
            assert.equal((await resource.diff(full)).changes, true);
            await simulator.forget();
            assert.equal(await resource.up(full), "updated");
            assert.deepEqual(await written(), []);
            await isQuiet(resource, full);
        }
    });

    it("writes an object again that another client changed before the next `up` reads it back", async () => {
        await simulator.fault({ ...readsFail, status: 500, body: "planted" });
        const resource = start();
        await fails(resource.up(full), { status: 500 });
        await simulator.heal();
        await simulator.outside(method, spec.path, spec.drifted, spec.headers);
        await simulator.forget();
        assert.equal(await resource.up(full), "updated");
        const writes = await written();
        assert.deepEqual([writes.length, writes[0]?.[0]], [1, method]);
        await isQuiet(resource, full);
    });

    it("fails after a write that succeeded without effect, and the next `up` writes again", async () => {
        await simulator.fault({ method, status: 200, body: "{}" });
        const resource = start();
        await fails(resource.up(full), { code: "vanished" });
        assert.equal(await resource.up(full), "updated");
        assert.equal(await exists(), true);
        await isQuiet(resource, full);
    });
}

/** Formats a value for a title. JSON would omit `undefined`. */
const inline = (value: object) => inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 4 });

/** Removes the inputs that are `undefined`, as a program without these arguments. */
export function without(props: Props): Props {
    return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
}

/** The place of an expected value, for the message of a failure. */
const inFacts = ({ type }: Conformance, fact: keyof Conformance) => `\`${fact}\` of ${type} in test/resources`;

/** Asserts that `minimal` and `full` are different objects for the server, so that a test can tell another program's object by its fields. */
function assertDiffering({ type, requests: { minimal, full } }: Conformance): void {
    const advice = `${type}: \`minimal\` must differ from \`full\` in a field of the request. Give \`full\` another value, also if the object has one field`;
    assert.notDeepEqual(minimal, full, advice);
}

/** Asserts that the properties beyond those of the program are only `mount` and `namespace`, which come from the settings. */
function assertOnlyPlaces(names: readonly string[]): void {
    const others = names.filter((name) => name !== "mount" && name !== "namespace");
    assert.deepEqual(others, []);
}
