/** Two runs create one object at the same time, and the service handles the second create as an update. Only the first run owns the object. */

/** Which write made an object and which one changed it last, by the count of the service. */
export interface Writes {
    readonly made: number;
    readonly changed: number;
}

/**
 * Whether somebody else created the object between our look and our write.
 *
 * | number of our write | the object is ours if                                        |
 * | ------------------- | ------------------------------------------------------------ |
 * | known               | it was created by that write                                 |
 * | lost                | it has been written once, or differs from what we asked for  |
 */
export function isAnothers({ made, changed }: Writes, ours: number | undefined, isAsAsked: boolean): boolean {
    return ours === undefined ? made !== changed && isAsAsked : made !== ours;
}
