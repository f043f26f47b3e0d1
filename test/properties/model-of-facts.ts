/**
 * A model of a named object, made of its facts alone: its programs are `minimal`, `full` and `edited`, and what each of them means is the
 * body that the document has for it. It is honest where every write sends the same fields and a write says all that the service then holds.
 * An object with more to it has a model of its own.
 */

import fc from "fast-check";
import { camelCase } from "../support/endpoints";
import type { NamedObjectFacts } from "../support/resource-facts";
import type { Program, Props } from "./random-programs";
import type { Model } from "./upsert-runs";

const runs = 30;

/** Random runs of a named object. The names of a run stand at the end of its path. */
export function modelOf(facts: NamedObjectFacts): Model {
    const {
        minimal,
        full,
        edited,
        requests,
        headers,
        secrets = [],
        unseen = [],
        readBack = (data: Props) => data,
    } = facts;
    const { method } = requests;
    const naming = facts.naming ?? "name";
    const path = (at: string) => facts.path.replace(/[^/]+$/, `run-${at}`);
    const program = (args: Props, means: Props): Program => {
        return { args, means, secrets: secrets.flatMap((name) => (name in args ? [String(args[name])] : [])) };
    };
    const programs = [
        program(minimal, requests.minimal),
        program(full, requests.full),
        program({ ...full, ...edited }, { ...requests.full, ...requests.edited }),
    ];
    return {
        type: facts.type,
        vocabulary: facts.vocabulary ?? "documented",
        seed: facts.seed ?? {},
        runs,
        programs: fc.constantFrom(...programs),
        methods: [method, "DELETE"],
        hidden: Object.keys(requests.full).filter((name) => unseen.includes(camelCase(name))),
        naming: (at) => ({ [naming]: `run-${at}` }),
        async look(simulator, at) {
            const read = (await simulator.outside("GET", path(at), undefined, headers)) as { data: Props } | undefined;
            const data = read && readBack(read.data);
            return data && Object.fromEntries(Object.keys(requests.full).map((name) => [name, data[name]]));
        },
        write: (simulator, at, { means }) => simulator.outside(method, path(at), means, headers),
        remove: (simulator, at) => simulator.outside("DELETE", path(at), undefined, headers),
    };
}
