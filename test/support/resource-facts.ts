/**
 * What the suites that go over all resources and functions need to know of each. One file in `test/resources` for a resource and the
 * functions that go with it; the folder is read, so that nothing else names them.
 *
 * | fact                                   | suites that read it                                                  |
 * | -------------------------------------- | -------------------------------------------------------------------- |
 * | `seed`                                 | conformance, faults, random runs, coverage                           |
 * | `id`, `minimal`, `full`, `beside`      | conformance, fuzz inputs, other-server, paths, preview, coverage     |
 * | `rest`, `immutable`                    | every-resource                                                       |
 * | `edited`, `theirs`, `faults`           | faults, fuzz inputs, random runs, requests                           |
 * | `sends`                                | requests, the table of docs/performance.md                           |
 * | `places`                               | paths, every-resource                                                |
 * | `functions`                            | paths, fuzz inputs, coverage                                         |
 * | `document`, `endpoints`, `words`, `life` | coverage, faults, reference pages                                  |
 * | `copy`                                 | crashes                                                              |
 * | the rest of `NamedObjectFacts`         | conformance, random runs                                             |
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../src/simulator/seed";
import type { Conformance } from "./conformance";
import { documents, type Endpoint, endpointsOf, type Row } from "./endpoints";
import type { Simulator, Vocabulary } from "./simulator";

/** Properties of any kind. */
export type Props = Record<string, unknown>;

/** Where the inputs of a resource stand in its requests. */
export interface Places {
    /** Inputs that no path can hold when they are empty, `.` or `..`. */
    readonly path: readonly string[];
    /** Inputs that stand in a header, in the query or in the body. */
    readonly elsewhere?: readonly string[];
    /** The forms of ids, with `{}` for the part that is tried. */
    readonly ids: readonly string[];
}

/** The methods of the requests that each operation sends, one after the other: `GET POST GET`. */
export interface Sends {
    readonly create: string;
    readonly refresh: string;
    /** In place, or deleted and made again. */
    readonly update: string;
    readonly delete: string;
}

/** Something that a suite has happen. */
export interface Scenario {
    /** Default: the demonstration, and the `seed` of the facts. */
    readonly seed?: Seed;
    run(simulator: Simulator, call: (args: Props) => Promise<unknown>): Promise<unknown>;
}

/** What is known of a function. */
export interface FunctionFacts {
    /** Arguments that are right. */
    readonly args: Props;
    /** Arguments that stand in its requests. */
    readonly places: readonly string[];
    /** How it shows all that the document has. Default: the resource is made, and then it is called with `args`. */
    readonly scenario?: Scenario;
}

/** A resource with two programs, as faults meet it. Values are as the server returns them: what it has in other words a refresh may show in its own. */
export interface FaultFacts {
    /** What tells it from others of its type. */
    readonly variant?: string;
    readonly inputs: Props;
    /** The program after an edit. */
    readonly edited: Props;
    /** Where the resource can be told to `adopt`: the program of somebody else who has made the same object with other values. */
    readonly theirs?: Props;
    /** Whose names and rules the server has. Default: the product's. */
    readonly vocabulary?: Vocabulary;
    /** Whether the server leaves empty fields out of its answers. */
    readonly omitsEmpty?: true;
    /** What has to be so on the server before it is made, beyond the seed. */
    readonly prepare?: (simulator: Simulator) => Promise<unknown>;
    /** What happens on the server to the object once it is made. */
    readonly settle?: (simulator: Simulator) => Promise<unknown>;
    /** A one-shot resource: nobody looks later whether what was granted was done. */
    readonly isOneShot?: true;
    /** What the edit changes is never shown: nobody looks later whether an update that was granted was done. */
    readonly hidesEdit?: true;
    /** Outputs that state may lack where the service did not tell them. */
    readonly mayLack?: readonly string[];
}

/** One of several copies that a program declares side by side. */
export interface CopyFacts {
    readonly inputs: Props;
    /** A change of it. */
    readonly edited: Props;
    /** What has to be on the server before, beside the demonstration. */
    readonly seed?: Seed;
}

/** What is known of a resource. */
export interface ResourceFacts {
    readonly type: string;
    /** What is on the server before. */
    readonly seed?: Seed;
    /** The id that `full` makes. */
    readonly id: string;
    /** A program that is right. Of a named object: every field of the service. */
    readonly full: Props;
    /** What goes with it in one program: options, waits, what only a write shows. */
    readonly beside?: Props;
    /** What both leave out, so that each input has a value. `connection` and `timeouts` need not be named. */
    readonly rest?: Props;
    /** A change of `full`, as the server returns it: `60`, where it returns seconds. */
    readonly edited: Props;
    /** Somebody else's object of the same id: how it differs from `full`. */
    readonly theirs?: Props;
    /** Inputs whose change makes another object. */
    readonly immutable: readonly string[];
    readonly places: Places;
    readonly functions?: Readonly<Record<string, FunctionFacts>>;
    /** How faults meet it. Default: `full`, `edited` and `theirs`. */
    readonly faults?: readonly FaultFacts[];
    /** Default of a named object: it is looked for, written and read back. */
    readonly sends?: Sends;
    readonly document: Endpoint["document"];
    /** Its lines of the document's table of endpoints, with every field. */
    readonly endpoints: readonly Row[];
    /** The words that the document allows for a field, by the way to it. */
    readonly words?: Readonly<Record<string, readonly string[]>>;
    /** The same of a copy that has this name, for crashes. Default of a named object: `full` and `edited` under that name. */
    readonly copy?: (key: string) => CopyFacts;
    /** How every field is sent: programs, one after the other, or what else has to happen. Default: `full` with `beside`, made new. */
    readonly life?: Partial<Scenario> & { readonly programs?: readonly Props[] };
}

/** What is known of a named object. */
export interface NamedObjectFacts extends ResourceFacts, Omit<Conformance, "type" | "seed" | "id" | "full" | "edited"> {
    /** The input in `path` that tells it from others. Default: `name`. */
    readonly naming?: string;
}

/** All facts, in the order of the files. */
export const resourceFacts: readonly ResourceFacts[] = factsIn(join(__dirname, "..", "resources"));

/** The facts of every function, by its name, and those of the resource that it goes with. */
export const functionFacts: Readonly<Record<string, FunctionFacts & { readonly of: ResourceFacts }>> =
    Object.fromEntries(
        resourceFacts.flatMap((of) =>
            Object.entries(of.functions ?? {}).map(([name, facts]) => [name, { ...facts, of }]),
        ),
    );

/** Every endpoint, document by document. */
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

/** A right program of a resource, with its options. */
export function programOf({ full, beside }: Pick<ResourceFacts, "full" | "beside">): Props {
    return { ...full, ...beside };
}

/** What the operations of a resource send. */
export function sendsOf(facts: ResourceFacts): Sends | undefined {
    if (facts.sends || !isNamedObject(facts)) return facts.sends;
    const { method } = facts.requests;
    return { create: `GET ${method} GET`, refresh: "GET", update: `${method} GET`, delete: "DELETE" };
}

/** A copy of a resource, where there can be several. */
export function copyOf(facts: ResourceFacts, key: string): CopyFacts | undefined {
    if (facts.copy !== undefined || !isNamedObject(facts)) return facts.copy?.(key);
    const inputs = { ...facts.full, [facts.naming ?? "name"]: key };
    return { inputs, edited: { ...inputs, ...facts.edited } };
}

/** Seeds side by side: lists are joined, and of other values the last one counts. */
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
