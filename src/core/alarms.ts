/** Warnings and blockers of checks and previews, and whether they are failures. */

import { asMessage, type Finding } from "../schema/check";
import type { Runtime } from "./context";
import { type Voice, withWayOut } from "./voice";

/** A problem that does not fail a check or a preview by itself. A blocker would make the deployment fail now. */
export interface Alarm extends Finding {
    readonly severity: "warning" | "blocker";
}

/** The alarms that are failures by `Runtime.strict`. The others are shown as warnings. */
export function failing(alarms: readonly Alarm[], strict: Runtime["strict"], voice: Voice): Finding[] {
    const isFailure = ({ severity }: Alarm) => strict === true || (strict === "blockers" && severity === "blocker");
    for (const alarm of alarms) if (!isFailure(alarm)) voice.say("warning", asMessage(alarm));
    const failures = alarms.filter(isFailure);
    if (strict !== true) return failures;
    return failures.map((each) => ({ ...each, reason: withWayOut(each.reason) }));
}

/** The warnings of a check as alarms. */
export const asAlarms = (warnings: readonly Finding[]): Alarm[] =>
    warnings.map((warning) => ({ ...warning, severity: "warning" }));
