/** Lookups of automated snapshots: one configuration, all of them, and how they went. */

import { unlessAbsent } from "../../core/declared";
import { type FunctionDefinition, resultOf } from "../../core/function";
import { presented } from "../../core/meaning";
import { operation } from "../../core/operation";
import { fieldsIn } from "../../core/vocabularies";
import { StatecraftError } from "../../errors";
import { snapshotListFailures, snapshotLookupFailures } from "./failures";
import { listNames, manager } from "./service";
import { observeSnapshotConfig, snapshotConfig } from "./snapshot-config";
import { readStatus, statusFields } from "./snapshot-status";

const list = operation("LIST /v1/sys/storage/raft/snapshot-auto/config");

const { inputs } = snapshotConfig;
const { storage, ...result } = resultOf(inputs, { storage: "SnapshotConfigStorage" });

function absent(name: string): StatecraftError {
    return new StatecraftError("absent", `the snapshot configuration ${name} does not exist, or may not be seen`);
}

/** Looks up one configuration. */
export const getSnapshotConfig = {
    name: "getSnapshotConfig",
    service: manager,
    doc: "Looks up a configuration of the secrets manager's automated snapshots.",
    inputs: { name: inputs.name, connection: inputs.connection },
    outputs: {
        ...result,
        storage: {
            type: "SnapshotConfigStorage",
            ...storage,
            doc: "Where snapshots go; `type` says which of the forms it is. Absent where the service does not tell it. Secret as a whole, because the service shows credentials.",
            optional: true,
            secret: true,
        },
    },
    errors: snapshotLookupFailures,
    async invoke(session, args) {
        const name = String(args["name"]);
        const seen = await observeSnapshotConfig(session, { name });
        if (seen === undefined) throw absent(name);
        return presented(fieldsIn(inputs, session.vocabulary), seen.fields);
    },
} as const satisfies FunctionDefinition;

/** Lists configurations. */
export const getSnapshotConfigs = {
    name: "getSnapshotConfigs",
    service: manager,
    doc: "Lists the names of the configurations of the secrets manager's automated snapshots.",
    inputs: { connection: inputs.connection },
    outputs: { names: { doc: "Names of the configurations. Empty where there are none.", type: "string[]" } },
    errors: snapshotListFailures,
    async invoke({ client }) {
        return { names: await listNames(client.call(list, { parameters: {} }), `LIST ${list.path({})}`) };
    },
} as const satisfies FunctionDefinition;

/** Looks up how snapshots went. */
export const getSnapshotStatus = {
    name: "getSnapshotStatus",
    service: manager,
    doc: "Looks up how the automated snapshots of a configuration went: the last one, and where it is.",
    inputs: { name: inputs.name, connection: inputs.connection },
    outputs: statusFields,
    errors: snapshotLookupFailures,
    async invoke(session, args) {
        const name = String(args["name"]);
        const status = await readStatus(session, name).catch(unlessAbsent);
        if (status === undefined) throw absent(name);
        return { ...status };
    },
} as const satisfies FunctionDefinition;
