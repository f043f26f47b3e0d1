/** downloadState: the state behind a version's record (document "State Versions", What the service does, 3). */

import { field, type Rule } from "../../core/field";
import type { FunctionDefinition } from "../../core/function";
import { choice } from "../../core/kind";
import { NotFoundError, reworded, StatecraftError } from "../../errors";
import { connectionField } from "../options";
import { parsedObject } from "./content";
import { downloadFailures } from "./failures";
import { idText } from "./inputs";
import { readCurrent, readVersion, withoutUndefined } from "./records";
import { stateVersions } from "./service";

const rules: readonly Rule[] = [
    {
        uses: ["stateVersionId", "workspaceId"],
        test: ({ stateVersionId, workspaceId }) =>
            (stateVersionId === undefined) === (workspaceId === undefined)
                ? "stateVersionId: give either this, or workspaceId for its current version"
                : undefined,
    },
];

/** Downloads a state. */
export const downloadState = {
    name: "downloadState",
    service: stateVersions,
    doc: "Downloads a state, which may hold secrets: of one version, or what is current in a workspace.",
    inputs: {
        stateVersionId: field(idText("state version"), { doc: "The version." }),
        workspaceId: field(idText("workspace"), { doc: "The workspace whose current version it is." }),
        format: field(choice(["raw", "json"]), {
            default: "raw",
            doc: "`raw`: the client tool's internal format. `json`: the stable format for integrations, which not every version has.",
        }),
        connection: connectionField,
    },
    rules,
    outputs: {
        stateVersionId: { doc: "The version that it is of.", type: "string" },
        serial: { doc: "Its serial.", type: "number", optional: true },
        state: { doc: "The state, parsed.", type: "Record<string, unknown>", secret: true },
        text: { doc: "The state as it came.", type: "string", secret: true },
    },
    errors: downloadFailures,
    async invoke(session, { stateVersionId, workspaceId, format }) {
        const isJson = format === "json";
        const reading =
            typeof stateVersionId === "string"
                ? readVersion(session, stateVersionId)
                : readCurrent(session, String(workspaceId));
        const version = await reading.catch((error: unknown) => {
            if (!(error instanceof NotFoundError)) throw error;
            const what = stateVersionId ?? `a current version of ${workspaceId}`;
            throw reworded(error, { code: "absent", message: `${what} does not exist, or the token may not see it` });
        });
        const address = isJson ? version.jsonDownloadUrl : version.downloadUrl;
        if (address === undefined || version.status === "pending") {
            const hint = isJson ? "The raw format is there in any case" : undefined;
            throw new StatecraftError(
                "no-content",
                `the version ${version.id} has no ${format ?? "raw"} state to download`,
                { hint },
            );
        }
        const bytes = await session.client.download(address);
        const state = parsedObject(bytes);
        if (state === undefined) {
            throw new StatecraftError("no-content", `the content of the version ${version.id} is not a JSON object`);
        }
        return withoutUndefined({
            stateVersionId: version.id,
            serial: version.serial,
            state,
            text: bytes.toString("utf8"),
        });
    },
} as const satisfies FunctionDefinition;
