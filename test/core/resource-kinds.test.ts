/** Tests that the compiler refuses a resource of neither kind. `npm run check` compiles this file. */

import assert from "node:assert/strict";
import * as z from "zod";
import { identity } from "../../src/core/identity";
import { defineAction, defineNamed } from "../../src/core/resource";
import { property } from "../../src/schema/property";
import { manager } from "../../src/services/manager/service";

const resource = {
    type: "Thing",
    service: manager,
    description: "A thing.",
    inputs: z.strictObject({ name: property(z.string(), { description: "Name." }) }),
    outputs: z.strictObject({}),
    identity: identity("<name>"),
    title: ({ name }: { readonly name: string }) => name,
    address: ({ name }: { readonly name: string }) => ({ name }),
};
const read = async () => undefined;
const write = async () => undefined;
const act = async () => ({ outputs: {} });

describe("the definition of a resource", () => {
    it("is a named object with `read` and `write`, or an action with `act`", () => {
        assert.equal(defineNamed({ ...resource, read, write }).kind, "named");
        assert.equal(defineAction({ ...resource, act }).kind, "action");
        // @ts-expect-error: a named object without `read` would always look absent.
        defineNamed({ ...resource, write });
        // @ts-expect-error: a named object without `write` could not be created.
        defineNamed({ ...resource, read });
        // @ts-expect-error: an action without `act` would do nothing.
        defineAction({ ...resource, read });
    });
});
