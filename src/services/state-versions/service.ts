/** HCP Terraform and Terraform Enterprise: the token header, the form of failures, and ids (document "State Versions"). */

import * as z from "zod";
import { type Context, perServer } from "../../core/context";
import type { Service } from "../../core/service";
import { step } from "../../core/steps";
import { type Advice, ServiceError, StatecraftError } from "../../errors";
import { stringOf } from "../../schema/property-types";

/** The body of a failure. `status` is ignored, because it may be a string or a number. */
const failure = z.object({
    errors: z.array(
        z.looseObject({
            title: z.string().nullish(),
            detail: z.string().nullish(),
            source: z.object({ pointer: z.string() }).nullish().catch(undefined),
        }),
    ),
});
type Reason = z.output<typeof failure>["errors"][number];

/** The text of an error, which begins with the attribute that it concerns: `data.attributes.serial is refused: …`. */
function reasonIn({ title, detail, source }: Reason): string | [] {
    const [, path] = /^\/(data(?:\/[\w-]{1,40}){1,4})$/.exec(source?.pointer ?? "") ?? [];
    const place = path && `${path.replaceAll("/", ".")} is refused`;
    return [place, detail || title].filter(Boolean).join(": ") || [];
}

const reasonsIn = (body: unknown) => failure.safeParse(body).data?.errors.flatMap(reasonIn) ?? [];

/** HCP Terraform's refusals of a version: `This workspace is not locked and will only accept …`, `… is locked by User …`. */
const isAboutLock = /\b(?:is|not|already|workspace) locked\b/i;

const adviceOnAbsence =
    "It does not exist, has no state, or the token may not see it: use a token of a user or a team, because one " +
    "of an organization sees no state versions, and check the ids (`workspaceId` takes `ws-…`)" +
    step.forget("; if the workspace was deleted, ");

const rights = { "can-lock": "lock and unlock", "can-create-state-versions": "read and write state versions of" };
/** Advice for a token that lacks a permission of the workspace. */
export const adviceOnRight = (right: keyof typeof rights) =>
    `Set a valid token of a user or a team with the permission to ${rights[right]} the workspace, and not one of an organization`;

/** Advice on refusals of what a request contains. */
export const onRefusal = (advice: string): Advice => ({ 409: advice, 412: advice, 422: advice });

/** Advice on refusals by endpoints that have none. */
const onAny: Advice = {
    403: adviceOnRight("can-create-state-versions"),
    404: adviceOnAbsence,
    ...onRefusal(`Run ${step.again()} again`),
};

/** The facts about HCP Terraform and Terraform Enterprise that the HTTP client needs. */
export const stateVersions: Service = {
    name: "stateVersions",
    title: "state versions service",
    contentType: "application/vnd.api+json",
    // HCP Terraform limits the rate of requests.
    maxConcurrency: 10,
    acts500: true,
    hidesObjects: true,
    tokenHeader(token) {
        if (/^[\w.~+/-]+=*$/.test(token)) return ["Authorization", `Bearer ${token}`];
        const hint = "Correct the token, or the file or variable that has it";
        throw new StatecraftError("config", "the token has a character that no Bearer token has (RFC 6750)", { hint });
    },
    reasons: ({ body }) => reasonsIn(body),
    hint({ status, body, exchange: { advice } }) {
        if (!failure.safeParse(body).success) return undefined;
        if ([409, 412, 422].includes(status) && isAboutLock.test(reasonsIn(body).join("\n"))) {
            return `The token's own account must have the lock: unlock the workspace and ${step.relock()}`;
        }
        return advice?.[status] ?? onAny[status];
    },
    absent: ({ status, body }) => status === 404 && failure.safeParse(body).success,
};

/** The problem of an answer whose body is none that the API documents describe. */
export const unexpectedBody =
    "it does not contain what was requested. Set `address` to that of the API: a proxy or another server may have answered";

/**
 * Rewords the error for a lost answer, if a read does not show whether the service processed the request.
 * @param what what is unknown, such as `the rollback was done`
 */
export const inDoubt = (
    error: StatecraftError,
    what: string,
    hint = `Run ${step.again()} again, which compares first and does nothing twice`,
) => error.reword({ code: "open", message: `${error.message}; whether ${what} is unknown`, hint });

/** The type of the id of a workspace, a state version or a run. */
export const idOf = (what: string) => stringOf(/^[\w-]+$/, `must be the id of a ${what}${ways[what] ?? ""}`);

const ways: Readonly<Record<string, string>> = {
    workspace: ", such as ws-…: `getWorkspace` looks it up by organization and name",
    "state version": ", such as sv-…: `getStateVersions` lists them",
};

/** The values of `include` that a server refuses. */
const refusedNames = perServer(() => new Set<unknown>());

/**
 * Asks with `include`. If the server refuses it, because it does not know the related resources, asks without it, now and for the rest
 * of the process.
 */
export async function withInclude<Names, Result>(
    context: Context,
    names: Names,
    ask: (include?: Names) => Promise<Result>,
): Promise<Result> {
    const refused = refusedNames(context);
    if (refused.has(names)) return ask();
    return ask(names).catch((error: unknown) => {
        if (!(error instanceof ServiceError && [400, 422].includes(error.status))) throw error;
        refused.add(names);
        return ask();
    });
}
