/** Creations that a service took for changes: where two make an object at once, only the first one has made it. */

import { StatecraftError } from "../errors";

/** Which write made an object and which one changed it last, by the count of the service. */
export interface Writes {
    readonly made: number;
    readonly changed: number;
}

/**
 * Whether an object that was absent and then written is somebody else's: it was made by another write than ours. Where no answer
 * told the number of ours, ours was not the first of several if the object is as we asked: where nothing tells two apart, both fail.
 */
export function isAnothers({ made, changed }: Writes, ours: number | undefined, isAsAsked: boolean): boolean {
    return ours === undefined ? made !== changed && isAsAsked : made !== ours;
}

/** The failure of such a creation. */
export function overtaken(title: string): StatecraftError {
    return new StatecraftError(
        "conflict",
        `the creation was granted, but somebody else has made the ${title} at the same time, and the service took it for a change of that`,
        {
            hint:
                "It is theirs and is left alone from here on; `pulumi up --refresh` on their side brings their values back. " +
                "To take it over, set `adopt: true` on this resource",
        },
    );
}
