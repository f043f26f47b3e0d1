/** Keys of the settings: each service has one for the product, and one for servers that speak the API documents to the letter. */

import { suggestion } from "../schema/suggestion";
import type { ServiceName } from "./service";

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

/** Whose names a server speaks. */
export type Names = "product" | "documented";

/** A key of one service. */
export type SettingsKey = (typeof serviceKeys)[ServiceName][Names]["key"];

/** Keys of the stack's configuration that settings come from. */
export const configKeys = [
    "statecraft:vault",
    "statecraft:nomad",
    "statecraft:terraform",
    "statecraft:manager",
    "statecraft:volumes",
    "statecraft:stateVersions",
    "statecraft:connections",
    "statecraft:strict",
] as const;

/** The key of a service's settings, as `pulumi config set --path` takes it: `statecraft:connections.dr.vault` for a connection. */
export function settingsKey(key: SettingsKey, connection: string | undefined): string {
    if (connection === undefined) return `statecraft:${key}`;
    const part = /^[\w-]+$/.test(connection) ? `.${connection}` : `[${JSON.stringify(connection)}]`;
    return `statecraft:connections${part}.${key}`;
}

/** Warnings about configuration keys that begin like ours and are unknown. A project that is called `statecraft` has keys of its own. */
export function unknownKeyWarnings(keys: readonly string[], project: string | undefined): string[] {
    const known: readonly string[] = configKeys;
    return keys
        .filter((key) => project !== "statecraft" && key.startsWith("statecraft:") && !known.includes(key))
        .map((key) => `${key} has no effect: the keys are ${known.join(", ")}${suggestion(key, known)} [config]`);
}
