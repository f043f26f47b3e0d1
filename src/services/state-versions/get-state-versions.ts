/** getStateVersions: the versions of a workspace, all pages (document "State Versions", List state versions). */

import { field } from "../../core/field";
import type { FunctionDefinition } from "../../core/function";
import { choice, count, text } from "../../core/kind";
import { NotFoundError, reworded } from "../../errors";
import { connectionField } from "../options";
import { versionListFailures } from "./failures";
import { includedIn, includedOutput, includeField, includeQuery, recordFields, shownRecord } from "./get-state-version";
import { stateVersions } from "./service";
import { readVersions } from "./version-list";

/** Lists versions. */
export const getStateVersions = {
    name: "getStateVersions",
    service: stateVersions,
    doc: "Lists the state versions of a workspace in the service's order, usually the newest first: all pages, or as many as `limit` allows.",
    inputs: {
        organization: field(text(), { required: true, doc: "Name of the organization that owns the workspace." }),
        workspaceName: field(text(), { required: true, doc: "Name of the workspace, not its id." }),
        status: field(choice(["pending", "finalized", "discarded"]), { doc: "Only versions of this status." }),
        include: includeField,
        limit: field(count(1), { doc: "Most versions to return. All when left out." }),
        connection: connectionField,
    },
    outputs: {
        stateVersions: { doc: "The versions.", type: "StateVersionRecord[]" },
        included: includedOutput,
    },
    records: [
        {
            name: "StateVersionRecord",
            doc: "One state version, as `getStateVersions` lists it: without its signed addresses.",
            fields: recordFields,
        },
    ],
    errors: versionListFailures,
    async invoke(session, args) {
        const { organization, workspaceName, status, limit } = args;
        const filter = {
            organization: String(organization),
            workspaceName: String(workspaceName),
            status: typeof status === "string" ? status : undefined,
            include: includeQuery(args),
        };
        try {
            const { versions, included } = await readVersions(
                session,
                filter,
                typeof limit === "number" ? limit : undefined,
            );
            return { stateVersions: versions.map(shownRecord), included: includedIn(included) };
        } catch (error) {
            if (!(error instanceof NotFoundError)) throw error;
            const what = `the workspace ${filter.workspaceName} of ${filter.organization}`;
            throw reworded(error, { code: "absent", message: `${what} does not exist, or the token may not see it` });
        }
    },
} as const satisfies FunctionDefinition;
