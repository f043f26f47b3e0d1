/** The function about a workspace, which users know by its name (HCP Terraform's documentation, Workspaces, Show Workspace). */

import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { defineFunction } from "../../core/functions";
import type { Answer } from "../../core/service";
import { AnswerError } from "../../errors";
import { failAbout, property, withRules } from "../../schema/property";
import { nonEmptyString } from "../../schema/property-types";
import { recordReader } from "../../schema/record";
import type { Values } from "../../schema/values";
import { largestPage, pagesOf } from "./pages";
import { fieldsOf, includedIn, optional, optionalText, type Run, related, relatedIn, runsIn } from "./records";
import { idOf, stateVersions, unexpectedBody, withInclude } from "./service";

export const showWorkspace = endpoint("GET /workspaces/{workspaceId}");
const showByName = endpoint("GET /organizations/{organization}/workspaces/{name}");

/** A workspace, as functions return it. */
export const workspace = z.object({
    id: property(z.string(), { wire: "id", description: "Its id: `ws-…`." }),
    name: optionalText("name", "Its name."),
    organization: related("organization", "id", "Name of the organization that owns it."),
    locked: optional("locked", z.boolean(), "Whether it is locked."),
    lockedReason: optionalText("locked-reason", "Reason of the lock."),
    lockedById: related("locked-by", "id", "Id of the user, team or run that locked it."),
    lockedByType: related("locked-by", "type", "`users`, `teams` or `runs`."),
    terraformVersion: optionalText("tool-version", "Terraform version of its runs: a version, a range or `latest`."),
    autoApply: optional("auto-apply", z.boolean(), "Whether a run applies its plan without a confirmation."),
    currentRunId: related("current-run", "id", "Id of the current run, which may have finished."),
    currentRunStatus: property(z.string().optional(), { description: "Status of the current run, such as `applied`." }),
    currentStateVersionId: related("current-state-version", "id", "Id of the current state version."),
    permissions: optional("permissions", z.record(z.string(), z.boolean()), "The token's rights, such as `can-lock`."),
});
const records = recordReader(workspace);
const workspaceForm = fieldsOf("workspaces").transform((fields: Values) => ({
    ...records.read(fields),
    /** Whether the server stores reasons of locks: the open-source server OTF does not. */
    showsReasons: "locked-reason" in fields,
}));
const workspaceDocument = z.object({ data: workspaceForm });

const inputs = withRules(
    z.strictObject({
        organization: property(nonEmptyString.optional(), { description: "Name of the organization." }),
        name: property(nonEmptyString.optional(), { description: "Name of the workspace." }),
        id: property(idOf("workspace").optional(), { description: "Id of the workspace, instead of both names." }),
    }),
    [
        failAbout("id", ["organization", "name"], ({ id, organization, name }) => {
            const isWhole = [organization, name].every((each) => (each === undefined) === (id !== undefined));
            return isWhole ? undefined : "give either this, or both organization and name";
        }),
    ],
);

/** The workspace in an answer, with its current run if the server includes it. @throws AnswerError for any other answer */
export function workspaceIn(context: Context, { body, exchange }: Answer) {
    const shown = workspaceDocument.safeParse(body).data?.data;
    if (shown === undefined) throw new AnswerError(exchange, unexpectedBody);
    const currentRun = relatedIn(includedIn(body), context).runs.get(shown.currentRunId ?? "");
    return { ...shown, currentRun, ...(currentRun?.status && { currentRunStatus: currentRun.status }) };
}

/** Requests a workspace with its current run. */
export const showWithRun = (context: Context, { id, organization = "", name = "" }: z.output<typeof inputs>) =>
    withInclude(context, "current_run", (include) =>
        id === undefined
            ? context.client.call(showByName, { parameters: { organization, name }, query: { include } })
            : context.client.call(showWorkspace, { parameters: { workspaceId: id }, query: { include } }),
    );

/** A workspace, as far as the server shows it. */
export type Workspace = ReturnType<typeof workspaceIn>;

export const readWorkspace = async (context: Context, reference: z.output<typeof inputs>): Promise<Workspace> =>
    workspaceIn(context, await showWithRun(context, reference));

/** The name of the user or team that has the lock of a workspace. `undefined` if the service does not include it. */
export async function readHolderName(
    context: Context,
    { id, lockedById = "" }: Workspace,
): Promise<string | undefined> {
    const request = { parameters: { workspaceId: id }, query: { include: "locked_by" } };
    const answer = await context.client.call(showWorkspace, request).catch(() => undefined);
    return relatedIn(includedIn(answer?.body), context).accounts.get(lockedById);
}

const showAccount = endpoint("GET /account/details");
const account = z.object({ data: z.object({ id: z.string() }) });

/** The id of the token's account. `undefined` if the service does not show it. */
export async function readAccountId({ client }: Context): Promise<string | undefined> {
    const answer = await client.call(showAccount, { parameters: {} }).catch(() => undefined);
    return account.safeParse(answer?.body).data?.data.id;
}

export const getWorkspace = defineFunction({
    name: "getWorkspace",
    service: stateVersions,
    description: "Looks up a workspace by its organization and name, or by its id.",
    inputs,
    result: workspace,
    invoke: async (context, reference) => workspace.parse(await readWorkspace(context, reference)),
});

// Never repeated: HCP Terraform allows 30 of these requests a minute, and the wait after a 429 would delay all other requests.
const listRuns = endpoint("GET /workspaces/{id}/runs", "never");
const runList = z.object({ data: z.array(z.unknown()) });
/** The statuses of a run that has ended. */
export const ended = /^(applied|discarded|errored|(force_)?canceled|planned_and_(finished|saved)|policy_soft_failed)$/;

/** A run with the beginning of its message. */
export const runText = ({ id, message = "", isDestroy }: Run) =>
    [id, isDestroy && "DESTROY", [...message].slice(0, 60).join("")].filter(Boolean).join(" ");

/** The newest runs of a workspace that are not finished. Empty if the service does not list them. */
export async function unfinishedRuns(context: Context, { id }: Workspace): Promise<Run[]> {
    const query = { "filter[status_group]": "non_final", "page[size]": 10 };
    const answer = await context.client.call(listRuns, { parameters: { id }, query }).catch(() => undefined);
    // The open-source server OTF may ignore the filter.
    const runs = runsIn(runList.safeParse(answer?.body).data?.data ?? [], context);
    return runs.filter(({ status = "" }) => !ended.test(status));
}

const listOfWorkspaces = endpoint("GET /organizations/{organization}/workspaces");

/** The workspaces of an organization (HCP Terraform's documentation, Workspaces, List Workspaces). */
export async function listWorkspaces(context: Context, organization: string) {
    const found: z.output<typeof workspaceForm>[] = [];
    const call = { parameters: { organization }, query: { "page[size]": largestPage } };
    for await (const { items } of pagesOf(context, listOfWorkspaces, call, workspaceForm)) found.push(...items);
    return found;
}
