/** A volume as read, and who holds it (document "Volumes"). */

import * as z from "zod";
import { unlessAbsent } from "../../core/named-object-spec";
import { operation } from "../../core/operation";
import type { RequestContext } from "../../core/request-context";
import { AnswerError } from "../../errors";
import { otherForm } from "./failures";

/** Shows a volume. */
export const showVolume = operation("GET /v1/volume/csi/{id}");

/** Where a volume is. */
export interface Address {
    readonly namespace: string;
    readonly id: string;
}

/** What names a volume in a request. */
export const at = ({ namespace, id }: Address) => ({ parameters: { id }, query: { namespace } });

const textOrEmpty = z
    .string()
    .nullish()
    .transform((value) => value ?? "");
const wholeVolume = z.looseObject({
    ID: z.string(),
    Provider: textOrEmpty,
    Version: textOrEmpty,
    Schedulable: z.boolean().nullish().transform(Boolean),
    ControllersHealthy: z.number().catch(0),
    ControllersExpected: z.number().catch(0),
    NodesHealthy: z.number().catch(0),
    NodesExpected: z.number().catch(0),
    ReadAllocs: z.record(z.string(), z.unknown()).nullish(),
    WriteAllocs: z.record(z.string(), z.unknown()).nullish(),
    Allocations: z
        .array(
            z.looseObject({
                ID: textOrEmpty,
                NodeID: textOrEmpty,
                JobID: textOrEmpty,
                ClientStatus: textOrEmpty,
                DesiredStatus: textOrEmpty,
            }),
        )
        .nullish()
        .transform((value) => value ?? []),
});

/** A volume as read. */
export type WholeVolume = z.infer<typeof wholeVolume>;

/** What a record says as a volume that is read, or `undefined` where it is none. */
export const volumeIn = (record: unknown): WholeVolume | undefined => wholeVolume.safeParse(record).data;

/** The volume, or `undefined` when there is none. @throws AnswerError for what is no volume */
export async function look({ client }: RequestContext, address: Address): Promise<WholeVolume | undefined> {
    const answer = await client.call(showVolume, at(address)).catch(unlessAbsent);
    if (answer === undefined) return undefined;
    const found = volumeIn(answer.body);
    if (found !== undefined) return found;
    throw new AnswerError(answer.exchange, otherForm());
}

/** An allocation that claims a volume. */
export interface Claim {
    readonly allocation: string;
    readonly job: string;
    readonly node: string;
    /** Its node says that the allocation has ended. */
    readonly hasEnded: boolean;
}

const endedStatuses: readonly string[] = ["complete", "failed", "lost"];

/** The allocations that claim a volume. */
export function claimsOf({ ReadAllocs, WriteAllocs, Allocations }: WholeVolume): Claim[] {
    return Object.keys({ ...ReadAllocs, ...WriteAllocs }).map((allocation) => {
        const record = Allocations.find(({ ID }) => ID === allocation);
        const hasEnded = endedStatuses.includes(record?.ClientStatus ?? "");
        return { allocation, node: record?.NodeID ?? "", job: record?.JobID ?? "", hasEnded };
    });
}
