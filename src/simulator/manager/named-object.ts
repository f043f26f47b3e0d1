/**
 * Serves an object that is read, written whole and deleted under its name.
 *
 * | request                      | object there               | object absent      |
 * |------------------------------|----------------------------|--------------------|
 * | `GET` one                    | 200 with its fields        | 404                |
 * | `POST`, `PUT` one            | 204, or 200 with warnings  | the same           |
 * | `DELETE` one                 | 204                        | 204                |
 * | `LIST`, `GET ?list=true` all | 200 with the names         | 404 if none exists |
 */

import type { Hono } from "hono";
import type { World } from "../app";
import { badRequest, counted, Refusal } from "../refusal";
import { absent, addRoute, type Call, envelope, type Need, written } from "./call";
import type { ManagerStore } from "./records";

/** A kind of object. */
export interface NamedObject<Stored> {
    /** Path without `/v1/`, with `:mount` and `:name` in it. If it ends in the name, objects are listed at the part before. */
    readonly path: string;
    /** What the answers call the mount. */
    readonly mountType: string;
    /** Whether names that differ in case only are one. */
    readonly ignoresCase?: true;
    /** Default: a token. */
    readonly need?: Need;
    /** Where the objects are stored. */
    in(store: ManagerStore): Record<string, Stored>;
    /** Refuses a call in a place where there can be no object. */
    check(call: Call): void;
    /** The object after a write. */
    write(before: Stored | undefined, call: Call): { stored: Stored; warnings?: readonly string[] };
    /** All that a read returns. */
    read(stored: Stored, call: Call): object;
}

/** Adds the routes of a kind of object. */
export function addObjectRoutes<Stored>(app: Hono, world: World, object: NamedObject<Stored>): void {
    const { path, mountType, need } = object;
    const pattern = patternOf(path);
    const read = (call: Call) => envelope(mountType, { data: object.read(foundObject(object, call), call) });
    addRoute(app, world, "GET", pattern, read, need);
    addRoute(app, world, "POST", pattern, (call) => written(mountType, writeObject(object, call)), need);
    const remove = (call: Call) => {
        checkCall(object, call);
        delete object.in(call.store)[keyOf(object, call)];
        return written(mountType);
    };
    addRoute(app, world, "DELETE", pattern, remove, need);
    if (!path.endsWith("/:name")) return;
    const list = (call: Call) => {
        object.check(call);
        const place = keyOf(object, { ...call, name: "" });
        const keys = Object.keys(object.in(call.store)).filter((key) => key.startsWith(place));
        if (keys.length === 0) throw absent;
        return envelope(mountType, { data: { keys: keys.map((key) => key.slice(place.length)).sort() } });
    };
    addRoute(app, world, "LIST", patternOf(path.replace("/:name", "")), list, need);
}

/** A path as the router takes it: mounts and names may hold slashes. */
export function patternOf(path: string): string {
    return path.replace(/:\w+/g, "$&{.+}");
}

/** The object that a call names. Throws 404 if it does not exist. */
export function foundObject<Stored>(object: NamedObject<Stored>, call: Call): Stored {
    checkCall(object, call);
    const stored = storedObject(object, call);
    if (stored === undefined) throw absent;
    return stored;
}

/** The object that a call names, if it exists. */
export function storedObject<Stored>(object: NamedObject<Stored>, call: Call): Stored | undefined {
    return object.in(call.store)[keyOf(object, call)];
}

/** Writes the body of a call. Returns the manager's warnings. */
export function writeObject<Stored>(object: NamedObject<Stored>, call: Call): readonly string[] {
    checkCall(object, call);
    const { stored, warnings = [] } = object.write(storedObject(object, call), call);
    object.in(call.store)[keyOf(object, call)] = stored;
    return warnings;
}

/** The key of the object that a call names. */
export function keyOf<Stored>({ path, ignoresCase }: NamedObject<Stored>, call: Call): string {
    const name = ignoresCase ? call.name.toLowerCase() : call.name;
    const key = path.replace(":mount", () => call.mount).replace(":name", () => name);
    return call.namespace === "" ? key : `${call.namespace}@${key}`;
}

/** Refuses a call in a wrong place, or with a name that no object can have. */
function checkCall<Stored>(object: NamedObject<Stored>, call: Call): void {
    if (object.path.includes(":name")) {
        if (call.name.includes("..")) throw badRequest("relative paths not supported");
        if (!/^\w(([\w-.]+)?\w)?$/.test(call.name)) throw new Refusal(404, counted("unsupported path"));
    }
    object.check(call);
}
