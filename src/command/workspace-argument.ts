/** The workspace that users name in arguments: `organization/name`, or an id. */

import { InvalidArgumentError } from "commander";

export type Reference = { readonly id: string } | { readonly organization: string; readonly name: string };

export function workspaceOf(text: string): Reference {
    const [, first = "", , name] = /^([^/\s]+)(\/([^/\s]+))?$/.exec(text) ?? [];
    if (first === "") throw new InvalidArgumentError("It must be organization/name, or an id.");
    return name === undefined ? { id: first } : { organization: first, name };
}
