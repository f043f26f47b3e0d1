/** What every service must do with an object that has a name, whatever it is. */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { StatecraftError } from "../../src/errors";
import type { ManagedResource } from "../support/managed-resource";
import { type Ground, named } from "./target";

type Props = Record<string, unknown>;

/** A kind of object. */
export interface NamedObject {
    readonly type: string;
    inputs(name: string, more?: object): Props;
    /** Looks it up by its name. */
    show(name: string): Promise<unknown>;
    list(): Promise<readonly string[]>;
    /** The service is told to remove it, by the id of its resource. */
    remove(id: string): Promise<unknown>;
    read(id: string): Promise<unknown>;
    idOf(name: string): string | Promise<string>;
    /** Arguments beside the inputs that a write brings in place. */
    readonly more?: Props;
    /** Outputs that may change by themselves. */
    readonly passing?: RegExp;
}

export const isAbsent = (error: unknown) => error instanceof StatecraftError && error.code === "absent";

/** An object that is there. It is removed in the end. */
export async function written(
    ground: Ground,
    { type, inputs, idOf, remove }: NamedObject,
    word: string,
    more: object = {},
): Promise<{ life: ManagedResource; name: string }> {
    const name = named(word);
    const life = ground.life(type);
    ground.leaves(`${type} ${name}`, async () => remove(await idOf(name)));
    assert.equal(await life.up(inputs(name, more)), "created");
    return { life, name };
}

/** Derives the contracts. `object` is asked once the tests run. */
export function itKeepsContracts(ground: Ground, object: NamedObject): void {
    const { type, inputs, show, list, passing } = object;

    it("are told to be absent when they are, and are removed without a failure", async () => {
        const name = named("nobody");
        await assert.rejects(show(name), isAbsent);
        assert.equal(await object.read(await object.idOf(name)), undefined);
        await object.remove(await object.idOf(name));
        assert(!(await list()).includes(name));
    });

    it("are gone once somebody else has removed them", async () => {
        const { life, name } = await written(ground, object, "gone");
        await object.remove(String(life.state?.id));
        await assert.rejects(show(name), isAbsent);
        assert.equal(await life.refresh(), "gone");
    });

    it("are listed until they are removed", async () => {
        const { life, name } = await written(ground, object, "listed");
        assert((await list()).includes(name));
        await life.destroy();
        assert(!(await list()).includes(name));
    });

    it("do not drift by themselves", async () => {
        const { life, name } = await written(ground, object, "still");
        const changed = await life.refresh();
        assert(changed !== "gone");
        assert.deepEqual(
            changed.filter((output) => !passing?.test(output)),
            [],
        );
        assert.equal(await life.up(inputs(name)), "same");
    });

    it("are not taken over unasked", async () => {
        const { name } = await written(ground, object, "taken", object.more);
        const before = await show(name);
        await assert.rejects(ground.life(type).up(inputs(name)), { code: "exists" });
        assert.deepEqual(await show(name), before);
        const taken = ground.life(type);
        assert.equal(await taken.up(inputs(name, { adopt: true })), "created");
        assert.equal(isDeepStrictEqual(await show(name), before), object.more === undefined);
    });
}
