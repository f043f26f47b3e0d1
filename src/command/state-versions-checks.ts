/** Checks of the state versions service: whose the token is, what it may do to a workspace, version. */

import { operation } from "../core/operation";
import type { Session } from "../core/session";
import { NotFoundError } from "../errors";
import { isRecord } from "../schema/unknown";
import { stateVersions } from "../services/state-versions/service";
import type { ServiceFinding } from "./finding";
import { ask, failed, isDenied, type Probe, skipped } from "./probe";

const account = {
    service: stateVersions,
    operation: operation("GET /account/details"),
    isAnswer: (body: unknown) => typeof dataIn(body)["id"] === "string",
};
const workspace = (workspaceId: string) => ({
    service: stateVersions,
    operation: operation("GET /workspaces/{workspaceId}"),
    isAnswer: (body: unknown) => dataIn(body)["id"] === workspaceId,
});

/** What a rollback with its lock needs. */
const needed = ["can-read-state-versions", "can-create-state-versions", "can-lock", "can-unlock"] as const;

/** The first question, whose answer tells whether the service is there: whose the token is. */
export function askStateVersions(session: Session): Promise<Probe> {
    return ask(session, account, { parameters: {} });
}

/** The checks of a service that is there. */
export async function checkStateVersions(
    session: Session,
    owner: Probe,
    workspaceId: string | undefined,
): Promise<ServiceFinding[]> {
    return [tokenFinding(owner), await workspaceFinding(session, owner, workspaceId), versionFinding(owner)];
}

function tokenFinding(owner: Probe): ServiceFinding {
    const { answer, error } = owner;
    if (error instanceof NotFoundError) {
        const advice =
            "It is probably an organization's token, which can neither lock nor change state: use one of a user or a team";
        return failed("token", owner, advice);
    }
    if (answer === undefined) {
        return failed("token", owner, isDenied(owner) ? "Set a token of a user or a team that is valid" : undefined);
    }
    return { check: "token", result: "ok", detail: `valid, of ${String(dataIn(answer.body)["id"]).slice(0, 100)}` };
}

async function workspaceFinding(
    session: Session,
    owner: Probe,
    workspaceId: string | undefined,
): Promise<ServiceFinding> {
    if (workspaceId === undefined) {
        return skipped("workspace", "rights are given by workspace: name one with --workspace to see those on it");
    }
    if (isDenied(owner)) return skipped("workspace", "the token is refused");
    const probe = await ask(session, workspace(workspaceId), { parameters: { workspaceId } });
    if (probe.answer === undefined) {
        const isHidden = probe.error instanceof NotFoundError;
        return failed("workspace", probe, isHidden ? "It does not exist, or the token may not see it" : undefined);
    }
    const attributes = dataIn(probe.answer.body)["attributes"];
    const permissions = isRecord(attributes) ? attributes["permissions"] : undefined;
    if (!isRecord(permissions)) return skipped("workspace", "the server does not tell what the token may do to it");
    const lacking = needed.filter((name) => permissions[name] === false);
    if (lacking.length === 0) return { check: "workspace", result: "ok", detail: `may do all of ${needed.join(", ")}` };
    return {
        check: "workspace",
        result: "failed",
        detail: `the token lacks ${lacking.join(", ")} on ${workspaceId}`,
        advice: "Give its user or team these permissions on the workspace",
    };
}

/** Not in the document: servers tell their version in headers, some of them. */
function versionFinding({ answer }: Probe): ServiceFinding {
    const found = Object.entries(answer?.headers ?? {}).find(([name]) => /-version$/.test(name));
    if (found === undefined) return skipped("version", "the server tells none");
    return { check: "version", result: "ok", detail: `${found[0]} ${found[1].slice(0, 100)}` };
}

function dataIn(body: unknown): Readonly<Record<string, unknown>> {
    const data = isRecord(body) ? body["data"] : undefined;
    return isRecord(data) ? data : {};
}
