/** Looking volumes up, one or all, and waiting until they change (document "Volumes"). */

import * as z from "zod";
import { defineFunction, recordReader, saidAbsent } from "../../core/defined-function";
import { operation } from "../../core/operation";
import type { Answer, Call } from "../../core/service";
import { AnswerError } from "../../errors";
import { property, type Rule, withRules } from "../../schema/facts";
import { objectNode } from "../../schema/node";
import { duration, stringOf, wholeNumber } from "../../schema/property-types";
import { readAnswer } from "../../schema/wire";
import { connectionProperty } from "../shared-options";
import { inputs as volumeInputs } from "./csi-volume";
import { noHexadecimal, noVolume, otherForm, waitAlone } from "./failures";
import { volumes } from "./service";
import {
    homeNamespace,
    isVolume,
    listedVolume,
    placeProperties,
    showVolume,
    volumeIn,
    wholeVolumeProperties,
} from "./volume";

const list = operation("GET /v1/volumes");

const { read } = recordReader(listedVolume);

const usualWait = 60;

const blockingProperties = {
    index: property(wholeNumber().optional(), {
        large: true,
        description:
            "Waits until there is something newer than this `index` of an earlier result. Left out, the answer comes at once.",
    }),
    wait: property(duration(1).optional(), {
        description:
            "How long to wait at most, with `index`: whole seconds, or a string such as `5m`. Then the result is what there is. Defaults to one minute. While it waits, it is one of the `maxConcurrency` requests.",
    }),
};

const index = property(z.number(), {
    description: "Up to which write the result holds: given as `index`, it waits for the next one.",
});

const waitNeedsIndex: Rule = {
    uses: ["index", "wait"],
    test: (args) => (args["index"] === undefined && args["wait"] !== undefined ? waitAlone() : undefined),
};

/** What makes a query wait at the service: it may answer a sixteenth later than asked, and the answer has to travel. */
function blocking(args: { index?: number | undefined; wait?: number | undefined }): Pick<Call, "query" | "timeout"> {
    if (args.index === undefined) return {};
    const seconds = args.wait ?? usualWait;
    return { query: { index: args.index, wait: `${seconds}s` }, timeout: Math.ceil((seconds * 17) / 16) + 30 };
}

/** Up to which write a result holds: a header says so, or else the volumes do. */
function indexOf({ headers }: Answer, seen: readonly { modifyIndex: number }[]): number {
    const index = headers["x-volumes-index"];
    if (index !== undefined && /^\d+$/.test(index)) return Number(index);
    return Math.max(0, ...seen.map(({ modifyIndex }) => modifyIndex));
}

/** What real servers show beside the document's fields. */
const furtherProperties = volumeInputs.pick({
    capabilities: true,
    mountOptions: true,
    parameters: true,
    context: true,
    requestedTopologies: true,
    capacityMin: true,
    capacityMax: true,
}).shape;
const furtherVolume = objectNode(z.strictObject(furtherProperties));

/** Looks up one volume. */
export const getCsiVolume = defineFunction({
    name: "getCsiVolume",
    service: volumes,
    description: "Looks up a volume with its allocations; with `index`, waits until it changes.",
    inputs: withRules(z.strictObject({ ...placeProperties, ...blockingProperties, connection: connectionProperty }), [
        waitNeedsIndex,
    ]),
    result: z.strictObject({ ...wholeVolumeProperties, ...furtherProperties, index }),
    errors: [noVolume, waitAlone, otherForm],
    async invoke(context, args) {
        const namespace = args.namespace ?? homeNamespace(context);
        const { query, timeout } = blocking(args);
        const answer = await context.client
            .call(showVolume, { parameters: { id: args.volumeId }, query: { namespace, ...query }, timeout })
            .catch(saidAbsent(noVolume, `the volume ${args.volumeId} in namespace ${namespace}`));
        const { body, volume } = volumeIn(answer);
        const further = readAnswer(furtherVolume, body);
        return { ...volume, ...further, index: indexOf(answer, [volume]) };
    },
});

/** The document has prefixes decoded to bytes; Nomad takes any string. */
const prefix = (what: string, more = "") =>
    property(z.string().optional(), {
        description: `Only volumes ${what} begins with this: by the document, an even number of the digits 0-9 and a-f.${more}`,
    });

const prefixRule = (name: "nodeId" | "pluginId"): Rule => ({
    uses: [name],
    severity: "warning",
    test: ({ [name]: written }) =>
        written === undefined || /^([0-9a-f]{2})*$/.test(String(written))
            ? undefined
            : { path: name, reason: noHexadecimal() },
});

/** Volumes are ordered by this. */
const place = ({ namespace, volumeId }: { readonly namespace: string; readonly volumeId: string }) =>
    `${namespace}\0${volumeId}`;

/** Lists volumes. */
export const getCsiVolumes = defineFunction({
    name: "getCsiVolumes",
    service: volumes,
    description:
        "Lists the volumes of a namespace, ordered by namespace and `volumeId`; with `index`, waits until something changes.",
    inputs: withRules(
        z.strictObject({
            namespace: property(stringOf(/^[^/]+$/, "must be the name of a namespace, or * for all").optional(), {
                description:
                    "Namespace of the volumes; `*` for all of them. Defaults to the `namespace` of the settings, else `default`.",
            }),
            nodeId: prefix("on nodes whose id"),
            pluginId: prefix("of plugins whose id", " Nomad wants the whole id."),
            limit: property(wholeNumber(1).optional(), {
                description: "Return this many volumes at most. Left out, all of them.",
            }),
            ...blockingProperties,
            connection: connectionProperty,
        }),
        [waitNeedsIndex, prefixRule("nodeId"), prefixRule("pluginId")],
    ),
    result: z.strictObject({
        volumes: property(z.array(listedVolume), { description: "The volumes." }),
        index,
    }),
    errors: [noHexadecimal, waitAlone, otherForm],
    async invoke(context, args) {
        const { namespace = homeNamespace(context), nodeId, pluginId, limit } = args;
        const { query, timeout } = blocking(args);
        // With `namespace=*`, Nomad finds no volume of any plugin.
        const isFilteredHere = namespace === "*";
        const answer = await context.client.call(list, {
            parameters: {},
            query: {
                type: "csi",
                namespace,
                node_id: nodeId || undefined,
                plugin_id: isFilteredHere ? undefined : pluginId || undefined,
                ...query,
            },
            timeout,
        });
        if (!Array.isArray(answer.body) || !answer.body.every(isVolume))
            throw new AnswerError(answer.exchange, otherForm());
        const found = answer.body.map(read).sort((one, other) => (place(one) < place(other) ? -1 : 1));
        const wanted =
            isFilteredHere && pluginId ? found.filter((volume) => volume.pluginId.startsWith(pluginId)) : found;
        return { volumes: wanted.slice(0, limit ?? wanted.length), index: indexOf(answer, found) };
    },
});
