/** The objects of a simulator, as plain JSON. */

import type { EventEmitter } from "node:events";
import { emptyManager, type ManagerStore } from "./manager/records";
import type { LoginRole, TokenSeed } from "./seed";
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
    logins: readonly LoginRole[];
    manager: ManagerStore;
    volumes: VolumesStore;
    stateVersions: StateVersionsStore;
}

/** The state that all routes share. */
export interface World {
    readonly store: Store;
    readonly names: Names;
    /** Emits `change` after every write. */
    readonly changes: EventEmitter;
}

/** A function from a request to a response. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/** A store without objects and tokens. */
export function newStore(): Store {
    return {
        clockOffset: 0,
        tokens: [],
        logins: [],
        manager: emptyManager(),
        volumes: emptyVolumes(),
        stateVersions: emptyStateVersions(),
    };
}

/** The time on a store's clock. */
export const nowIn = ({ clockOffset }: Store): Date => new Date(Date.now() + clockOffset * 1000);

/** The holder of a token that has not ended. */
export const holderOf = (store: Store, token: string | undefined): TokenSeed | undefined =>
    store.tokens.find(
        ({ token: one, ends = Number.POSITIVE_INFINITY }) => one === token && ends > nowIn(store).getTime(),
    );
