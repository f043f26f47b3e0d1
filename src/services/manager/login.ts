/** Login: a token for a machine that proves its identity (document "Secrets Manager", Login request and response). */

import * as z from "zod";
import { field, type Props, type Rule } from "../../core/field";
import type { FunctionDefinition } from "../../core/function";
import { someText, text } from "../../core/kind";
import { toWire } from "../../core/meaning";
import { operation } from "../../core/operation";
import { AnswerError } from "../../errors";
import { connectionField } from "../options";
import { authRole } from "./auth-role";
import { loginFailures } from "./failures";
import { manager, mountFields, mountOf, namespaceHeaders, showWarnings } from "./service";

// Each login makes a token, and one whose answer was lost lives on unseen.
const logIn = operation("POST /v1/auth/{+mount}/login", "refused");

const inputs = {
    ...mountFields,
    role: field(authRole.inputs.name.kind, { wire: "role", required: true, doc: "Role to log in against." }),
    jwt: field(someText, {
        wire: "jwt",
        required: true,
        secret: true,
        doc: "Signed JSON Web Token from the instance identity service of the machine.",
    }),
    subscriptionId: field(someText, {
        wire: "subscription_id",
        required: true,
        doc: "Subscription ID of the machine that the token was issued to.",
    }),
    resourceGroupName: field(someText, {
        wire: "resource_group_name",
        required: true,
        doc: "Resource group of that machine.",
    }),
    vmName: field(text(), {
        wire: "vm_name",
        sparse: true,
        doc: "Name of the virtual machine. Ignored if `vmssName` is given.",
    }),
    vmssName: field(text(), { wire: "vmss_name", sparse: true, doc: "Name of the scale set." }),
    resourceId: field(
        text({
            pattern: /^(\/subscriptions\/[^/]+\/resourceGroups\/[^/]+(\/[^/]+){3,})?$/i,
            must: "must have the form /subscriptions/<id>/resourceGroups/<name>/<provider namespace>/<type>/<name>",
        }),
        {
            wire: "resource_id",
            sparse: true,
            doc: "Fully qualified ID of the resource: `/subscriptions/<id>/resourceGroups/<name>/<provider namespace>/<type>/<name>`. Ignored if `vmName` or `vmssName` is given.",
        },
    ),
    connection: connectionField,
} as const;

const given = (values: Props, name: string) => (values[name] ?? "") !== "";

const rules: readonly Rule[] = [
    {
        uses: ["vmName", "vmssName"],
        severity: "warning",
        test: (values) =>
            given(values, "vmName") && given(values, "vmssName")
                ? "vmName: is ignored, because vmssName is given"
                : undefined,
    },
    {
        uses: ["vmName", "vmssName", "resourceId"],
        severity: "warning",
        test: (values) => {
            if (!given(values, "resourceId")) return undefined;
            const winner = ["vmssName", "vmName"].find((name) => given(values, name));
            return winner === undefined ? undefined : `resourceId: is ignored, because ${winner} is given`;
        },
    },
];

const success = z.object({
    auth: z.object({
        client_token: z.string().min(1),
        accessor: z.string(),
        token_policies: z.array(z.string()),
        lease_duration: z.number(),
        renewable: z.boolean(),
    }),
});

/** Logs in. */
export const login = {
    name: "login",
    service: manager,
    doc: "Logs in to the secrets manager as a machine of the cloud provider, and returns a token. Every call makes a new token, in previews too. No token is sent, and none needs to be set.",
    anonymous: true,
    inputs,
    rules,
    outputs: {
        clientToken: { doc: "The token.", type: "string", secret: true },
        accessor: { doc: "Names the token without being one: good for looking it up and revoking it.", type: "string" },
        tokenPolicies: { doc: "Policies of the token.", type: "string[]" },
        leaseDuration: { doc: "How long the token is valid, in seconds.", type: "number" },
        renewable: { doc: "Whether the token can be renewed.", type: "boolean" },
    },
    errors: loginFailures,
    async invoke(session, args) {
        const { mount, namespace } = mountOf(args, session);
        const answer = await session.client.call(logIn, {
            parameters: { mount },
            headers: namespaceHeaders(namespace),
            body: toWire(inputs, args),
            anonymous: true,
        });
        const parsed = success.safeParse(answer.body);
        if (!parsed.success) {
            const exchange = { service: manager.title, operation: `POST ${logIn.path({ mount })}` };
            throw new AnswerError(exchange, "a login must return an object `auth` with the token");
        }
        showWarnings(answer, session);
        const { auth } = parsed.data;
        return {
            clientToken: auth.client_token,
            accessor: auth.accessor,
            tokenPolicies: auth.token_policies,
            leaseDuration: auth.lease_duration,
            renewable: auth.renewable,
        };
    },
} as const satisfies FunctionDefinition;
