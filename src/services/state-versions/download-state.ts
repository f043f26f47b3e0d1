/** downloadState: the state behind a version's record (document "State Versions", What the service does, 3). */

import * as z from "zod";
import { defineFunction } from "../../core/defined-function";
import { NotFoundError, reworded, StatecraftError } from "../../errors";
import { property, type Rule } from "../../schema/facts";
import { connectionProperty } from "../shared-options";
import { parsedObject } from "./content";
import { downloadFailures } from "./failures";
import { idOf } from "./inputs";
import { readCurrent, readVersion } from "./records";
import { stateVersions } from "./service";

const eitherOne: Rule = {
    uses: ["stateVersionId", "workspaceId"],
    test: ({ stateVersionId, workspaceId }) =>
        (stateVersionId === undefined) === (workspaceId === undefined)
            ? { path: "stateVersionId", reason: "give either this, or workspaceId for its current version" }
            : undefined,
};

/** Downloads a state. */
export const downloadState = defineFunction({
    name: "downloadState",
    service: stateVersions,
    description: "Downloads a state, which may hold secrets: of one version, or what is current in a workspace.",
    inputs: property(
        z.strictObject({
            stateVersionId: property(idOf("state version").optional(), { description: "The version." }),
            workspaceId: property(idOf("workspace").optional(), {
                description: "The workspace whose current version it is.",
            }),
            format: property(z.enum(["raw", "json"]).optional(), {
                default: "raw",
                description:
                    "`raw`: the client tool's internal format. `json`: the stable format for integrations, which not every version has.",
            }),
            connection: connectionProperty,
        }),
        { description: "", rules: [eitherOne] },
    ),
    result: z.strictObject({
        stateVersionId: property(z.string(), { description: "The version that it is of." }),
        serial: property(z.number().optional(), { description: "Its serial." }),
        state: property(z.record(z.string(), z.unknown()), { secret: true, description: "The state, parsed." }),
        text: property(z.string(), { secret: true, description: "The state as it came." }),
    }),
    errors: downloadFailures,
    async invoke(context, { stateVersionId, workspaceId = "", format }) {
        const isJson = format === "json";
        const reading =
            stateVersionId === undefined ? readCurrent(context, workspaceId) : readVersion(context, stateVersionId);
        const version = await reading.catch((error: unknown) => {
            if (!(error instanceof NotFoundError)) throw error;
            const what = stateVersionId ?? `a current version of ${workspaceId}`;
            throw reworded(error, { code: "absent", message: `${what} does not exist, or the token may not see it` });
        });
        const address = isJson ? version.hostedJsonStateDownloadUrl : version.hostedStateDownloadUrl;
        if (address === undefined || version.status === "pending") {
            const hint = isJson ? "The raw format is there in any case" : undefined;
            const problem = `the version ${version.id} has no ${format} state to download`;
            throw new StatecraftError("no-content", problem, { hint });
        }
        const bytes = await context.client.download(address);
        const state = parsedObject(bytes);
        if (state === undefined) {
            throw new StatecraftError("no-content", `the content of the version ${version.id} is not a JSON object`);
        }
        const { serial } = version;
        return { stateVersionId: version.id, serial, state, text: bytes.toString("utf8") };
    },
});
