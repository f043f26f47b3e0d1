/** SnapshotConfig: a schedule of automated snapshots and where they go (document "Secrets Manager", Automated snapshot configuration). */

import { declared, type Seen, unlessAbsent } from "../../core/declared";
import type { Definition } from "../../core/definition";
import { secondsOf } from "../../core/duration";
import { isRecord } from "../../core/engine-values";
import { type Fields, field, type Props, type Rule } from "../../core/field";
import { count, duration, flag, someText, text } from "../../core/kind";
import { formName, fromWire, meantValue, toWire, variants } from "../../core/meaning";
import { operation } from "../../core/operation";
import type { Session, Vocabulary } from "../../core/session";
import { fieldsIn } from "../../core/vocabularies";
import { StatecraftError } from "../../errors";
import { productName } from "../../vocabulary";
import { adoptField, connectionField, timeoutsField } from "../options";
import { snapshotFailures } from "./failures";
import { dataOf, manager, nameRule, showWarnings } from "./service";
import { readStatusYet, statusType } from "./snapshot-status";
import { formFields, leftBehind, storageForms, toldType } from "./snapshot-storage";

const write = operation("POST /v1/sys/storage/raft/snapshot-auto/config/{name}", "always");
const show = operation("GET /v1/sys/storage/raft/snapshot-auto/config/{name}");
const remove = operation("DELETE /v1/sys/storage/raft/snapshot-auto/config/{name}");

const inputs = {
    name: field(text(nameRule), { required: true, replaces: true, doc: "Name of the configuration." }),
    interval: field(duration(1), {
        wire: "interval",
        required: true,
        doc: "Time between snapshots: whole seconds, or text such as `24h`.",
    }),
    retain: field(count(), {
        wire: "retain",
        default: 1,
        product: { kind: count(1) },
        doc: "How many snapshots are kept; when there are more after one was written, the oldest are deleted.",
    }),
    filePrefix: field(someText, {
        wire: "file_prefix",
        default: "secrets-snapshot",
        product: {
            kind: text({ pattern: /^[^/]+$/, must: "must not be empty, nor hold /" }),
            default: productName("secrets-snapshot"),
        },
        doc: "What the names of snapshot files or objects begin with.",
    }),
    storage: variants(storageForms, {
        required: true,
        doc: "Where snapshots go; `type` says which of the forms it is. Another type is changed in place.",
    }),
    autoloadEnabled: field(flag, {
        wire: "autoload_enabled",
        default: false,
        only: "product",
        doc: "Whether a server that lost its data loads the newest snapshot of this configuration by itself. One configuration at a time, and not for `local`.",
    }),
    waitForSnapshot: field(duration(), {
        option: true,
        default: 0,
        doc: "After a write, wait this long at most for the first snapshot that succeeds: whole seconds, or text. Off by default.",
    }),
    adopt: adoptField,
    timeouts: timeoutsField,
    connection: connectionField,
} as const satisfies Fields;

function keptOf(count: number): string {
    if (count === 0) return "no snapshot is";
    return count === 1 ? "only the newest snapshot is" : `only the newest ${count} snapshots are`;
}

const rules: readonly Rule[] = [
    {
        uses: ["autoloadEnabled", "storage"],
        only: "product",
        test: (values) =>
            values["autoloadEnabled"] === true && isRecord(values["storage"]) && values["storage"]["type"] === "local"
                ? "autoloadEnabled: cannot be set for storage of the type local: choose another type, or leave it out"
                : undefined,
    },
    {
        uses: ["filePrefix"],
        only: "documented",
        severity: "warning",
        test: (values) =>
            String(values["filePrefix"] ?? "").includes("/")
                ? "filePrefix: holds /, which no document forbids, but servers are known to refuse"
                : undefined,
    },
    {
        uses: ["retain"],
        only: "documented",
        severity: "warning",
        test: (values) =>
            values["retain"] === 0
                ? "retain: 0 keeps no snapshot at all, if the server takes it: keep one or more"
                : undefined,
    },
    {
        uses: ["storage", "retain"],
        severity: "warning",
        test: (values) =>
            isRecord(values["storage"]) &&
            values["storage"]["type"] === "local" &&
            meantValue(inputs, values, "retain") === 1
                ? "retain: a single snapshot on the server's own disk is lost together with the server: keep more, or choose another type of storage"
                : undefined,
    },
    {
        uses: ["retain"],
        severity: "warning",
        test: (values, olds) => {
            const before = olds && meantValue(inputs, olds, "retain");
            const now = Number(meantValue(inputs, values, "retain"));
            return typeof before === "number" && now < before
                ? `retain: ${keptOf(now)} kept from now on, instead of ${before}; older ones are deleted`
                : undefined;
        },
    },
];

interface Address {
    readonly name: string;
}

/** A configuration as the service takes it: the fields of the form beside the common ones. */
function bodyOf(values: Props, vocabulary: Vocabulary): Record<string, unknown> {
    const storage = isRecord(values["storage"]) ? values["storage"] : {};
    const type = formName(storageForms, storage["type"]) ?? "";
    return {
        ...toWire(fieldsIn(inputs, vocabulary), values),
        storage_type: type,
        ...toWire(formFields(type, vocabulary), storage),
    };
}

const pollMilliseconds = 2_000;

/** What the service holds of a configuration. */
export async function observeSnapshotConfig(
    { client, vocabulary }: Session,
    { name }: Address,
): Promise<Seen | undefined> {
    const answer = await client.call(show, { parameters: { name } }).catch(unlessAbsent);
    if (answer === undefined) return undefined;
    const data = dataOf(answer, `GET ${show.path({ name })}`);
    const fields = { name, ...fromWire(fieldsIn(inputs, vocabulary), data) };
    const type = toldType(data);
    if (type === undefined) return { fields };
    const storage = { type, ...fromWire(formFields(type, vocabulary), data) };
    const left = leftBehind(type, data);
    const notes =
        left.length > 0
            ? [`storage: the server still holds fields of another type of storage: ${left.join(", ")}`]
            : [];
    return { fields: { ...fields, storage }, notes };
}

/** A configuration of automated snapshots. */
export const snapshotConfig = {
    type: "SnapshotConfig",
    service: manager,
    doc: "A configuration of the secrets manager's automated snapshots: how often, how many are kept, and where they go. Lives in the root namespace.",
    inputs,
    outputs: {
        status: {
            doc: "The status of the configuration's snapshots when `waitForSnapshot` last saw one: the fields of the status endpoint.",
            type: statusType,
            optional: true,
        },
    },
    rules,
    errors: snapshotFailures,
    verbs: declared<Address>({
        inputs,
        title: ({ name }) => `snapshot configuration ${name}`,
        address: (values) => ({ name: String(values["name"]) }),
        id: ({ name }) => name,
        parse: (id) => (id === "" || id.includes("/") ? undefined : { name: id }),
        idForm: "<name>",
        named: ({ name }) => ({ name }),

        observe: observeSnapshotConfig,

        async write(session, { name }, values) {
            const body = bodyOf(values, session.vocabulary);
            const answer = await session.client.call(write, { parameters: { name }, body });
            showWarnings(answer, session);
        },

        async remove({ client }, { name }) {
            await client.call(remove, { parameters: { name } });
        },

        waits: (values) => (secondsOf(values["waitForSnapshot"]) > 0 ? ["waitForSnapshot"] : []),

        beforehand: async (session, { name }) => ({ ...(await readStatusYet(session, name)) }),

        async settle(session, { name }, values, before) {
            const former = before ?? { ...(await readStatusYet(session, name)) };
            const limit = session.waitLimit(secondsOf(values["waitForSnapshot"]), 0);
            const deadline = session.now() + limit * 1000;
            for (;;) {
                const now = await readStatusYet(session, name);
                const error = now.lastSnapshotError;
                const isNew = now.lastSnapshotEnd !== former["lastSnapshotEnd"];
                // A failed one need not have an end.
                if (error !== "" && (isNew || error !== former["lastSnapshotError"])) {
                    throw new StatecraftError("snapshot", `the snapshot failed: ${error}`);
                }
                // What was taken before a write tells nothing of what was written.
                const isMeant = before === undefined ? now.lastSnapshotEnd !== "" : isNew;
                if (isMeant && error === "") return { status: now };
                if (session.now() >= deadline) {
                    const failed = error === "" ? "" : `; an earlier one failed: ${error}`;
                    throw new StatecraftError(
                        "timeout",
                        `no snapshot was taken within ${Math.round(limit)} s${failed}`,
                        { hint: "Set `waitForSnapshot` to more than `interval`, or leave it out" },
                    );
                }
                session.progress(
                    `waiting for the first snapshot, ${Math.round((deadline - session.now()) / 1000)} s left`,
                );
                await session.sleep(pollMilliseconds);
            }
        },
    }),
} as const satisfies Definition;
