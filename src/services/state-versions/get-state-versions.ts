/** getStateVersions: the versions of a workspace, all pages (document "State Versions", List state versions). */

import * as z from "zod";
import { defineFunction } from "../../core/defined-function";
import { NotFoundError } from "../../errors";
import { property } from "../../schema/facts";
import { wholeNumber } from "../../schema/property-types";
import { connectionProperty } from "../shared-options";
import { endlessPages, noSuchWorkspace, noVersionInList, otherForm } from "./failures";
import { includedIn, includedProperty, includeProperty, includeQuery } from "./get-state-version";
import { recordProperties, type StateVersion } from "./records";
import { stateVersions } from "./service";
import { readVersions } from "./version-list";

const listedVersion = property(z.strictObject(recordProperties), {
    typeName: "StateVersionRecord",
    description: "One state version, as `getStateVersions` lists it: without its signed addresses.",
});

function listed(version: StateVersion): z.output<typeof listedVersion> {
    const {
        hostedStateDownloadUrl: _,
        hostedJsonStateDownloadUrl: __,
        hostedStateUploadUrl: ___,
        hostedJsonStateUploadUrl: ____,
        ...shown
    } = version;
    return shown;
}

/** Lists versions. */
export const getStateVersions = defineFunction({
    name: "getStateVersions",
    service: stateVersions,
    description:
        "Lists the state versions of a workspace in the service's order, usually the newest first: all pages, or as many as `limit` allows.",
    inputs: z.strictObject({
        organization: property(z.string(), {
            description: "Name of the organization that owns the workspace.",
        }),
        workspaceName: property(z.string(), { description: "Name of the workspace, not its id." }),
        status: property(z.enum(["pending", "finalized", "discarded"]).optional(), {
            description: "Only versions of this status.",
        }),
        include: includeProperty,
        limit: property(wholeNumber(1).optional(), {
            description: "Most versions to return. All when left out.",
        }),
        connection: connectionProperty,
    }),
    result: z.strictObject({
        stateVersions: property(z.array(listedVersion), { description: "The versions." }),
        included: includedProperty,
    }),
    errors: [noSuchWorkspace, otherForm, noVersionInList, endlessPages],
    async invoke(context, { organization, workspaceName, status, include, limit }) {
        const filter = { organization, workspaceName, status, include: includeQuery(include) };
        try {
            const { versions, included } = await readVersions(context, filter, limit);
            return { stateVersions: versions.map(listed), included: includedIn(included) };
        } catch (error) {
            if (!(error instanceof NotFoundError)) throw error;
            throw noSuchWorkspace.of(error, { name: workspaceName, organization });
        }
    },
});
