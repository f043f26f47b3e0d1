/** TypeName: TODO what it is (document "Volumes", TODO section). */

import * as z from "zod";
import { namedObject } from "../../core/named-object";
import type { NamedObject } from "../../core/named-object-spec";
import { operation } from "../../core/operation";
import { AnswerError } from "../../errors";
import { property, withRules } from "../../schema/facts";
import { stringOf } from "../../schema/property-types";
import { adoptProperty, connectionProperty } from "../shared-options";
import { otherForm } from "./failures";
import { volumes } from "./service";

// A write that is repeated changes nothing.
const write = operation("PUT PATH/{name}", "always");
const show = operation("GET PATH/{name}");
const remove = operation("DELETE PATH/{name}");

const namePattern = /^\w(?:[\w.-]*\w)?$/;

/** TODO how the document wraps a record: `{"data": …}`? */
const record = z.record(z.string(), z.unknown());

const inputs = withRules(
    z.strictObject({
        name: property(stringOf(namePattern, "must consist of letters, digits, _, . and -"), {
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
    service: volumes,
    description: "TODO what it is. TODO where it lives.",
    inputs,
    outputs,
    errors: [otherForm],
    idForm: "<name>",
    title: ({ name }) => `TODO ${name}`,
    address: ({ name }) => ({ name }),
    id: ({ name }) => name,
    parse: (id) => (namePattern.test(id) ? { name: id } : undefined),
    named: ({ name }) => ({ name }),

    async read({ client }, { name }) {
        const { body, exchange } = await client.call(show, { parameters: { name } });
        const found = record.safeParse(body);
        if (found.success) return { body: found.data, inputs: { name } };
        throw new AnswerError(exchange, otherForm());
    },

    async write({ client }, { name }, { body }) {
        await client.call(write, { parameters: { name }, body });
    },

    async remove({ client }, { name }) {
        await client.call(remove, { parameters: { name } });
    },
};

/** TODO what it is. */
export const typeName = namedObject(object);
