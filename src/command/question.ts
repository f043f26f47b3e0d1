/**
 * What doctor asks each service: one request that changes nothing.
 *
 * | service         | request                                             | what it tells                                     |
 * | --------------- | --------------------------------------------------- | ------------------------------------------------- |
 * | `manager`       | the roles of the login method (`--mount`)           | whether the token may list them                   |
 * | `volumes`       | the volumes of the namespace                        | whether the token may list them                   |
 * | `stateVersions` | whose the token is                                  | whether it is valid, and a user's or team's       |
 * |                 | with `--workspace`, that workspace                  | whether the token may roll it back                |
 */

import { operation } from "../core/operation";
import type { Answer, Client, ServiceName } from "../core/service";
import { DeniedError, NotFoundError, type ServiceError } from "../errors";
import type { Defaults } from "../schema/facts";
import { isRecord } from "../schema/unknown";
import { mountId, mountOf, namespaceHeaders } from "../services/manager/mount";
import { homeNamespace } from "../services/volumes/volume";

/** What may be asked about in particular. */
export interface Wanted {
    readonly mount: string | undefined;
    readonly workspace: string | undefined;
}

/** What the token may do: that it may, or what it lacks. */
export type Access = { readonly may: string } | { readonly lacks: string; readonly advice?: string };

/** One request, and how its answer is read. */
export interface Question {
    ask(client: Client): Promise<Answer>;
    /** What an answer says, or `undefined` when it is no answer of this service: anything may answer 200. */
    read(body: unknown): Access | undefined;
    /** What a refusal says, where its status alone does not. */
    refused(error: ServiceError): { readonly may: string } | { readonly advice: string } | undefined;
}

/** The question for a service. */
export function questionFor(service: ServiceName, settings: Defaults, wanted: Wanted): Question {
    if (service === "manager") return roles(settings, wanted.mount);
    if (service === "volumes") return volumeList(settings);
    return wanted.workspace === undefined ? account : workspace(wanted.workspace);
}

const listRoles = operation("LIST /v1/auth/{+mount}/role");

function roles(settings: Defaults, mount: string | undefined): Question {
    const place = mountOf(mount === undefined ? {} : { mount }, settings);
    const title = mountId(place);
    const may = (count: number) => ({ may: `may list the roles of ${title}: ${count}` });
    return {
        ask: (client) =>
            client.call(listRoles, { parameters: { mount: place.mount }, headers: namespaceHeaders(place) }),
        read(body) {
            const data = isRecord(body) ? body["data"] : undefined;
            const keys = isRecord(data) ? data["keys"] : undefined;
            const isList = Array.isArray(keys) && keys.every((key) => typeof key === "string");
            return isList ? may(keys.length) : undefined;
        },
        refused(error) {
            // Without any role the service says that there is no list.
            if (error instanceof NotFoundError) return may(0);
            if (error instanceof DeniedError) {
                return {
                    advice: `Set a token that is valid and has a policy with the capability \`list\` on \`auth/${place.mount}/role\``,
                };
            }
            return error.reasons.some((reason) => /no handler for route|unsupported path/.test(reason))
                ? { advice: `No login method is mounted at ${title}: enable it there, or name its mount with --mount` }
                : undefined;
        },
    };
}

const listVolumes = operation("GET /v1/volumes");

function volumeList(settings: Defaults): Question {
    const namespace = homeNamespace(settings);
    return {
        ask: (client) => client.call(listVolumes, { parameters: {}, query: { type: "csi", namespace } }),
        read: (body) =>
            Array.isArray(body) && body.every((volume) => isRecord(volume) && typeof volume["ID"] === "string")
                ? { may: `may list the volumes of the namespace ${namespace}: ${body.length}` }
                : undefined,
        refused: (error) =>
            error instanceof DeniedError
                ? {
                      advice: `Set a token that is valid and has the permission \`namespace:csi-list-volume\` on the namespace ${namespace}: the service does not tell which of both is missing`,
                  }
                : undefined,
    };
}

const showAccount = operation("GET /account/details");
const showWorkspace = operation("GET /workspaces/{workspaceId}");

const anotherToken = { advice: "Set a token of a user or a team that is valid" };

const account: Question = {
    ask: (client) => client.call(showAccount, { parameters: {} }),
    read(body) {
        const { id } = dataIn(body);
        return typeof id === "string"
            ? {
                  may: `is of ${id}; rights are given by workspace: name one with --workspace to see those on it`,
              }
            : undefined;
    },
    refused(error) {
        if (error instanceof DeniedError) return anotherToken;
        return error instanceof NotFoundError
            ? {
                  advice: "It is probably an organization's token, which can neither lock nor change state: use one of a user or a team",
              }
            : undefined;
    },
};

/** What a rollback with its lock needs. */
const needed = ["can-read-state-versions", "can-create-state-versions", "can-lock", "can-unlock"] as const;

const workspace = (workspaceId: string): Question => ({
    ask: (client) => client.call(showWorkspace, { parameters: { workspaceId } }),
    read(body) {
        const { id, attributes } = dataIn(body);
        if (id !== workspaceId) return undefined;
        const permissions = isRecord(attributes) ? attributes["permissions"] : undefined;
        if (!isRecord(permissions)) return { may: `may see ${workspaceId}; the server does not tell what else` };
        const lacking = needed.filter((name) => permissions[name] === false);
        return lacking.length === 0
            ? { may: `may do all of ${needed.join(", ")} on ${workspaceId}` }
            : {
                  lacks: `the token lacks ${lacking.join(", ")} on ${workspaceId}`,
                  advice: "Give its user or team these permissions on the workspace",
              };
    },
    refused(error) {
        if (error instanceof DeniedError) return anotherToken;
        return error instanceof NotFoundError
            ? { advice: "The workspace does not exist, or the token may not see it" }
            : undefined;
    },
});

function dataIn(body: unknown): Readonly<Record<string, unknown>> {
    const data = isRecord(body) ? body["data"] : undefined;
    return isRecord(data) ? data : {};
}
