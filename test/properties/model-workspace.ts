/** A workspace and its versions as the document has them, for lives of what rolls back, adds and retires them. */

import assert from "node:assert/strict";
import type { Seed } from "../../src/simulator/seed";
import { canaryToken } from "../support/canaries";
import type { Simulator } from "../support/simulator";
import { stateOf } from "../support/workspaces";
import type { Props } from "./random-programs";

/** A version as the service tells it. */
export interface ToldVersion {
    readonly id: string;
    /** The version that a rollback copied. */
    readonly copyOf: string | undefined;
}

/** A raw state of one of a few contents, some of one size. */
export const contentOf = (serial: number, content: number) =>
    stateOf(serial, ...([["a"], ["b"], ["a", "b"], ["a", "c"]][content] ?? []));

/** Who may hold the lock: somebody by hand with the program's own account, another program with it, somebody with another account. */
export const holders = {
    ours: { token: canaryToken, reason: "by hand" },
    neighbour: { token: canaryToken, reason: "rolling back to sv-1 [statecraft o/other/dev y]" },
    others: { token: "outside", reason: "by hand" },
} as const;
export type Holder = keyof typeof holders;
const names = ["ours", "neighbour", "others"] as const;
const tokens: NonNullable<Seed["tokens"]> = [canaryToken, "outside"].map((token) => ({
    token,
    kind: "user",
    id: token,
}));

/** One workspace on a simulator. */
export class Workspace {
    readonly id: string;
    private readonly path: string;

    private constructor(
        private readonly simulator: Simulator,
        private readonly life: number,
    ) {
        this.id = `ws-${life}`;
        this.path = `/api/v2/workspaces/${this.id}`;
    }

    /** A workspace whose versions have these contents, oldest first, in a simulator without any other. */
    static async begin(simulator: Simulator, life: number, contents: readonly number[]): Promise<Workspace> {
        const workspace = new Workspace(simulator, life);
        const stateVersions = contents.map((content, index) => ({
            id: workspace.version(index),
            state: contentOf(index + 1, content),
        }));
        await simulator.control("POST", "/simulator/reset", {
            tokens,
            workspaces: [{ id: workspace.id, name: "app", organization: "example", stateVersions }],
        });
        return workspace;
    }

    /** The id of a version that was there from the beginning. */
    version(index: number): string {
        return `sv-${this.life}-${index}`;
    }

    /** All versions, newest first. */
    async versions(): Promise<readonly ToldVersion[]> {
        const query =
            "filter%5Bworkspace%5D%5Bname%5D=app&filter%5Borganization%5D%5Bname%5D=example&page%5Bsize%5D=100";
        const { data } = (await this.simulator.outside("GET", `/api/v2/state-versions?${query}`)) as { data: Told[] };
        return data.map(({ id, relationships }) => ({
            id,
            copyOf: relationships["rollback-state-version"]?.data?.id,
        }));
    }

    /** The id of the current version. */
    async current(): Promise<string> {
        const { data } = (await this.simulator.outside("GET", `${this.path}/current-state-version`)) as {
            data: { id: string };
        };
        return data.id;
    }

    /** Who holds the lock; `left` is one that none of these has taken. */
    async holder(): Promise<Holder | "left" | undefined> {
        const { stateVersions } = (await this.simulator.control("GET", "/simulator/state")) as {
            stateVersions: { workspaces: { id: string; lock: { by: { id: string }; reason: string } | null }[] };
        };
        const lock = stateVersions.workspaces.find(({ id }) => id === this.id)?.lock;
        if (!lock) return undefined;
        const isBy = (name: Holder) => holders[name].token === lock.by.id && holders[name].reason === lock.reason;
        return names.find(isBy) ?? "left";
    }

    async lock(by: Holder): Promise<void> {
        await this.send(by, "POST", "/actions/lock", { reason: holders[by].reason });
    }

    async unlock(by: Holder): Promise<void> {
        await this.send(by, "POST", "/actions/unlock");
    }

    /** Somebody rolls back by hand: whoever holds the lock, else others for that time. */
    async rollBack(id: string): Promise<void> {
        const holder = await this.holder();
        const by = holder === undefined || holder === "left" ? "others" : holder;
        if (holder === undefined) await this.lock(by);
        const relationships = { "rollback-state-version": { data: { type: "state-versions", id } } };
        await this.send(by, "PATCH", "/state-versions", { data: { type: "state-versions", relationships } });
        if (holder === undefined) await this.unlock(by);
    }

    private send(by: Holder, method: string, way: string, body?: unknown): Promise<unknown> {
        return this.simulator.outside(method, this.path + way, body, { authorization: `Bearer ${holders[by].token}` });
    }

    /** The raw state of a version. */
    async raw(id: string): Promise<unknown> {
        const { data } = (await this.simulator.outside("GET", `/api/v2/state-versions/${id}`)) as {
            data: { attributes: Props };
        };
        const address = String(data.attributes["hosted-state-download-url"]);
        assert(address.startsWith(this.simulator.url));
        const bytes = await this.simulator.outside("GET", address.slice(this.simulator.url.length));
        return typeof bytes === "string" ? JSON.parse(bytes) : bytes;
    }
}

interface Told {
    readonly id: string;
    readonly attributes: Props;
    readonly relationships: Readonly<Record<string, { readonly data?: { readonly id: string } | null } | undefined>>;
}
