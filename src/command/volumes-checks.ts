/** Checks of the volumes service: listing and reading, version. */

import { operation } from "../core/operation";
import type { Session } from "../core/session";
import { isRecord } from "../schema/unknown";
import { volumes } from "../services/volumes/service";
import type { ServiceFinding } from "./finding";
import { ask, failed, isAllowed, isDenied, type Probe, skipped } from "./probe";

const isVolume = (value: unknown) => isRecord(value) && typeof value["ID"] === "string";
const list = {
    service: volumes,
    operation: operation("GET /v1/volumes"),
    isAnswer: (body: unknown) => Array.isArray(body) && body.every(isVolume),
};
const show = { service: volumes, operation: operation("GET /v1/volume/csi/{id}"), isAnswer: isVolume };
const agent = { service: volumes, operation: operation("GET /v1/agent/self"), isAnswer: () => true };

/** Nobody calls a volume so: that it is absent is what a token may see that may read volumes. */
const nobodysVolume = "statecraft-doctor";

const namespaceOf = ({ namespace }: Session) => namespace ?? "default";

/** The first question, whose answer tells whether the service is there: the volumes of the namespace. */
export function askVolumes(session: Session): Promise<Probe> {
    return ask(session, list, { parameters: {}, query: { type: "csi", namespace: namespaceOf(session) } });
}

/** The checks of a service that is there. It answers the same to an invalid token and to a missing permission. */
export async function checkVolumes(session: Session, listed: Probe): Promise<ServiceFinding[]> {
    const namespace = namespaceOf(session);
    const read = await ask(session, show, { parameters: { id: nobodysVolume }, query: { namespace } });
    if ([listed, read].every(isDenied)) {
        const advice =
            "Set a token that is valid and has permissions on the namespace; the service does not tell which of both is missing";
        return [
            failed("token", listed, advice),
            skipped("list volumes", "the token is refused"),
            skipped("read volumes", "the token is refused"),
            await version(session),
        ];
    }
    return [
        { check: "token", result: "ok", detail: "the service accepts it" },
        permission("list volumes", listed, "namespace:csi-list-volume", namespace),
        permission("read volumes", read, "namespace:csi-read-volume", namespace),
        skipped("write volumes", "whether the token has `namespace:csi-write-volume` cannot be told without writing"),
        await version(session),
    ];
}

function permission(check: string, probe: Probe, name: string, namespace: string): ServiceFinding {
    if (isAllowed(probe)) return { check, result: "ok", detail: `allowed in the namespace ${namespace}` };
    return failed(
        check,
        probe,
        isDenied(probe) ? `The token needs the permission \`${name}\` on the namespace ${namespace}` : undefined,
    );
}

/** Not in the document: a server that does not know the question, or does not let us ask, tells no version. */
async function version(session: Session): Promise<ServiceFinding> {
    const { answer } = await ask(session, agent, { parameters: {} });
    const told = ["member", "Tags", "build"].reduce<unknown>(
        (value, name) => (isRecord(value) ? value[name] : undefined),
        answer?.body,
    );
    return typeof told === "string"
        ? { check: "version", result: "ok", detail: told.slice(0, 100) }
        : skipped("version", "the server tells none to this token");
}
