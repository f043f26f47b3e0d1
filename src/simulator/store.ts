/** The objects of a simulator, as plain JSON. */

import { emptyManager, type ManagerStore } from "./manager/records";
import type { TokenSeed } from "./seed";
import { emptyStateVersions, type StateVersionsStore } from "./state-versions/records";
import { emptyVolumes, type VolumesStore } from "./volumes/records";

/** The names and rules of the simulator: those of the API documents, or those of Vault, Nomad and HCP Terraform. */
export type Names = "documents" | "product";

/** The objects of all three services. */
export interface Store {
    /** Seconds by which the simulator's clock is ahead. */
    clockOffset: number;
    /** If the list is empty, the services accept any token. */
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
export function nowIn({ clockOffset }: Store): Date {
    return new Date(Date.now() + clockOffset * 1000);
}
