/** The contract tests that all named objects share. */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { StatecraftError } from "../../src/errors";
import type { ManagedResource } from "../support/managed-resource";
import type { Props } from "../support/pulumi-values";
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
    const { type, inputs, show, list, passing } = object;

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

    it("a refresh after a write finds no drift, and a second `up` no change", async () => {
        const { resource, name } = await written(ground, object, "still");
        const changed = await resource.refresh();
        assert(changed !== "gone");
        assert.deepEqual(
            changed.filter((output) => !passing?.test(output)),
            [],
        );
        assert.equal(await resource.up(inputs(name)), "same");
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
