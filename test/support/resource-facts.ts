/**
 * Facts for the suites over all resources and functions: one file in `test/resources` for each resource with its functions.
 *
 * | fact                                   | suites that read it                                                  |
 * | -------------------------------------- | -------------------------------------------------------------------- |
 * | `seed`                                 | conformance, faults, coverage                                        |
 * | `id`, `minimal`, `full`, `beside`      | conformance, fuzz inputs, other-server, paths, preview, coverage     |
 * | `rest`, `immutable`                    | every-resource                                                       |
 * | `edited`, `theirs`, `faults`           | faults, fuzz inputs, requests                                        |
 * | `sends`                                | requests, the table of docs/performance.md                           |
 * | `places`                               | paths, every-resource                                                |
 * | `functions`                            | paths, fuzz inputs, coverage                                         |
 * | `document`, `endpoints`, `words`, `life` | coverage, faults, reference pages                                  |
 * | `copy`                                 | crashes                                                              |
 * | the rest of `NamedObjectFacts`         | conformance                                                          |
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../src/simulator/seed";
import type { Conformance } from "./conformance";
import { documents, type Endpoint, endpointsOf, type Row } from "./endpoints";
import type { Simulator, Vocabulary } from "./simulator";

/** Properties of any kind. */
export type Props = Record<string, unknown>;

/** The inputs in the requests of a resource. */
export interface Places {
    /** Inputs in paths, which refuse an empty text, `.` and `..`. */
    readonly path: readonly string[];
    /** Inputs in headers, queries or bodies. */
    readonly elsewhere?: readonly string[];
    /** Ids with `{}` for a part. */
    readonly ids: readonly string[];
}

/** The methods of the requests of each operation, in order: `GET POST GET`. */
export interface Sends {
    readonly create: string;
    readonly refresh: string;
    readonly update: string;
    readonly delete: string;
}

/** A use of a resource or function. */
export interface Scenario {
    /** Default: the demonstration, and the `seed` of the facts. */
    readonly seed?: Seed;
    run(simulator: Simulator, call: (args: Props) => Promise<unknown>): Promise<unknown>;
}

/** Facts of a function. */
export interface FunctionFacts {
    /** Valid arguments. */
    readonly args: Props;
    /** Arguments in its requests. */
    readonly places: readonly string[];
    /** A use that returns every field. Default: a call with `args` after the resource is created. */
    readonly scenario?: Scenario;
}

/** Two programs of a resource for the fault matrix, with values as the server returns them. */
export interface FaultFacts {
    /** In titles. */
    readonly variant?: string;
    readonly inputs: Props;
    /** The program after an edit. */
    readonly edited: Props;
    /** Another program for the same object, if the resource has `adopt`. */
    readonly theirs?: Props;
    /** Whose names and rules the server has. Default: the product's. */
    readonly vocabulary?: Vocabulary;
    /** The server leaves empty fields out of its answers. */
    readonly omitsEmpty?: true;
    /** Changes the server before the resource is created. */
    readonly prepare?: (simulator: Simulator) => Promise<unknown>;
    /** No later read shows whether the action had its effect. */
    readonly isOneShot?: true;
    /** No later read shows whether the edit had its effect. */
    readonly hidesEdit?: true;
    /** Outputs that may be absent after a lost answer. */
    readonly mayLack?: readonly string[];
}

/** One of several copies of a resource in a program. */
export interface CopyFacts {
    readonly inputs: Props;
    /** A change of it. */
    readonly edited: Props;
    /** Objects on the server beside the demonstration. */
    readonly seed?: Seed;
}

/** Facts of a resource. */
export interface ResourceFacts {
    readonly type: string;
    readonly seed?: Seed;
    /** The id of `full`. */
    readonly id: string;
    /** A valid program. Of a named object: every field of the service. */
    readonly full: Props;
    /** Inputs for the same program: options, waits, write-only fields. */
    readonly beside?: Props;
    /** Values of all other inputs but `connection` and `timeouts`. */
    readonly rest?: Props;
    /** A change of `full`, in the form that the server returns. */
    readonly edited: Props;
    /** The change of `full` that makes another object of the same id. */
    readonly theirs?: Props;
    /** Inputs whose change replaces the object. */
    readonly immutable: readonly string[];
    readonly places: Places;
    readonly functions?: Readonly<Record<string, FunctionFacts>>;
    /** Default: `full`, `edited` and `theirs`. */
    readonly faults?: readonly FaultFacts[];
    /** Default of a named object: a look, a write and a read. */
    readonly sends?: Sends;
    readonly document: Endpoint["document"];
    /** Its endpoints and all their fields, in the document's names. */
    readonly endpoints: readonly Row[];
    /** The document's words for a field, by the way to it. */
    readonly words?: Readonly<Record<string, readonly string[]>>;
    /** A copy with this name, for crashes. Default of a named object: `full` and `edited` under that name. */
    readonly copy?: (key: string) => CopyFacts;
    /** A use that sends every field: programs in order, or a scenario. Default: `full` with `beside`. */
    readonly life?: Partial<Scenario> & { readonly programs?: readonly Props[] };
}

/** Facts of a named object. */
export interface NamedObjectFacts extends ResourceFacts, Omit<Conformance, "type" | "seed" | "id" | "full" | "edited"> {
    /** The input that names it in `path`. Default: `name`. */
    readonly naming?: string;
}

/** All facts, in the order of the files. */
export const resourceFacts: readonly ResourceFacts[] = factsIn(join(__dirname, "..", "resources"));

/** The facts of every function by its name, with those of its resource. */
export const functionFacts: Readonly<Record<string, FunctionFacts & { readonly of: ResourceFacts }>> =
    Object.fromEntries(
        resourceFacts.flatMap((of) =>
            Object.entries(of.functions ?? {}).map(([name, facts]) => [name, { ...facts, of }]),
        ),
    );

/** Every endpoint, by documents. */
export const endpoints: readonly Endpoint[] = documents.flatMap((document) =>
    resourceFacts
        .filter((facts) => facts.document === document)
        .flatMap((facts) => endpointsOf(document, facts.endpoints)),
);

/** The words of all documents, by the way to the field. */
export const words: Readonly<Record<string, readonly string[]>> = Object.assign(
    {},
    ...resourceFacts.map((facts) => facts.words),
);

/** A valid program of a resource, with options. */
export function programOf({ full, beside }: Pick<ResourceFacts, "full" | "beside">): Props {
    return { ...full, ...beside };
}

/** The requests of the operations of a resource. */
export function sendsOf(facts: ResourceFacts): Sends | undefined {
    if (facts.sends || !isNamedObject(facts)) return facts.sends;
    const { method } = facts.requests;
    return { create: `GET ${method} GET`, refresh: "GET", update: `${method} GET`, delete: "DELETE" };
}

/** A copy of a resource, if it supports several. */
export function copyOf(facts: ResourceFacts, key: string): CopyFacts | undefined {
    if (facts.copy !== undefined || !isNamedObject(facts)) return facts.copy?.(key);
    const inputs = { ...facts.full, [facts.naming ?? "name"]: key };
    return { inputs, edited: { ...inputs, ...facts.edited } };
}

/** Merges seeds: lists are joined, and the last of other values counts. */
export function joined(...seeds: readonly Seed[]): Seed {
    const all: Props = {};
    for (const [key, value] of seeds.flatMap((seed) => Object.entries({ ...seed }))) {
        const before = all[key];
        all[key] = Array.isArray(before) && Array.isArray(value) ? [...new Set([...before, ...value])] : value;
    }
    return all;
}

/** Whether facts are of a named object. */
export function isNamedObject(facts: ResourceFacts): facts is NamedObjectFacts {
    return "minimal" in facts && "requests" in facts;
}

function factsIn(folder: string): ResourceFacts[] {
    return readdirSync(folder)
        .sort()
        .flatMap((file) => Object.values<unknown>(require(join(folder, file))).filter(isFacts));
}

function isFacts(exported: unknown): exported is ResourceFacts {
    return typeof exported === "object" && exported !== null && "type" in exported && "endpoints" in exported;
}
