/** What the user reads of a failure: whole sentences, what happened and what to do next. */

import { InternalError, StatecraftError } from "../errors";

/** Any failure as sentences for the user. */
export function formatError(error: unknown): string {
    const { message, hint } = ofFamily(error);
    return joinSentences(message, hint);
}

/** A failure as one of the family: what else is thrown is a mistake of ours. */
export function ofFamily(error: unknown): StatecraftError {
    if (error instanceof StatecraftError) return error;
    return new InternalError(error instanceof Error ? error.message : String(error), error);
}

/** Texts, each a sentence or more, as one text; those that are not there are left out. */
export function joinSentences(...texts: readonly (string | undefined)[]): string {
    return texts.flatMap((text) => (text ? [ended(text)] : [])).join(" ");
}

/** With a full stop, unless it is a question. */
function ended(text: string): string {
    const bare = text.replace(/(?<![.\s])[.\s]+$/, "");
    return bare.endsWith("?") ? bare : `${bare}.`;
}
