/**
 * Facts are the test data of each resource and its functions: one file in `test/resources`, which several suites read.
 *
 * | fact                                   | suites or pages that use it                                          |
 * | -------------------------------------- | -------------------------------------------------------------------- |
 * | `seed`                                 | conformance, faults, coverage                                        |
 * | `id`, `minimal`, `full`, `beside`      | conformance, fuzz inputs, other-server, paths, preview, coverage     |
 * | `rest`, `immutable`                    | every-resource                                                       |
 * | `edited`, `theirs`, `faults`           | faults, fuzz inputs, requests                                        |
 * | `sends`                                | requests, the table of docs/performance.md                           |
 * | `places`                               | paths, every-resource                                                |
 * | `functions`                            | paths, fuzz inputs, coverage                                         |
 * | `programs`, `calls` of `functions`     | coverage                                                             |
 * | `copies`                               | crashes                                                              |
 * | all others of `NamedObjectFacts`       | conformance                                                          |
 */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../src/simulator/seed";
import type { Conformance } from "./conformance";
import type { Props } from "./pulumi-values";
import type { Simulator } from "./simulator";

export type { Props } from "./pulumi-values";

/** The places of a resource's inputs in requests. */
export interface Places {
    /** Inputs in paths. `check` refuses an empty string, `.` and `..` for them. */
    readonly path: readonly string[];
    /** Inputs in headers, queries or bodies. */
    readonly elsewhere?: readonly string[];
    /** Templates of ids, with `{}` for each part that a test replaces. */
    readonly ids: readonly string[];
}

/** The methods of the requests of each operation, in order: `GET POST GET`. */
export interface Sends {
    readonly create: string;
    readonly refresh: string;
    readonly update: string;
    readonly delete: string;
}

/** Test data of a function. */
export interface FunctionFacts {
    /** Valid arguments. */
    readonly args: Props;
    /** Arguments that the requests contain. */
    readonly places: readonly string[];
    /** The arguments of calls that send every field of the API document. Default: `args`. */
    readonly calls?: readonly Props[];
}

/** Two programs of a resource for the fault matrix, with the spellings that the server returns. */
export interface FaultFacts {
    /** Distinguishes several `FaultFacts` of a resource in test titles. */
    readonly variant?: string;
    readonly inputs: Props;
    /** The inputs of the second program. */
    readonly edited: Props;
    /** Another program for the same object, if the resource has `adopt`. */
    readonly theirs?: Props;
    /** The server omits empty fields from its answers. */
    readonly omitsEmpty?: true;
    /** Prepares the server before the resource is created. */
    readonly prepare?: (simulator: Simulator) => Promise<unknown>;
    /** No later read shows whether the change to `edited` had its effect. */
    readonly hidesEdit?: true;
    /** Outputs that may be absent after a lost answer. */
    readonly mayLack?: readonly string[];
}

/** One of several copies of a resource in a program. */
export interface CopyFacts {
    readonly inputs: Props;
    /** Changed inputs for an update. */
    readonly edited: Props;
    /** Objects that the copy needs on the server, in addition to those of the demonstration. */
    readonly seed?: Seed;
}

/** Test data of a resource. */
export interface ResourceFacts {
    readonly type: string;
    readonly seed?: Seed;
    /** The id of `full`. */
    readonly id: string;
    /** Valid inputs. For a named object, they contain every field of the service. */
    readonly full: Props;
    /** Further inputs for the same program: options, waits, write-only fields. */
    readonly beside?: Props;
    /** Values of all other inputs except `connection` and `timeouts`. */
    readonly rest?: Props;
    /** Changed inputs of `full`, with the spellings that the server returns. */
    readonly edited: Props;
    /** Changed inputs of `full` for another program's object with the same id. */
    readonly theirs?: Props;
    /** Inputs whose change replaces the object. */
    readonly immutable: readonly string[];
    readonly places: Places;
    readonly functions?: Readonly<Record<string, FunctionFacts>>;
    /** Default: `full`, `edited` and `theirs`. */
    readonly faults?: readonly FaultFacts[];
    /** Default for a named object: a write between two reads. */
    readonly sends?: Sends;
    /** Each returns inputs with this name for the crash tests. Default for a named object: `full` and `edited` with that name. */
    readonly copies?: readonly ((key: string) => CopyFacts)[];
    /** Programs that are deployed one after the other, and send every field of the API document. Default: `full` with `beside` and `rest`. */
    readonly programs?: readonly Props[];
}

/** Test data of a named object, with that of `describeResource`. */
export interface NamedObjectFacts extends ResourceFacts, Omit<Conformance, "type" | "seed" | "id" | "full" | "edited"> {
    /** The input that names the object in `path`. Default: `name`. */
    readonly naming?: string;
}

/** The facts of all resources, in the order of their files. */
export const resourceFacts: readonly ResourceFacts[] = factsIn(join(__dirname, "..", "resources"));

/** The facts of every function by name, with the facts of its resource as `of`. */
export const functionFacts: Readonly<Record<string, FunctionFacts & { readonly of: ResourceFacts }>> =
    Object.fromEntries(
        resourceFacts.flatMap((of) =>
            Object.entries(of.functions ?? {}).map(([name, facts]) => [name, { ...facts, of }]),
        ),
    );

export function factsOf(type: string): ResourceFacts {
    return resourceFacts.find((facts) => facts.type === type) ?? assert.fail(`${type} has no facts in test/resources`);
}

/** Returns programs that send every field of the API document, in the order of their deployment. */
export function programsOf(facts: ResourceFacts): readonly Props[] {
    const { adopt: _, ...whole } = { ...programOf(facts), ...facts.rest };
    return facts.programs ?? [whole];
}

/** Returns the inputs of `full` and `beside`. */
export function programOf({ full, beside }: Pick<ResourceFacts, "full" | "beside">): Props {
    return { ...full, ...beside };
}

/** Returns the methods of the requests of each operation. */
export function sendsOf(facts: ResourceFacts): Sends | undefined {
    if (facts.sends || !isNamedObject(facts)) return facts.sends;
    const { method } = facts.requests;
    return { create: `GET ${method} GET`, refresh: "GET", update: `${method} GET`, delete: "DELETE" };
}

/** Return the inputs of a copy: none if one program cannot have several of this resource. */
export function copiesIn(facts: ResourceFacts): readonly ((key: string) => CopyFacts)[] {
    if (facts.copies !== undefined || !isNamedObject(facts)) return facts.copies ?? [];
    const named = (key: string) => ({ ...facts.full, [facts.naming ?? "name"]: key });
    return [(key) => ({ inputs: named(key), edited: { ...named(key), ...facts.edited } })];
}

/** Merges seeds: concatenates lists, and takes the last of other values. */
export function joined(...seeds: readonly Seed[]): Seed {
    const all: Props = {};
    for (const [key, value] of seeds.flatMap((seed) => Object.entries({ ...seed }))) {
        const before = all[key];
        all[key] = Array.isArray(before) && Array.isArray(value) ? [...new Set([...before, ...value])] : value;
    }
    return all;
}

export function isNamedObject(facts: ResourceFacts): facts is NamedObjectFacts {
    return "minimal" in facts && "requests" in facts;
}

function factsIn(folder: string): ResourceFacts[] {
    return readdirSync(folder)
        .sort()
        .flatMap((file) => Object.values<unknown>(require(join(folder, file))).filter(isFacts));
}

function isFacts(exported: unknown): exported is ResourceFacts {
    return typeof exported === "object" && exported !== null && "type" in exported && "immutable" in exported;
}
