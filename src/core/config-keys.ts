/** Keys of the settings: of each service one for the real product, and one for servers that speak the API documents to the letter. */

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

/** An unknown key that begins like ours, and the known one that was probably meant. */
interface UnknownKey {
    readonly key: string;
    readonly suggestion: string;
}

/** The keys that begin like ours and are unknown. A project of the same name has keys of its own. */
export function unknownKeys(keys: readonly string[], project: string | undefined): UnknownKey[] {
    const known: readonly string[] = configKeys;
    return keys
        .filter((key) => project !== "statecraft" && key.startsWith("statecraft:") && !known.includes(key))
        .map((key) => ({ key, suggestion: suggestion(key, known) }));
}
