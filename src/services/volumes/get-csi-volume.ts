/** Looking volumes up, one or all, and waiting until they change (document "Volumes"). */

import * as z from "zod";
import { unlessAbsent } from "../../core/declared";
import { secondsOf } from "../../core/duration";
import { field, type Props, type Rule } from "../../core/field";
import type { FunctionDefinition } from "../../core/function";
import { count, duration, text } from "../../core/kind";
import { operation } from "../../core/operation";
import type { Answer, Call } from "../../core/service";
import { AnswerError, StatecraftError } from "../../errors";
import { connectionField } from "../options";
import { homeNamespace, volumeFields } from "./csi-volume";
import { volumeListFailures, volumeLookupFailures } from "./failures";
import { productOutputs, readProductFields } from "./product-fields";
import { toldIndex, volumes } from "./service";
import { allocationRecords, listedVolume, readListed, readWhole, wholeVolumeFields } from "./volume-record";

const show = operation("GET /v1/volume/csi/{id}");
const list = operation("GET /v1/volumes");

const usualWait = "1m";

const blockingFields = {
    index: field(count(), {
        doc: "Waits until there is something newer than this `index` of an earlier result. Left out, the answer comes at once.",
    }),
    wait: field(duration(1), {
        doc: `How long to wait at most, with \`index\`: whole seconds, or text such as \`5m\`. Then the result is what there is. Defaults to \`${usualWait}\`.`,
    }),
} as const;

const indexOutput = {
    doc: "Up to which write the result holds: given as `index`, it waits for the next one.",
    type: "number",
};

const blockingRule: Rule = {
    uses: ["index", "wait"],
    test: ({ index, wait }) =>
        index === undefined && wait !== undefined ? "wait: has no meaning without index" : undefined,
};

/** What makes a query wait at the service: it may answer a sixteenth later than asked, and the answer has to travel. */
function blocking({ index, wait }: Props): Pick<Call, "query" | "timeout"> {
    if (typeof index !== "number") return {};
    const seconds = secondsOf(wait ?? usualWait);
    return { query: { index, wait: `${seconds}s` }, timeout: Math.ceil((seconds * 17) / 16) + 30 };
}

/** A server that tells no index is one whose volumes tell theirs. */
function indexOf(answer: Answer, seen: readonly Props[]): number {
    return toldIndex(answer) ?? Math.max(0, ...seen.map(({ modifyIndex }) => Number(modifyIndex)));
}

/** Looks up one volume. */
export const getCsiVolume = {
    name: "getCsiVolume",
    service: volumes,
    doc: "Looks up a volume with its allocations; with `index`, waits until it changes.",
    inputs: {
        ...volumeFields,
        ...blockingFields,
        connection: connectionField,
    },
    rules: [blockingRule],
    outputs: { ...wholeVolumeFields, ...productOutputs, index: indexOutput },
    records: allocationRecords,
    errors: volumeLookupFailures,
    async invoke(session, args) {
        const { client, vocabulary } = session;
        const namespace = String(args["namespace"] ?? homeNamespace(session));
        const parameters = { id: String(args["volumeId"]) };
        const { query, timeout } = blocking(args);
        const answer = await client
            .call(show, { parameters, query: { namespace, ...query }, timeout })
            .catch(unlessAbsent);
        if (answer === undefined) {
            throw new StatecraftError(
                "absent",
                `the volume ${parameters.id} in namespace ${namespace} does not exist, or may not be seen`,
            );
        }
        const parsed = z.looseObject({ ID: z.string() }).safeParse(answer.body);
        if (!parsed.success) throw unusable(`GET ${show.path(parameters)}`, "it is not a volume");
        const volume = readWhole(parsed.data);
        const further = vocabulary === "product" ? readProductFields(parsed.data) : {};
        return { ...volume, ...further, index: indexOf(answer, [volume]) };
    },
} as const satisfies FunctionDefinition;

/** The document has prefixes decoded to bytes; real servers take any text. */
const prefix = (what: string) =>
    field(text({ pattern: /^([0-9a-f]{2})*$/, must: "must be an even number of hexadecimal digits (0-9, a-f)" }), {
        product: { kind: text() },
        doc: `Only volumes ${what} begins with this: where the documents' rules hold, an even number of the digits 0-9 and a-f.`,
    });

/** Lists volumes. */
export const getCsiVolumes = {
    name: "getCsiVolumes",
    service: volumes,
    doc: "Lists the volumes of a namespace, ordered by namespace and `volumeId`; with `index`, waits until something changes.",
    inputs: {
        namespace: field(text({ pattern: /^[^/]+$/, must: "must be the name of a namespace, or * for all" }), {
            doc: "Namespace of the volumes; `*` for all of them. Defaults to the `namespace` of the settings, else `default`.",
        }),
        nodeId: prefix("on nodes whose id"),
        pluginId: prefix("of plugins whose id"),
        limit: field(count(1), { doc: "Return this many volumes at most. Left out, all of them." }),
        ...blockingFields,
        connection: connectionField,
    },
    rules: [blockingRule],
    outputs: { volumes: { doc: "The volumes.", type: `${listedVolume.name}[]` }, index: indexOutput },
    records: [listedVolume],
    errors: volumeListFailures,
    async invoke(session, args) {
        const prefixes = { node_id: args["nodeId"], plugin_id: args["pluginId"] };
        const { query, timeout } = blocking(args);
        const answer = await session.client.call(list, {
            parameters: {},
            query: {
                type: "csi",
                namespace: String(args["namespace"] ?? homeNamespace(session)),
                ...Object.fromEntries(
                    Object.entries(prefixes).flatMap(([name, prefix]) => (prefix ? [[name, String(prefix)]] : [])),
                ),
                ...query,
            },
            timeout,
        });
        if (!Array.isArray(answer.body)) throw unusable("GET /v1/volumes", "it is not a list of volumes");
        const found = answer.body.map(readListed);
        const limit = Number(args["limit"] ?? found.length);
        return { volumes: found.slice(0, limit), index: indexOf(answer, found) };
    },
} as const satisfies FunctionDefinition;

function unusable(operationName: string, problem: string): AnswerError {
    return new AnswerError({ service: volumes.title, operation: operationName }, problem);
}
