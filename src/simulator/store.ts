/** Everything that the simulator holds. It is plain JSON: in memory, or in a file that only its owner may read. */

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isObject, parsed } from "./json";
import { emptyManager, type ManagerStore } from "./manager/records";
import type { TokenSeed } from "./seed";
import { emptyStateVersions, type StateVersionsStore } from "./state-versions/records";
import { emptyVolumes, type VolumesStore } from "./volumes/records";

/** Whose names and rules hold: those of the API documents, or those of Vault, Nomad and HCP Terraform. */
export type Names = "documents" | "product";

/** The store. */
export interface Store {
    /** Seconds by which the simulator's clock is ahead. */
    clockOffset: number;
    /** The known tokens. If the list is empty, any token is accepted. */
    tokens: TokenSeed[];
    manager: ManagerStore;
    volumes: VolumesStore;
    stateVersions: StateVersionsStore;
}

/** A store without objects and tokens. */
export function newStore(): Store {
    return {
        clockOffset: 0,
        tokens: [],
        manager: emptyManager(),
        volumes: emptyVolumes(),
        stateVersions: emptyStateVersions(),
    };
}

/** The time on a store's clock. */
export function nowIn({ clockOffset }: Pick<Store, "clockOffset">): Date {
    return new Date(Date.now() + clockOffset * 1000);
}

/** The store of a data file, or `undefined` if the file does not exist. */
export function loadStore(file: string): Store | undefined {
    if (!existsSync(file)) return undefined;
    const store = parsed(readFileSync(file, "utf8"));
    if (!isStore(store)) throw new Error(`the data file ${file} holds no objects of this simulator`);
    return store;
}

function isStore(value: unknown): value is Store {
    return isObject(value) && ["tokens", "manager", "volumes", "stateVersions"].every((key) => key in value);
}

/** Writes a store to its data file. A reader sees the old content or the new one, never a half. */
export function saveStore(file: string, store: Store): void {
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, `${JSON.stringify(store)}\n`, { mode: 0o600 });
    renameSync(temporary, file);
}
