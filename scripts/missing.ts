/**
 * `npm run missing`: every gap of every resource at once, and what each has to hold. It asks the files, and runs nothing.
 *
 * | gap                | what closes it                                                    |
 * | ------------------ | ----------------------------------------------------------------- |
 * | a TODO             | what the skeleton asks for                                        |
 * | no facts           | `test/resources/<resource>.ts`; functions in `functions`          |
 * | no example         | `examples/<resource>.ts`                                          |
 * | no route           | `src/simulator/<service>`                                         |
 * | a field not reached | a way in `endpoints` of the facts, or an input in its programs   |
 * | no conformance     | `describeResource` in its test, if it is a named object           |
 * | no translation     | `npm run examples`                                                |
 * | a stale file       | `npm run generate`, `npm run docs`                                |
 */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DefinedFunction } from "../src/core/defined-function";
import type { Resource } from "../src/core/resource";
import { createRouter } from "../src/simulator/router";
import { routes } from "../src/simulator/services";
import { prefixes } from "../test/support/endpoints";
import { endpoints, functionFacts, programOf, type ResourceFacts, resourceFacts } from "../test/support/resource-facts";
import { leftovers, pages } from "./docs";
import { generated, lookups, resources } from "./generate";
import { kebabCase, placesOf } from "./places";
import { generatedLanguages } from "./program-texts";

/** What is missing. */
interface Gap {
    /** The resource, function or file. */
    readonly of: string;
    readonly what: string;
    /** What has to be done. */
    readonly todo: string;
}

const root = join(__dirname, "..");
const textOf = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : undefined);

/** All gaps. */
export function missing(): Gap[] {
    const stale = staleGaps();
    return [
        ...resources.flatMap(({ definition, file }) =>
            resourceGaps(definition, dirname(file), `src/services/${file}.ts`),
        ),
        ...lookups.flatMap(({ definition: { name } }) => functionGaps(name)),
        // A route that is written is served once its list is generated.
        ...(stale.some(({ of }) => of.startsWith("src/simulator/")) ? [] : endpoints.flatMap(routeGaps)),
        ...[...resources, ...lookups].flatMap(({ definition }) => translationGaps(definition)),
        ...stale,
    ];
}

function resourceGaps({ type: of, inputs, in: resourceIn }: Resource, service: string, source: string): Gap[] {
    const { definition: _, simulator, ...written } = placesOf(of, service);
    const texts = { ...written, definition: source, simulator };
    const facts = resourceFacts.find(({ type }) => type === of);
    const gaps: Gap[] = Object.values(texts).flatMap((file) =>
        (textOf(file) ?? "").split("\n").flatMap((line, index) => {
            return line.includes("TODO") ? [{ of, what: `${file}:${index + 1}`, todo: line.trim() }] : [];
        }),
    );
    if (facts === undefined)
        gaps.push({ of, what: `${written.facts}: no facts`, todo: "what test/support/resource-facts.ts says" });
    if (!textOf(written.example)?.includes(`.${of}(`))
        gaps.push({ of, what: `${written.example}: no example`, todo: `a program with a ${of}; its page shows it` });
    if (textOf(source)?.includes("namedObject(") && !textOf(written.test)?.includes("describeResource("))
        gaps.push({ of, what: `${written.test}: no conformance`, todo: "describeResource with its facts" });
    if (facts === undefined) return gaps;
    for (const [name, { facts: known }] of resourceIn("documented").inputs.properties) {
        if (known.internal || known.aliasOf !== undefined || known.only === "product") continue;
        if (known.wire !== undefined && !isReached(of, name, known.wire))
            gaps.push({
                of,
                what: `${name}: no way in endpoints`,
                todo: `"${known.wire}": ["${of}.${name}"] in the endpoint of the document`,
            });
        if (!isGiven(facts, name))
            gaps.push({
                of,
                what: `${name}: in no program`,
                todo: `a value in full, beside or rest of ${written.facts}`,
            });
    }
    if (Object.keys(inputs.shape).length === 0)
        gaps.push({ of, what: "no inputs", todo: "the fields of the document" });
    return gaps;
}

/** Whether a way leads to an input, or one of the endpoints of its resource has its field. */
function isReached(of: string, name: string, wire: string): boolean {
    const way = new RegExp(`^${of}\\.${name}\\b`);
    return endpoints.some(({ by, query, request, response }) => {
        const fields = Object.entries({ ...query, ...request, ...response });
        return fields.some(
            ([field, ways]) =>
                ways.some((each) => way.test(each)) || (by.includes(of) && field.split(".").at(-1) === wire),
        );
    });
}

/** `connection` and `timeouts` are given everywhere. */
function isGiven(facts: ResourceFacts, name: string): boolean {
    return name in { ...programOf(facts), ...facts.rest, connection: "", timeouts: "" };
}

function functionGaps(of: string): Gap[] {
    const gaps: Gap[] = [];
    if (functionFacts[of] === undefined)
        gaps.push({ of, what: "no facts", todo: `${of}: { args, places } in functions of the facts of its resource` });
    if (!endpoints.some(({ by }) => by.includes(of)))
        gaps.push({
            of,
            what: "no endpoint",
            todo: "the line of the document that it sends, in endpoints of the facts",
        });
    return gaps;
}

const router = createRouter(routes.filter(({ method }) => method !== "*"));

function routeGaps({ document, method, path, by }: (typeof endpoints)[number]): Gap[] {
    if (path.startsWith("{")) return [];
    const place = `${prefixes[document]}${path.replace(/:[a-z_]+/g, "name")}`;
    const request = { method, path: place, query: new URLSearchParams(), headers: {}, body: Buffer.alloc(0) };
    if (router(request) !== undefined) return [];
    return [{ of: by.join(", "), what: `${method} ${place}: no route`, todo: "a constant …Routes in src/simulator" }];
}

function translationGaps(definition: Resource | DefinedFunction): Gap[] {
    const of = "type" in definition ? definition.type : definition.name;
    return generatedLanguages
        .map(({ tag, ending }) => `examples/${tag}/${kebabCase(of)}.${ending}`)
        .filter((file) => textOf(file) === undefined)
        .map((file) => ({ of, what: `no ${file}`, todo: "npm run examples" }));
}

function staleGaps(): Gap[] {
    const stale = (files: Record<string, string>, command: string) =>
        Object.entries(files)
            .filter(([file, text]) => textOf(file) !== text)
            .map(([of]) => ({ of, what: "stale", todo: `npm run ${command}` }));
    const extra = leftovers().map((of) => ({ of, what: "stands for nothing", todo: "npm run docs" }));
    return [...stale(generated(), "generate"), ...stale(pages(), "docs"), ...extra];
}

if (require.main === module) {
    const gaps = missing();
    for (const { of, what, todo } of gaps) console.log(`${of}: ${what} -> ${todo}`);
    console.log(gaps.length === 0 ? "Nothing is missing." : `${gaps.length} gaps.`);
    process.exitCode = gaps.length === 0 ? 0 : 1;
}
