/** downloadState: the state behind a version's record (document "State Versions", What the service does, 3). */

import * as z from "zod";
import { defineFunction } from "../../core/defined-function";
import { NotFoundError } from "../../errors";
import { property, type Rule, withRules } from "../../schema/facts";
import { connectionProperty } from "../shared-options";
import { parsedObject } from "./content";
import { eitherVersion, noContent, notAnObject, nothingToDownload, otherForm } from "./failures";
import { idOf } from "./inputs";
import { readCurrent, readVersion } from "./records";
import { stateVersions } from "./service";

const eitherOne: Rule = {
    uses: ["stateVersionId", "workspaceId"],
    test: ({ stateVersionId, workspaceId }) =>
        (stateVersionId === undefined) === (workspaceId === undefined) ? eitherVersion() : undefined,
};

/** Downloads a state. */
export const downloadState = defineFunction({
    name: "downloadState",
    service: stateVersions,
    description: "Downloads a state, which may hold secrets: of one version, or what is current in a workspace.",
    inputs: withRules(
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
        [eitherOne],
    ),
    result: z.strictObject({
        stateVersionId: property(z.string(), { description: "The version that it is of." }),
        serial: property(z.number().optional(), { description: "Its serial." }),
        state: property(z.record(z.string(), z.unknown()), { secret: true, description: "The state, parsed." }),
        text: property(z.string(), { secret: true, description: "The state as it came." }),
    }),
    errors: [eitherVersion, nothingToDownload, noContent, notAnObject, otherForm],
    async invoke(context, { stateVersionId, workspaceId = "", format }) {
        const isJson = format === "json";
        const reading =
            stateVersionId === undefined ? readCurrent(context, workspaceId) : readVersion(context, stateVersionId);
        const version = await reading.catch((error: unknown) => {
            if (!(error instanceof NotFoundError)) throw error;
            const what = stateVersionId ?? `a current version of ${workspaceId}`;
            throw nothingToDownload.of(error, { what });
        });
        const address = isJson ? version.hostedJsonStateDownloadUrl : version.hostedStateDownloadUrl;
        if (address === undefined || version.status === "pending") {
            throw noContent({ id: version.id, format: isJson ? "json" : "raw" });
        }
        const bytes = await context.client.download(address);
        const state = parsedObject(bytes);
        if (state === undefined) {
            throw notAnObject({ id: version.id });
        }
        const { serial } = version;
        return { stateVersionId: version.id, serial, state, text: bytes.toString("utf8") };
    },
});
