/**
 * `npm run new-resource -- RateLimitQuota manager [/sys/quotas/rate-limit] [named-object]`: writes skeletons of a resource. What is to be
 * filled in is marked with TODO; `npm run missing` lists what is left. Nothing that exists is written over.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { kebabCase, placesOf } from "./places";

const root = join(__dirname, "..");
/** They stand where their copies go, so that `npm run check` checks them too. */
const skeletons = join(__dirname, "skeleton");

/** Where each service has its files, what its paths begin with in each place, and the document that tells of it. */
const services = {
    manager: { constant: "manager", document: "Secrets Manager", sent: "/v1", told: "", served: "/v1" },
    volumes: { constant: "volumes", document: "Volumes", sent: "/v1", told: "/v1", served: "/v1" },
    "state-versions": { constant: "stateVersions", document: "State Versions", sent: "", told: "", served: "/api/v2" },
} as const;

/** The folders of `src/services` that hold resources. */
export type ServiceFolder = keyof typeof services;
/** All of them. */
export const serviceFolders = Object.keys(services) as ServiceFolder[];

/** What resources are made of. */
export const bases = ["named-object", "server-assigned", "one-shot-action"] as const;

/** The skeletons of a resource, by the files that they become. `path` is the document's, without what prefixes all paths of the service. */
export function skeletonsOf(
    type: string,
    service: ServiceFolder,
    path: string,
    base: (typeof bases)[number],
): Record<string, string> {
    const { constant, document, sent, told, served } = services[service];
    // What a service or a base has no skeleton of its own for, all share.
    const original = (file: string) =>
        [
            join(skeletons, `${service}-${base}`, file),
            ...[base, "named-object"].map((each) => join(skeletons, each, file.replace(`/${service}/`, "/volumes/"))),
        ].find((each) => existsSync(each)) ?? join(skeletons, base, file);
    const words: readonly (readonly [mark: string | RegExp, word: string])[] = [
        [/(?<=import \{ |service: )volumes\b/g, constant],
        ["TypeName", type],
        ["typeName", type.charAt(0).toLowerCase() + type.slice(1)],
        ["type-name", kebabCase(type)],
        ['"Volumes"', JSON.stringify(document)],
        ["DOCUMENT", `${told}${path}`],
        ["SERVED", `${served}${path}`],
        ["TAIL", path.slice(1)],
        ["PATH", `${sent}${path}`],
    ];
    const resolved = (text: string) => words.reduce((all, [mark, word]) => all.replaceAll(mark, word), text);
    return Object.fromEntries(
        Object.values(placesOf("TypeName", service)).map((file) => [
            resolved(file),
            resolved(readFileSync(original(file), "utf8")),
        ]),
    );
}

function usage(reason: string): never {
    console.error(
        `${reason}\nUsage: npm run new-resource -- RateLimitQuota manager [/sys/quotas/rate-limit] [named-object]\n` +
            `The service is one of: ${serviceFolders.join(", ")}. The base is one of: ${bases.join(", ")}.`,
    );
    process.exit(1);
}

function main([type = "", folder = "", path = "/TODO", basis = "named-object"]: readonly string[]): void {
    if (!/^([A-Z][a-z0-9]*)+$/.test(type)) usage("Name the resource like a class.");
    const service = serviceFolders.find((each) => each === folder) ?? usage("Name the service.");
    const base = bases.find((each) => each === basis) ?? usage("Name the base.");
    if (!/^(\/[\w-]+)+$/.test(path)) usage("Name the path as the document has it, without the name at its end.");
    const files = skeletonsOf(type, service, path.replace(/^(\/api\/v2|\/v1)(?=\/)/, ""), base);
    const taken = Object.keys(files).filter((file) => existsSync(join(root, file)));
    if (taken.length > 0) usage(`There is ${taken.join(", ")} already.`);
    for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), text);
        console.log(file);
    }
    console.log("Fill in what is marked with TODO, then: npm run format && npm run examples && npm run missing");
}

if (require.main === module) main(process.argv.slice(2));
