/** Workspaces for the tests of this folder, and what others do in them behind Pulumi's back. */

import assert from "node:assert/strict";
import { OperationError, Operations } from "../../../src/core/operations";
import { stateVersionRollback } from "../../../src/services/state-versions/state-version-rollback";
import type { Seed } from "../../../src/simulator/seed";
import { canaryToken } from "../../support/canaries";
import { failureOf } from "../../support/failures";
import { Gate } from "../../support/gate";
import type { ManagedResource, Shown } from "../../support/managed-resource";
import { DeployingProcess, Simulator } from "../../support/simulator";

export type Props = Record<string, unknown>;

/** A raw state that holds servers of these names. */
export const state = (serial: number, ...names: string[]) => ({
    version: 4,
    serial,
    lineage: "6c1e54e8-0000-4000-8000-000000000001",
    outputs: {},
    resources: names.map((name) => ({
        mode: "managed",
        type: "server",
        name,
        provider: "example",
        instances: [{ attributes: { id: name } }],
    })),
});

/** The account that runs Pulumi, and another. */
const tokens: NonNullable<Seed["tokens"]> = [
    { token: canaryToken, kind: "user", id: "user-1" },
    { token: "outside", kind: "user", id: "user-2" },
];

const organization = "example";

/** `ws-1`: five versions, of which sv-4 is current, and sv-0 and sv-3 hold the same. */
const app = {
    id: "ws-1",
    name: "app",
    organization,
    stateVersions: [
        { id: "sv-0", state: state(0, "a", "b", "c") },
        { id: "sv-1", state: state(1, "a") },
        { id: "sv-2", state: state(2, "a", "b") },
        { id: "sv-3", state: state(3, "a", "b", "c") },
        { id: "sv-4", state: state(4) },
    ],
};

/** A rollback of `ws-1`. */
export const rollbackInputs = { workspaceId: "ws-1", stateVersionId: "sv-3" };

/** The end of the reason of every lock that the tested resource takes. */
export const mark = "[statecraft o/app/dev x]";

/** Of every answer. */
export const contentType = "application/vnd.api+json";

/** How the service refuses. */
export const refusal = (status: number) => ({ status, body: '{"errors":[{"detail":"planted"}]}', contentType });

/** What a failure says after the resource. */
export const problemIn = ({ message }: Shown) => message.replace(/^\w+ \S+: /, "");

/** The simulator of one suite. Each test begins with the workspaces as they are here. */
export class Workspaces {
    readonly gate = new Gate();
    private started: Simulator | undefined;

    constructor(others: Seed = {}) {
        const seed = {
            tokens: [...tokens, ...(others.tokens ?? [])],
            workspaces: [app, ...(others.workspaces ?? [])],
        };
        before(async () => {
            this.started = await Simulator.start(seed, undefined, this.gate.guard);
        });
        beforeEach(async () => {
            this.gate.open();
            await this.simulator.reset();
        });
        after(() => this.simulator.close());
    }

    get simulator(): Simulator {
        assert(this.started);
        return this.started;
    }

    /** A rollback's life. */
    rollback(settings: Props = {}): ManagedResource {
        return this.simulator.resource("StateVersionRollback", { settings: { "statecraft:terraform": settings } });
    }

    /** What is in the data of an answer; `path` is below a workspace's. */
    async api(method: string, path: string, body?: unknown, token = canaryToken, workspace = "ws-1"): Promise<Told> {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await this.simulator.outside(method, `/api/v2/workspaces/${workspace}${path}`, body, headers);
        return (answer as { data: Told } | undefined)?.data ?? { id: "", attributes: {} };
    }

    async current(workspace = "ws-1"): Promise<{ id: string; serial: unknown; copyOf: string | undefined }> {
        const { id, attributes, relationships } = await this.api(
            "GET",
            "/current-state-version",
            undefined,
            canaryToken,
            workspace,
        );
        const copyOf = relationships?.["rollback-state-version"]?.data?.id;
        return { id, serial: attributes["serial"], copyOf };
    }

    lock(reason: string, token?: string): Promise<unknown> {
        return this.api("POST", "/actions/lock", { reason }, token);
    }

    unlock(token?: string): Promise<unknown> {
        return this.api("POST", "/actions/unlock", undefined, token);
    }

    /** The reason of the lock, or `undefined` where there is none. */
    async lockReason(workspace?: string): Promise<unknown> {
        const { attributes } = await this.api("GET", "", undefined, canaryToken, workspace);
        return attributes["locked"] === true ? attributes["locked-reason"] : undefined;
    }

    /** Rolls back under a lock that is there. */
    rollBack(id: string, token?: string): Promise<unknown> {
        const type = "state-versions";
        const body = { data: { type, relationships: { "rollback-state-version": { data: { type, id } } } } };
        return this.api("PATCH", "/state-versions", body, token);
    }

    /** Somebody else rolls back, with another account. Returns the version that was made. */
    async others(id: string, token = "outside"): Promise<string> {
        await this.lock("theirs", token);
        await this.rollBack(id, token);
        await this.unlock(token);
        return (await this.current()).id;
    }

    /** How many versions `ws-1` has got since the test began. */
    async made(): Promise<number> {
        const path = "/api/v2/state-versions?filter[workspace][name]=app&filter[organization][name]=example";
        const { data } = (await this.simulator.outside("GET", path)) as { data: unknown[] };
        return data.length - app.stateVersions.length;
    }

    /** The writes since the last `forget`: how each path ends. */
    async writes(): Promise<string[]> {
        return (await this.simulator.writes()).map(({ path }) => path.split("/").at(-1) ?? "");
    }

    /** The rollbacks that were requested since the last `forget`. */
    async patches(): Promise<number> {
        return (await this.simulator.writes()).filter(({ method }) => method === "PATCH").length;
    }

    /** Does this once, when the next request of a method and path comes to the service, or has been done. */
    meanwhile(wanted: RegExp, act: () => Promise<unknown>, moment: "before" | "after" = "before"): void {
        this.gate.set(async ({ moment: now, request }) => {
            if (now !== moment || !wanted.test(`${request.method} ${request.path}`)) return;
            this.gate.open();
            await act();
        });
    }

    /** How a rollback fails whose user cancels at this moment of its next request of a method and path. */
    async cancelled(
        wanted: RegExp,
        moment: "before" | "after",
        act = (): Promise<unknown> => Promise.resolve(),
    ): Promise<OperationError> {
        const process = new DeployingProcess();
        this.simulator.resource("StateVersionRollback", { process });
        assert(process.runtime);
        const operations = new Operations(stateVersionRollback, process.runtime);
        const { inputs } = await operations.check(undefined, rollbackInputs, { lockMark: mark });
        const cancel = new AbortController();
        const cancelAnd = () => {
            cancel.abort();
            return act();
        };
        this.meanwhile(wanted, cancelAnd, moment);
        return failureOf(operations.create(inputs, { signal: cancel.signal }), OperationError);
    }
}

interface Told {
    readonly id: string;
    readonly attributes: Props;
    readonly relationships?: Readonly<Record<string, { readonly data?: { readonly id: string } }>>;
}
