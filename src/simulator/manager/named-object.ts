/**
 * Serves an object that clients read, replace completely and delete by its name.
 *
 * | request    | the object exists         | the object is absent |
 * |------------|---------------------------|----------------------|
 * | `GET` one  | 200 with its fields       | 404                  |
 * | `POST` one | 204, or 200 with warnings | the same             |
 * | `DELETE`   | 204                       | 204                  |
 * | `LIST` all | 200 with the names        | 404 if none exists   |
 */

import type { Hono } from "hono";
import { Refusal } from "../refusal";
import type { World } from "../store";
import { absent, addRoute, type Call, envelope, type Need, written } from "./call";
import type { ManagerStore } from "./records";

/** A kind of object, such as roles. */
export interface NamedObject<Stored> {
    /** Path without `/v1/`, with `:mount` and `:name` in it. If it ends in the name, the part before lists the objects. */
    readonly path: string;
    /** Whether names that differ only in case are the same. */
    readonly ignoresCase?: true;
    /** The requirement of the routes. Default: a token. */
    readonly need?: Need;
    /** The stored objects of this kind. */
    in(store: ManagerStore): Record<string, Stored>;
    /** Refuses a call in a place where no such object can exist. */
    check(call: Call): void;
    /** The object after a write. */
    write(before: Stored | undefined, call: Call): { stored: Stored; warnings?: readonly string[] };
    /** The fields that a read returns. */
    read(stored: Stored, call: Call): object;
}

/** Adds the routes of a kind of object. */
export function addObjectRoutes<Stored>(app: Hono, world: World, object: NamedObject<Stored>): void {
    const { path, need } = object;
    const read = (call: Call) => envelope({ data: object.read(foundObject(object, call), call) });
    addRoute(app, world, "GET", path, read, need);
    addRoute(app, world, "POST", path, (call) => written(writeObject(object, call)), need);
    const remove = (call: Call) => {
        checkCall(object, call);
        delete object.in(call.store)[keyOf(object, call)];
        return written();
    };
    addRoute(app, world, "DELETE", path, remove, need);
    if (!path.endsWith("/:name")) return;
    const list = (call: Call) => {
        object.check(call);
        const place = keyOf(object, { ...call, name: "" });
        const keys = Object.keys(object.in(call.store)).filter((key) => key.startsWith(place));
        if (keys.length === 0) throw absent;
        return envelope({ data: { keys: keys.map((key) => key.slice(place.length)).sort() } });
    };
    addRoute(app, world, "LIST", path.replace("/:name", ""), list, need);
}

/** The object that a call names. Throws 404 if it is absent. */
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

function keyOf<Stored>({ path, ignoresCase }: NamedObject<Stored>, call: Call): string {
    const name = ignoresCase ? call.name.toLowerCase() : call.name;
    const key = path.replace(":mount", () => call.mount).replace(":name", () => name);
    return call.namespace === "" ? key : `${call.namespace}@${key}`;
}

/** Refuses a call in a wrong place, or with a name that no object can have. */
function checkCall<Stored>(object: NamedObject<Stored>, call: Call): void {
    if (object.path.includes(":name") && !/^\w(([\w-.]+)?\w)?$/.test(call.name)) {
        throw new Refusal(404, "unsupported path");
    }
    object.check(call);
}
