/** Runs and users, as HCP Terraform's documentation describes them: the API documents show only their ids. */

import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";

const text = z.string().optional().catch(undefined);
const runForm = z.object({
    id: z.string(),
    type: z.literal("runs"),
    attributes: z.object({ status: text, message: text, "is-destroy": z.boolean().catch(false) }),
    relationships: z
        .object({ "created-by": z.object({ data: z.object({ id: text }) }) })
        .nullish()
        .catch(undefined),
});
const userForm = z.object({ id: z.string(), type: z.literal("users"), attributes: z.object({ username: z.string() }) });
const listForm = z.object({ data: z.array(z.unknown()) });
const includedForm = z.object({ included: z.array(z.unknown()).catch([]) }).catch({ included: [] });

/** A run of a workspace. */
export type Run = ReturnType<typeof runsIn>[number];

function runsIn(records: readonly unknown[]) {
    return records.flatMap((record) => {
        const { data } = runForm.safeParse(record);
        if (data === undefined) return [];
        const { id, attributes, relationships } = data;
        const { status, message, "is-destroy": isDestroy } = attributes;
        return [{ id, status, message, isDestroy, createdById: relationships?.["created-by"].data.id }];
    });
}

/** The runs, and the names of the users, in the `included` part of an answer. */
export function relatedIn(body: unknown) {
    const { included } = includedForm.parse(body);
    const users = included.flatMap((record) => userForm.safeParse(record).data ?? []);
    return {
        runs: new Map(runsIn(included).map((run) => [run.id, run])),
        users: new Map(users.map(({ id, attributes }) => [id, attributes.username])),
    };
}

// Never repeated: HCP Terraform allows 30 of these requests a minute, and the wait after a 429 would delay all other requests.
const listRuns = endpoint("GET /workspaces/{workspaceId}/runs", "never");

const finished =
    "applied planned_and_finished planned_and_saved discarded errored canceled force_canceled policy_soft_failed".split(
        " ",
    );

/** The newest runs that are not finished. `undefined` if the service does not list them. */
export async function unfinishedRuns({ client }: Context, workspaceId: string): Promise<Run[] | undefined> {
    const query = { "filter[status_group]": "non_final", "page[size]": 10 };
    const answer = await client.call(listRuns, { parameters: { workspaceId }, query }).catch(() => undefined);
    const runs = runsIn(listForm.safeParse(answer?.body).data?.data ?? []);
    // The open-source server OTF may ignore the filter.
    return answer && runs.filter(({ status }) => status === undefined || !finished.includes(status));
}
