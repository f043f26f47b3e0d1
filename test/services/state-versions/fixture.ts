/** Workspaces for the tests of this folder, and actions of other accounts in these workspaces. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { OperationError, Operations } from "../../../src/core/operations";
import { stateVersionRollback } from "../../../src/services/state-versions/state-version-rollback";
import type { Seed } from "../../../src/simulator/seed";
import { canaryToken } from "../../support/canaries";
import { failureOf } from "../../support/failures";
import { type ManagedResource, Shown } from "../../support/managed-resource";
import type { Props } from "../../support/pulumi-values";
import { joined } from "../../support/resource-facts";
import { DeployingProcess, type Simulator, withSimulator } from "../../support/simulator";
import { type Story, storiesOf } from "../../support/story";
import { stateOf } from "../../support/workspaces";

/** The tokens of the account that runs Pulumi, and of another account. */
const tokens: NonNullable<Seed["tokens"]> = [
    { token: canaryToken, kind: "user", id: "user-1" },
    { token: "outside", kind: "user", id: "user-2" },
];

const organization = "example";

/** The workspace `ws-1` with five versions: `sv-4` is current; `sv-0` and `sv-3` have the same resources. */
const app = {
    id: "ws-1",
    name: "app",
    organization,
    stateVersions: [
        { id: "sv-0", state: stateOf(0, "a", "b", "c") },
        { id: "sv-1", state: stateOf(1, "a") },
        { id: "sv-2", state: stateOf(2, "a", "b") },
        { id: "sv-3", state: stateOf(3, "a", "b", "c") },
        { id: "sv-4", state: stateOf(4) },
    ],
};

export const rollbackInputs = { workspaceId: "ws-1", stateVersionId: "sv-3" };

/** The text at the end of a lock's reason, by which the tested resource recognizes its locks. */
export const mark = "[statecraft o/app/dev x]";

/** The content type of every answer. */
export const contentType = "application/vnd.api+json";

/** Returns the service's answer with an error. */
export const refusal = (status: number) => ({ status, body: '{"errors":[{"detail":"planted"}]}', contentType });

/** Returns the service's answer with the record of a state version, or of a workspace. */
export const record = (id: string, attributes: Props) => {
    const type = id.startsWith("ws-") ? "workspaces" : "state-versions";
    return { status: 200, contentType, body: JSON.stringify({ data: { id, type, attributes } }) };
};

/** A workspace with an older and a current state. */
export const workspaceWith = (number: number, older: Props, current: Props) => ({
    ...{ id: `ws-${number}`, name: String(number), organization },
    stateVersions: [older, current].map((state, index) => ({ id: `sv-${number}${index}`, state })),
});

/** Options of a resource that waits for minutes: it sends a fifth of the requests. */
export const slow = { slowness: 5 } as const;

/** The service refuses every release of a lock. */
export const unreleasable = { method: "POST", path: "/actions/unlock$", times: 0, ...refusal(403) } as const;

/** Options of a resource whose warnings are failures. */
export const strict = { environment: { STATECRAFT_STRICT: "true" } } as const;

/** The facts that a story can compare. */
type Look = keyof ReturnType<Workspaces["looks"]>;

/** Starts a simulator for a `describe` block, and restores its workspaces before each test. */
export class Workspaces {
    readonly simulator: Simulator;

    constructor(others: Seed = {}) {
        this.simulator = withSimulator(joined({ tokens, workspaces: [app] }, others));
    }

    /** Creates a `StateVersionRollback` that is not deployed yet. */
    rollback(settings: Props = {}, options: Parameters<Simulator["resource"]>[1] = {}): ManagedResource {
        const all = { ...options, settings: { "statecraft:terraform": settings } };
        return this.simulator.resource("StateVersionRollback", all);
    }

    /** Sends a request below a workspace, and returns the data of the answer. */
    async api(method: string, path: string, body?: unknown, token = canaryToken, workspace = "ws-1"): Promise<Data> {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await this.simulator.outside(method, `/api/v2/workspaces/${workspace}${path}`, body, headers);
        return (answer as { data: Data } | undefined)?.data ?? { id: "", attributes: {} };
    }

    /** Adds `ws-3` with an older and a current state, and returns the rollback to the older one. */
    async seeded(older: Props, current: Props): Promise<{ workspaceId: string; stateVersionId: string }> {
        await this.simulator.control("POST", "/simulator/seed", { workspaces: [workspaceWith(3, older, current)] });
        return { workspaceId: "ws-3", stateVersionId: "sv-30" };
    }

    /** Returns the path of the current state of a workspace. */
    async pathOfState(workspace: string): Promise<string> {
        const { attributes } = await this.api("GET", "/current-state-version", undefined, canaryToken, workspace);
        return new URL(String(attributes["hosted-state-download-url"])).pathname;
    }

    /** Returns the current state of a workspace. */
    async state(workspace: string): Promise<string> {
        const path = await this.pathOfState(workspace);
        return (await this.simulator.exchange("GET", path, {}, Buffer.alloc(0))).body.toString();
    }

    /** Creates a version of `ws-1` in one request, as another client. */
    upload(content: string, token?: string): Promise<unknown> {
        const { serial, lineage } = JSON.parse(content);
        const md5 = createHash("md5").update(content).digest("hex");
        const attributes = { serial, lineage, md5, state: Buffer.from(content).toString("base64") };
        return this.api("POST", "/state-versions", { data: { type: "state-versions", attributes } }, token);
    }

    /** Asserts that a deployment fails before any write, as its preview has warned. Returns the error. */
    async foreseen(resource: ManagedResource, inputs: Props, act = async (): Promise<unknown> => undefined) {
        await this.simulator.forget();
        await act();
        await resource.preview(inputs);
        await act();
        const failure = await failureOf(resource.up(inputs), Shown);
        const problem = failure.message.replace(/^\w+ \S+: /, "");
        assert.deepEqual(resource.warnings, [`The deployment would fail now: ${problem}`]);
        assert.deepEqual(await this.writes(), []);
        return failure;
    }

    async current(workspace = "ws-1"): Promise<{ id: string; serial: unknown; copyOf: string | undefined }> {
        const version = await this.api("GET", "/current-state-version", undefined, canaryToken, workspace);
        const copyOf = version.relationships?.["rollback-state-version"]?.data?.id;
        return { id: version.id, serial: version.attributes["serial"], copyOf };
    }

    lock(reason: string, token?: string): Promise<unknown> {
        return this.api("POST", "/actions/lock", { reason }, token);
    }

    unlock(token?: string): Promise<unknown> {
        return this.api("POST", "/actions/unlock", undefined, token);
    }

    /** Returns the reason of a workspace's lock; `undefined` for an unlocked workspace. */
    async lockReason(workspace?: string): Promise<unknown> {
        const { attributes } = await this.api("GET", "", undefined, canaryToken, workspace);
        return attributes["locked"] === true ? attributes["locked-reason"] : undefined;
    }

    /** Rolls `ws-1` back without locking it. */
    rollBack(id: string, token?: string): Promise<unknown> {
        const type = "state-versions";
        const body = { data: { type, relationships: { "rollback-state-version": { data: { type, id } } } } };
        return this.api("PATCH", "/state-versions", body, token);
    }

    /** Locks `ws-1`, rolls it back and unlocks it as another account. Returns the id of the new version. */
    async others(id: string, token = "outside"): Promise<string> {
        await this.lock("theirs", token);
        await this.rollBack(id, token);
        await this.unlock(token);
        return (await this.current()).id;
    }

    /** Returns how many versions of `ws-1` the test has created. */
    async made(): Promise<number> {
        const path = "/api/v2/state-versions?filter[workspace][name]=app&filter[organization][name]=example";
        const { data } = (await this.simulator.outside("GET", path)) as { data: unknown[] };
        return data.length - app.stateVersions.length;
    }

    /** Returns a function that registers stories of this type of resource in `ws-1`. */
    stories(type: string, inputs: Props, common: Story<Look> = {}) {
        return storiesOf(this, type, inputs, this.looks(), common);
    }

    private looks() {
        return {
            made: () => this.made(),
            /** The reason of the lock. */
            lock: () => this.lockReason(),
            writes: () => this.writes(),
            /** The writes, without uploads. */
            requested: () => this.requested(),
            patches: () => this.patches(),
            posts: async () => (await this.writes()).filter((end) => end === "state-versions").length,
            uploads: async () => (await this.simulator.writes()).filter(({ method }) => method === "PUT").length,
            current: async () => (await this.current()).id,
            serial: async () => (await this.current()).serial,
            /** The version that the current version copies. */
            copyOf: async () => (await this.current()).copyOf,
            /** Whether the current version is that in state. */
            isCurrent: async ({ state }: ManagedResource) => {
                const { id } = await this.current();
                return state !== undefined && [state.id, state.outputs["currentStateVersionId"]].includes(id);
            },
            /** The seconds that the resource has waited. */
            waited: () => this.simulator.store.clockOffset,
        };
    }

    /** Returns the last segment of the path of each write since the last `forget`. */
    async writes(): Promise<string[]> {
        return (await this.simulator.writes()).map(({ path }) => path.split("/").at(-1) ?? "");
    }

    /** Returns the last segment of the path of each lock, unlock and creation of a version since the last `forget`. */
    async requested(): Promise<string[]> {
        return (await this.writes()).filter((end) => /lock$|^state-versions$/.test(end));
    }

    /** Returns the number of requests for a rollback since the last `forget`. */
    async patches(): Promise<number> {
        return (await this.simulator.writes()).filter(({ method }) => method === "PATCH").length;
    }

    /** Calls `act` once, before or after the service handles the next request whose method and path match. */
    meanwhile(wanted: RegExp, act: () => Promise<unknown>, moment: "before" | "after" = "before"): void {
        this.simulator.gate.set(async ({ moment: now, request }) => {
            if (now !== moment || !wanted.test(`${request.method} ${request.path}`)) return;
            this.simulator.gate.open();
            await act();
        });
    }

    /** Calls `act` once, before the service handles the `number`th next read of the current version. */
    reading(number: number, act: () => Promise<unknown>): void {
        const keyOf = ({ path }: { readonly path: string }) => String(path.endsWith("/current-state-version"));
        this.simulator.gate.set(async ({ moment, key, index }) => {
            if (moment !== "before" || key !== "true" || index !== number - 1) return;
            this.simulator.gate.open();
            await act();
        }, keyOf);
    }

    /** Runs a rollback, and cancels it before or after the next request whose method and path match. Returns the error. */
    async cancelled(
        wanted: RegExp,
        moment: "before" | "after",
        act = (): Promise<unknown> => Promise.resolve(),
    ): Promise<OperationError> {
        const process = new DeployingProcess();
        this.simulator.resource("StateVersionRollback", { process });
        assert(process.runtime);
        const operations = new Operations(stateVersionRollback, process.runtime);
        const { inputs } = await operations.check(undefined, rollbackInputs, {
            owner: mark.slice("[statecraft ".length, -1),
        });
        const cancel = new AbortController();
        const cancelAnd = () => {
            cancel.abort();
            return act();
        };
        this.meanwhile(wanted, cancelAnd, moment);
        return failureOf(operations.create(inputs, { signal: cancel.signal }), OperationError);
    }
}

interface Data {
    readonly id: string;
    readonly attributes: Props;
    readonly relationships?: Readonly<Record<string, { readonly data?: { readonly id: string } }>>;
}
