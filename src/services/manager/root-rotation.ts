/** RootRotation: a new client secret for a login method, known to the service alone (document "Secrets Manager", rotate-root). */

import * as z from "zod";
import { oneShotAction, Unfinished } from "../../core/one-shot-action";
import { operation } from "../../core/operation";
import { isLostAnswer, reworded, ServiceError } from "../../errors";
import { connectionProperty, triggersProperty } from "../shared-options";
import { rotationFailures } from "./failures";
import { type Mount, mountId, mountOf, mountProperties, mountSubject, namespaceHeaders, parseMount } from "./mount";
import { manager, showWarnings } from "./service";

// Every request makes another secret.
const rotate = operation("POST /v1/auth/{+mount}/rotate-root", "refused");

const inputs = z.strictObject({
    ...mountProperties,
    triggers: triggersProperty("rotates"),
    connection: connectionProperty,
});
const outputs = z.strictObject({});

function explained(error: unknown, mount: Mount): unknown {
    if (!(error instanceof ServiceError) || !error.reasons.some((reason) => /config is nil/.test(reason))) return error;
    return reworded(error, {
        hint: `${mountId(mount)} has no configuration yet, so there is no secret to rotate: declare an \`AuthConfig\` and let this resource depend on it (\`dependsOn\`)`,
    });
}

/** A rotation of a login method's root secret. */
export const rootRotation = oneShotAction<typeof inputs, typeof outputs, Mount>({
    type: "RootRotation",
    service: manager,
    description:
        "Rotates the client secret in the configuration of the secrets manager's login method: the service makes a new one that it alone knows. This cannot be undone.",
    inputs,
    outputs,
    errors: rotationFailures,
    subject: mountSubject,
    idForm: "[<namespace>@]auth/<mount>/rotate-root",
    address: mountOf,
    id: (mount) => `${mountId(mount)}/rotate-root`,
    parse(id) {
        const found = parseMount(id, /rotate-root/);
        return found && { namespace: found.namespace, mount: found.mount };
    },
    named: (mount) => ({ ...mount }),

    async act(context, mount) {
        const call = { parameters: { mount: mount.mount }, headers: namespaceHeaders(mount) };
        try {
            showWarnings(await context.client.call(rotate, call), context);
        } catch (error) {
            if (!isLostAnswer(error)) throw explained(error, mount);
            // After a lost answer nobody can say whether it was done.
            const problem =
                `the answer was lost, so either the root secret of ${mountId(mount)} was rotated and the old one is void, or nothing was done and the old one holds. ` +
                "The next `pulumi up` rotates again, which is right in both cases";
            throw new Unfinished({}, ["rotate"], problem, error);
        }
        return {};
    },

    async previewChange(context, values, state, changes) {
        if (state !== undefined && changes.every(({ isOption }) => isOption)) return;
        context.warn(
            `this rotates the root secret of ${mountId(mountOf(values, context))}, which cannot be undone: the client secret that is in use now becomes void, and the new one is known to the service alone`,
        );
    },
});
