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
import type { Command } from "commander";
import type { Runtime } from "../core/context";
import { invokeFunction, listObjects } from "../core/functions";
import type { AnyResource } from "../core/resource";
import { shellWord } from "../core/shell-word";
import { asStatecraftError, NotFoundError, StatecraftError } from "../errors";
import { objectIn } from "../schema/meaning";
import { isRecord, type Values } from "../schema/values";
import { authConfig } from "../services/manager/auth-config";
import { authRole } from "../services/manager/auth-role";
import { getSnapshotConfig, snapshotConfig } from "../services/manager/snapshot-config";
import { csiVolume } from "../services/volumes/csi-volume";
import { readSettings } from "../settings/settings";
import type { CommandProcess } from "./program";
import { type Servers, withServers } from "./servers";

interface Flags {
    readonly mount?: readonly (string | undefined)[];
    readonly namespace?: readonly (string | undefined)[];
    readonly out: string;
}

export function defineImport(command: Command, around: CommandProcess): void {
    const collected = (text: string, earlier: readonly string[] = []) => [...earlier, text];
    command
        .summary("writes the file for `pulumi import --file`")
        .description(
            "Lists what is on Vault and Nomad, and writes the file that `pulumi import --file` takes. Changes no server.",
        )
        .usage("[vault|nomad] [--mount PATH ...] [--namespace NAME ...] [--out FILE]")
        .argument("[products...]", "vault, nomad. Default: those whose address is set")
        .option("--mount <path>", "a mount of the azure method. May be repeated", collected)
        .option("--namespace <name>", "a namespace of the named product. May be repeated", collected)
        .option("--out <file>", "the file", "import.json")
        .action(async (products: string[], { mount = [undefined], namespace = [undefined], out }: Flags) => {
            const unknown = products.find((name) => name !== "vault" && name !== "nomad");
            if (unknown !== undefined) command.error(`error: nothing can be imported from ${JSON.stringify(unknown)}`);
            if (namespace[0] !== undefined && products.length !== 1)
                command.error("error: --namespace needs vault or nomad");
            const mounts = [...new Set(mount)];
            const namespaces = [...new Set(namespace)];
            const wanted = productsOf(products, around.env);
            const list = new ImportList();
            await withServers(around.env, {}, (servers) =>
                fill(list, servers, { products: wanted, mounts, namespaces }),
            );
            list.write(out);
            around.exitCode = list.failures.size === 0 ? 0 : 1;
        });
}

/** The products to list: those whose address is set. @throws StatecraftError if a wanted one has none, or if there is none */
function productsOf(wanted: readonly string[], environment: NodeJS.ProcessEnv): readonly string[] {
    const hasAddress = (name: string) =>
        readSettings(name === "vault" ? "manager" : "volumes", undefined, undefined, environment).address;
    const found = (wanted.length > 0 ? wanted : ["vault", "nomad"]).filter(hasAddress);
    if (found.length >= Math.max(1, wanted.length)) return found;
    throw new StatecraftError(
        "config",
        "no address is set: run `export VAULT_ADDR=<address>`, or NOMAD_ADDR. [config]",
    );
}

/** What narrows the list. */
interface Filter {
    readonly mounts: readonly (string | undefined)[];
    readonly namespaces: readonly (string | undefined)[];
}

/** A resource that is imported. */
interface Row {
    readonly resource: AnyResource;
    readonly product: "vault" | "nomad";
    /** The queries of its `list`. */
    queries(filter: Filter): readonly Values[];
    /** The name of an object in the program. */
    nameOf(address: Address): string;
    /** What the program has to declare, because the import does not contain it. Empty if nothing. */
    secretsOf(address: Address, runtime: Runtime): string | Promise<string>;
}

type Address = Readonly<Record<string, string>>;

const onMounts = ({ mounts, namespaces }: Filter) =>
    namespaces.flatMap((namespace) => mounts.map((mount) => ({ mount, namespace })));

const rows: readonly Row[] = [
    {
        ...{ resource: authRole, product: "vault", queries: onMounts },
        nameOf: ({ mount, name }) => `${mount}-${name}`,
        secretsOf: () => "",
    },
    {
        ...{ resource: authConfig, product: "vault", queries: onMounts },
        nameOf: ({ mount }) => `${mount}-config`,
        secretsOf: () => "clientSecret, which the server keeps if the program does not declare it",
    },
    {
        ...{ resource: snapshotConfig, product: "vault", queries: () => [{}] },
        nameOf: ({ name }) => `snapshots-${name}`,
        secretsOf: async (address, runtime) => credentialsIn(await invokeFunction(getSnapshotConfig, runtime, address)),
    },
    {
        ...{ resource: csiVolume, product: "nomad" },
        queries: ({ namespaces }) => namespaces.map((namespace = "*") => ({ namespace })),
        nameOf: ({ namespace, volumeId }) => `${namespace}-${volumeId}`,
        secretsOf: () => "secrets, mountOptions.mountFlags, where a volume has any, because Nomad does not show them",
    },
];

/** Adds the objects of the products to the list. */
async function fill(list: ImportList, { runtime }: Servers, filter: Filter & { readonly products: readonly string[] }) {
    for (const { resource, queries, nameOf, secretsOf } of rows.filter((row) =>
        filter.products.includes(row.product),
    )) {
        const { list: listing } = resource;
        for (const query of queries(filter)) {
            const all = listing && listObjects({ ...resource, list: listing }, runtime, query, Infinity);
            const found = await list.listed(all);
            for (const { id } of found ?? []) {
                const address = resource.identity.parse(id);
                const secrets = address && (await list.listed(secretsOf(address, runtime)));
                if (address && secrets !== undefined) list.add(resource.type, id, nameOf(address), secrets);
            }
        }
    }
}

/** The credentials in a storage: those that are not empty, and those that the server does not show. */
function credentialsIn({ storage }: Values): string {
    const property = snapshotConfig.node.properties.get("storage");
    if (property === undefined || !isRecord(storage)) return "";
    const names = Object.keys(objectIn(property.node, storage)?.secrets ?? {});
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

    /** The answer to a request; `undefined` for an object that does not exist, and for a failure, which the report shows. */
    async listed<Answer>(request: Answer | Promise<Answer>): Promise<Answer | undefined> {
        try {
            return await request;
        } catch (error) {
            const { message } = asStatecraftError(error);
            // Vault without an Enterprise licence has no snapshot configurations.
            const isAbsent = error instanceof NotFoundError || /enterprise[- ]only/i.test(message);
            // The message begins with the name of a function.
            if (!isAbsent) this.failures.add(message.replace(/^(get|list of )\w+: /, ""));
            return undefined;
        }
    }

    /**
     * Adds a resource, with a name of letters, digits, `-` and `_` that begins with a letter: programs that refer to another name are wrong.
     * @param wanted the place and the name of the object
     */
    add(type: string, id: string, wanted: string, secrets: string): void {
        const start = wanted.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^(?![A-Za-z])/, `${type}-`);
        let name = start;
        for (let number = 2; this.names.has(name); number++) name = `${start}-${number}`;
        this.names.add(name);
        this.resources.push({ type: `statecraft:index:${type}`, name, id });
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
