/** Everything that the simulator holds, and the services that hold it. */

import { randomBytes } from "node:crypto";
import { manager } from "./manager/routes";
import type { MannersByService } from "./manners";
import type { Context, Reply, Request, SimulatedService } from "./route";
import type { Seed, TokenSeed } from "./seed";
import { stateVersions } from "./state-versions/routes";
import type { Vocabulary } from "./vocabulary";
import { volumes } from "./volumes/routes";

type Slice<Service> = Service extends SimulatedService<infer Held> ? Held : never;

/** The world: plain JSON. */
export interface World {
    /** Made once; it tells one world from another, whatever port serves it. */
    readonly id: string;
    /** Whose names and rules hold. */
    vocabulary: Vocabulary;
    manners: MannersByService;
    /** Seconds by which the simulator's clock is ahead. */
    clockOffset: number;
    tokens: TokenSeed[];
    manager: Slice<typeof manager>;
    volumes: Slice<typeof volumes>;
    stateVersions: Slice<typeof stateVersions>;
}

/** What services may use, before a slice is chosen for one of them. */
export type Scope = Omit<Context<unknown>, "world" | "parameters" | "manners">;

/** A route of a service, tied to its service's slice of the world. */
export interface MountedRoute {
    readonly method: string;
    readonly path: string;
    respond(request: Request, world: World, scope: Scope, parameters: Readonly<Record<string, string>>): Reply;
    holds(
        request: Request,
        world: World,
        scope: Scope,
        parameters: Readonly<Record<string, string>>,
    ): number | undefined;
}

interface Mounted {
    readonly routes: readonly MountedRoute[];
    empty(world: World): void;
    lay(seed: Seed, world: World, scope: Scope): void;
    tick(world: World, scope: Scope): void;
}

function mount<Name extends "manager" | "volumes" | "stateVersions">(
    name: Name,
    service: SimulatedService<World[Name]>,
): Mounted {
    const mannersIn = ({ manners }: World) => manners[name] ?? [];
    return {
        routes: service.routes.map((route) => ({
            method: route.method,
            path: route.path,
            respond: (request, world, scope, parameters) =>
                route.respond(request, { ...scope, world: world[name], manners: mannersIn(world), parameters }),
            holds: (request, world, scope, parameters) =>
                route.holds?.(request, { ...scope, world: world[name], manners: mannersIn(world), parameters }),
        })),
        empty: (world) => {
            world[name] = service.empty();
        },
        lay: (seed, world, scope) => service.lay(seed, { ...scope, world: world[name], manners: mannersIn(world) }),
        tick: (world, scope) => service.tick?.({ ...scope, world: world[name], manners: mannersIn(world) }),
    };
}

const services: readonly Mounted[] = [
    mount("manager", manager),
    mount("volumes", volumes),
    mount("stateVersions", stateVersions),
];

/** The routes of all services. */
export const serviceRoutes: readonly MountedRoute[] = services.flatMap((service) => service.routes);

/** A world without objects. */
export function newWorld(tokens: readonly TokenSeed[]): World {
    return {
        id: randomBytes(8).toString("hex"),
        vocabulary: "documented",
        manners: {},
        clockOffset: 0,
        tokens: [...tokens],
        manager: manager.empty(),
        volumes: volumes.empty(),
        stateVersions: stateVersions.empty(),
    };
}

/** Takes everything out of a world but its id, and lays a seed into it. If a service refuses the seed, nothing changes. */
export function resetWorld(world: World, tokens: readonly TokenSeed[], seed: Seed, url: string): void {
    allOrNothing(world, () => {
        world.clockOffset = 0;
        world.tokens = [...tokens];
        for (const service of services) service.empty(world);
        lay(world, seed, url);
    });
}

/** Adds a seed to a world. If a service refuses it, nothing changes. */
export function layInto(world: World, seed: Seed, url: string): void {
    allOrNothing(world, () => lay(world, seed, url));
}

/** Moves the clock by so many seconds; what falls due meanwhile happens. Throws where no server's clock stands. */
export function moveClock(world: World, seconds: number, url: string): void {
    const offset = world.clockOffset + seconds;
    const year = new Date(Date.now() + offset * 1000).getUTCFullYear();
    if (!(year >= 1970 && year <= 9999)) throw new Error("the clock goes from the year 1970 to 9999");
    world.clockOffset = offset;
    for (const service of services) service.tick(world, scopeOf(world, url));
}

function lay(world: World, seed: Seed, url: string): void {
    addTokens(world, seed.tokens ?? []);
    for (const service of services) service.lay(seed, world, scopeOf(world, url));
}

function allOrNothing(world: World, change: () => void): void {
    const before = structuredClone(world);
    try {
        change();
    } catch (error) {
        Object.assign(world, before);
        throw error;
    }
}

/** Makes tokens known; one known already is replaced. */
export function addTokens(world: World, tokens: readonly TokenSeed[]): void {
    const added = new Set(tokens.map((token) => token.token));
    world.tokens = [...world.tokens.filter((token) => !added.has(token.token)), ...tokens];
}

/** What a request at this moment may use. */
export function scopeOf(world: World, url: string): Scope {
    return {
        now: () => new Date(Date.now() + world.clockOffset * 1000),
        url,
        vocabulary: world.vocabulary,
        tokens: world.tokens,
        id: (prefix) => `${prefix}-${randomBytes(8).toString("hex")}`,
    };
}
