/** getStateVersion and getCurrentStateVersion: the record of a version, whole (document "State Versions", Show and Current). */

import * as z from "zod";
import { defineFunction } from "../../core/defined-function";
import type { Operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { NotFoundError } from "../../errors";
import { property } from "../../schema/facts";
import { isRecord } from "../../schema/unknown";
import { connectionProperty } from "../shared-options";
import { noCurrentVersion, noSuchVersion, otherForm } from "./failures";
import { idOf } from "./inputs";
import { addressProperties, parseVersion, recordProperties, showCurrent, showVersion } from "./records";
import { stateVersions } from "./service";

const include = z.array(z.enum(["created_by", "run", "run.created_by", "run.configuration_version", "outputs"]), {
    error: "must be a list",
});

/** Which related resources come along. */
export const includeProperty = property(include.optional(), {
    description: "Related resources to return in `included`.",
});

/** The value of the query parameter. */
export function includeQuery(names: z.output<typeof include> = []): string | undefined {
    return names.length > 0 ? names.join(",") : undefined;
}

const relatedResource = property(
    z.strictObject({
        id: property(z.string(), { description: "Its id." }),
        type: property(z.string(), { description: "Its type, such as `users`." }),
        attributes: property(z.record(z.string(), z.unknown()), { description: "What the service tells of it." }),
    }),
    { typeName: "RelatedResource", description: "A resource that is related to a state version." },
);

const includedRecord = z.looseObject({
    id: z.string(),
    type: z.string(),
    attributes: z.record(z.string(), z.unknown()).nullish(),
});

/** The related resources of answers, each once: pages of a list may share some. */
export function includedIn(records: unknown): z.output<typeof relatedResource>[] {
    const found = (Array.isArray(records) ? records : []).flatMap((record) => {
        const { success, data } = includedRecord.safeParse(record);
        return success ? [{ id: data.id, type: data.type, attributes: data.attributes ?? {} }] : [];
    });
    return [...new Map(found.map((record) => [`${record.type} ${record.id}`, record])).values()];
}

/** The property that holds them. Those of type `state-version-outputs` carry values in clear. */
export const includedProperty = property(z.array(relatedResource), {
    secret: true,
    description: "The related resources that `include` asked for. Secret: outputs come with their values.",
});

const result = z.strictObject({ ...recordProperties, ...addressProperties, included: includedProperty });

/** `absent` says what it means that the service finds nothing. */
async function show<Name extends string>(
    { client }: RequestContext,
    shown: Operation<Name>,
    parameters: Readonly<Record<Name, string>>,
    names: z.output<typeof include> | undefined,
    absent: typeof noSuchVersion | typeof noCurrentVersion,
    id: string,
): Promise<z.output<typeof result>> {
    try {
        const answer = await client.call(shown, { parameters, query: { include: includeQuery(names) } });
        const version = parseVersion(answer);
        return { ...version, included: includedIn(isRecord(answer.body) ? answer.body["included"] : undefined) };
    } catch (error) {
        throw error instanceof NotFoundError ? absent.of(error, { id }) : error;
    }
}

/** Looks up one version. */
export const getStateVersion = defineFunction({
    name: "getStateVersion",
    service: stateVersions,
    description: "Looks up a state version.",
    inputs: z.strictObject({
        id: property(idOf("state version"), { description: "Id of the version." }),
        include: includeProperty,
        connection: connectionProperty,
    }),
    result,
    errors: [noSuchVersion, otherForm],
    invoke: (context, { id, include: names }) => show(context, showVersion, { id }, names, noSuchVersion, id),
});

/** Looks up the version that is current. */
export const getCurrentStateVersion = defineFunction({
    name: "getCurrentStateVersion",
    service: stateVersions,
    description: "Looks up the current state version of a workspace.",
    inputs: z.strictObject({
        workspaceId: property(idOf("workspace"), { description: "The workspace." }),
        include: includeProperty,
        connection: connectionProperty,
    }),
    result,
    errors: [noCurrentVersion, otherForm],
    invoke: (context, { workspaceId, include: names }) =>
        show(context, showCurrent, { workspaceId }, names, noCurrentVersion, workspaceId),
});
