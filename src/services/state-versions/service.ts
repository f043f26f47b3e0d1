/** HCP Terraform and Terraform Enterprise: the token header, the form of failures, and ids (document "State Versions"). */

import * as z from "zod";
import type { Service } from "../../core/service";
import { stringOf } from "../../schema/property-types";

/** `status` may be text or a number, and is not used. */
const failure = z.object({
    errors: z.array(z.looseObject({ title: z.string().nullish(), detail: z.string().nullish() })),
});

/** The service that keeps the state versions of workspaces. */
export const stateVersions: Service = {
    name: "stateVersions",
    title: "state versions service",
    contentType: "application/vnd.api+json",
    tokenHeader: (token) => ["Authorization", `Bearer ${token}`],
    reasons: ({ body }) =>
        failure.safeParse(body).data?.errors.flatMap(({ title, detail }) => detail || title || []) ?? [],
    hint: ({ status }) =>
        status === 403
            ? "Use a user or team token that may read and write the workspace's state versions: organization tokens cannot make new versions and rollbacks"
            : undefined,
    absent: ({ status, body }) => status === 404 && failure.safeParse(body).success,
    passing: () => false,
};

/** What is wrong with an answer of another form. */
export const otherForm =
    "it does not contain what was requested. Something else, such as a proxy, may have answered: check `address` in the settings, which ends in `/api/v2`";

const idForm = /^[\w-]+$/;

/** The id of a workspace, a state version or a run. */
export const idOf = (what: string) => stringOf(idForm, `must be the id of a ${what}`);

/** The id itself, or `undefined` for a text of another form. */
export const parseId = (id: string): string | undefined => (idForm.test(id) ? id : undefined);
