/** Counts the resources of state versions by their states, where the server does not: `npx pulumi-statecraft history <workspace> --count`. */

import type { Context } from "../core/context";
import { asStatecraftError, sentencesOf } from "../errors";
import { holdsContent, readContent, type StateVersion } from "../services/state-versions/records";
import { contentProblem, partsOf } from "../services/state-versions/state-parts";
import { countedIn } from "./history-rows";

/** How many states are downloaded at most. */
export const mostCounted = 30;

/** The versions, with the resources of the first ones whose records do not count them. */
export async function countedVersions(context: Context, versions: readonly StateVersion[]): Promise<StateVersion[]> {
    const isUncounted = (version: StateVersion) => holdsContent(version.status ?? "finalized") && !countedIn(version);
    const wanted = versions.filter(isUncounted).slice(0, mostCounted);
    const counted = new Map<string, StateVersion>();
    // One after the other, because a state may be large.
    for (const [index, version] of wanted.entries()) {
        context.progress(`counting the resources of ${version.id}, ${index + 1} of ${wanted.length}`);
        try {
            const { entries } = partsOf((await readContent(context, version)).bytes, version.id, contentProblem);
            const resources = entries.map(({ record }) => record);
            counted.set(version.id, { ...version, resources, modules: {}, resourcesProcessed: true });
        } catch (error) {
            const failure = asStatecraftError(error);
            context.warn(failure.code, `${version.id} is not counted, because ${sentencesOf(failure)}`);
        }
    }
    return versions.map((version) => counted.get(version.id) ?? version);
}
