/** The function about a workspace, which users know by its name (HCP Terraform's documentation, Workspaces, Show Workspace). */

import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { defineFunction } from "../../core/functions";
import { AnswerError } from "../../errors";
import { failAbout, property, withRules } from "../../schema/property";
import { nonEmptyString } from "../../schema/property-types";
import { recordReader } from "../../schema/record";
import { connectionProperty } from "../shared-options";
import { optional, optionalText, related } from "./records";
import { relatedIn } from "./runs";
import { idOf, stateVersions, unexpectedBody, withInclude } from "./service";

const showById = endpoint("GET /workspaces/{id}");
const showByName = endpoint("GET /organizations/{organization}/workspaces/{name}");

const workspace = z.object({
    id: property(z.string(), { wire: "id", description: "Its id: `ws-…`." }),
    name: optionalText("name", "Its name."),
    organization: related("organization", "id", "Name of the organization that owns it."),
    locked: optional("locked", z.boolean(), "Whether it is locked."),
    lockedReason: optionalText("locked-reason", "Reason of the lock."),
    lockedById: related("locked-by", "id", "Id of the user, team or run that locked it."),
    lockedByType: related("locked-by", "type", "`users`, `teams` or `runs`."),
    autoApply: optional("auto-apply", z.boolean(), "Whether a run applies its plan without a confirmation."),
    currentRunId: related("current-run", "id", "Id of the current run, which may have finished."),
    currentRunStatus: property(z.string().optional(), { description: "Status of the current run, such as `applied`." }),
    currentStateVersionId: related("current-state-version", "id", "Id of the current state version."),
    permissions: optional("permissions", z.record(z.string(), z.boolean()), "The token's rights, such as `can-lock`."),
});
const record = recordReader(workspace);

const fields = z.record(z.string(), z.unknown()).catch({});
const workspaceDocument = z.object({
    data: z.object({ id: z.string(), type: z.literal("workspaces"), attributes: fields, relationships: fields }),
});

const must = "give either this, or both organization and name";
const inputs = withRules(
    z.strictObject({
        organization: property(nonEmptyString.optional(), { description: "Name of the organization." }),
        name: property(nonEmptyString.optional(), { description: "Name of the workspace." }),
        id: property(idOf("workspace").optional(), { description: "Id of the workspace, instead of both names." }),
        connection: connectionProperty,
    }),
    [
        failAbout("id", ["organization", "name"], ({ id, organization, name }) =>
            [organization, name].every((each) => (each === undefined) === (id !== undefined)) ? undefined : must,
        ),
    ],
);

/** Reads a workspace, with the status of its current run if the server includes the run. */
export async function readWorkspace(
    { client }: Context,
    { id, organization = "", name = "" }: z.output<typeof inputs>,
) {
    const { body, exchange } = await withInclude("current_run", (include) =>
        id === undefined
            ? client.call(showByName, { parameters: { organization, name }, query: { include } })
            : client.call(showById, { parameters: { id }, query: { include } }),
    );
    const { data } = workspaceDocument.safeParse(body);
    if (data === undefined) throw new AnswerError(exchange, unexpectedBody);
    const { attributes, relationships, ...named } = data.data;
    const shown = record.read({ ...attributes, ...relationships, ...named });
    const run = relatedIn(body).runs.get(shown.currentRunId ?? "");
    return { ...shown, ...(run?.status && { currentRunStatus: run.status }) };
}

export const getWorkspace = defineFunction({
    name: "getWorkspace",
    service: stateVersions,
    description: "Looks up a workspace by its organization and name, or by its id.",
    inputs,
    result: workspace,
    invoke: readWorkspace,
});
