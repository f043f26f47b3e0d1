/** The contract tests that all named objects share. */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { StatecraftError } from "../../src/errors";
import { CheckFailed, type ManagedResource, Shown } from "../support/managed-resource";
import { withCode } from "../support/messages";
import type { Props } from "../support/pulumi-values";
import { type NamedObjectFacts, resourceFacts } from "../support/resource-facts";
import { type Ground, named } from "./target";

/** A kind of named object, and the ways to read, list and delete one. */
export interface NamedObject {
    readonly type: string;
    inputs(name: string, more?: object): Props;
    show(name: string): Promise<unknown>;
    list(): Promise<readonly string[]>;
    /** Deletes the object at the service, by the id of its resource. */
    remove(id: string): Promise<unknown>;
    read(id: string): Promise<unknown>;
    idOf(name: string): string | Promise<string>;
    /** Further inputs that an update changes in place. */
    readonly more?: Props;
    /** Outputs that the service changes without a write. */
    readonly passing?: RegExp;
    /** Values that this server needs instead of those of the facts. `undefined` leaves a property out. */
    readonly values?: Props;
    /** Properties that the service ignores, as their descriptions say: an `up` may warn that it drops them. */
    readonly ignored?: readonly string[];
}

export const isAbsent = (error: unknown) => error instanceof StatecraftError && error.code === "absent";

/** Creates an object, which `ground.clear` deletes. */
export async function written(
    ground: Ground,
    { type, inputs, idOf, remove }: NamedObject,
    word: string,
    more: object = {},
): Promise<{ resource: ManagedResource; name: string }> {
    const name = named(word);
    const resource = ground.resource(type);
    ground.undoLater(`${type} ${name}`, async () => remove(await idOf(name)));
    assert.equal(await resource.up(inputs(name, more)), "created");
    return { resource, name };
}

/** Registers the tests of a kind of object. */
export function itKeepsContracts(ground: Ground, object: NamedObject): void {
    const { type, inputs, show, list } = object;

    it("a read and the list report an absent object as absent, and its deletion succeeds", async () => {
        const name = named("absent");
        await assert.rejects(show(name), isAbsent);
        assert.equal(await object.read(await object.idOf(name)), undefined);
        await object.remove(await object.idOf(name));
        assert(!(await list()).includes(name));
    });

    it("a refresh reports an object as gone after another client deleted it", async () => {
        const { resource } = await written(ground, object, "gone");
        await object.remove(String(resource.state?.id));
        assert.equal(await resource.refresh(), "gone");
    });

    it("the list contains an object until its deletion", async () => {
        const { resource, name } = await written(ground, object, "listed");
        assert((await list()).includes(name));
        await resource.destroy();
        assert(!(await list()).includes(name));
    });

    it("another resource takes over an existing object only with `adopt`", async () => {
        const { name } = await written(ground, object, "taken", object.more);
        const before = await show(name);
        await assert.rejects(ground.resource(type).up(inputs(name)), { code: "exists" });
        assert.deepEqual(await show(name), before);
        assert.equal(await ground.resource(type).up(inputs(name, { adopt: true })), "created");
        assert.equal(isDeepStrictEqual(await show(name), before), object.more === undefined);
    });
}

/** Whole numbers at the limits of servers: those of signed integers, of JavaScript, and of durations. The first that `check` accepts is deployed. */
const limits = [2 ** 63, Number.MAX_SAFE_INTEGER, 9_223_372_036, 2 ** 31 - 1];

/**
 * Registers a test for the minimal inputs, for the full ones, and for each property alone with each of its values in the facts: after a create,
 * an update, the removal of the property and an import, neither a refresh nor another `up` finds a change.
 */
export function itKeepsEveryProperty(
    ground: Ground,
    object: Pick<NamedObject, "type" | "inputs" | "passing" | "values" | "ignored">,
): void {
    const { type, inputs, values = {}, ignored = [] } = object;
    const facts = resourceFacts.find((each): each is NamedObjectFacts => each.type === type);
    assert(facts && "changes" in facts);
    // These name the object and its place.
    const given = ["adopt", "mount", "pluginId", facts.naming ?? "name"];
    const all = { ...facts.full, ...facts.beside, ...facts.rest, ...values };
    const full = Object.fromEntries(Object.entries(all).filter(([name]) => !given.includes(name)));
    const programs = [facts.full, ...facts.changes, ...facts.replaces, ...(facts.spellings ?? [])];

    /** Asserts that a refresh finds no drift and an `up` no change, and that no warning says that the server dropped a value. */
    async function isQuiet(resource: ManagedResource, program: Props): Promise<void> {
        for (const when of ["after a refresh", "after an `up` without a change"]) {
            const changed = await resource.refresh();
            assert(changed !== "gone");
            const drift = changed.filter((output) => !object.passing?.test(output));
            assert.deepEqual(drift, [], `drift ${when}`);
            assert.equal(await resource.up(program), "same", when);
        }
        const dropped = resource.warnings.filter((warning) => withCode("dropped").test(warning));
        const wrong = dropped.filter((warning) => !isAbout(warning, ignored));
        assert.deepEqual(wrong, []);
    }

    /** Deploys a program. Returns `false` if the server refuses it, which is allowed after a warning about the property, and at a limit. */
    async function isDeployed(resource: ManagedResource, program: Props, isLimit = false): Promise<boolean> {
        const { length } = resource.warnings;
        try {
            await resource.up(program);
            return true;
        } catch (error) {
            const isExpected =
                isLimit || resource.warnings.slice(length).some((warning) => isAbout(warning, Object.keys(full)));
            if (!isExpected || !(error instanceof Shown && error.status)) throw error;
            return false;
        }
    }

    /** Deploys programs with `first` and `later` one after the other, then one without the property, then the first again, and imports the object. */
    async function keeps(first: Props, later: readonly Props[], isLimit = false): Promise<void> {
        const [name, resource] = [named("kept"), ground.resource(type)];
        const program = inputs(name, first);
        try {
            if (!(await isDeployed(resource, program, isLimit))) return;
            await isQuiet(resource, program);
            for (const other of later) {
                const changed = inputs(name, other);
                if (await isDeployed(resource, changed)) await isQuiet(resource, changed);
            }
            await resource.up(inputs(name));
            await isQuiet(resource, inputs(name));
            await resource.up(program);
            const imported = await ground.resource(type).imported(String(resource.state?.id));
            assert.deepEqual((await imported.diff(program)).replaces ?? [], []);
            await imported.up(program);
            await isQuiet(imported, program);
        } finally {
            if (resource.state) await resource.destroy();
        }
    }

    const end = "no drift and no change after a create, updates, a removal and an import";
    it(`the minimal inputs: ${end}`, () => keeps({}, []));
    it(`the full inputs: ${end}`, () =>
        keeps(Object.fromEntries(Object.entries(full).filter(([property]) => !ground.lacks(property))), []));
    for (const [property, value] of Object.entries(full)) {
        if (value === undefined || ground.lacks(property)) continue;
        const others = property in values ? [] : programs.map((program) => program[property]);
        const known = distinct([value, ...others.filter((other) => other !== undefined)]);
        const [first = {}, ...later] = known.map((each) => ({ [property]: each }));
        it(`\`${property}\` alone: ${end}`, () => keeps(first, later));
        if (!(property in facts.full) || !known.some((each) => typeof each === "number")) continue;
        it(`\`${property}\` at its limit: the server refuses it, or ${end}`, async () => {
            for (const limit of limits) {
                const resource = ground.resource(type);
                const isRefused = (error: unknown) => assert(error instanceof CheckFailed);
                if (await resource.check(inputs(named("kept"), { [property]: limit })).catch(isRefused)) {
                    return keeps({ [property]: limit }, [], true);
                }
            }
        });
    }
}

/** Whether a warning names one of the properties. */
const isAbout = (warning: string, properties: readonly string[]) =>
    properties.some((name) => warning.startsWith(`${name}: `) || warning.includes(`: ${name}: `));

const distinct = (values: readonly unknown[]) =>
    values.filter((value, index) => values.findIndex((other) => isDeepStrictEqual(value, other)) === index);
