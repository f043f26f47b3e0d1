/**
 * Serves an object that is read, written whole and deleted under its name.
 *
 * | request                 | object there               | object absent      |
 * |-------------------------|----------------------------|--------------------|
 * | `GET` one               | 200 with its fields        | 404                |
 * | `POST`, `PUT` one       | 204, or 200 with warnings  | the same           |
 * | `DELETE` one            | 204                        | 204                |
 * | `LIST`, `GET ?list=true` all | 200 with the names    | 404 if none is     |
 * | any other               | 405                        | 405                |
 */

import type { ReadFields } from "../manners";
import type { Reply, Route } from "../route";
import { badRequest } from "../simulator-error";
import {
    absent,
    type Call,
    found,
    managerRoute,
    otherMethods,
    unsupportedOperation,
    unsupportedPath,
    writeRoutes,
    written,
} from "./call";
import { type Field, namesOf } from "./fields";
import type { ManagerStore } from "./records";

/** A kind of object. */
export interface NamedObject<Stored> {
    /** Path without `/v1/`. Where it ends in the name, objects are listed at what stands before. */
    readonly path: string;
    /** What the answers call the mount. */
    readonly mountType: string;
    readonly fields: readonly Field[];
    /** Whether names that differ in case only are one. */
    readonly ignoresCase?: true;
    readonly needsSudo?: true;
    /** Where the objects are stored. */
    in(store: ManagerStore): Record<string, Stored>;
    /** Refuses a call in a place where there can be no object. */
    check(call: Call): void;
    /** What a write makes of what is there. */
    write(before: Stored | undefined, call: Call): { stored: Stored; warnings?: readonly string[] };
    /** All that a read may return. */
    read(stored: Stored, call: Call): object;
    /** What the document shows of a read. */
    shown(stored: Stored): ReadFields;
}

const atName = /\/:name\+$/;

/** The routes of a kind of object. */
export function objectRoutes<Stored>(object: NamedObject<Stored>): Route[] {
    const { path, needsSudo: sudo, mountType } = object;
    const known = namesOf(object.fields);
    const all = atName.test(path) ? [path.replace(atName, ""), path.replace(atName, "/")] : [];
    const needs = { sudo };
    const read = (call: Call): Reply => {
        if (call.isList) throw unsupportedOperation;
        checkCall(object, call);
        const stored = storedObject(object, call);
        if (stored === undefined) throw absent;
        return found(call, mountType, object.read(stored, call), object.shown(stored));
    };
    const write = (call: Call) => written(call, mountType, writeObject(object, call), known);
    const remove = (call: Call): Reply => {
        checkCall(object, call);
        delete object.in(call.store)[keyOf(object, call)];
        return written(call, mountType, [], known);
    };
    const list = (call: Call): Reply => {
        object.check(call);
        if (!call.isList) throw unsupportedOperation;
        const place = keyOf(object, { ...call, parameters: { ...call.parameters, name: "" } });
        const keys = Object.keys(object.in(call.store)).filter((key) => key.startsWith(place));
        if (keys.length === 0) throw absent;
        return found(call, mountType, { keys: keys.map((key) => key.slice(place.length)).sort() });
    };
    return [
        managerRoute("GET", path, read, needs),
        ...writeRoutes(path, write, { sudo, exists: (call) => storedObject(object, call) !== undefined }),
        managerRoute("DELETE", path, remove, needs),
        ...["LIST", "GET"].flatMap((method) => all.map((each) => managerRoute(method, each, list, needs))),
        ...[path, ...all].map((each) => otherMethods(each)),
    ];
}

/** The object that a call names. */
export function storedObject<Stored>(object: NamedObject<Stored>, call: Call): Stored | undefined {
    return object.in(call.store)[keyOf(object, call)];
}

/** Writes the body of a call, and returns what the manager warns of. */
export function writeObject<Stored>(object: NamedObject<Stored>, call: Call): readonly string[] {
    checkCall(object, call);
    const before = call.manners.includes("replaces") ? undefined : storedObject(object, call);
    const { stored, warnings = [] } = object.write(before, call);
    object.in(call.store)[keyOf(object, call)] = stored;
    return warnings;
}

/** The path of the object that parameters name. */
export function pathOf({ path }: { readonly path: string }, parameters: Call["parameters"]): string {
    return path.replace(/:(\w+)\+?/g, (_, name: string) => parameters[name] ?? "");
}

function keyOf<Stored>(object: NamedObject<Stored>, { namespace, parameters }: Call): string {
    const { name = "" } = parameters;
    const path = pathOf(object, { ...parameters, name: object.ignoresCase ? name.toLowerCase() : name });
    return namespace === "" ? path : `${namespace}@${path}`;
}

/** Refuses a call in a wrong place or with a name that no object can have. */
export function checkCall<Stored>(object: NamedObject<Stored>, call: Call): void {
    const { name } = call.parameters;
    if (name?.includes("..")) throw badRequest("relative paths not supported");
    if (name !== undefined && !/^\w(([\w-.]+)?\w)?$/.test(name)) throw unsupportedPath;
    object.check(call);
}
