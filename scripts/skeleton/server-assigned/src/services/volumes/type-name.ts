/** TypeName: TODO what it is (document "Volumes", TODO section). */

import * as z from "zod";
import { sentence } from "../../catalogue";
import { operation } from "../../core/operation";
import { serverAssigned } from "../../core/server-assigned";
import type { Answer } from "../../core/service";
import { AnswerError } from "../../errors";
import { property } from "../../schema/facts";
import { connectionProperty } from "../shared-options";
import { volumes } from "./service";

// Every request makes another one.
const create = operation("POST PATH");
const show = operation("GET PATH/{id}");
const update = operation("PUT PATH/{id}", "always");
const remove = operation("DELETE PATH/{id}");
const list = operation("GET PATH");

const inputs = z.strictObject({
    // TODO each field of the document: its type, its name on the wire, what leaving it out means, and what it is.
    // src/schema/facts.ts has all facts, src/schema/property-types.ts the types.
    name: property(z.string(), { wire: "name", description: "Name of the TODO." }),
    connection: connectionProperty,
});
const outputs = z.strictObject({});

// TODO into failures.ts.
const noRecord = sentence({
    message: "it holds no TODO",
    cause: "Something else than the service answered, such as a proxy.",
    action: "Check `address` in the settings.",
});

/** TODO how the document wraps a record: `{"data": …}`? */
const record = z.looseObject({ id: z.string(), name: z.string() });

function parsed<Schema extends z.ZodType>(schema: Schema, { body, exchange }: Answer): z.output<Schema> {
    const found = schema.safeParse(body);
    if (found.success) return found.data;
    throw new AnswerError(exchange, noRecord());
}

/** TODO what it is. */
export const typeName = serverAssigned<typeof inputs, typeof outputs, string>({
    type: "TypeName",
    service: volumes,
    description: "TODO what it is. TODO where it lives.",
    inputs,
    outputs,
    errors: [noRecord],
    idForm: "<id>",
    title: (id) => `TODO ${id}`,
    id: (id) => id,
    parse: (id) => (/^[\w-]+$/.test(id) ? id : undefined),

    async create({ client }, { body, inputs: { name } }, once) {
        const { id } = await once({
            noun: "TODO",
            // Those that the request may have made, if its answer is lost.
            find: async () => {
                const answer = await client.call(list, { parameters: {} });
                return parsed(z.array(record), answer).filter((each) => each.name === name);
            },
            send: async () => parsed(record, await client.call(create, { parameters: {}, body })),
        });
        return { id };
    },

    async read({ client }, id) {
        const answer = await client.call(show, { parameters: { id } });
        return { body: parsed(record, answer) };
    },

    async update({ client }, id, { body }) {
        await client.call(update, { parameters: { id }, body });
    },

    async remove({ client }, id) {
        await client.call(remove, { parameters: { id } });
    },
});
