/**
 * How an error, a warning or a finding is written: once, as an entry that builds the message and tells the reference pages what it means
 * and what to do.
 *
 * | made by    | an entry makes                                        | what the user reads of it                      |
 * | ---------- | ----------------------------------------------------- | ---------------------------------------------- |
 * | `failure`  | an error to throw, new or in the place of another one | message and action                             |
 * | `refusal`  | a service's refusal, with advice                      | the service's words and action                 |
 * | `finding`  | what is wrong with a property                         | the property's path and message                |
 * | `sentence` | a warning, or a part of another message               | message                                        |
 */

import { type CommandName, isCommand } from "./commands";
import { reworded, ServiceError, StatecraftError } from "./errors";

/** An entry as the reference pages show it. */
export interface ErrorDoc {
    /** Its words; `…` stands for what differs. */
    readonly message: string;
    /** What it means. */
    readonly cause: string;
    /** What to do. */
    readonly action: string;
    /** `code` of the error, where it has one of its own. */
    readonly code?: string | undefined;
}

/** Something that the reference pages explain. */
export interface Documented {
    readonly doc: ErrorDoc;
}

/** What an entry says. Message and action may have gaps: `the {title} exists already`. Those named like commands stay open for the host. */
interface Entry<Message extends string, Action extends string> {
    readonly message: Message;
    readonly cause: string;
    readonly action: Action;
}

type Gaps<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
    ? Exclude<Name, CommandName> | Gaps<Rest>
    : never;

/** What stands in the gaps: nothing is asked for where there are none. */
type Parts<Text extends string> = [Gaps<Text>] extends [never] ? [] : [parts: Readonly<Record<Gaps<Text>, string>>];

function filled(text: string, ...[parts = {}]: readonly Readonly<Record<string, string>>[]): string {
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? (isCommand(name) ? whole : "…"));
}

function docOf({ message, cause, action, code }: Entry<string, string> & Pick<ErrorDoc, "code">): ErrorDoc {
    const open = (text: string) => filled(text).replace(/…+/g, "…");
    return { message: open(message), cause, action: open(action), code };
}

/** A text that the reference pages explain. */
export type Sentence<Message extends string> = ((...parts: Parts<Message>) => string) & Documented;

/** Writes a warning, or a part of another message. */
export function sentence<const Message extends string>(entry: Entry<Message, string>): Sentence<Message> {
    return Object.assign((...parts: Parts<Message>) => filled(entry.message, ...parts), { doc: docOf(entry) });
}

/** What is wrong with a property. */
export type PropertyFinding<Message extends string> = ((...parts: Parts<Message>) => {
    readonly path: string;
    readonly reason: string;
}) &
    Documented;

/** Writes what is wrong with the property of this path. */
export function finding<const Message extends string>(
    entry: Entry<Message, string> & { readonly path: string },
): PropertyFinding<Message> {
    const { path, message } = entry;
    const doc = docOf({ ...entry, message: `${path}: ${message}` });
    return Object.assign((...parts: Parts<Message>) => ({ path, reason: filled(message, ...parts) }), { doc });
}

/** An error that the reference pages explain. Its hint is what to do. */
export interface Failure<Text extends string> extends Documented {
    (...parts: Parts<Text>): StatecraftError;
    /** A service's failure in these words: it keeps its class, and with it its status and whatever else the service told. */
    of<Known extends StatecraftError>(known: Known, ...parts: Parts<Text>): Known;
}

/** Writes an error. */
export function failure<const Message extends string, const Action extends string>(
    entry: Entry<Message, Action> & { readonly code: string },
): Failure<Message | Action> {
    const { code } = entry;
    const words = (...parts: Parts<Message | Action>) => ({
        message: filled(entry.message, ...parts),
        hint: filled(entry.action, ...parts),
    });
    return Object.assign(
        (...parts: Parts<Message | Action>) => {
            const { message, hint } = words(...parts);
            return new StatecraftError(code, message, { hint });
        },
        {
            of: <Known extends StatecraftError>(known: Known, ...parts: Parts<Message | Action>) =>
                reworded(known, { code, ...words(...parts) }),
            doc: docOf(entry),
        },
    );
}

/** A refusal of a service that is known by its words. */
export interface Refusal extends Documented {
    /** Adds what to do to a failure, where it is this refusal. */
    explains(error: unknown, parts: Readonly<Record<string, string>>): boolean;
}

/** Writes what to do about a refusal. `message` is what the service says, with `…` for what differs; `code` where ours is more exact. */
export function refusal(entry: Entry<string, string> & { readonly code?: string }): Refusal {
    const words = entry.message.split("…").map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(`^${words.join(".*")}$`, "is");
    return {
        explains(error, parts) {
            if (!(error instanceof ServiceError) || !pattern.test(error.reasons.join(" "))) return false;
            reworded(error, { ...(entry.code && { code: entry.code }), hint: filled(entry.action, parts) });
            return true;
        },
        doc: docOf(entry),
    };
}

/** A failure with what is known to be done about it. What none of these explains stays as it is. */
export function explained(
    error: unknown,
    refusals: readonly Refusal[],
    parts: Readonly<Record<string, string>> = {},
): unknown {
    refusals.some((known) => known.explains(error, parts));
    return error;
}
