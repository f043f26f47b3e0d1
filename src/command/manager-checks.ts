/** Checks of the secrets manager: roles of the login method, automated snapshots, version. */

import { operation } from "../core/operation";
import type { Session } from "../core/session";
import { isRecord } from "../schema/unknown";
import { mountId, mountOf, namespaceHeaders } from "../services/manager/mount";
import { manager } from "../services/manager/service";
import type { ServiceFinding } from "./finding";
import { ask, failed, isAllowed, isDenied, type Probe, saidIn, skipped } from "./probe";

const listRoles = {
    service: manager,
    operation: operation("LIST /v1/auth/{+mount}/role"),
    isAnswer: (body: unknown) => keysIn(body) !== undefined,
};
const listSnapshots = { ...listRoles, operation: operation("LIST /v1/sys/storage/raft/snapshot-auto/config") };
const health = { service: manager, operation: operation("GET /v1/sys/health"), isAnswer: () => true };

/** The first question, whose answer tells whether the service is there: the roles of the mount. */
export function askManager(session: Session, mount: string | undefined): Promise<Probe> {
    const place = mountOf(mount === undefined ? {} : { mount }, session);
    return ask(session, listRoles, {
        parameters: { mount: place.mount },
        headers: namespaceHeaders(place),
    });
}

/** The checks of a manager that is there. */
export async function checkManager(
    session: Session,
    roles: Probe,
    mount: string | undefined,
): Promise<ServiceFinding[]> {
    const snapshots = await ask(session, listSnapshots, { parameters: {} });
    const isRefused = [roles, snapshots].every(isDenied);
    if (isRefused || /invalid token/.test(saidIn(roles))) {
        return [
            failed("token", roles, "Set a token that is valid, with policies that allow what is listed below"),
            skipped("roles", "the token is refused"),
            skipped("snapshots", "the token is refused"),
            await version(session),
        ];
    }
    return [
        { check: "token", result: "ok", detail: "the service accepts it" },
        rolesFinding(roles, mountId(mountOf(mount === undefined ? {} : { mount }, session))),
        snapshotsFinding(snapshots),
        skipped("writing", "whether the token may write cannot be told without writing"),
        await version(session),
    ];
}

function rolesFinding(roles: Probe, place: string): ServiceFinding {
    if (isAllowed(roles))
        return { check: "roles", result: "ok", detail: `may list the roles of ${place}: ${counted(roles)}` };
    const advice = isDenied(roles)
        ? `A policy of the token needs the capability \`list\` on \`${place.replace(/^.*@/, "")}/role\``
        : /no handler for route|unsupported path/.test(saidIn(roles))
          ? `No login method is mounted at ${place}: enable it there, or name its mount with --mount`
          : undefined;
    return failed("roles", roles, advice);
}

function snapshotsFinding(snapshots: Probe): ServiceFinding {
    if (isAllowed(snapshots)) {
        return {
            check: "snapshots",
            result: "ok",
            detail: `may list the snapshot configurations: ${counted(snapshots)}`,
        };
    }
    const advice = isDenied(snapshots)
        ? "Snapshot configurations need the capability `sudo` on `sys/storage/raft/snapshot-auto/config`; nothing else needs it"
        : /enterprise/i.test(saidIn(snapshots))
          ? "Automated snapshots need a licensed server; roles and logins work without"
          : undefined;
    return failed("snapshots", snapshots, advice);
}

/** Without any the service says that there is nothing. */
function counted({ answer }: Probe): string {
    const count = keysIn(answer?.body)?.length ?? 0;
    return count === 1 ? "there is 1" : `there are ${count}`;
}

function keysIn(body: unknown): string[] | undefined {
    const data = isRecord(body) ? body["data"] : undefined;
    const keys = isRecord(data) ? data["keys"] : undefined;
    return Array.isArray(keys) && keys.every((key) => typeof key === "string") ? keys : undefined;
}

/** Not in the document: a server that does not know the question tells no version. */
async function version(session: Session): Promise<ServiceFinding> {
    const { answer } = await ask(session, health, { parameters: {} });
    const told = isRecord(answer?.body) ? answer.body["version"] : undefined;
    return typeof told === "string"
        ? { check: "version", result: "ok", detail: told.slice(0, 100) }
        : skipped("version", "the server tells none");
}
