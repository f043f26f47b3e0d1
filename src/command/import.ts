/**
 * `statecraft import`: lists what is on Vault and Nomad, and writes the file that `pulumi import --file` takes. It changes nothing on a server.
 *
 * | requests                                                      | for                                        |
 * | ------------------------------------------------------------- | ------------------------------------------ |
 * | for each mount: the names of its roles, and its configuration | `AuthRole`, `AuthConfig`                   |
 * | the names of the snapshot configurations, and each of them    | `SnapshotConfig`, and which secrets it has |
 * | the volumes of all namespaces, or of those of `--namespace`   | `CsiVolume`                                |
 */

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { connect } from "../client";
import type { IdParts } from "../core/identity";
import type { AnyResource } from "../core/resource";
import { shellWord } from "../core/shell-word";
import { asStatecraftError, NotFoundError, StatecraftError } from "../errors";
import { objectIn } from "../schema/meaning";
import { authConfig } from "../services/manager/auth-config";
import { authRole } from "../services/manager/auth-role";
import { snapshotConfig } from "../services/manager/snapshot-config";
import { csiVolume } from "../services/volumes/csi-volume";
import { readSettings } from "../settings/settings";
import { UsageError } from "./doctor";

/** Usage of the command. */
export const importUsage = "statecraft import [vault|nomad] [--mount PATH …] [--namespace NAME …] [--out FILE]";

/**
 * Runs the command: writes the file, and prints the report. Resolves with the exit code: 0, or 1 if something could not be listed.
 * @throws UsageError, StatecraftError
 */
export async function importFile(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<0 | 1> {
    const { services, mounts, namespaces, out } = readFlags(args, environment);
    const servers = connect({ environment, warn: console.error, inform: console.error });
    const list = new ImportList();
    if (services.includes("vault")) {
        for (const at of namespaces.flatMap((namespace) => mounts.map((mount) => ({ mount, namespace })))) {
            for (const { names, ...place } of await list.listed(servers.getAuthRoles(at))) {
                for (const name of names) list.add(authRole, { ...place, name }, `${place.mount}-${name}`);
            }
            for (const { mount, namespace } of await list.listed(servers.getAuthConfig(at))) {
                list.add(authConfig, { mount, namespace }, `${mount}-config`, clientSecret);
            }
        }
        for (const name of (await list.listed(servers.getSnapshotConfigs())).flatMap(({ names }) => names)) {
            for (const { storage } of await list.listed(servers.getSnapshotConfig({ name }))) {
                list.add(snapshotConfig, { name }, `snapshots-${name}`, credentialsIn({ ...storage }));
            }
        }
    }
    for (const within of services.includes("nomad") ? namespaces : []) {
        for (const { volumes } of await list.listed(servers.getCsiVolumes({ namespace: within ?? "*" }))) {
            for (const { namespace, volumeId } of volumes) {
                list.add(csiVolume, { namespace, volumeId }, `${namespace}-${volumeId}`, volumeSecrets);
            }
        }
    }
    await servers.close();
    list.write(out);
    return list.failures.size === 0 ? 0 : 1;
}

const clientSecret = "clientSecret, which the server keeps if the program does not declare it";
const volumeSecrets = "secrets, mountOptions.mountFlags, where a volume has any, because Nomad does not show them";

/** The credentials in a storage: those that are not empty, and those that the server does not show. */
function credentialsIn(storage: Readonly<Record<string, unknown>>): string {
    const property = snapshotConfig.node.properties.get("storage");
    const names = Object.keys((property && objectIn(property.node, storage)?.secrets) ?? {});
    return names.flatMap((name) => ((storage[name] ?? true) ? [`storage.${name}`] : [])).join(", ");
}

/** The resources of the file, and the report. */
class ImportList {
    /** Why something could not be listed. */
    readonly failures = new Set<string>();
    private readonly resources: object[] = [];
    /** The names of the resources with the same secrets. */
    private readonly secrets = new Map<string, string[]>();
    private readonly names = new Set<string>();

    /** The answer to a request; nothing for an object that does not exist, and for a failure, which the report shows. */
    async listed<Answer>(request: Promise<Answer>): Promise<Answer[]> {
        try {
            return [await request];
        } catch (error) {
            const { message } = asStatecraftError(error);
            // Vault without an Enterprise licence has no snapshot configurations.
            const isAbsent = error instanceof NotFoundError || /enterprise[- ]only/i.test(message);
            // The message begins with the name of a function.
            if (!isAbsent) this.failures.add(message.replace(/^get\w+: /, ""));
            return [];
        }
    }

    /**
     * Adds a resource, with a name of letters, digits, `-` and `_` that begins with a letter: programs that refer to another name are wrong.
     * @param wanted the place and the name of the object
     */
    add({ identity, type }: AnyResource, address: IdParts, wanted: string, secrets = ""): void {
        const start = wanted.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^(?![A-Za-z])/, `${type}-`);
        let name = start;
        for (let number = 2; this.names.has(name); number++) name = `${start}-${number}`;
        this.names.add(name);
        this.resources.push({ type: `statecraft:index:${type}`, name, id: identity.id(address) });
        const key = `  ${type}: ${secrets}: `;
        if (secrets !== "") this.secrets.set(key, [...(this.secrets.get(key) ?? []), name]);
    }

    /** Writes the file, unless it would be empty, and prints the report. */
    write(file: string): void {
        for (const text of this.failures) console.log(`Not listed: ${text}`);
        console.log(`Resources found: ${this.resources.length}`);
        // A file of an earlier run stays.
        if (this.resources.length === 0) return;
        writeFileSync(file, `${JSON.stringify({ resources: this.resources }, undefined, 4)}\n`);
        if (this.secrets.size > 0) console.log("Secrets are not imported. Declare them, or a write empties them:");
        for (const [text, names] of this.secrets) console.log(text + names.join(", "));
        console.log("Next, in the folder of the project; copy the printed program into yours before the preview:");
        console.log(`  pulumi import --file ${shellWord(file)} --out imported.ts\n  pulumi preview`);
    }
}

const noAddress = "the address of the server is not set: set VAULT_ADDR or NOMAD_ADDR. [config]";

function readFlags(args: readonly string[], environment: NodeJS.ProcessEnv) {
    const texts = { type: "string", multiple: true } as const;
    const options = { mount: texts, namespace: texts, out: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const { mount = [undefined], namespace = [undefined], out = "import.json" } = values;
    const unknown = positionals.find((name) => name !== "vault" && name !== "nomad");
    if (unknown !== undefined) throw new UsageError(`nothing can be imported from ${JSON.stringify(unknown)}`);
    if (values.namespace && positionals.length !== 1) throw new UsageError("--namespace needs vault or nomad");
    const hasAddress = (name: string) =>
        readSettings(name === "vault" ? "manager" : "volumes", undefined, () => undefined, environment).address;
    const services = (positionals.length > 0 ? positionals : ["vault", "nomad"]).filter(hasAddress);
    if (services.length < Math.max(1, positionals.length)) throw new StatecraftError("config", noAddress);
    return { services, mounts: [...new Set(mount)], namespaces: [...new Set(namespace)], out };
}
