/** Keys of the settings: each service has one key for the product, and one for servers that use the names of the API documents. */

import type { Names, ServiceName } from "../core/service";
import { suggestion } from "../schema/suggestion";

/** The two keys of each service, and what messages call the server behind them. */
export const serviceKeys = {
    manager: {
        product: { key: "vault", title: "Vault" },
        documented: { key: "manager", title: "the secrets manager" },
    },
    volumes: {
        product: { key: "nomad", title: "Nomad" },
        documented: { key: "volumes", title: "the volumes service" },
    },
    stateVersions: {
        product: { key: "terraform", title: "HCP Terraform" },
        documented: { key: "stateVersions", title: "the state versions service" },
    },
} as const satisfies Readonly<Record<ServiceName, object>>;

/** A key of the settings of a service, such as `vault`. */
export type SettingsKey = (typeof serviceKeys)[ServiceName][Names]["key"];

/** The keys of all services, those of the products first. */
export const settingsKeys: readonly SettingsKey[] = (["product", "documented"] as const).flatMap((names) =>
    Object.values(serviceKeys).map((keys) => keys[names].key),
);

/** Keys of the stack's configuration that settings come from. */
export const configKeys = [...settingsKeys, "connections", "strict"].map((key) => `statecraft:${key}`);

/** The key of a service's settings, as `pulumi config set --path` takes it: `statecraft:connections.dr.vault` for a connection. */
export function settingsKey(key: SettingsKey, connection: string | undefined): string {
    if (connection === undefined) return `statecraft:${key}`;
    const part = /^[\w-]+$/.test(connection) ? `.${connection}` : `[${JSON.stringify(connection)}]`;
    return `statecraft:connections${part}.${key}`;
}

/**
 * Warnings about unknown configuration keys that begin with `statecraft:`. None in a project named `statecraft`, whose keys may all begin
 * so.
 */
export function unknownKeyWarnings(keys: readonly string[], project: string | undefined): string[] {
    if (project === "statecraft") return [];
    const unknown = keys.filter((key) => key.startsWith("statecraft:") && !configKeys.includes(key));
    return unknown.map(
        (key) => `${key} has no effect: the keys are ${configKeys.join(", ")}${suggestion(key, configKeys)} [config]`,
    );
}
