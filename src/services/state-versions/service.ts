/** HCP Terraform and Terraform Enterprise: the token header, the form of failures, and ids (document "State Versions"). */

import * as z from "zod";
import type { Service } from "../../core/service";
import { stringOf } from "../../schema/property-types";

/** `status` may be text or a number, and is not used. */
const failure = z.object({
    errors: z.array(z.looseObject({ title: z.string().nullish(), detail: z.string().nullish() })),
});

const tokens =
    "use a user or team token that may read and write the workspace's state versions: organization tokens cannot make new versions and rollbacks";
const conflict =
    "Check that this token's account holds the workspace's lock, that a version to roll back to is finalized and of this workspace, and compare serial and lineage of a new state with those of the current version; if the workspace has changed meanwhile, run `pulumi up` again";

/** What to do about a refusal with this status. */
const hints: Readonly<Record<number, string>> = {
    403: `If the token is valid, ${tokens}`,
    404: `It does not exist, has no state yet, its content was deleted, or the token may not use it: the server answers alike. Check the ids and names (\`workspaceId\` takes an id, not a name), and ${tokens}. If a workspace is gone, \`pulumi state delete\` forgets its resources`,
    409: conflict,
    412: conflict,
    422: conflict,
};

/** The service that keeps the state versions of workspaces. */
export const stateVersions: Service = {
    name: "stateVersions",
    title: "state versions service",
    contentType: "application/vnd.api+json",
    tokenHeader: (token) => ["Authorization", `Bearer ${token}`],
    reasons: ({ body }) =>
        failure.safeParse(body).data?.errors.flatMap(({ title, detail }) => detail || title || []) ?? [],
    hint: ({ status, body }) => (failure.safeParse(body).success ? hints[status] : undefined),
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
