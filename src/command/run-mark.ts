/** The mark of the locks that a run of a command takes. */

import { randomBytes } from "node:crypto";
import { hostname, userInfo } from "node:os";
import type { CommandName } from "./names";

/** The owner in the mark: for people the command, by whom, where and when, and a random id, so that no two runs have one mark. */
export function ownerOfRun(command: CommandName, environment: NodeJS.ProcessEnv): string {
    const place = [userOf(environment), hostname()].map(encodeURIComponent).join("@");
    const time = new Date().toISOString().replace(/\.\d+/, "");
    return [command, place, time, randomBytes(8).toString("hex")].join(" ");
}

/** The name of the user. The user id of a container may have none. */
function userOf({ USER, USERNAME }: NodeJS.ProcessEnv): string {
    try {
        return userInfo().username;
    } catch {
        return USER || USERNAME || `uid ${process.getuid?.() ?? "unknown"}`;
    }
}
