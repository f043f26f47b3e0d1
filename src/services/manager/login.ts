/** The function `login`: a machine proves its identity and gets a token (document "Secrets Manager", Login request and response). */

import * as z from "zod";
import { defineFunction } from "../../core/functions";
import { property, warnAbout, withRules } from "../../schema/property";
import { ignoringCase, nonEmptyString, pathSegment, stringOf } from "../../schema/property-types";
import { recordReader } from "../../schema/record";
import { field, flag, list, number, text } from "../record-fields";
import { atMount, mountOf, mountProperties } from "./mount";
import { grantIn, logIn, manager, showWarnings } from "./service";

const resourceIdForm = "/subscriptions/<id>/resourceGroups/<name>/<provider namespace>/<type>/<name>";

const optional = (wire: string, description: string) => field(wire, z.string().optional(), description);

const properties = {
    ...mountProperties,
    role: property(pathSegment, { wire: "role", equality: ignoringCase, description: "Name of the role." }),
    jwt: field("jwt", nonEmptyString, "Signed JSON Web Token from the instance identity service of the machine.", {
        secret: true,
    }),
    subscriptionId: field("subscription_id", nonEmptyString, "Subscription ID of the machine."),
    resourceGroupName: field("resource_group_name", nonEmptyString, "Resource group of the machine."),
    vmName: optional(
        "vm_name",
        "Name of the virtual machine. Ignored if `vmssName` is given. If the role binds machines, the JWT must name its machine (see AuthRole).",
    ),
    vmssName: optional("vmss_name", "Name of the scale set."),
    resourceId: field(
        "resource_id",
        stringOf(
            /^(\/subscriptions\/[^/]+\/resourceGroups\/[^/]+(\/[^/]+){3,})?$/i,
            `must have the form ${resourceIdForm}`,
        ).optional(),
        `Fully qualified ID of the resource: \`${resourceIdForm}\`. Ignored if \`vmName\` or \`vmssName\` is given.`,
    ),
};

const result = z.strictObject({
    clientToken: field("client_token", z.string(), "The token.", { default: "", secret: true }),
    accessor: text("accessor", "Names the token in requests that look it up or revoke it, if it has one."),
    tokenPolicies: list("token_policies", z.string(), "Policies of the token."),
    leaseDuration: number("lease_duration", "How long the token is valid, in seconds."),
    renewable: flag("renewable", "Whether the token can be renewed."),
});
const { read } = recordReader(result);

export const login = defineFunction({
    name: "login",
    service: manager,
    description:
        "Logs in to Vault's azure auth method as a machine, and returns a token. Every call makes a new token, " +
        "also in previews. The settings need no token, and none is sent.",
    anonymous: true,
    inputs: withRules(z.strictObject(properties), [
        warnAbout("vmName", ["vmssName"], ({ vmName, vmssName }) =>
            vmName && vmssName ? "is ignored, because vmssName is given" : undefined,
        ),
        warnAbout("resourceId", ["vmName", "vmssName"], ({ resourceId, vmName, vmssName }) =>
            resourceId && (vmName || vmssName) ? "is ignored, because vmName or vmssName is given" : undefined,
        ),
    ]),
    result,
    async invoke(context, args, body) {
        const at = atMount(mountOf(args, context.settings));
        const answer = await context.client.call(logIn, { ...at, body, anonymous: true });
        const grant = read(grantIn(answer));
        showWarnings(answer, context);
        return grant;
    },
});
