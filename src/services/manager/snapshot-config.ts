/** SnapshotConfig: a schedule of automated snapshots and where they go (document "Secrets Manager", Automated snapshot configuration). */

import * as z from "zod";
import { lookupOf } from "../../core/defined-function";
import { namedObject } from "../../core/named-object";
import type { NamedObject } from "../../core/named-object-spec";
import { operation } from "../../core/operation";
import { serverDefaults } from "../../product-names";
import { property, type Rule, withRules } from "../../schema/facts";
import { duration, nonEmptyString, stringOf, wholeNumber } from "../../schema/property-types";
import { isRecord } from "../../schema/unknown";
import { adoptProperty, connectionProperty, timeoutsProperty } from "../shared-options";
import {
    keepsFewer,
    keepsNothing,
    noAutoload,
    noData,
    noLicence,
    noSnapshotConfig,
    noSnapshotYet,
    pathAsPrefix,
    snapshotFailed,
    wrongName,
} from "./failures";
import { dataOf, manager, nameRule, showWarnings } from "./service";
import { readStatusYet, type SnapshotStatus, statusSchema } from "./snapshot-status";
import { storage, storageFindings } from "./snapshot-storage";

const write = operation("POST /v1/sys/storage/raft/snapshot-auto/config/{name}", "always");
const show = operation("GET /v1/sys/storage/raft/snapshot-auto/config/{name}");
const remove = operation("DELETE /v1/sys/storage/raft/snapshot-auto/config/{name}");

function keptOf(count: number): string {
    if (count === 0) return "no snapshot is";
    return count === 1 ? "only the newest snapshot is" : `only the newest ${count} snapshots are`;
}

const isLocal = (place: unknown) => isRecord(place) && place["type"] === "local";

const rules: readonly Rule[] = [
    {
        uses: ["autoloadEnabled", "storage"],
        severity: "warning",
        test: (values) => (values["autoloadEnabled"] === true && isLocal(values["storage"]) ? noAutoload() : undefined),
    },
    {
        uses: ["filePrefix"],
        severity: "warning",
        test: ({ filePrefix }) => (String(filePrefix).includes("/") ? pathAsPrefix() : undefined),
    },
    {
        uses: ["retain"],
        severity: "warning",
        test: ({ retain }) => (retain === 0 ? keepsNothing() : undefined),
    },
    {
        uses: ["retain"],
        severity: "warning",
        test: ({ retain }, olds) => {
            const before = olds?.["retain"];
            const now = Number(retain);
            return typeof before === "number" && now < before
                ? keepsFewer({ kept: keptOf(now), before: String(before) })
                : undefined;
        },
    },
];

const usualPrefixes: readonly unknown[] = Object.values(serverDefaults).map(({ filePrefix }) => filePrefix);
const isUsualPrefix = (prefix: unknown) => usualPrefixes.includes(prefix);

const inputs = withRules(
    z.strictObject({
        name: property(stringOf(nameRule.pattern, nameRule.must), {
            immutable: true,
            description: "Name of the configuration.",
        }),
        interval: property(duration(1), {
            wire: "interval",
            description: "Time between snapshots: whole seconds, or a string such as `24h`.",
        }),
        retain: property(wholeNumber().optional(), {
            wire: "retain",
            default: 1,
            description:
                "How many snapshots are kept; when there are more after one was written, the oldest are deleted.",
        }),
        filePrefix: property(nonEmptyString.optional(), {
            wire: "file_prefix",
            equality: (prefix) => (isUsualPrefix(prefix) ? undefined : prefix),
            description:
                "What the names of snapshot files or objects begin with. Defaults to that of the server: `secrets-snapshot`, or `vault-snapshot` on a real Vault.",
        }),
        storage: property(storage, {
            wire: "storage",
            optionalInAnswers: true,
            description: "Where snapshots go; `type` says which of the forms it is. Another type is changed in place.",
        }),
        autoloadEnabled: property(z.boolean().optional(), {
            wire: "autoload_enabled",
            default: false,
            optionalInAnswers: true,
            description:
                "Whether a server that lost its data loads the newest snapshot of this configuration by itself. One configuration at a time, and not for `local`.",
        }),
        waitForSnapshot: property(duration().optional(), {
            option: true,
            default: 0,
            description:
                "After a write, wait this long at most for a new snapshot: whole seconds, or a string such as `10m`. Off by default.",
        }),
        adopt: adoptProperty,
        timeouts: timeoutsProperty,
        connection: connectionProperty,
    }),
    rules,
);

const outputs = z.strictObject({
    status: property(statusSchema.optional(), {
        description:
            "The status of the configuration's snapshots when `waitForSnapshot` last saw a new one: the fields of the status endpoint.",
    }),
});

interface Address {
    readonly name: string;
}

const config: NamedObject<typeof inputs, typeof outputs, Address> = {
    type: "SnapshotConfig",
    service: manager,
    description:
        "A configuration of the secrets manager's automated snapshots: how often, how many are kept, and where they go. Lives in the root namespace.",
    inputs,
    outputs,
    errors: [
        keepsFewer,
        keepsNothing,
        pathAsPrefix,
        noAutoload,
        ...storageFindings,
        wrongName,
        noData,
        snapshotFailed,
        noSnapshotYet,
        noLicence,
    ],
    idForm: "<name>",
    title: ({ name }) => `snapshot configuration ${name}`,
    address: ({ name }) => ({ name }),
    id: ({ name }) => name,
    parse: (id) => (nameRule.pattern.test(id) ? { name: id } : undefined),
    named: ({ name }) => ({ name }),

    async read({ client }, { name }) {
        const body = dataOf(await client.call(show, { parameters: { name } }));
        // The fields of the storage are beside the common ones.
        return { body: { ...body, storage: body }, inputs: { name } };
    },

    async write(context, { name }, { body: { storage: form, ...body } }) {
        const whole = { file_prefix: context.filePrefix, ...body, ...(isRecord(form) ? form : {}) };
        showWarnings(await context.client.call(write, { parameters: { name }, body: whole }), context);
    },

    async remove({ client }, { name }) {
        await client.call(remove, { parameters: { name } });
    },

    wait: {
        name: "waitForSnapshot",
        isWanted: ({ waitForSnapshot = 0 }) => waitForSnapshot > 0,
        async until(context, { name }, { waitForSnapshot = 0 }) {
            const limit = context.waitLimit(waitForSnapshot, 0);
            let first: SnapshotStatus | undefined;
            let error = "";
            const status = await context.poll({ for: "a snapshot", limit, interval: 2_000 }, async () => {
                const now = await readStatusYet(context, name);
                first ??= now;
                error = now.lastSnapshotError;
                const isNew = now.lastSnapshotEnd !== first.lastSnapshotEnd;
                // A failed snapshot need not have an end.
                if (error !== "" && (isNew || error !== first.lastSnapshotError)) throw snapshotFailed({ error });
                return isNew ? now : undefined;
            });
            if (status !== undefined) return { status };
            const failed = error === "" ? "" : `; an earlier one failed: ${error}`;
            throw noSnapshotYet({ seconds: String(Math.round(limit)), failed });
        },
    },
};

/** A configuration of automated snapshots. */
export const snapshotConfig = namedObject(config);

/** Looks up one configuration. */
export const getSnapshotConfig = lookupOf(config, {
    name: "getSnapshotConfig",
    description: "Looks up a configuration of the secrets manager's automated snapshots.",
    by: ["name"],
    absent: noSnapshotConfig,
    errors: [noData, noLicence, wrongName],
});
