/** Everything that the simulator holds. It is plain JSON. */

import { randomBytes } from "node:crypto";
import { emptyManager, type ManagerStore } from "./manager/records";
import type { MannersByService } from "./manners";
import type { TokenSeed } from "./seed";
import { emptyStateVersions, type StateVersionsStore } from "./state-versions/records";
import type { Vocabulary } from "./vocabulary";
import { emptyVolumes, type VolumesStore } from "./volumes/records";

/** The store. */
export interface Store {
    /** Made once; it tells one store from another, whatever port serves it. */
    readonly id: string;
    /** Whose names and rules hold. */
    vocabulary: Vocabulary;
    manners: MannersByService;
    /** Seconds by which the simulator's clock is ahead. */
    clockOffset: number;
    /** The known tokens. Where none is known, any token will do. */
    tokens: TokenSeed[];
    manager: ManagerStore;
    volumes: VolumesStore;
    stateVersions: StateVersionsStore;
}

/** A store without objects and tokens. */
export function newStore(): Store {
    return {
        id: randomBytes(8).toString("hex"),
        vocabulary: "documented",
        manners: {},
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

/** Makes tokens known; one known already is replaced. */
export function addTokens(store: Store, tokens: readonly TokenSeed[]): void {
    const added = new Set(tokens.map(({ token }) => token));
    store.tokens = [...store.tokens.filter(({ token }) => !added.has(token)), ...tokens];
}
