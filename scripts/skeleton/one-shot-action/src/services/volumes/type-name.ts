/** TypeName: TODO what it does (document "Volumes", TODO section). */

import * as z from "zod";
import { oneShotAction } from "../../core/one-shot-action";
import { operation } from "../../core/operation";
import { property } from "../../schema/facts";
import { stringOf } from "../../schema/property-types";
import { connectionProperty, triggersProperty } from "../shared-options";
import { volumes } from "./service";

// Sent again only where the service surely did nothing. TODO "always", if doing it twice is doing it once.
const act = operation("POST PATH/{name}");

const namePattern = /^\w(?:[\w.-]*\w)?$/;

const inputs = z.strictObject({
    name: property(stringOf(namePattern, "must consist of letters, digits, _, . and -"), {
        immutable: true,
        description: "Name of the TODO.",
    }),
    // TODO each further field of the document: src/schema/facts.ts has all facts, src/schema/property-types.ts the types.
    triggers: triggersProperty("does it"),
    connection: connectionProperty,
});
const outputs = z.strictObject({});

/** TODO what it does. */
export const typeName = oneShotAction<typeof inputs, typeof outputs, string>({
    type: "TypeName",
    service: volumes,
    description: "TODO what it does. TODO whether it can be undone.",
    inputs,
    outputs,
    errors: [],
    idForm: "<name>",
    address: ({ name }) => name,
    id: (name) => name,
    parse: (id) => (namePattern.test(id) ? id : undefined),
    named: (name) => ({ name }),

    async act({ client }, name) {
        // TODO what a lost answer means: src/services/manager/root-rotation.ts tells it to the user.
        await client.call(act, { parameters: { name } });
        return {};
    },
});
