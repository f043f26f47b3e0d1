/** The looks of previews: reads that show what a deployment will meet on a server. */

import {
    AnswerError,
    DeniedError,
    NotFoundError,
    ServiceError,
    type StatecraftError,
    UnreachableError,
} from "../errors";

/** The seconds that the failed looks of a run may take together at one server. */
const patience = 10;

/** Thrown instead of a request at a server at which the previews of a run look no more. */
export class LookEnded extends Error {}

/** The looks of one run at one server. */
export class Looks {
    private rest = patience;
    private readonly causes = new Set<string>();

    /** The seconds that the next request may take with its retries. @throws LookEnded */
    get within(): number {
        if (this.rest <= 0) throw new LookEnded();
        return this.rest;
    }

    /**
     * Counts a failed look. Whether its cause is a new one: one cause has one message.
     * @param id of the object, if it is known
     * @param took the seconds that the look took
     */
    hasNewCause(error: StatecraftError, id: string, took: number): boolean {
        const cause = causeOf(error, id);
        const isNew = !this.causes.has(cause);
        this.causes.add(cause);
        this.rest = finalCauses.includes(cause) ? 0 : this.rest - took;
        return isNew;
    }
}

/** The causes that every other look at the server would meet too. A server that is sealed answers 503. */
const finalCauses: readonly string[] = ["unreachable", "login", "401", "503"];

/** Why a look failed. A 403 concerns every object beside this one, because a right is one of a path, and an absent object only itself. */
function causeOf(error: StatecraftError, id: string): string {
    if (error instanceof UnreachableError || error instanceof AnswerError || error.code === "login") return error.code;
    if (!(error instanceof ServiceError)) return `${error.code} ${error.message}`;
    const { absentPlace, fate, operation, reasons, status } = error;
    if (absentPlace !== undefined) return absentPlace;
    if (error instanceof DeniedError && status === 403) return [403, operation, id].map(withoutName).join(" ");
    if (error instanceof NotFoundError) return `404 ${operation}`;
    return fate !== "diverted" && status < 503 && status !== 401 ? `${status} ${reasons.join("; ")}` : String(status);
}

const withoutName = (path: string | number) => String(path).replace(/(^|\/)[^/]*$/, "");
