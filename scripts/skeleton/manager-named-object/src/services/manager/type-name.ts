/** TypeName: TODO what it is (document "Secrets Manager", TODO section). */

import * as z from "zod";
import { defineFunction } from "../../core/defined-function";
import { namedObject } from "../../core/named-object";
import type { NamedObject } from "../../core/named-object-spec";
import { operation } from "../../core/operation";
import { property, withRules } from "../../schema/facts";
import { stringOf } from "../../schema/property-types";
import { adoptProperty, connectionProperty } from "../shared-options";
import { noData, noKeys, wrongName } from "./failures";
import { dataOf, listNames, manager, nameRule, showWarnings } from "./service";

// A write that is repeated changes nothing.
const write = operation("POST PATH/{name}", "always");
const show = operation("GET PATH/{name}");
const remove = operation("DELETE PATH/{name}");
const list = operation("LIST PATH");

const inputs = withRules(
    z.strictObject({
        name: property(stringOf(nameRule.pattern, nameRule.must), {
            immutable: true,
            description: "Name of the TODO.",
        }),
        // TODO each field of the document: its type, its name on the wire, what leaving it out means, and what it is.
        // src/schema/facts.ts has all facts, src/schema/property-types.ts the types.
        adopt: adoptProperty,
        connection: connectionProperty,
    }),
    // TODO what concerns several of them, with a `finding` of failures.ts, or nothing:
    // { uses: ["role", "path"], test: ({ role, path }) => (role && !path ? roleWithoutPath() : undefined) }
    [],
);
const outputs = z.strictObject({});

interface Address {
    readonly name: string;
}

const object: NamedObject<typeof inputs, typeof outputs, Address> = {
    type: "TypeName",
    service: manager,
    description: "TODO what it is. TODO where it lives.",
    inputs,
    outputs,
    errors: [wrongName, noData],
    idForm: "<name>",
    title: ({ name }) => `TODO ${name}`,
    address: ({ name }) => ({ name }),
    id: ({ name }) => name,
    parse: (id) => (id === "" || id.includes("/") ? undefined : { name: id }),
    named: ({ name }) => ({ name }),

    async read({ client }, { name }) {
        const answer = await client.call(show, { parameters: { name } });
        return { body: dataOf(answer), inputs: { name } };
    },

    async write(context, { name }, { body }) {
        showWarnings(await context.client.call(write, { parameters: { name }, body }), context);
    },

    async remove({ client }, { name }) {
        await client.call(remove, { parameters: { name } });
    },
};

/** TODO what it is. */
export const typeName = namedObject(object);

/** Lists them. */
export const getTypeNames = defineFunction({
    name: "getTypeNames",
    service: manager,
    description: "Lists the names of TODO.",
    inputs: z.strictObject({ connection: connectionProperty }),
    result: z.strictObject({
        names: property(z.array(z.string()), { description: "Names of TODO. Empty where there are none." }),
    }),
    errors: [noKeys],
    async invoke({ client }) {
        return { names: await listNames(client.call(list, { parameters: {} })) };
    },
});
