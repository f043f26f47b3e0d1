/**
 * Reading a volume while others are read too: one list of the namespace serves them all, with the result of reading one by one.
 *
 * | what a read tells                                   | with a list it is taken from                                          |
 * | --------------------------------------------------- | --------------------------------------------------------------------- |
 * | what the list tells: names, modes, health           | the list                                                              |
 * | `Version`, which is that of the plugin              | one read for each plugin                                              |
 * | the other inputs, such as capabilities (`product`)  | state, where it was read after the last write: `ModifyIndex` says so  |
 * | the same, where it was not                          | a read of this volume                                                 |
 * | that a volume is gone, which a list cannot prove    | a read of this volume                                                 |
 *
 * A list that fails serves nobody: each volume is read, and fails or not, by itself.
 */

import * as z from "zod";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { servesFor, unlessFailed } from "../../core/shared-reads";
import type { ObjectNode } from "../../schema/node";
import { type Address, look, volumeIn, type WholeVolume } from "./whole-volume";

// A list that does not come at once would keep waiting whoever can be read without it.
const list = operation("GET /v1/volumes", "refused");

/** What changes without a write, so that no index tells of it. */
const health = [
    "Provider",
    "Schedulable",
    "ControllersHealthy",
    "ControllersExpected",
    "NodesHealthy",
    "NodesExpected",
];

const listed = z.looseObject({
    ID: z.string(),
    Namespace: z.string(),
    PluginID: z.string(),
    ModifyIndex: z.number().optional(),
});
type Listed = z.infer<typeof listed>;

/**
 * The volume, or `undefined` when there is none.
 * @param node the inputs of a volume
 * @param index the write after which state was read
 */
export function lookAmongOthers(
    context: RequestContext,
    address: Address,
    node: ObjectNode,
    index: number | undefined,
): Promise<WholeVolume | undefined> {
    const { shared } = context;
    const { namespace } = address;
    const alone = () => look(context, address);
    return shared.listed(`volumes of ${namespace}`, {
        alone,
        list: () => listOf(context, namespace),
        seconds: servesFor,
        async find(all) {
            const entry = all.get(address.id);
            if (entry === undefined || !health.every((name) => name in entry)) return alone();
            const isUnchanged = index !== undefined && entry.ModifyIndex === index;
            if (!isUnchanged && !tellsInputs(node, entry)) return alone();
            if ("Version" in entry) return volumeIn(entry);
            const { PluginID: plugin } = entry;
            // The first one to ask reads itself.
            const like = await shared.once(`plugin ${plugin}`, alone, servesFor);
            if (like?.ID === address.id && like["Namespace"] === namespace) return like;
            return like?.["PluginID"] === plugin ? volumeIn({ ...entry, Version: like?.Version }) : alone();
        },
    });
}

/** The volumes of a namespace by their ids: none where the list cannot be had. */
async function listOf({ client }: RequestContext, namespace: string): Promise<ReadonlyMap<string, Listed>> {
    const query = { type: "csi", namespace };
    const answer = await client.call(list, { parameters: {}, query }).catch(unlessFailed);
    const items: unknown[] = Array.isArray(answer?.body) ? answer.body : [];
    const found = items.flatMap((item) => listed.safeParse(item).data ?? []);
    return new Map(found.filter((item) => item.Namespace === namespace).map((item) => [item.ID, item]));
}

/** Whether an entry of the list tells all that a read tells of the inputs. */
function tellsInputs({ meaningful }: ObjectNode, entry: Listed): boolean {
    return meaningful.every(({ facts: { wire, writeOnly } }) => wire === undefined || writeOnly || wire in entry);
}
