/**
 * `npm run new-resource -- RateLimitQuota manager [/v1/sys/quotas/rate-limit]`: writes skeletons of a named object. What is to be filled in
 * is marked with TODO; `npm run missing` lists what is left. Nothing that exists is written over.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { kebabCase, placesOf } from "./places";

const root = join(__dirname, "..");
/** They stand where their copies go, so that `npm run check` checks them too. */
const skeletons = join(__dirname, "skeleton");

function usage(reason: string): never {
    const services = readdirSync(join(skeletons, "src", "services")).join(", ");
    console.error(
        `${reason}\nUsage: npm run new-resource -- RateLimitQuota manager [/v1/sys/quotas/rate-limit]\n` +
            `The service is one of: ${services}. For another service, begin with a resource of its folder.`,
    );
    process.exit(1);
}

const [type = "", service = "", path = "/v1/TODO"] = process.argv.slice(2);
if (!/^([A-Z][a-z0-9]*)+$/.test(type)) usage("Name the resource like a class.");
if (service === "" || !existsSync(join(skeletons, "src", "services", service))) usage("Name the service.");
if (!/^\/v1(\/[\w-]+)+$/.test(path)) usage("Name the path as the document has it, without the name at its end.");

const words: readonly (readonly [mark: string, word: string])[] = [
    ["TypeName", type],
    ["typeName", type.charAt(0).toLowerCase() + type.slice(1)],
    ["type-name", kebabCase(type)],
    ["DOCUMENT", path.replace(/^\/v1/, "")],
    ["TAIL", path.replace(/^\/v1\//, "")],
    ["PATH", path],
];

const resolved = (text: string) => words.reduce((all, [mark, word]) => all.replaceAll(mark, word), text);
const files = Object.values(placesOf("TypeName", service));
const taken = files.map(resolved).filter((file) => existsSync(join(root, file)));
if (taken.length > 0) usage(`There is ${taken.join(", ")} already.`);
for (const skeleton of files) {
    const file = resolved(skeleton);
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), resolved(readFileSync(join(skeletons, skeleton), "utf8")));
    console.log(file);
}
console.log("Fill in what is marked with TODO, then: npm run generate && npm run docs && npm run missing");
