/** Random states, of which a part comes back. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { StatecraftError } from "../../../src/errors";
import { bringBack, partsOf } from "../../../src/services/state-versions/part-of-state";
import { seed } from "../../support/random";

const runs = { seed, numRuns: 150 * Number(process.env["STATECRAFT_RUNS"] ?? 1) };

/** A key in Terraform's spelling. */
const spelled = (key: unknown) =>
    key === undefined ? "" : `[${JSON.stringify(key).replaceAll("${", "$${").replaceAll("%{", "%%{")}]`;

const keyPieces = [".", "[", "]", " ", '"', "\\", "${", "%{", "$", "module", "é", "\n", "0"];
const textKey = fc.array(fc.constantFrom(...keyPieces), { maxLength: 4 }).map((pieces) => pieces.join(""));
/** Keys of one form, each once. */
const keys = fc.oneof(
    fc.constant([undefined]),
    fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 4 }),
    fc.uniqueArray(textKey, { minLength: 1, maxLength: 4 }),
);
const moduleStep = fc
    .tuple(fc.constantFrom("m", "mx", "data"), fc.oneof(fc.constant(undefined), fc.nat(2), textKey))
    .map(([name, key]) => `module.${name}${spelled(key)}`);
const place = fc.record({
    module: fc.array(moduleStep, { maxLength: 2 }).map((steps) => steps.join(".")),
    mode: fc.constantFrom("managed", "managed", "data"),
    type: fc.constantFrom("aws_x", "aws_y"),
    name: fc.constantFrom("a", "ab"),
});

/** JavaScript rounds a number of 20 digits, so values have a text instead of it. */
const bigNumber = fc.bigInt({ min: 10n ** 19n, max: 10n ** 20n - 1n }).map((digits) => `§${digits}§`);
const toText = (state: unknown, indent: number) => JSON.stringify(state, null, indent).replace(/"§(\d{20})§"/g, "$1");
const parsed = (text: string): State => JSON.parse(text.replace(/\b\d{20}\b/g, '"§$&§"')) as State;

const value = fc.oneof(bigNumber, fc.string(), fc.integer(), fc.constant(null), fc.constant({ "}": ["]", '\\"'] }));
const attributes = fc.dictionary(fc.constantFrom("size", "__proto__", "tags"), value).map((all) => ({ ...all }));
const entry = fc.record({
    place,
    provider: fc.constantFrom("p1", "p2"),
    instances: keys.chain((some) =>
        fc.tuple(...some.map((key) => fc.record({ key: fc.constant(key), deposed: fc.boolean(), attributes }))),
    ),
});

interface State {
    readonly resources: readonly (Readonly<Record<string, string>> & { readonly instances: readonly Instance[] })[];
}
interface Instance {
    readonly index_key?: string | number;
    readonly deposed?: string;
}

const addressOf = ({ module = "", mode = "", type, name }: Readonly<Record<string, string>>) =>
    [module, mode.replace("managed", ""), type, name].filter(Boolean).join(".");

const entries = fc.uniqueArray(entry, { selector: ({ place: each }) => addressOf(each), maxLength: 5 });
const states = fc.tuple(entries, fc.nat(99), fc.constantFrom(0, 2)).map(([all, serial, indent]) => {
    const resources = all.map(({ place: { module, ...about }, provider, instances }) => ({
        ...(module !== "" && { module }),
        ...{ ...about, provider },
        instances: instances.flatMap(({ key, deposed, attributes: more }) => {
            const object = { ...(key !== undefined && { index_key: key }), schema_version: 0 };
            const id = `${addressOf({ module, ...about })}${spelled(key)}`;
            return [
                { ...object, attributes: { ...more, id } },
                ...(deposed ? [{ ...object, deposed: "0a1b2c3d", attributes: { ...more, id: `${id} before` } }] : []),
            ];
        }),
    }));
    return toText({ version: 4, serial, lineage: "l", outputs: { serial: 1 }, resources, check_results: null }, indent);
});

const read = (text: string, version = "sv-1") => partsOf(Buffer.from(text), version);
/** The managed objects of a state by their addresses. */
const objectsIn = (text: string) =>
    new Map(
        parsed(text).resources.flatMap((resource) =>
            resource["mode"] !== "managed"
                ? []
                : resource.instances
                      .filter(({ deposed }) => deposed === undefined)
                      .map((each) => [addressOf(resource) + spelled(each.index_key), each] as const),
        ),
    );
const managedIn = (text: string) =>
    parsed(text).resources.flatMap((each) => (each["mode"] === "managed" ? [addressOf(each)] : []));

describe(`random parts of states (STATECRAFT_SEED=${seed})`, function () {
    this.timeout(120_000);

    const bothStates = fc.tuple(states, states);

    it("all addresses of the old version give its content, once, and nothing else changes", () => {
        fc.assert(
            fc.property(bothStates, ([now, old]) => {
                const only = managedIn(old);
                if (only.length === 0) return;
                const part = bringBack(read(now), read(old), only);
                const after = part.stateAfter(7).bytes.toString();
                const [found, wanted, before] = [objectsIn(after), objectsIn(old), objectsIn(now)];
                for (const [address, object] of wanted) assert.deepEqual(found.get(address), object);
                for (const [address, object] of before) {
                    if (!wanted.has(address) && !part.lost.includes(address))
                        assert.deepEqual(found.get(address), object);
                }
                const others = [...before.keys()].filter((each) => !wanted.has(each) && !part.lost.includes(each));
                assert.equal(found.size, wanted.size + others.length);
                assert.equal(part.newer, others.length);
                assert(bringBack(read(after), read(old), only).isSame);
                assert.equal(JSON.parse(after).serial, Math.max(7, JSON.parse(now).serial) + 1);
            }),
            runs,
        );
    });

    it("what is not named stays to the letter", () => {
        fc.assert(
            fc.property(bothStates, fc.infiniteStream(fc.boolean()), ([now, old], coins) => {
                const candidates = [...new Set([...objectsIn(old).keys(), ...managedIn(old)])];
                const only = candidates.filter(() => coins.next().value);
                if (only.length === 0) return;
                const current = read(now);
                const part = unlessRefused(() => bringBack(current, read(old), only));
                if (part === undefined) return;
                const after = part.stateAfter(0).bytes.toString();
                const replaced = part.replaced.map((each) => each.replace(/ \([^(]*\)$/, ""));
                const changed = new Set([...part.lost, ...part.comesBack, ...replaced]);
                for (const { instances, ...whole } of current.entries) {
                    const isSame =
                        part.comesBack.length === 0 && !instances.some(({ address }) => changed.has(address));
                    const others = instances.filter((each) => each.deposed !== undefined || !changed.has(each.address));
                    for (const range of isSame ? [whole] : others)
                        assert(after.includes(current.slice(range).toString()));
                }
                assert.equal(outside(after), outside(now));
                assert(bringBack(read(after), read(old), only).isSame);
            }),
            runs,
        );
    });

    it("attributes that are nested too deeply for a comparison are refused", () => {
        const deep = (size: number) =>
            instanceWith(`"attributes":{"a":${size},"b":${"[".repeat(50_000)}${"]".repeat(50_000)}}`);
        assert.throws(() => bringBack(read(deep(1)), read(deep(2)), ["t.n"]), { code: "only" });
    });

    for (const [what, serial] of [
        ["is no whole number", "5.5"],
        ["is negative", "-7"],
        ["JavaScript would round", "9007199254740993"],
        ["is no safe number", "1e21"],
    ] as const) {
        it(`a serial that ${what} is refused`, () => {
            const text = instanceWith("").replace('"serial":1', `"serial":${serial}`);
            assert.throws(() => read(text), { code: "only" });
        });
    }

    it("more instances than memory allows are refused", () => {
        assert.throws(() => read(instanceWith(`},${"{},".repeat(500_000)}{`)), { code: "only" });
    });

    for (const [where, twins] of [
        ["at the top", '{"version":4,"serial":1,"serial":2,"resources":[]}'],
        ["by an escape", '{"version":4,"serial":1,"resources":[],"outputs":{"a":1,"\\u0061":2}}'],
        ["deep inside of an instance", instanceWith('"attributes":{"id":"a","tags":[{"a":1,"a":1}]}')],
        ["at an instance", instanceWith('"index_key":1,"index_key":2')],
    ] as const) {
        it(`a member that occurs twice is refused ${where}`, () => {
            assert.throws(() => read(twins), { code: "only" });
        });
    }
});

/** The text of a state without its serial and its resources. */
function outside(text: string): string {
    const { resources, serial } = read(text);
    const bytes = Buffer.from(text);
    const end = bytes.lastIndexOf('"check_results"');
    return [bytes.subarray(0, serial.start), bytes.subarray(serial.end, resources?.start), bytes.subarray(end)].join();
}

function unlessRefused<Result>(act: () => Result): Result | undefined {
    try {
        return act();
    } catch (error) {
        assert(error instanceof StatecraftError && error.code === "only");
        return undefined;
    }
}

function instanceWith(members: string): string {
    const about = '"mode":"managed","type":"t","name":"n","provider":"p"';
    return `{"version":4,"serial":1,"lineage":"l","resources":[{${about},"instances":[{${members}}]}]}`;
}
