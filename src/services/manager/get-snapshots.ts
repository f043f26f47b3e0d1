/** Lookups of automated snapshots: the names of all configurations, and how the snapshots of one went. */

import * as z from "zod";
import { defineFunction, saidAbsent } from "../../core/defined-function";
import { operation } from "../../core/operation";
import { property } from "../../schema/facts";
import { stringOf } from "../../schema/property-types";
import { connectionProperty } from "../shared-options";
import { noData, noKeys, noLicence, noSnapshotConfig, wrongName } from "./failures";
import { listNames, manager, nameRule } from "./service";
import { readStatus, statusSchema } from "./snapshot-status";

const list = operation("LIST /v1/sys/storage/raft/snapshot-auto/config");

/** Lists configurations. */
export const getSnapshotConfigs = defineFunction({
    name: "getSnapshotConfigs",
    service: manager,
    description: "Lists the names of the configurations of the secrets manager's automated snapshots.",
    inputs: z.strictObject({ connection: connectionProperty }),
    result: z.strictObject({
        names: property(z.array(z.string()), {
            description: "Names of the configurations. Empty where there are none.",
        }),
    }),
    errors: [noLicence, noKeys],
    async invoke({ client }) {
        return { names: await listNames(client.call(list, { parameters: {} })) };
    },
});

/** Looks up how snapshots went. */
export const getSnapshotStatus = defineFunction({
    name: "getSnapshotStatus",
    service: manager,
    description: "Looks up how the automated snapshots of a configuration went: the last one, and where it is.",
    inputs: z.strictObject({
        name: property(stringOf(nameRule.pattern, nameRule.must), { description: "Name of the configuration." }),
        connection: connectionProperty,
    }),
    result: statusSchema,
    errors: [noSnapshotConfig, noData, noLicence, wrongName],
    async invoke(context, { name }) {
        return readStatus(context, name).catch(saidAbsent(noSnapshotConfig, `the snapshot configuration ${name}`));
    },
});
