/**
 * What is known of a property beside its type: each fact once, on the property itself, at any depth.
 *
 * | form of a value | who has it                              | how it comes about                                       |
 * | --------------- | --------------------------------------- | -------------------------------------------------------- |
 * | written         | programs, state                         | `z.input` of the type                                    |
 * | decoded         | handlers, comparisons, lookups          | `z.output`: the type's codec; a decoded value may be written again |
 * | wire            | requests and answers                    | the decoded value under `wire`, through `wireForm`       |
 */

import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Values } from "./unknown";

export type { Values } from "./unknown";

/** What a program leaves out, as the settings and the server have it. */
export interface Defaults {
    /** The namespace of the settings, if they name one. */
    readonly namespace: string | undefined;
    /** Where the server mounts the login method. */
    readonly mount: string;
    /** What the server begins the names of snapshots with. */
    readonly filePrefix: string;
}

/** A default that depends on the other properties of the object. */
export interface ConditionalDefault {
    /** What it is, in words that follow "Default:". */
    readonly description: string;
    /** The default for these decoded properties, all other defaults filled in; `undefined` for none. */
    of(siblings: Values): unknown;
}

/** A rule over several properties of an object. It is asked only when all of them are known and each is right by itself. */
export interface Rule {
    readonly uses: readonly string[];
    /** A failure stops the deployment; a warning is shown and nothing else. Default: `failure`. */
    readonly severity?: "failure" | "warning";
    /**
     * What is wrong with the decoded properties, defaults filled in. `olds` are those of the last deployment; `written` is what the program
     * wrote itself.
     */
    test(
        values: Values,
        olds: Values | undefined,
        written: Values,
    ): { readonly path: string; readonly reason: string } | undefined;
}

/** The facts about a property. */
export interface Facts {
    /** What it is: units, and the document's words. */
    readonly description: string;
    /** Its name in requests and answers. Without one it is not part of the body. */
    readonly wire?: string | undefined;
    /**
     * Where the wire has another form than the decoded value: `decode` reads an answer (`undefined`: the answer does not tell), `encode`
     * writes a request.
     */
    readonly wireForm?: WireForm | undefined;
    /** What leaving it out means, as programs would write it. */
    readonly default?: unknown;
    /** The same where it depends on other properties. An empty string is left out as well. */
    readonly defaultFrom?: ConditionalDefault | undefined;
    /** Left out, what the service holds is left alone: it is neither sent nor compared. */
    readonly leaveAlone?: true | undefined;
    /** A value that means the default is not sent. */
    readonly omitDefault?: true | undefined;
    /** Left out, it keeps the value that the outputs hold: settings that differ between machines change nothing. */
    readonly sticky?: true | undefined;
    /** Never shown: encrypted in state, and no part of any message. */
    readonly secret?: true | undefined;
    /** The service accepts the value but does not return it. What an answer holds for it is ignored. */
    readonly writeOnly?: true | undefined;
    /** What an answer holds in the place of a value that is set and not shown; without it, any usual mask says nothing. */
    readonly maskWhenSet?: unknown;
    /** The service may leave it out of an answer. That says nothing about the value that the service holds. */
    readonly optionalInAnswers?: boolean | undefined;
    /** A change replaces the object: always, or where this says so of the two decoded values. */
    readonly immutable?: true | ((old: unknown, now: unknown) => boolean) | undefined;
    /** Two decoded values are equal when what this makes of them is equal. Default: the values themselves, compared by structure. */
    readonly equality?: Equality | undefined;
    /** Steers statecraft and is never sent: a change of it is stored, nothing else. */
    readonly option?: true | undefined;
    /** Filled in by statecraft: no argument, no difference. */
    readonly internal?: true | undefined;
    /** This is the former name of another property, which is the one that is sent. */
    readonly aliasOf?: string | undefined;
    /** Why not to use it any more, and what to use instead. */
    readonly deprecated?: string | undefined;
    /** Name of this object's or these words' type, where it is not named after its resource and property. */
    readonly typeName?: string | undefined;
    /** A whole number that may be greater than 2^31: a size in bytes, say. In SDKs a whole number is one of 32 bits. */
    readonly large?: true | undefined;
    /** Rules over the properties of this object. */
    readonly rules?: readonly Rule[] | undefined;
    /** Computes what state holds instead of the value, such as a digest. Applied to its own result it returns the same. */
    readonly standIn?: ((written: unknown) => string) | undefined;
}

/** Whether this stands in an answer for a value that is set and not shown. */
export function isMask({ maskWhenSet: mask }: Facts, told: unknown): boolean {
    return mask !== undefined && isDeepStrictEqual(told, mask);
}

/** How a value travels. */
export interface WireForm {
    readonly decode?: ((answer: unknown) => unknown) | undefined;
    readonly encode?: ((decoded: unknown) => unknown) | undefined;
}

/** What is compared of a decoded value. */
export type Equality = (decoded: unknown) => unknown;

const registry = z.registry<Facts>();

/** States the facts about a property: `tokenTtl: property(duration().optional(), { description: …, wire: "token_ttl" })`. */
export function property<Type extends z.ZodType>(type: Type, facts: Facts): Type {
    // A registry knows instances: a type that several properties share gets one for each.
    const own = type.clone();
    registry.add(own, facts);
    return own;
}

/** States the rules over the properties of an object that is no property of another: a resource's inputs, a function's arguments. */
export const withRules = <Type extends z.ZodObject>(type: Type, rules: readonly Rule[]): Type =>
    property(type, { description: "", rules });

/** The facts about a property. @throws TypeError for a type that was not made by `property` */
export function factsOf(type: z.ZodType): Facts {
    const facts = registry.get(type);
    if (facts === undefined) throw new TypeError(`a property of the type ${type.def.type} has no facts`);
    return facts;
}

/** The facts about a type that may have none, such as the items of a list. */
export function factsOrNone(type: z.ZodType): Facts | undefined {
    return registry.get(type);
}
