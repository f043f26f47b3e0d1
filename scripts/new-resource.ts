/**
 * `npm run new-resource -- RateLimitQuota manager [/v1/sys/quotas/rate-limit]`: writes skeletons of a named object. What is to be filled in
 * is marked with TODO; `npm run missing` lists what is left. Nothing that exists is written over.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { kebabCase, placesOf } from "./places";

const root = join(__dirname, "..");
const skeletons = join(__dirname, "skeleton");

function usage(reason: string): never {
    const services = readdirSync(skeletons).join(", ");
    console.error(
        `${reason}\nUsage: npm run new-resource -- RateLimitQuota manager [/v1/sys/quotas/rate-limit]\n` +
            `The service is one of: ${services}. For another service, begin with a resource of its folder.`,
    );
    process.exit(1);
}

const [type = "", service = "", path = "/v1/TODO"] = process.argv.slice(2);
if (!/^([A-Z][a-z0-9]*)+$/.test(type)) usage("Name the resource like a class.");
if (!existsSync(join(skeletons, service)) || service === "") usage("Name the service.");
if (!/^\/v1(\/[\w-]+)+$/.test(path)) usage("Name the path as the document has it, without the name at its end.");

const words: readonly (readonly [mark: string, word: string])[] = [
    ["TypeName", type],
    ["typeName", type.charAt(0).toLowerCase() + type.slice(1)],
    ["type-name", kebabCase(type)],
    ["DOCUMENT", path.replace(/^\/v1/, "")],
    ["TAIL", path.replace(/^\/v1\//, "")],
    ["PATH", path],
];

const places = placesOf(type, service);
const taken = Object.values(places).filter((file) => existsSync(join(root, file)));
if (taken.length > 0) usage(`There is ${taken.join(", ")} already.`);
for (const [skeleton, file] of Object.entries(places)) {
    const text = readFileSync(join(skeletons, service, `${skeleton}.txt`), "utf8");
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(
        join(root, file),
        words.reduce((all, [mark, word]) => all.replaceAll(mark, word), text),
    );
    console.log(file);
}
console.log("Fill in what is marked with TODO, then: npm run generate && npm run docs && npm run missing");
