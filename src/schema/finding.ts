/** What is wrong with a property. Loads nothing, so that hosts can say it at once. */

/** What is wrong with a property. */
export interface Finding {
    /** Where it is: `storage.bucket`, `capabilities[0].accessMode`. */
    readonly path: string;
    readonly reason: string;
}

/** A finding as a sentence that begins with the property. */
export const asSentence = ({ path, reason }: Finding): string => (path === "" ? reason : `${path}: ${reason}`);
