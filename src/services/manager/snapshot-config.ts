/** SnapshotConfig: the schedule, the storage and the status of automated snapshots (document "Secrets Manager", Automated snapshot configuration). */

import * as z from "zod";
import type { Context } from "../../core/context";
import { endpoint } from "../../core/endpoint";
import { asAbsent, defineFunction, lookupOf } from "../../core/functions";
import { type IdParts, identity } from "../../core/identity";
import { defineListing, defineNamed, type NamedResource } from "../../core/resource";
import { step } from "../../core/steps";
import { StatecraftError, unlessAbsent } from "../../errors";
import { noteAbout, property, warnAbout, withRules } from "../../schema/property";
import { duration, nonEmptyString, pathSegment, wholeNumber } from "../../schema/property-types";
import { recordReader } from "../../schema/record";
import { isRecord, type Values } from "../../schema/values";
import { field, text } from "../record-fields";
import { waitProperty } from "../shared-options";
import { dataOf, defaults, listNames, manager, showWarnings, type VaultDefaults, warnOfName } from "./service";
import { storage } from "./snapshot-storage";

// A write sends the whole configuration, so it may be repeated.
const write = endpoint("POST /v1/sys/storage/raft/snapshot-auto/config/{name}", "always");
const show = endpoint("GET /v1/sys/storage/raft/snapshot-auto/config/{name}");
const remove = endpoint("DELETE /v1/sys/storage/raft/snapshot-auto/config/{name}");
const listConfigs = endpoint("LIST /v1/sys/storage/raft/snapshot-auto/config");
const showStatus = endpoint("GET /v1/sys/storage/raft/snapshot-auto/status/{name}");

const usualPrefixes: readonly unknown[] = Object.values(defaults).map(({ filePrefix }) => filePrefix);

const properties = {
    name: property(pathSegment, { immutable: true, description: "Name of the configuration." }),
    interval: field("interval", duration(1), "Time between snapshots: whole seconds, or a string such as `24h`."),
    retain: property(wholeNumber().optional(), {
        wire: "retain",
        default: 1,
        description: "Number of snapshots to keep. After each snapshot Vault deletes older ones.",
    }),
    filePrefix: property(nonEmptyString.optional(), {
        wire: "file_prefix",
        equality: (prefix) => (usualPrefixes.includes(prefix) ? undefined : prefix),
        description: "Prefix of the names of snapshots. Default: `vault-snapshot`.",
    }),
    storage: field("storage", storage, "Where snapshots are stored, by `type`. The type can change in place.", {
        optionalInAnswers: true,
    }),
    autoloadEnabled: property(z.boolean().optional(), {
        wire: "autoload_enabled",
        default: false,
        optionalInAnswers: true,
        description:
            "Whether a server without data loads the newest snapshot of this configuration. For one configuration only, and not for `local`.",
    }),
    waitForSnapshot: waitProperty("for a new snapshot after a write", "10m"),
};

// Warnings and not failures: Vault refuses such values of `autoloadEnabled` and `filePrefix`, but the API documents allow them.
const inputs = withRules(z.strictObject(properties), [
    warnOfName,
    warnAbout("autoloadEnabled", ["storage"], ({ autoloadEnabled, storage: store }) =>
        autoloadEnabled === true && isRecord(store) && store["type"] === "local"
            ? "has no use for storage of the type local, which is lost with the server: choose another type, or leave it out"
            : undefined,
    ),
    warnAbout("filePrefix", [], ({ filePrefix }) =>
        String(filePrefix).includes("/")
            ? "contains /, which Vault refuses: name the folder in pathPrefix of the storage"
            : undefined,
    ),
    noteAbout("retain", [], ({ retain }, olds) => {
        const [now, before] = [Number(retain), Number(olds?.["retain"])];
        return now < before ? `keeps ${now} snapshots instead of ${before}: the server deletes older ones` : undefined;
    }),
]);

const time = (wire: string, description: string) => text(wire, `${description} ISO 8601.`);
const newer = <Type extends z.ZodType>(wire: string, type: Type, description: string) =>
    field(wire, type.optional(), `${description} Newer servers only.`);

const statusSchema = property(
    z.strictObject({
        lastSnapshotStart: time("last_snapshot_start", "When the last snapshot started. Empty before the first."),
        lastSnapshotEnd: time("last_snapshot_end", "When the last snapshot ended. Empty before the first."),
        lastSnapshotError: text("last_snapshot_error", "Error of the last snapshot. Empty if it succeeded."),
        lastSnapshotUrl: text("last_snapshot_url", "Address of the last snapshot."),
        snapshotStart: time("snapshot_start", "Start of a snapshot, as Vault returns it beside `lastSnapshotStart`."),
        snapshotUrl: text("snapshot_url", "Address of a snapshot, as Vault returns it beside `lastSnapshotUrl`."),
        consecutiveErrors: newer("consecutive_errors", z.int(), "Number of failed snapshots in a row."),
        nextSnapshotStart: newer("next_snapshot_start", z.string(), "When the next snapshot starts. ISO 8601."),
    }),
    { description: "How the snapshots of a configuration went.", typeName: "SnapshotStatus" },
);

const statusReader = recordReader(statusSchema);

type SnapshotStatus = z.infer<typeof statusSchema>;

/** The status before the first snapshot. */
export const emptyStatus: SnapshotStatus = statusReader.read({});

/** Reads the status of a configuration's snapshots. @throws NotFoundError if the server has none, as before the first snapshot */
export async function readStatus(context: Context, name: string): Promise<SnapshotStatus> {
    const status = statusReader.read(dataOf(await context.client.call(showStatus, { parameters: { name } })));
    context.assertKinds(statusReader.node, status);
    return status;
}

const outputs = z.strictObject({
    status: property(statusSchema.optional(), {
        description: "Status of the snapshots at the end of `waitForSnapshot`.",
    }),
});

/** The names of all configurations. */
export const snapshotConfigNames = ({ client }: Context) => listNames(client.call(listConfigs, { parameters: {} }));

const config: NamedResource<typeof inputs, typeof outputs, IdParts<"name">, VaultDefaults> = {
    type: "SnapshotConfig",
    service: manager,
    description:
        "A configuration of the automated snapshots of Vault Enterprise: interval, retention and storage. It is in the root namespace.",
    inputs,
    outputs,
    identity: identity("<name>", { name: pathSegment }),
    title: ({ name }) => `snapshot configuration ${name}`,
    address: ({ name }) => ({ name }),

    list: defineListing({
        inputs: z.strictObject({}),
        find: async (context) => (await snapshotConfigNames(context)).map((name) => [{ name }, name]),
    }),

    // In requests and answers, the fields of the storage are on the same level as the other fields.
    toWire: ({ storage: store, ...body }) => ({ ...body, ...(isRecord(store) && store) }),
    fromWire: (body) => ({ ...body, storage: body }),

    async read({ client }, { name }) {
        return { body: dataOf(await client.call(show, { parameters: { name } })), inputs: { name } };
    },

    async write(context, { name }, { body, written }) {
        const { filePrefix, unsentDefaults } = context.settings;
        const { environment, clientId }: Values = isRecord(written["storage"]) ? written["storage"] : {};
        const declared: Values = {
            autoload_enabled: written["autoloadEnabled"],
            clouda_blob_environment: environment,
            clouda_client_id: clientId,
        };
        const isSent = ([field]: [string, unknown]) => !unsentDefaults.includes(field) || declared[field] !== undefined;
        const whole = { file_prefix: filePrefix, ...Object.fromEntries(Object.entries(body).filter(isSent)) };
        showWarnings(await context.client.call(write, { parameters: { name }, body: whole }), context);
    },

    async remove({ client }, { name }) {
        await client.call(remove, { parameters: { name } });
    },

    async wait(context, { name }, { waitForSnapshot = 0 }) {
        if (waitForSnapshot === 0) return {};
        const limit = context.waitLimit(waitForSnapshot, 0);
        let first: SnapshotStatus | undefined;
        const wait = { for: "a snapshot", limit, interval: 2_000 };
        const { done: status } = await context.poll(wait, async () => {
            const now = (await readStatus(context, name).catch(unlessAbsent)) ?? emptyStatus;
            first ??= now;
            const problem = now.lastSnapshotError;
            const isNew = now.lastSnapshotEnd !== first.lastSnapshotEnd;
            // A failed snapshot may have no end time.
            if (problem !== "" && (isNew || problem !== first.lastSnapshotError)) {
                const advice = `Correct the cause, most often space or credentials, and run ${step.again()} again`;
                const hint = `${advice}, which waits for the next snapshot`;
                throw new StatecraftError("snapshot", `the snapshot failed: ${context.quoted(problem)}`, { hint });
            }
            if (isNew) return { done: now };
            return { still: now.lastSnapshotEnd ? `the last one ended ${now.lastSnapshotEnd}` : "there is none yet" };
        });
        if (status !== undefined) return { status };
        const hint = "Set `waitForSnapshot` to more than `interval`, or leave it out";
        throw new StatecraftError("timeout", `no snapshot was taken within ${Math.round(limit)} s`, { hint });
    },
};

export const snapshotConfig = defineNamed(config);

export const getSnapshotConfig = lookupOf(config, {
    name: "getSnapshotConfig",
    description: "Looks up a configuration of Vault's automated snapshots.",
    by: ["name"],
});

export const getSnapshotConfigs = defineFunction({
    name: "getSnapshotConfigs",
    service: manager,
    description: "Lists the names of the configurations of Vault's automated snapshots.",
    inputs: z.strictObject({}),
    result: z.strictObject({
        names: property(z.array(z.string()), { description: "Names of the configurations. Empty if there are none." }),
    }),
    invoke: async (context) => ({ names: await snapshotConfigNames(context) }),
});

export const getSnapshotStatus = defineFunction({
    name: "getSnapshotStatus",
    service: manager,
    description: "Looks up how the automated snapshots of a configuration went: the last one, and where it is.",
    inputs: z.strictObject({
        name: property(pathSegment, { description: "Name of the configuration." }),
    }),
    result: statusSchema,
    async invoke(context, { name }) {
        return readStatus(context, name).catch(asAbsent(`snapshot configuration ${name}`));
    },
});
