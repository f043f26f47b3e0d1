/** Every promise that an object makes which is declared whole: one suite for all of them, run over HTTP on the simulator. */

import assert from "node:assert/strict";
import type { Seed } from "../../src/simulator/seed";
import { type ManagedResource, sealedPaths, unsealed } from "./managed-resource";
import { withCode } from "./messages";
import type { Vocabulary } from "./simulator";
import { type Simulator, withSimulator } from "./simulator";

type Props = Record<string, unknown>;

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** What the suite needs to know of a named object. */
export interface Conformance {
    readonly type: string;
    /** What is on the server before. */
    readonly seed?: Seed;
    /** Whose names and rules the server has. Default: the product's. */
    readonly vocabulary?: Vocabulary;
    /** The id of `minimal` and `full`. */
    readonly id: string;
    /** Only what is required, and what makes the id that of `full`. */
    readonly minimal: Props;
    /** Fields of `minimal` that may be left out. */
    readonly optional?: readonly string[];
    /** Every field of the service. */
    readonly full: Props;
    /** A change of `full`, which `requests.edited` goes with. */
    readonly edited?: Props;
    /** Changes of `full` in place; `undefined` removes a field. */
    readonly changes: readonly Props[];
    /** Changes of `full` that need another object. */
    readonly replaces: readonly Props[];
    /** Whether a replacement deletes first. */
    readonly deletesFirst?: true;
    /** Other spellings of `full` that mean the same. */
    readonly spellings?: readonly Props[];
    /** Options: a change is stored and nothing is sent. Default: `adopt`. */
    readonly options?: readonly Props[];
    /** The document's path of the object that `minimal` and `full` make. */
    readonly path: string;
    /** The query of its reads and deletions. */
    readonly query?: `?${string}`;
    /** Headers that say where it is. */
    readonly headers?: Readonly<Record<string, string>>;
    /** What the write of `minimal` and of `full` sends, from the document; and what `edited` changes of that. */
    readonly requests: {
        readonly method: string;
        readonly minimal: Props;
        readonly full: Props;
        readonly edited?: Props;
    };
    /** The body by which somebody changes the object behind Pulumi's back, from `full`. */
    readonly drifted: Props;
    /** Whether it has to be deleted for that. */
    readonly isWrittenOnce?: true;
    /** The outputs that show it. */
    readonly drift: readonly string[];
    /** Whether its service shows empty fields always: the suite without them is left out. */
    readonly showsEmpty?: true;
    /** Those of them that show it on a server that leaves empty fields out of its answers. Default: all. */
    readonly driftWithoutEmpty?: readonly string[];
    /** Inputs that check refuses (over `minimal`), and the properties that it names. */
    readonly refused: readonly (readonly [inputs: Props, ...paths: string[]])[];
    /** Paths that are sealed in the inputs and outputs of `full`. */
    readonly secrets?: readonly string[];
    /** Fields of `full` that no look can tell: an object that is taken over with them is written. */
    readonly unseen?: readonly string[];
    /** Outputs beside the inputs. */
    readonly outputs?: readonly string[];
}

/** Tests the promises of a named object in both hosts, and on a server that leaves empty fields out of its answers. */
export function describeResource(spec: Conformance): void {
    describePromises(spec);
    if (!spec.showsEmpty) describePromises(spec, { omitsEmpty: true });
    describePromises(spec, { isNative: true });
}

/** Tests the promises of a named object in one host, on one server. */
export function describePromises(
    spec: Conformance,
    { omitsEmpty = false, isNative = false }: { readonly omitsEmpty?: boolean; readonly isNative?: boolean } = {},
): void {
    const { vocabulary } = spec;
    const server = [
        ...(vocabulary ? [vocabulary] : []),
        ...(omitsEmpty ? ["without empty fields"] : []),
        ...(isNative ? ["native"] : []),
    ].join(", ");
    describe(`${spec.type}${server && ` (${server})`}: what every resource promises`, () => {
        const simulator = withSimulator(spec.seed, spec);
        const { path, query = "", headers } = spec;
        const remove = () => simulator.outside("DELETE", path + query, undefined, headers);
        const exists = async () => (await simulator.outside("GET", path + query, undefined, headers)) !== undefined;
        const outputNames = spec.outputs ?? [];
        before(() => simulator.omitEmptyFields(omitsEmpty));

        const life = (options?: Parameters<Simulator["resource"]>[1]) =>
            simulator.resource(spec.type, { ...options, isNative });
        const made = async (
            inputs: Props,
            options?: Parameters<Simulator["resource"]>[1],
        ): Promise<ManagedResource> => {
            const resource = life(options);
            assert.equal(await resource.up(inputs), "created");
            return resource;
        };
        const isQuiet = async (resource: ManagedResource, inputs: Props) => {
            assert.equal(await resource.up(inputs), "same", "a second up must find nothing to do");
            assert.deepEqual(await resource.refresh(), [], "a refresh must find nothing changed");
            assert.equal(await resource.up(inputs), "same", "an up after a refresh must find nothing to do");
            const dropped = resource.warnings.filter((warning) => withCode("dropped").test(warning));
            assert.deepEqual(dropped, [], "what the server does not tell is no reason to warn");
        };
        /** It fails like this, and its message begins with the resource. */
        const fails = (command: Promise<unknown>, as: { readonly code: string } | { readonly status: number }) =>
            assert.rejects(command, { ...as, message: new RegExp(`^${spec.type} `) });

        /** What depends on nothing that a server holds is shown once. */
        const once = (tests: () => void) => {
            if (!omitsEmpty) tests();
        };
        const describeOnce = (title: string, tests: () => void) => once(() => describe(title, tests));
        const itOnce = (title: string, test: () => Promise<void>) => once(() => it(title, test));
        const itEdits = spec.requests.edited === undefined ? () => undefined : itOnce;

        describeOnce("check", () => {
            it("accepts the minimal and the full inputs, and twice changes nothing", async () => {
                for (const inputs of [spec.minimal, spec.full]) {
                    const once = await life().check(inputs);
                    const clear = unsealed(once) as Props;
                    const { __provider, ...told } = clear;
                    // Where it is to be made is told as well, whatever that comes from.
                    const place = ["mount", "namespace"].filter((name) => name in told && !(name in inputs));
                    assert.deepEqual(told, {
                        ...inputs,
                        ...Object.fromEntries(place.map((name) => [name, told[name]])),
                    });
                    assert.deepEqual(await life().check(told), once);
                }
            });

            for (const name of Object.keys(spec.minimal).filter((each) => !spec.optional?.includes(each))) {
                it(`wants ${name}`, async () => {
                    const { [name]: _, ...rest } = spec.minimal;
                    await assert.rejects(life().check(rest), { paths: [name] });
                });
            }

            for (const name of Object.keys(spec.full)) {
                it(`lets an unknown ${name} pass`, async () => {
                    await life().check({ ...spec.full, [name]: unknown });
                });
            }

            it("lets an unknown connection and option pass", async () => {
                await life().check({ ...spec.minimal, connection: unknown, adopt: unknown });
            });

            for (const [inputs, ...paths] of spec.refused) {
                it(`refuses ${JSON.stringify(inputs)}`, async () => {
                    await assert.rejects(life().check({ ...spec.minimal, ...inputs }), { paths });
                });
            }

            it("reports a misspelt argument beside every other problem", async () => {
                const [first] = Object.keys(spec.minimal);
                assert(first);
                const { [first]: value, ...rest } = spec.minimal;
                const isRequired = !spec.optional?.includes(first);
                const paths = [`${first}x`, ...(isRequired ? [first] : [])];
                await assert.rejects(life().check({ ...rest, [`${first}x`]: value }), { paths });
            });
        });

        describe("create", () => {
            it("sends what the document says, and makes the id", async () => {
                const { method } = spec.requests;
                for (const [inputs, body] of [
                    [spec.minimal, spec.requests.minimal],
                    [spec.full, spec.requests.full],
                ] as const) {
                    await simulator.reset();
                    const resource = await made(inputs);
                    assert.equal(resource.state?.id, spec.id);
                    const sent = (await simulator.writes()).map((request) => [
                        request.method,
                        request.path,
                        request.body,
                    ]);
                    assert.deepEqual(sent, [[method, path, body]]);
                }
            });

            it("keeps what the program wrote, the server, and its own outputs, and nothing else", async () => {
                const resource = await made(spec.full);
                const { __provider, server, ...outputs } = resource.outputs();
                assert(String(server).startsWith(simulator.url));
                const written = Object.keys(outputs).filter((name) => !outputNames.includes(name));
                const settled = written.filter((name) => !(name in spec.full));
                for (const name of Object.keys(spec.full)) assert.deepEqual(outputs[name], spec.full[name]);
                assert(
                    settled.every((name) => ["mount", "namespace"].includes(name)),
                    `unexpected outputs ${settled}`,
                );
            });

            it("is quiet afterwards, minimal and full", async () => {
                for (const inputs of [spec.minimal, spec.full]) {
                    await simulator.reset();
                    await isQuiet(await made(inputs), inputs);
                }
            });

            it("seals every secret in inputs and outputs, also after a refresh", async () => {
                const resource = await made(spec.full);
                const secrets = [...(spec.secrets ?? [])].sort();
                assert.deepEqual(sealedPaths(resource.state?.inputs).sort(), secrets);
                assert.deepEqual(sealedPaths(resource.state?.outputs).sort(), secrets);
                await resource.refresh();
                assert.deepEqual(sealedPaths(resource.state?.inputs).sort(), secrets);
                assert.deepEqual(sealedPaths(resource.state?.outputs).sort(), secrets);
            });

            it("refuses an object that exists, and touches nothing", async () => {
                await made(spec.full);
                await simulator.forget();
                for (const inputs of [spec.full, spec.minimal]) {
                    const second = life();
                    await fails(second.up(inputs), { code: "exists" });
                    assert.equal(second.state, undefined);
                }
                assert.deepEqual(await simulator.writes(), []);
            });

            it("takes over an identical object when told to, and sends nothing", async () => {
                const seen = Object.fromEntries(
                    Object.entries(spec.full).filter(([name]) => !spec.unseen?.includes(name)),
                );
                await made(seen);
                await simulator.forget();
                await isQuiet(await made(seen, { environment: { STATECRAFT_ADOPT: "identical" } }), seen);
                await isQuiet(await made({ ...seen, adopt: "identical" }), { ...seen, adopt: "identical" });
                assert.deepEqual(await simulator.writes(), []);
                await isQuiet(await made({ ...seen, adopt: true }), { ...seen, adopt: true });
                // What is not told may be another value: it is written.
                assert((await simulator.writes()).length <= (omitsEmpty ? 1 : 0));
            });

            it("does not take over another object for being asked to take over identical ones", async () => {
                await made(spec.full);
                const second = life({ environment: { STATECRAFT_ADOPT: "identical" } });
                await assert.rejects(second.up(spec.minimal), { code: "exists" });
                await assert.rejects(life().up({ ...spec.minimal, adopt: "identical" }), { code: "exists" });
            });
        });

        describe("update", () => {
            for (const change of spec.changes) {
                it(`brings ${JSON.stringify(change)} to the server in place, and is quiet afterwards`, async () => {
                    const resource = await made(spec.full);
                    const inputs = without({ ...spec.full, ...change });
                    assert.equal(await resource.up(inputs), "updated");
                    await isQuiet(resource, inputs);
                });
            }

            const { method, full, edited } = spec.requests;
            itEdits("sends the whole object, as the document says", async () => {
                const resource = await made(spec.full);
                await simulator.forget();
                assert.equal(await resource.up({ ...spec.full, ...spec.edited }), "updated");
                const sent = (await simulator.writes()).map((request) => [request.method, request.path, request.body]);
                assert.deepEqual(sent, [[method, path, { ...full, ...edited }]]);
            });

            for (const change of spec.replaces) {
                it(`replaces for ${JSON.stringify(change)}, and is quiet afterwards`, async () => {
                    const resource = await made(spec.full);
                    const inputs = without({ ...spec.full, ...change });
                    const diff = await resource.diff(inputs);
                    assert.deepEqual(diff.replaces, Object.keys(change));
                    assert.equal(diff.deleteBeforeReplace === true, spec.deletesFirst === true);
                    assert.equal(await resource.up(inputs), "replaced");
                    await isQuiet(resource, inputs);
                });
            }

            for (const spelling of spec.spellings ?? []) {
                it(`sees no change in ${JSON.stringify(spelling)}`, async () => {
                    const resource = await made(spec.full);
                    assert.equal(await resource.up(without({ ...spec.full, ...spelling })), "same");
                });
            }

            for (const option of spec.options ?? [{ adopt: true }]) {
                itOnce(`stores the option ${JSON.stringify(option)} and sends nothing`, async () => {
                    const resource = await made(spec.full);
                    await simulator.forget();
                    assert.equal(await resource.up({ ...spec.full, ...option }), "updated");
                    assert.deepEqual(await simulator.writes(), []);
                    for (const [name, value] of Object.entries(option))
                        assert.deepEqual(resource.outputs()[name], value);
                    await isQuiet(resource, { ...spec.full, ...option });
                    assert.equal(await resource.up(spec.full), "updated");
                    await isQuiet(resource, spec.full);
                });
            }

            it("counts an unknown value as a change", async () => {
                const resource = await made(spec.full);
                for (const name of Object.keys(spec.full)) {
                    assert.equal((await resource.diff({ ...spec.full, [name]: unknown })).changes, true, name);
                }
            });
        });

        describe("read", () => {
            it("shows what was changed behind Pulumi's back field by field; the next up repairs it", async () => {
                const resource = await made(spec.full);
                if (spec.isWrittenOnce) await remove();
                await simulator.outside(spec.requests.method, path, spec.drifted, headers);
                const drift = (omitsEmpty && spec.driftWithoutEmpty) || spec.drift;
                assert.deepEqual(await resource.refresh(), [...drift].sort());
                assert.deepEqual(
                    inputsOf(resource),
                    outputsNamedLikeInputs(resource),
                    "inputs and outputs agree after a refresh",
                );
                assert.notEqual(await resource.up(spec.full), "same");
                await isQuiet(resource, spec.full);
            });

            it("reports an object that is gone, and the next up makes it again", async () => {
                const resource = await made(spec.full);
                await remove();
                assert.equal(await resource.refresh(), "gone");
                assert.equal(await resource.up(spec.full), "created");
                await isQuiet(resource, spec.full);
            });

            for (const status of [401, 403, 405, 429, 500, 503]) {
                itOnce(`is an error on ${status}, never "gone"`, async () => {
                    const resource = await made(spec.full);
                    await simulator.fault({ status, times: 0, body: '{"errors":["planted"]}' });
                    await fails(resource.refresh(), { status });
                    await simulator.heal();
                    await isQuiet(resource, spec.full);
                });
            }

            it("finds an object by its id alone, and says so when there is none", async () => {
                const found = life();
                await fails(found.get(spec.id), { code: "absent" });
                await made(spec.full);
                await found.get(spec.id);
                assert.deepEqual((await found.diff(spec.full)).replaces, [], "what was found is what was made");
            });

            itOnce("refuses an id of another form", async () => {
                await fails(life().get(""), { code: "id" });
            });
        });

        describe("delete", () => {
            it("removes the object", async () => {
                const resource = await made(spec.full);
                assert.equal(await exists(), true);
                await resource.destroy();
                assert.equal(await exists(), false);
            });

            it("succeeds when the object is gone already", async () => {
                const resource = await made(spec.full);
                await remove();
                await resource.destroy();
            });

            itOnce("fails where the service refuses it, and removes the object later", async () => {
                const resource = await made(spec.full);
                await simulator.fault({ method: "DELETE", status: 403, times: 0, body: '{"errors":["planted"]}' });
                await fails(resource.destroy(), { status: 403 });
                await simulator.heal();
                assert.equal(await exists(), true);
                await resource.destroy();
                assert.equal(await exists(), false);
            });
        });

        describe("when things go wrong", () => {
            const { method } = spec.requests;

            it("a creation that nobody can look at: kept as half-made, and the next up goes on", async () => {
                for (const drop of ["after", "before"] as const) {
                    await simulator.reset();
                    await simulator.fault(
                        { method, drop, times: 0 },
                        { method: "GET", skip: 1, drop: "before", times: 0, path: "^/v1/" },
                    );
                    const resource = life();
                    await fails(resource.up(spec.full), { code: "unreachable" });
                    assert.deepEqual(resource.outputs()["unfinished"], ["create"], drop);
                    await simulator.heal();
                    assert.equal(await resource.up(spec.full), "updated");
                    assert.equal(resource.outputs()["unfinished"], undefined);
                    await isQuiet(resource, spec.full);
                }
            });

            it("a half-made creation that is somebody else's object by now: refused, neither overwritten nor deleted", async () => {
                await simulator.fault(
                    { method, drop: "before", times: 0 },
                    { method: "GET", skip: 1, drop: "before", times: 0, path: "^/v1/" },
                );
                const resource = life();
                await fails(resource.up(spec.full), { code: "unreachable" });
                await simulator.heal();
                await made(spec.minimal);
                await resource.refresh();
                await fails(resource.up(spec.full), { code: "exists" });
                await fails(resource.destroy(), { code: "exists" });
                assert.equal(await exists(), true);
            });

            it("written but not read back: kept as half-made, and the next up finishes, also after a refresh", async () => {
                for (const refreshes of [false, true]) {
                    await simulator.reset();
                    await simulator.fault({
                        method: "GET",
                        skip: 1,
                        times: 0,
                        status: 500,
                        body: "planted",
                        path: "^/v1/",
                    });
                    const resource = life();
                    await fails(resource.up(spec.full), { status: 500 });
                    assert.deepEqual(resource.outputs()["unfinished"], ["readBack"]);
                    await simulator.heal();
                    if (refreshes) await resource.refresh();
                    assert.equal((await resource.diff(spec.full)).changes, true);
                    await simulator.forget();
                    assert.equal(await resource.up(spec.full), "updated");
                    assert.deepEqual(await simulator.writes(), [], "it is not written again");
                    await isQuiet(resource, spec.full);
                }
            });

            itEdits("an update that never reaches the server: an error, and the next up sends it", async () => {
                const resource = await made(spec.full);
                const inputs = { ...spec.full, ...spec.edited };
                await simulator.fault({ method, drop: "before", times: 0 });
                await fails(resource.up(inputs), { code: "unreachable" });
                await simulator.heal();
                assert.equal(await resource.up(inputs), "updated");
                await isQuiet(resource, inputs);
            });

            it("granted without effect: said so, and the next up writes it", async () => {
                await simulator.fault({ method, status: 200, body: "{}" });
                const resource = life();
                await fails(resource.up(spec.full), { code: "vanished" });
                assert.equal(await resource.up(spec.full), "updated");
                assert.equal(await exists(), true);
                await isQuiet(resource, spec.full);
            });
        });
    });
}

/** Leaves out what is `undefined`: a program that removed the argument. */
export function without(props: Props): Props {
    return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
}

function inputsOf(resource: ManagedResource): Props {
    const { __provider, ...inputs } = unsealed(resource.state?.inputs) as Props;
    return inputs;
}

function outputsNamedLikeInputs(resource: ManagedResource): Props {
    const inputs = inputsOf(resource);
    return Object.fromEntries(Object.entries(resource.outputs()).filter(([name]) => name in inputs));
}
