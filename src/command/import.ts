/**
 * `npx pulumi-statecraft import`: lists what is on Vault and Nomad, and writes the file that `pulumi import --file` takes. It changes nothing on a server.
 *
 * | requests                                                      | for                                        |
 * | ------------------------------------------------------------- | ------------------------------------------ |
 * | for each mount: the names of its roles, and its configuration | `AuthRole`, `AuthConfig`                   |
 * | the names of the snapshot configurations, and each of them    | `SnapshotConfig`, and which secrets it has |
 * | the volumes of all namespaces, or of those of `--namespace`   | `CsiVolume`                                |
 */

import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import type { Runtime } from "../core/context";
import { invokeFunction, listObjects } from "../core/functions";
import type { AnyResource } from "../core/resource";
import { type Steps, shellWord } from "../core/steps";
import type { Voice } from "../core/voice";
import { asStatecraftError, NotFoundError, ServiceError, StatecraftError } from "../errors";
import { objectIn } from "../schema/meaning";
import { isRecord, parsedObject, type Values } from "../schema/values";
import { authConfig } from "../services/manager/auth-config";
import { authRole } from "../services/manager/auth-role";
import { getSnapshotConfig, snapshotConfig } from "../services/manager/snapshot-config";
import { csiVolume } from "../services/volumes/csi-volume";
import { readSettings } from "../settings/settings";
import type { CommandProcess } from "./names";
import { inCommand, withServers } from "./servers";

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
            const wanted = productsOf(products, around.env).flatMap((product) => rows[product] ?? []);
            const [mounts, namespaces] = [[...new Set(mount)], [...new Set(namespace)]];
            if (!mayBeWritten(out)) {
                const problem = `${out} exists, and is no file that this command has written`;
                throw new StatecraftError("input", `${problem}. Choose another one with --out. [input]`);
            }
            around.exitCode = await withServers(around.env, { steps }, async ({ runtime, voice }) => {
                const list = new ImportList(voice);
                for (const [resource, queries, nameOf, secretsOf] of wanted) {
                    for (const query of queries(mounts, namespaces)) {
                        const { list: listing } = resource;
                        const all = listing && listObjects({ ...resource, list: listing }, runtime, query);
                        for (const { id, address } of (await list.listed(all)) ?? []) {
                            const secrets = await list.listed(secretsOf(address, runtime));
                            if (secrets !== undefined) list.add(resource.type, id, nameOf(address), secrets);
                        }
                    }
                }
                list.write(out);
                return list.failures.size === 0 ? 0 : 1;
            });
        });
}

/** Messages do not name the functions that this command calls. */
const steps: Steps = { ...inCommand, subject: () => "" };

/** The products to list: those whose address is set. @throws StatecraftError if a wanted one has none, or if there is none */
function productsOf(wanted: readonly string[], environment: NodeJS.ProcessEnv): readonly string[] {
    const settingsOf = (name: string) =>
        readSettings(name === "vault" ? "manager" : "volumes", undefined, undefined, environment);
    const asked = wanted.length > 0 ? wanted : ["vault", "nomad"];
    const found = asked.filter((name) => settingsOf(name).address);
    if (found.length >= Math.max(1, wanted.length)) return found;
    const places = asked.flatMap((name) => settingsOf(name).placesOf("address")).join(", ");
    const advice = "Run `export VAULT_ADDR=<address>`, or NOMAD_ADDR";
    throw new StatecraftError("config", `no address is set: none is in ${places}. ${advice}. [config]`);
}

/** Whether a file is absent, or that of an earlier run: its resources are those of this package alone. A link is not followed. */
function mayBeWritten(file: string): boolean {
    const status = lstatSync(file, { throwIfNoEntry: false });
    if (status === undefined) return true;
    const { resources, ...others } = (status.isFile() && parsedObject(readFileSync(file))) || {};
    const isOurs = (each: unknown) => isRecord(each) && /^statecraft:/.test(String(each["type"]));
    return Array.isArray(resources) && resources.every(isOurs) && Object.keys(others).length === 0;
}

type Texts = readonly (string | undefined)[];
type Address = Readonly<Record<string, string>>;

/** A resource, the queries of its `list`, the name of an object in the program, and what the import of an object does not contain. */
type Row = readonly [
    resource: AnyResource,
    queries: (mounts: Texts, namespaces: Texts) => readonly Values[],
    nameOf: (address: Address) => string,
    secretsOf: (address: Address, runtime: Runtime) => string | Promise<string>,
];

const onMounts = (mounts: Texts, namespaces: Texts) =>
    namespaces.flatMap((namespace) => mounts.map((mount) => ({ mount, namespace })));
const inNamespaces = (_: Texts, namespaces: Texts) => namespaces.map((namespace = "*") => ({ namespace }));
const clientSecret = "clientSecretFrom, which the server keeps if the program does not declare it";
const volumeSecrets = "secretsFrom, mountOptions.mountFlags, where a volume has any, because Nomad does not show them";
const storageSecrets = async (address: Address, runtime: Runtime) =>
    credentialsIn(await invokeFunction(getSnapshotConfig, runtime, address));

const rows: Readonly<Record<string, readonly Row[]>> = {
    vault: [
        [authRole, onMounts, ({ mount, name }) => `${mount}-${name}`, () => ""],
        [authConfig, onMounts, ({ mount }) => `${mount}-config`, () => clientSecret],
        [snapshotConfig, () => [{}], ({ name }) => `snapshots-${name}`, storageSecrets],
    ],
    nomad: [[csiVolume, inNamespaces, ({ namespace, volumeId }) => `${namespace}-${volumeId}`, () => volumeSecrets]],
};

/** The sources of the credentials in a storage: of those that are not empty, and of those that the server does not show. */
function credentialsIn({ storage }: Values): string {
    const property = snapshotConfig.node.properties.get("storage");
    if (property === undefined || !isRecord(storage)) return "";
    const properties = [...(objectIn(property.node, storage)?.properties.values() ?? [])];
    const isGiven = (secret = "") => properties.some(({ name }) => name === secret) && (storage[secret] ?? true);
    return properties.flatMap(({ name, facts }) => (isGiven(facts.sourceOf) ? [`storage.${name}`] : [])).join(", ");
}

/** The resources of the file, and the report. */
class ImportList {
    constructor(private readonly voice: Voice) {}

    /** Why something could not be listed. */
    readonly failures = new Set<string>();
    private readonly resources: { readonly type: string; readonly name: string; readonly id: string }[] = [];
    /** The names of the resources with the same secrets. */
    private readonly secrets = new Map<string, string[]>();
    private readonly names = new Set<string>();
    /** The last number at the end of a name, by the name without it. */
    private readonly numbers = new Map<string, number>();

    /** The answer to a request; `undefined` for an object that does not exist, and for a failure, which the report shows. */
    async listed<Answer>(request: Answer | Promise<Answer>): Promise<Answer | undefined> {
        try {
            return await request;
        } catch (error) {
            // Vault without an Enterprise licence has no snapshot configurations. Older releases, and OpenBao, do not know their paths.
            const { reasons, operation } = error instanceof ServiceError ? error : { reasons: [], operation: "" };
            const isOfSnapshots = operation.includes("/snapshot-auto/");
            const isUnknown = isOfSnapshots && /enterprise[- ]only|unsupported path/i.test(reasons.join(" "));
            const isAbsent = error instanceof NotFoundError || isUnknown;
            if (!isAbsent) this.failures.add(asStatecraftError(error).message);
            return undefined;
        }
    }

    /**
     * Adds a resource, with a name of letters, digits, `-` and `_` that begins with a letter: programs that refer to another name are wrong.
     * @param wanted the place and the name of the object
     */
    add(type: string, id: string, wanted: string, secrets: string): void {
        const start = this.voice
            .clean(wanted)
            .replace(/[^A-Za-z0-9_-]+/g, "-")
            .replace(/^(?![A-Za-z])/, `${type}-`);
        let name = start;
        for (let number = this.numbers.get(start) ?? 1; this.names.has(name); name = `${start}-${number}`) {
            this.numbers.set(start, ++number);
        }
        this.names.add(name);
        this.resources.push({ type: `statecraft:index:${type}`, name, id });
        const key = `  ${type}: ${secrets}: `;
        if (secrets === "") return;
        const names = this.secrets.get(key) ?? [];
        names.push(name);
        this.secrets.set(key, names);
    }

    /** Writes the file, unless it would be empty, and prints the report. */
    write(file: string): void {
        for (const text of this.failures) console.log(`Not listed: ${text}`);
        console.log(`Resources found: ${this.resources.length}`);
        // A file of an earlier run stays.
        if (this.resources.length === 0) return;
        writeFileSync(file, `${JSON.stringify({ resources: this.resources }, undefined, 4)}\n`);
        if (this.secrets.size > 0)
            console.log("Secrets are not imported. Declare these, because a write empties most others:");
        for (const [text, names] of this.secrets) console.log(text + names.join(", "));
        if (this.resources.some(({ type }) => type.endsWith(csiVolume.type)))
            console.log(
                "Destroying a CsiVolume deregisters it: the storage of a volume that Nomad created stays, and may cost.",
            );
        console.log(`Next, in the folder of the project:\n  pulumi import --file ${shellWord(file)} --out imported.ts`);
        console.log("Then copy imported.ts into your program, and look at what changes:\n  pulumi preview");
    }
}
