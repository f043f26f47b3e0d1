/** RootRotation: a new client secret for the azure auth method that only Vault knows (document "Secrets Manager", rotate-root). */

import * as z from "zod";
import { endpoint } from "../../core/endpoint";
import { defineAction, HalfMade } from "../../core/resource";
import { step } from "../../core/steps";
import { mayHaveActed, ServiceError } from "../../errors";
import { triggersProperty } from "../shared-options";
import { atMount, type Mount, mountId, mountOf, mountProperties, oncePerMount } from "./mount";
import { manager, showWarnings, type VaultDefaults } from "./service";

// Not repeated after a lost answer, because every request creates another secret.
const rotate = endpoint("POST /v1/auth/{+mount}/rotate-root");

const inputs = z.strictObject({
    ...mountProperties,
    triggers: triggersProperty("rotates"),
});
const outputs = z.strictObject({});

export const rootRotation = defineAction<typeof inputs, typeof outputs, Mount, VaultDefaults>({
    type: "RootRotation",
    service: manager,
    description:
        "Rotates the client secret of Vault's azure auth method: Vault creates a new secret that only Vault knows. " +
        "This cannot be undone, and deleting this resource does nothing.",
    inputs,
    outputs,
    ...oncePerMount("rotate-root"),
    title: (mount) => `root rotation of ${mountId(mount)}`,

    stays: () => "the client secret of the last rotation stays",

    async act(context, mount) {
        const title = mountId(mount);
        try {
            showWarnings(await context.client.call(rotate, atMount(mount)), context);
            return { outputs: {} };
        } catch (error) {
            if (mayHaveActed(error)) {
                const problem = `whether the client secret of ${title} was rotated is unknown; the next ${step.again()} rotates it again`;
                throw new HalfMade(problem, { steps: ["rotate"], cause: error });
            }
            if (!(error instanceof ServiceError) || !/config is nil/i.test(error.reasons.join(" "))) throw error;
            const hint = `${title} has no configuration yet: declare an AuthConfig and let this resource depend on it (\`dependsOn\`)`;
            throw error.reword({ code: "rotation", hint });
        }
    },

    async preview(context, values, state, changes) {
        if (state !== undefined && changes.every(({ isOption }) => isOption)) return;
        const title = mountId(mountOf(values, context.settings));
        context.inform(
            "rotation",
            `The client secret of ${title} will be rotated: whatever else uses it stops working.`,
        );
    },
});
