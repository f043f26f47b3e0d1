/** The three services, and what concerns all of them: seeds and the clock. */

import { manager } from "./manager/routes";
import type { Route, SimulatedService } from "./route";
import type { Seed, TokenSeed } from "./seed";
import { badRequest, messageOf } from "./simulator-error";
import { stateVersions } from "./state-versions/routes";
import { addTokens, newStore, nowIn, type Store } from "./store";
import { volumes } from "./volumes/routes";

const services: readonly SimulatedService[] = [manager, volumes, stateVersions];

const segments = ({ path }: Route) => path.split("/").length;

/** The routes of all services. Longer paths come first: an object may be called like the other paths of its mount. */
export const routes: readonly Route[] = services
    .flatMap((service) => service.routes)
    .sort((one, other) => segments(other) - segments(one));

/** Adds a seed. If a service refuses it, nothing changes. */
export function addSeed(store: Store, seed: Seed): void {
    const before = structuredClone(store);
    try {
        addTokens(store, seed.tokens ?? []);
        for (const service of services) service.seed(seed, store, nowIn(store));
    } catch (error) {
        Object.assign(store, before);
        throw badRequest(messageOf(error));
    }
}

/** Removes everything but these tokens, the id, the vocabulary and the manners, and adds a seed. If a service refuses the seed, nothing changes. */
export function resetStore(store: Store, tokens: readonly TokenSeed[], seed: Seed): void {
    const { id, vocabulary, manners } = store;
    const next: Store = { ...newStore(), id, vocabulary, manners, tokens: [...tokens] };
    addSeed(next, seed);
    Object.assign(store, next);
}

/** Does what fell due in all services. */
export function tick(store: Store): void {
    for (const service of services) service.tick?.(store, nowIn(store));
}

/** Moves the clock by so many seconds; what falls due meanwhile happens. */
export function moveClock(store: Store, seconds: number): void {
    const clockOffset = store.clockOffset + seconds;
    const year = nowIn({ ...store, clockOffset }).getUTCFullYear();
    if (!(year >= 1970 && year <= 9999)) throw badRequest("the clock goes from the year 1970 to 9999");
    store.clockOffset = clockOffset;
    tick(store);
}
