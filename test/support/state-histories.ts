/**
 * Random states with a history, in which objects are lost, moved, tainted, changed, replaced or created. The generator knows the object of each
 * instance, so a test can judge what comes back without the rule of the code.
 */

import fc from "fast-check";

export interface Placed {
    readonly module?: string;
    readonly name: string;
    readonly key?: string;
    /** The real object. */
    readonly object: number;
    readonly size: number;
    readonly isTainted?: boolean;
    readonly isDeposed?: boolean;
}

export interface History {
    readonly older: readonly Placed[];
    readonly current: readonly Placed[];
    readonly only: readonly string[];
    /** The names whose provider has an alias in the older state, and in the current one. */
    readonly aliased: readonly (readonly string[])[];
}

export const resourceOf = ({ module, name }: Placed) => `${module ? `module.${module}.` : ""}terraform_data.${name}`;
export const addressOf = (placed: Placed) =>
    resourceOf(placed) + (placed.key === undefined ? "" : `[${JSON.stringify(placed.key)}]`);

const usual = ["kept", "kept", "kept", "lost", "lost", "lost", "lost", "lost", "changed", "changed"] as const;
const fates = [...usual, ...usual, "moved", "tainted", "replaced", "deposed"] as const;
const resource = fc.record({
    module: fc.constantFrom(undefined, undefined, "m", "n"),
    keys: fc.oneof(
        fc.constant([undefined]),
        fc.uniqueArray(fc.constantFrom("x", "y", "z"), { minLength: 1, maxLength: 3 }),
    ),
    fates: fc.array(fc.constantFrom(...fates), { minLength: 3, maxLength: 3 }),
    aliased: fc.tuple(fc.boolean(), fc.boolean()),
    isNamed: fc.constantFrom("whole", "module", "instances", "not"),
});

/** `isMoved`: whether objects may have another address in the current state, or be deposed there. */
export const histories = (isMoved = true): fc.Arbitrary<History> =>
    fc.tuple(fc.array(resource, { minLength: 2, maxLength: 6 }), fc.nat(2)).map(([resources, newer]) => {
        const [older, current]: [Placed[], Placed[]] = [[], []];
        const only = new Set<string>();
        let object = 0;
        resources.forEach(({ module, keys, fates: all, isNamed }, index) => {
            for (const [number, key] of keys.entries()) {
                const place = { ...(module && { module }), name: `r${index}`, ...(key !== undefined && { key }) };
                const old: Placed = { ...place, object: object++, size: 1 };
                const next = all[number];
                const isUnsafe = next === "moved" || next === "deposed";
                const what = isUnsafe && !isMoved ? "kept" : next;
                older.push(what === "tainted" ? { ...old, isTainted: true } : old);
                if (what === "kept") current.push(old);
                if (what === "changed") current.push({ ...old, size: 2 });
                if (what === "moved") current.push({ name: `moved${object}`, object: old.object, size: 1 });
                if (what === "replaced" || what === "deposed") current.push({ ...place, object: object++, size: 1 });
                if (what === "deposed") current.push({ ...old, isDeposed: true });
                if (isNamed === "instances" && index % 2 === 0) only.add(addressOf(old));
                if (isNamed === "whole") only.add(resourceOf(old));
                if (isNamed === "module" && module) only.add(`module.${module}`);
            }
        });
        for (let index = 0; index < newer; index++) current.push({ name: `newer${index}`, object: object++, size: 1 });
        const [first] = older;
        if (only.size === 0 && first) only.add(resourceOf(first));
        const aliasedIn = (state: 0 | 1) =>
            resources.flatMap(({ aliased, module, isNamed }, index) =>
                // An instance cannot come back alone with another provider.
                aliased[isNamed === "instances" ? 0 : state] && !module ? [`r${index}`] : [],
            );
        return { older, current, only: [...only], aliased: [aliasedIn(0), aliasedIn(1)] };
    });

const builtin = 'provider["terraform.io/builtin/terraform"]';

/** The text of a state. @param attributesOf the attributes of an object */
export function stateText(
    serial: number,
    placed: readonly Placed[],
    aliased: readonly string[],
    attributesOf: (placed: Placed) => object = terraformData,
): string {
    const resources = [...new Set(placed.map(resourceOf))].map((each) => {
        const all = placed.filter((one) => resourceOf(one) === each);
        const [{ module, name } = { module: undefined, name: "" }] = all;
        return {
            ...(module && { module: `module.${module}` }),
            ...{ mode: "managed", type: "terraform_data", name },
            provider: aliased.includes(name) ? `${builtin}.eu` : builtin,
            instances: all.map((one) => ({
                ...(one.key !== undefined && { index_key: one.key }),
                ...(one.isDeposed && { deposed: String(one.object).padStart(8, "0") }),
                ...(one.isTainted && { status: "tainted" }),
                schema_version: 0,
                ...attributesOf(one),
                sensitive_attributes: [],
            })),
        };
    });
    return JSON.stringify({ version: 4, terraform_version: "1.9.0", serial, lineage: "l", outputs: {}, resources });
}

export const idOf = ({ object }: Placed) => `object-${object}`;
const terraformData = (placed: Placed) => {
    const input = { value: placed.size, type: "number" };
    return { attributes: { id: idOf(placed), input, output: input, triggers_replace: null } };
};

/** The addresses of the configuration: those of the current state, and those of lost objects. */
export function configured({ older, current }: History): readonly Placed[] {
    const present = current.filter(({ isDeposed }) => !isDeposed);
    const addresses = new Set(present.map(addressOf));
    const lost = older.filter(
        (each) => !addresses.has(addressOf(each)) && !present.some(({ object }) => object === each.object),
    );
    return [...present, ...lost];
}
