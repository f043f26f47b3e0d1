/**
 * The checks of `npx pulumi-statecraft doctor`: one list of what is well and what is wrong. They change nothing.
 *
 * | check         | requests                                           |
 * | ------------- | -------------------------------------------------- |
 * | `--snapshots` | the list of configurations, and the status of each |
 * | `--volumes`   | the list of volumes, and each volume               |
 * | `--role`      | the role, and the configuration of its mount       |
 * | `--rollback`  | the workspace, its versions, the states of five    |
 */

import type { Context } from "../core/context";
import type { Service } from "../core/service";
import { shellWord } from "../core/steps";
import { unlessAbsent } from "../errors";
import { mapValues } from "../schema/values";
import { manager } from "../services/manager/service";
import { emptyStatus, readStatus, snapshotConfigNames } from "../services/manager/snapshot-config";
import { stateVersions } from "../services/state-versions/service";
import { claimsOn, namespaceFlag, statusOf, volumesOf } from "../services/volumes/csi-volume";
import { volumes } from "../services/volumes/service";
import { titleOf } from "../services/volumes/volume";
import type { Reference } from "./arguments";
import { checkRole } from "./doctor-role";
import { checkRollback } from "./doctor-rollback";
import { about, all, type Finding, failed, ok, warning } from "./finding";
import type { Servers } from "./servers";

/** The checks of a list. */
export interface Checks {
    /** Seconds since the last snapshot that are well. `undefined`: snapshots are not checked. */
    readonly maxAge?: number | undefined;
    readonly volumes?: boolean | undefined;
    readonly role?: string | undefined;
    readonly rollback?: Reference | undefined;
    readonly mount?: string | undefined;
    readonly jwtFile?: string | undefined;
    readonly json?: boolean | undefined;
}

/** Runs checks and prints their findings. Resolves with the exit code: 1 if one is `failed`. */
export async function runChecks({ maxAge, role, rollback, ...checks }: Checks, { voice, context }: Servers) {
    const check = <Defaults>(
        title: string,
        service: Service<Defaults>,
        find: (context: Context<Defaults>) => Promise<Finding[]>,
    ) => about(title, async () => find(context(service)));
    const name = rollback && Object.values(rollback).join("/");
    const found = await all([
        maxAge === undefined ? [] : check("snapshots", manager, (vault) => checkSnapshots(vault, maxAge)),
        checks.volumes ? check("volumes", volumes, checkVolumes) : [],
        role === undefined
            ? []
            : check(`role ${role}`, manager, (vault) => checkRole(vault, role, checks.mount, checks.jwtFile)),
        rollback ? check(`workspace ${name}`, stateVersions, (terraform) => checkRollback(terraform, rollback)) : [],
    ]);
    const findings = found.map((finding) => mapValues({ ...finding }, (text) => voice.clean(text)));
    const lines = findings.map(({ level = "", about: object, text, code }) =>
        [level.padEnd(7), `${object}:`, text, code && `[${code}]`].join(" ").trimEnd(),
    );
    console.log(checks.json ? JSON.stringify(findings) : lines.join("\n"));
    return findings.some(({ level }) => level === "failed") ? 1 : 0;
}

async function checkSnapshots(context: Context, maxAge: number): Promise<Finding[]> {
    const names = await snapshotConfigNames(context);
    if (names.length === 0) return [failed("stale", "Vault takes none: it has no configuration of snapshots.")];
    return all(names.map((name) => about(`snapshots ${name}`, () => checkStatus(context, name, maxAge))));
}

async function checkStatus(context: Context, name: string, maxAge: number): Promise<Finding[]> {
    const status = (await readStatus(context, name).catch(unlessAbsent)) ?? emptyStatus;
    const { lastSnapshotEnd: end, lastSnapshotError: error, nextSnapshotStart: next } = status;
    // Not a number if there is no snapshot.
    const age = Math.max(0, Date.now() - Date.parse(end)) / 1000;
    const last = end === "" ? "none has ended yet" : `the last one ended at ${end}, ${hours(age)} ago`;
    const times = next ? `${last}, the next one starts at ${next}` : last;
    if (error)
        return [failed("snapshot", `the last one failed: ${context.quoted(error)}; ${times}. Correct the cause.`)];
    if (age <= maxAge) return [ok(`${times}.`)];
    return [failed("stale", `${times}; --max-age is ${hours(maxAge)}. Read the log of Vault's active node.`)];
}

const hours = (seconds: number) => `${Math.round(seconds / 360) / 10} h`;

async function checkVolumes(context: Context): Promise<Finding[]> {
    const { namespace = "*" } = context.settings;
    const listed = await volumesOf(context, namespace);
    if (listed.length === 0) return [warning("unused", `the token sees no volume in the namespace ${namespace}.`)];
    return all(listed.map((volume) => about(titleOf(volume), () => checkVolume(context, volume))));
}

type ListedVolume = Awaited<ReturnType<typeof volumesOf>>[number];

async function checkVolume(context: Context, volume: ListedVolume): Promise<Finding[]> {
    const claims = await claimsOn(context, volume);
    const ended = claims.filter(({ hasEnded }) => hasEnded).map(({ text }) => text);
    const findings = checkPlugin(volume);
    if (ended.length > 0) {
        const text = `ended allocations claim it: ${ended.join(", ")}. Run \`nomad system gc\`, which drops the claims.`;
        findings.push(failed("ended-claims", text));
    }
    if (claims.length === 0) {
        const command = `nomad volume deregister ${namespaceFlag(volume.namespace)}${shellWord(volume.volumeId)}`;
        findings.push(warning("unused", `no allocation reads or writes it now. If no job needs it: \`${command}\`.`));
    }
    return findings.length > 0 ? findings : [ok(`claimed by ${claims.length} allocations, healthy plugin.`)];
}

function checkPlugin(volume: ListedVolume): Finding[] {
    const { pluginId, schedulable, nodesHealthy, nodesExpected, controllersHealthy, controllersExpected } = volume;
    const counts = `${nodesHealthy} of ${nodesExpected} nodes and ${controllersHealthy} of ${controllersExpected} controllers`;
    const isMiscounted = nodesHealthy > nodesExpected || controllersHealthy > controllersExpected;
    const isGone = nodesExpected + controllersExpected === 0 && !isMiscounted;
    const health = isGone ? "is gone" : `is healthy on ${counts}${isMiscounted ? ", which Nomad has miscounted" : ""}`;
    const text = `its plugin ${health}. Look at it with ${statusOf(pluginId)}, and run or repair its job.`;
    if (!schedulable) return [failed("unhealthy", `it is not schedulable: ${text}`)];
    const isHealthy = nodesHealthy >= nodesExpected && controllersHealthy >= controllersExpected;
    return isHealthy ? [] : [warning("unhealthy", text)];
}
