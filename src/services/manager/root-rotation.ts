/** RootRotation: a new client secret for a login method, known to the service alone (document "Secrets Manager", rotate-root). */

import * as z from "zod";
import { explained } from "../../catalogue";
import { oneShotAction } from "../../core/one-shot-action";
import { operation } from "../../core/operation";
import { Unfinished } from "../../core/unfinished";
import { isLostAnswer } from "../../errors";
import { connectionProperty, triggersProperty } from "../shared-options";
import { nothingToRotate, perhapsRotated, rotates } from "./failures";
import { atMount, type Mount, mountId, mountOf, mountParser, mountProperties, mountSubject } from "./mount";
import { manager, showWarnings } from "./service";

// Every request makes another secret.
const rotate = operation("POST /v1/auth/{+mount}/rotate-root");

const inputs = z.strictObject({
    ...mountProperties,
    triggers: triggersProperty("rotates"),
    connection: connectionProperty,
});
const outputs = z.strictObject({});

const parseRotationId = mountParser(/rotate-root/);

/** A rotation of a login method's root secret. */
export const rootRotation = oneShotAction<typeof inputs, typeof outputs, Mount>({
    type: "RootRotation",
    service: manager,
    description:
        "Rotates the client secret in the configuration of the secrets manager's login method: the service makes a new one that it alone knows. This cannot be undone.",
    inputs,
    outputs,
    errors: [rotates, nothingToRotate, perhapsRotated],
    subject: mountSubject,
    idForm: "[<namespace>@]auth/<mount>/rotate-root",
    address: mountOf,
    id: (mount) => `${mountId(mount)}/rotate-root`,
    parse(id) {
        const found = parseRotationId(id);
        return found && { namespace: found.namespace, mount: found.mount };
    },
    named: (mount) => ({ ...mount }),

    async act(context, mount) {
        try {
            showWarnings(await context.client.call(rotate, atMount(mount)), context);
        } catch (error) {
            if (!isLostAnswer(error)) throw explained(error, [nothingToRotate], { mount: mountId(mount) });
            // After a lost answer nobody can say whether it was done.
            const problem = perhapsRotated({ mount: mountId(mount) });
            throw new Unfinished({}, ["rotate"], problem, error);
        }
        return { outputs: {} };
    },

    async previewChange(context, values, state, changes) {
        if (state !== undefined && changes.every(({ isOption }) => isOption)) return;
        context.warn(rotates({ mount: mountId(mountOf(values, context)) }));
    },
});
