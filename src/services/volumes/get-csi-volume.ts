/** Functions that look up one volume or all of a namespace, and can wait until they change (document "Volumes"). */

import * as z from "zod";
import { endpoint } from "../../core/endpoint";
import { asAbsent, defineFunction } from "../../core/functions";
import type { Answer, Call } from "../../core/service";
import { property, warnAbout, withRules } from "../../schema/property";
import { duration, stringOf, wholeNumber } from "../../schema/property-types";
import { recordReader } from "../../schema/record";
import { connectionProperty } from "../shared-options";
import { furtherProperties } from "./csi-volume";
import { volumes } from "./service";
import {
    addressOf,
    at,
    homeNamespace,
    isVolume,
    listedVolume,
    noVolumes,
    placeProperties,
    showVolume,
    titleOf,
    volumeIn,
    wholeVolumeProperties,
} from "./volume";

const list = endpoint("GET /v1/volumes");

const { read } = recordReader(listedVolume);

const blockingProperties = {
    index: property(wholeNumber().optional(), {
        large: true,
        description: "Waits for a result that is newer than the `index` of an earlier one. Default: no wait.",
    }),
    wait: property(duration(1).optional(), {
        description:
            "Maximum time to wait, with `index`: whole seconds, or a string such as `5m`. Default: one minute. Then the result is the present state. The wait counts as one of the `maxConcurrency` requests.",
    }),
};

const index = property(z.number(), {
    description: "Index of the last write in the result. Given as `index`, the next call waits for a later write.",
});

/** The query and time-out of a call that waits for a change. The service may answer later than `wait` by a sixteenth. */
function blocking(args: { index?: number | undefined; wait?: number | undefined }): Pick<Call, "query" | "timeout"> {
    if (args.index === undefined) return {};
    const seconds = args.wait ?? 60;
    return { query: { index: args.index, wait: `${seconds}s` }, timeout: Math.ceil((seconds * 17) / 16) + 30 };
}

const indexOf = ({ headers }: Answer) => Number(headers["x-volumes-index"] ?? 0);

const further = recordReader(z.strictObject(furtherProperties));

/** Looks up one volume. */
export const getCsiVolume = defineFunction({
    name: "getCsiVolume",
    service: volumes,
    description: "Looks up a volume with its allocations; with `index`, waits until it changes.",
    inputs: z.strictObject({ ...placeProperties, ...blockingProperties, connection: connectionProperty }),
    result: z.strictObject({ ...wholeVolumeProperties, ...furtherProperties, index }),
    async invoke(context, args) {
        const address = addressOf(args, context.settings);
        const { parameters, query } = at(address);
        const wait = blocking(args);
        const answer = await context.client
            .call(showVolume, { parameters, ...wait, query: { ...query, ...wait.query } })
            .catch(asAbsent(titleOf(address)));
        const { body, volume } = volumeIn(answer);
        return { ...volume, ...further.shown(body), index: indexOf(answer) };
    },
});

/** A filter by the beginning of an id. The API documents require hexadecimal digits; Nomad accepts any string. */
const prefix = (what: string, more = "") =>
    property(z.string().optional(), {
        description: `Only volumes ${what} has this prefix: an even number of hexadecimal digits.${more}`,
    });

const prefixRule = (name: "nodeId" | "pluginId") =>
    warnAbout(name, [], ({ [name]: written = "" }) =>
        /^([0-9a-f]{2})*$/.test(String(written))
            ? undefined
            : "must be an even number of hexadecimal digits (0-9, a-f)",
    );

/** Lists the volumes of a namespace. */
export const getCsiVolumes = defineFunction({
    name: "getCsiVolumes",
    service: volumes,
    description: "Lists the volumes of a namespace; with `index`, waits until something changes.",
    inputs: withRules(
        z.strictObject({
            namespace: property(stringOf(/^[^/]+$/, "must be the name of a namespace, or * for all").optional(), {
                description: "Namespace, or `*` for all. Defaults to the `namespace` of the settings, else `default`.",
            }),
            nodeId: prefix("on nodes whose id"),
            pluginId: prefix("of plugins whose id", " Nomad needs the whole id."),
            limit: property(wholeNumber(1).optional(), {
                description: "Maximum number of volumes. Default: all.",
            }),
            ...blockingProperties,
            connection: connectionProperty,
        }),
        [prefixRule("nodeId"), prefixRule("pluginId")],
    ),
    result: z.strictObject({
        volumes: property(z.array(listedVolume), { description: "The volumes." }),
        index,
    }),
    async invoke(context, args) {
        const { namespace = homeNamespace(context.settings), nodeId, pluginId, limit } = args;
        const wait = blocking(args);
        // With `namespace=*`, Nomad returns no volumes if the query names a plugin, so the result is filtered here.
        const [sent, filter] = namespace === "*" ? [undefined, pluginId] : [pluginId, undefined];
        const query = { type: "csi", namespace, node_id: nodeId, plugin_id: sent, ...wait.query };
        const answer = await context.client.call(list, { parameters: {}, ...wait, query });
        if (!Array.isArray(answer.body) || !answer.body.every(isVolume)) throw noVolumes(answer);
        const found = answer.body.map(read).filter((volume) => volume.pluginId.startsWith(filter ?? ""));
        return { volumes: found.slice(0, limit), index: indexOf(answer) };
    },
});
