/** The program that an example in TypeScript declares: `program-languages.ts` writes it in other languages. */

import { transformSync } from "@swc/core";
import { isRecord } from "../src/schema/values";
import { capitalized } from "./property-texts";

/** A resource, or the call of a function. */
export interface Step {
    readonly name: string;
    /** The type of the resource, or the name of the function. */
    readonly of: string;
    readonly args: Readonly<Record<string, unknown>>;
    /** Undefined for a function. */
    readonly options?: { readonly dependsOn?: readonly Reference[]; readonly protect?: boolean } | undefined;
}

/** A resource or a result with one of its properties, or a secret of the stack's configuration. */
export class Reference {
    constructor(
        readonly name: string,
        readonly isResult = false,
        readonly property?: string,
    ) {}
}

/** A `StringAsset`. */
export class Text {
    constructor(readonly text: string) {}
}

export interface Program {
    readonly secrets: readonly string[];
    readonly steps: readonly Step[];
    readonly exports: Readonly<Record<string, Reference>>;
}

/** The arguments of a resource's constructor. */
type Made = [name: string, args: object, options?: { dependsOn?: unknown }];

const references = new WeakMap<object, Reference>();

/** An output. Its properties are outputs too, but for the result of `apply`, whose function no other language can run. */
function output({ name, isResult }: Reference, property?: string): object {
    const get = (_: object, inner: string) =>
        inner === "apply" ? () => undefined : output({ name, isResult }, property ?? inner);
    const made = new Proxy({}, { get });
    references.set(made, new Reference(name, isResult, property));
    return made;
}

/** Replaces each output in a value by its reference. */
function resolved(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolved);
    const reference = typeof value === "object" && value !== null ? references.get(value) : undefined;
    if (reference || value instanceof Text || !isRecord(value)) return reference ?? value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(inner)]));
}

/** Runs an example with modules that record what it declares. `shown` names the property that is exported instead of a whole result. */
export function programOf(source: string, shown: (lookup: string) => string): Program {
    const [secrets, steps, exported]: [string[], Step[], Record<string, unknown>] = [[], [], {}];
    const requireSecret = (name: string) => output(new Reference(secrets[secrets.push(name) - 1] ?? name));
    const record = (name: string, of: string, args: object, options?: object) => {
        steps.push({ name, of, ...Object({ args: resolved(args), options: resolved(options) }) });
        return output(new Reference(name, options === undefined));
    };
    const declaring = (_: object, of: string) => {
        const lookup = of.replace(/Output$/, "");
        const construct = (_class: object, [name, args, { dependsOn = [], ...options } = {}]: Made) =>
            record(name, of, args, { dependsOn: [dependsOn].flat(), ...options });
        if (lookup === of) return new Proxy(Object, { construct });
        return (args = {}) =>
            record(
                lookup.replace(/^get(.)/, (_all, first) => first.toLowerCase()),
                lookup,
                args,
            );
    };
    const modules: Readonly<Record<string, unknown>> = {
        "@pulumi/pulumi": {
            Config: class {
                get = () => undefined;
                getSecret = requireSecret;
                requireSecret = requireSecret;
            },
            asset: { StringAsset: Text },
        },
        "pulumi-statecraft": new Proxy({}, { get: declaring }),
    };
    const { code } = transformSync(source, {
        jsc: { parser: { syntax: "typescript" }, target: "es2022" },
        module: { type: "commonjs", importInterop: "none" },
    });
    new Function("require", "exports", code)((name: string) => modules[name], exported);
    const exports = Object.entries(exported).flatMap(([title, value]) => {
        const alone = resolved(value);
        return [alone instanceof Reference ? alone : Object.values(Object(alone))].flat().flatMap((part) => {
            if (!(part instanceof Reference)) return [];
            const property = part.property ?? shown(steps.find(({ name }) => name === part.name)?.of ?? "");
            const name = part === alone ? title : part.name + capitalized(property);
            return [[name, new Reference(part.name, part.isResult, property)] as const];
        });
    });
    return { secrets, steps, exports: Object.fromEntries(exports) };
}
