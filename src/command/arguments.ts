/** Parses the arguments and options of commands. */

import { type Command, InvalidArgumentError } from "commander";
import { parseDuration } from "../schema/property-types";

/**
 * Makes the parser of an argument.
 * @param must the requirement, such as `not be empty`
 * @param read returns the value of a text; `undefined` if the text is none of the argument
 */
export const argument =
    <Value>(must: string, read: (text: string) => Value | undefined) =>
    (text: string): Value => {
        const value = read(text);
        if (value === undefined) throw new InvalidArgumentError(`It must ${must}.`);
        return value;
    };

const matching = (form: RegExp) => (text: string) => (form.test(text) ? text : undefined);

export const nonEmpty = argument("not be empty", matching(/./s));
export const versionOf = argument(
    "be the id of a state version such as sv-…, which `history` lists",
    matching(/^[\w-]+$/),
);
export const secondsOf = argument("be a duration such as 26h", parseDuration);

/** Sets the usage of a command: a line for each of its forms. */
export const withForms = (command: Command, ...forms: string[]): Command =>
    command.usage(forms.join(`\n       ${command.parent?.name()} ${command.name()} `));

/** The id of a workspace of HCP Terraform, or of an imitation of its API. */
const workspaceId = /^(ws-[\w-]+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** A workspace that users name: by organization and name, or by its id. */
export type Reference = { readonly id: string } | { readonly organization: string; readonly name: string };

export const workspaceOf = argument("be organization/name, or an id such as ws-…", (text): Reference | undefined => {
    const [, first = "", , name] = /^([^/\s*]+)(\/([^/\s]+))?$/.exec(text) ?? [];
    if (first === "" || (name === undefined && !workspaceId.test(first))) return undefined;
    return name === undefined ? { id: first } : { organization: first, name };
});
