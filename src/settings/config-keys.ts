/** Keys of the settings: each service has one key for the product, and one for servers that use the names of the API documents. */

import type { Names, ServiceName } from "../core/service";
import { suggestion } from "../schema/suggestion";

/** A key of the settings of a service, such as `vault`. */
export type SettingsKey = ServiceName | "vault" | "nomad" | "terraform";

/** One of the two keys of a service, and the server that its settings are for. */
interface ServerKey {
    readonly key: SettingsKey;
    /** The name of the server in messages. */
    readonly title: string;
    /** The address, if other settings of the server are set. */
    readonly defaultAddress?: string;
    /** The server may accept requests without a token. */
    readonly tokenOptional?: true;
}

/** The two keys of a service, and the traits in which services differ. */
interface ServiceKeys extends Readonly<Record<Names, ServerKey>> {
    /** The end of every address. Default: none, and `/v1` at the end of an address is dropped, because endpoints begin with it. */
    readonly apiPath?: string;
    /** An address has several regions: a server is one of them, and requests name it. */
    readonly hasRegions?: true;
}

/** The keys and traits of each service. */
export const serviceKeys: Readonly<Record<ServiceName, ServiceKeys>> = {
    manager: {
        product: { key: "vault", title: "Vault" },
        documented: { key: "manager", title: "the secrets manager" },
    },
    volumes: {
        // A Nomad cluster without ACLs needs no token.
        product: { key: "nomad", title: "Nomad", tokenOptional: true },
        documented: { key: "volumes", title: "the volumes service" },
        hasRegions: true,
    },
    stateVersions: {
        product: { key: "terraform", title: "HCP Terraform", defaultAddress: "https://app.terraform.io/api/v2" },
        documented: { key: "stateVersions", title: "the state versions service" },
        apiPath: "/api/v2",
    },
};

/** Both names that a server may use. */
export const bothNames: readonly Names[] = ["product", "documented"];

/** The keys of all services, those of the products first. */
export const settingsKeys = bothNames.flatMap((names) => Object.values(serviceKeys).map(({ [names]: { key } }) => key));

/** Keys of the stack's configuration that settings come from. */
export const configKeys = [...settingsKeys, "connections", "strict"].map((key) => `statecraft:${key}`);

/** A configuration key without `statecraft:`, as in the arguments of explicit providers and of `connect`. */
export const unprefixed = (key: string): string => key.replace(/^statecraft:/, "");

/** The key of a service's settings, as `pulumi config set --path` takes it: `statecraft:connections.dr.vault` for a connection. */
export function settingsKey(key: SettingsKey, connection: string | undefined): string {
    if (connection === undefined) return `statecraft:${key}`;
    const part = /^[\w-]+$/.test(connection) ? `.${connection}` : `[${JSON.stringify(connection)}]`;
    return `statecraft:connections${part}.${key}`;
}

/**
 * Warnings about unknown configuration keys that begin with `statecraft:`, without the code `[config]`.
 * A project named `statecraft` gets none, because the keys of its program begin with `statecraft:` too.
 */
export function unknownKeyWarnings(keys: readonly string[], project: string | undefined): string[] {
    if (project === "statecraft") return [];
    const unknown = keys.filter((key) => key.startsWith("statecraft:") && !configKeys.includes(key));
    return unknown.map(
        (key) => `${key} has no effect: the keys are ${configKeys.join(", ")}${suggestion(key, configKeys)}`,
    );
}

/** The variable that `npx pulumi-statecraft simulator -- <command>` sets for the command: the address of the simulator. */
export const simulatorVariable = "STATECRAFT_SIMULATOR";
