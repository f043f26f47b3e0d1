/** Control routes: what in a real cluster jobs and plugins do to volumes. */
import { randomUUID } from "node:crypto";
import type { Context, Reply, Request, Route } from "../route";
import { isObject } from "./payload";
import { type AllocationStatus, allocationStatuses, findVolume, release, touch, type VolumesWorld } from "./records";

/** The control routes of volumes. They ask for no token: they are no part of the API. */
export const controlRoutes: readonly Route<VolumesWorld>[] = [
    { method: "POST", path: "/simulator/claims", respond: addClaim },
    { method: "PATCH", path: "/simulator/claims/:allocation", respond: setStatus },
    { method: "DELETE", path: "/simulator/claims/:allocation", respond: removeClaims },
    { method: "PATCH", path: "/simulator/plugins/:id", respond: setHealth },
];

function addClaim(request: Request, { world, now }: Context<VolumesWorld>): Reply {
    const { namespace, volume, node, allocation, job, write, status } = bodyOf(request);
    const optional = [namespace, allocation, job].every((value) => value === undefined || isText(value));
    if (!isText(volume) || !isText(node) || !optional) {
        return failed(400, "a claim needs the texts volume and node; namespace, allocation and job are texts");
    }
    if (write !== undefined && typeof write !== "boolean") {
        return failed(400, "write is true or false");
    }
    if (status !== undefined && !isStatus(status)) {
        return failed(400, `status is one of ${allocationStatuses.join(", ")}`);
    }
    const claimed = findVolume(world, isText(namespace) ? namespace : "default", volume);
    if (!claimed) {
        return failed(404, `no volume ${volume}`);
    }
    const id = isText(allocation) ? allocation : randomUUID();
    if (
        world.claims.some(
            (claim) => claim.allocation === id && claim.volume === volume && claim.namespace === claimed.Namespace,
        )
    ) {
        return failed(409, `allocation ${id} claims ${volume} already`);
    }
    const at = now().toISOString();
    const index = world.index + 1;
    const claim = {
        namespace: claimed.Namespace,
        volume,
        allocation: id,
        evaluation: randomUUID(),
        node,
        job: isText(job) ? job : "job",
        write: write ?? false,
        status: status ?? "running",
        createIndex: index,
        modifyIndex: index,
        createdAt: at,
        modifiedAt: at,
    };
    world.claims.push(claim);
    touch(world, [claim]);
    return { status: 200, body: { allocation: id } };
}

function setStatus(request: Request, { world, parameters, now }: Context<VolumesWorld>): Reply {
    const { status } = bodyOf(request);
    if (!isStatus(status)) {
        return failed(400, `status is one of ${allocationStatuses.join(", ")}`);
    }
    const claims = world.claims.filter(({ allocation }) => allocation === parameters["allocation"]);
    if (claims.length === 0) {
        return failed(404, `no allocation ${parameters["allocation"]}`);
    }
    touch(world, claims);
    for (const claim of claims) {
        claim.status = status;
        claim.modifyIndex = world.index;
        claim.modifiedAt = now().toISOString();
    }
    return { status: 200, body: {} };
}

function removeClaims(_request: Request, { world, parameters }: Context<VolumesWorld>): Reply {
    const claims = world.claims.filter(({ allocation }) => allocation === parameters["allocation"]);
    if (claims.length === 0) {
        return failed(404, `no allocation ${parameters["allocation"]}`);
    }
    release(world, claims);
    return { status: 200, body: {} };
}

function setHealth(request: Request, { world, parameters }: Context<VolumesWorld>): Reply {
    const { healthy } = bodyOf(request);
    const plugin = world.plugins.find(({ id }) => id === parameters["id"]);
    if (!plugin) {
        return failed(404, `no plugin ${parameters["id"]}`);
    }
    if (typeof healthy !== "boolean") {
        return failed(400, "healthy is true or false");
    }
    plugin.healthy = healthy;
    return { status: 200, body: { ...plugin } };
}

/** The body as an object; one that cannot be read holds nothing, which every route refuses. */
function bodyOf(request: Request): Record<string, unknown> {
    try {
        const parsed: unknown = JSON.parse(request.body.toString("utf8"));
        return isObject(parsed) ? parsed : {};
    } catch {
        return {};
    }
}

function isText(value: unknown): value is string {
    return typeof value === "string" && value !== "";
}

function isStatus(value: unknown): value is AllocationStatus {
    return allocationStatuses.some((status) => status === value);
}

function failed(status: number, problem: string): Reply {
    return { status, body: { errors: [problem] } };
}
