/** Login: a token for a machine that proves its identity (document "Secrets Manager", Login request and response). */

import * as z from "zod";
import { defineFunction } from "../../core/defined-function";
import { operation } from "../../core/operation";
import { denied } from "../../core/request-failures";
import { AnswerError } from "../../errors";
import { property, type Rule, withRules } from "../../schema/facts";
import { ignoringCase, nonEmptyString, stringOf } from "../../schema/property-types";
import { connectionProperty } from "../shared-options";
import { ignoredResource, ignoredVm, noToken, wrongName } from "./failures";
import { atMount, mountOf, mountProperties } from "./mount";
import { manager, nameRule, showWarnings } from "./service";

// Each login makes a token, and one whose answer was lost lives on unseen.
const logIn = operation("POST /v1/auth/{+mount}/login");

const rules: readonly Rule[] = [
    {
        uses: ["vmName", "vmssName"],
        severity: "warning",
        test: ({ vmName, vmssName }) => (vmName && vmssName ? ignoredVm() : undefined),
    },
    {
        uses: ["vmName", "vmssName", "resourceId"],
        severity: "warning",
        test: ({ vmName, vmssName, resourceId }) => {
            const winner = vmssName ? "vmssName" : vmName ? "vmName" : undefined;
            return resourceId && winner ? ignoredResource({ winner }) : undefined;
        },
    },
];

const inputs = withRules(
    z.strictObject({
        ...mountProperties,
        role: property(stringOf(nameRule.pattern, nameRule.must), {
            wire: "role",
            equality: ignoringCase,
            description: "Role to log in against.",
        }),
        jwt: property(nonEmptyString, {
            wire: "jwt",
            secret: true,
            description: "Signed JSON Web Token from the instance identity service of the machine.",
        }),
        subscriptionId: property(nonEmptyString, {
            wire: "subscription_id",
            description: "Subscription ID of the machine that the token was issued to.",
        }),
        resourceGroupName: property(nonEmptyString, {
            wire: "resource_group_name",
            description: "Resource group of that machine.",
        }),
        vmName: property(z.string().optional(), {
            wire: "vm_name",
            description: "Name of the virtual machine. Ignored if `vmssName` is given.",
        }),
        vmssName: property(z.string().optional(), { wire: "vmss_name", description: "Name of the scale set." }),
        resourceId: property(
            stringOf(
                /^(\/subscriptions\/[^/]+\/resourceGroups\/[^/]+(\/[^/]+){3,})?$/i,
                "must have the form /subscriptions/<id>/resourceGroups/<name>/<provider namespace>/<type>/<name>",
            ).optional(),
            {
                wire: "resource_id",
                description:
                    "Fully qualified ID of the resource: `/subscriptions/<id>/resourceGroups/<name>/<provider namespace>/<type>/<name>`. Ignored if `vmName` or `vmssName` is given.",
            },
        ),
        connection: connectionProperty,
    }),
    rules,
);

// A token that was made must not be thrown away for the want of what stands beside it.
const success = z.object({
    auth: z.object({
        client_token: z.string().min(1),
        accessor: z.string().catch(""),
        token_policies: z.array(z.string()).catch([]),
        lease_duration: z.number().catch(0),
        renewable: z.boolean().catch(false),
    }),
});

/** Logs in. */
export const login = defineFunction({
    name: "login",
    service: manager,
    description:
        "Logs in to the secrets manager as a machine of the cloud provider, and returns a token. Every call makes a new token, in previews too. No token is sent, and none needs to be set.",
    anonymous: true,
    inputs,
    result: z.strictObject({
        clientToken: property(z.string(), { description: "The token.", secret: true }),
        accessor: property(z.string(), {
            description:
                "Names the token without being one: good for looking it up and revoking it. Empty where there is none.",
        }),
        tokenPolicies: property(z.array(z.string()), { description: "Policies of the token." }),
        leaseDuration: property(z.number(), { description: "How long the token is valid, in seconds." }),
        renewable: property(z.boolean(), { description: "Whether the token can be renewed." }),
    }),
    errors: [
        ignoredVm,
        ignoredResource,
        wrongName,
        noToken,
        {
            doc: {
                ...denied.doc,
                cause: "The login was refused: no token of the settings goes along. The server's reason stands before.",
                action: "Check `role`, its bound values, and that the `jwt` is of this machine, not expired, and made for the method's `resource`.",
            },
        },
    ],
    async invoke(context, args, body) {
        const at = atMount(mountOf(args, context));
        const answer = await context.client.call(logIn, { ...at, body, anonymous: true });
        const parsed = success.safeParse(answer.body);
        if (!parsed.success) throw new AnswerError(answer.exchange, noToken());
        showWarnings(answer, context);
        const { auth } = parsed.data;
        return {
            clientToken: auth.client_token,
            accessor: auth.accessor,
            tokenPolicies: auth.token_policies,
            leaseDuration: auth.lease_duration,
            renewable: auth.renewable,
        };
    },
});
