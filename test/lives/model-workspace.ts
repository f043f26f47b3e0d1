/** A workspace and its versions as the document has them, for lives of what rolls back, adds and retires them. */

import assert from "node:assert/strict";
import type { Seed } from "../../src/simulator/route";
import { plantedToken, type World } from "../support/world";
import type { Props } from "./told";

/** A version as the service tells it. */
export interface ToldVersion {
    readonly id: string;
    readonly status: string;
    readonly serial: number;
    /** The version that a rollback copied. */
    readonly copyOf: string | undefined;
}

const lineage = "6c1e54e8-0000-4000-8000-000000000001";
const resource = (name: string) => ({
    mode: "managed",
    type: "server",
    name,
    provider: "example",
    instances: [{ attributes: { id: name } }],
});

/** A raw state of one of a few contents. */
export const stateOf = (serial: number, content: number) => ({
    version: 4,
    serial,
    lineage,
    outputs: {},
    resources: ["a", "b", "c"].slice(0, content).map(resource),
});

/** Everybody here is one account, so that what others do needs no lock of another. */
const tokens: NonNullable<Seed["tokens"]> = [plantedToken, "outside"].map((token) => ({
    token,
    kind: "user",
    id: "user-1",
}));

/** One workspace on a simulator. */
export class Workspace {
    readonly id: string;
    private readonly path: string;

    private constructor(
        private readonly world: World,
        private readonly life: number,
    ) {
        this.id = `ws-${life}`;
        this.path = `/api/v2/workspaces/${this.id}`;
    }

    /** A workspace whose versions have these contents, oldest first, in a world without any other. */
    static async begin(world: World, life: number, contents: readonly number[]): Promise<Workspace> {
        const workspace = new Workspace(world, life);
        const stateVersions = contents.map((content, index) => ({
            id: workspace.version(index),
            state: stateOf(index + 1, content),
        }));
        await world.control("POST", "/simulator/reset", {
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
        const { data } = (await this.world.outside("GET", `/api/v2/state-versions?${query}`)) as { data: Told[] };
        return data.map(({ id, attributes, relationships }) => ({
            id,
            status: String(attributes["status"]),
            serial: Number(attributes["serial"]),
            copyOf: relationships["rollback-state-version"]?.data?.id,
        }));
    }

    /** The id of the current version. */
    async current(): Promise<string> {
        const { data } = (await this.world.outside("GET", `${this.path}/current-state-version`)) as {
            data: { id: string };
        };
        return data.id;
    }

    async isLocked(): Promise<boolean> {
        const { data } = (await this.world.outside("GET", this.path)) as { data: { attributes: Props } };
        return data.attributes["locked"] === true;
    }

    /** Somebody else rolls back. */
    async rollBack(id: string): Promise<void> {
        await this.world.outside("POST", `${this.path}/actions/lock`, { reason: "by hand" });
        const relationships = { "rollback-state-version": { data: { type: "state-versions", id } } };
        await this.world.outside("PATCH", `${this.path}/state-versions`, {
            data: { type: "state-versions", relationships },
        });
        await this.world.outside("POST", `${this.path}/actions/unlock`);
    }

    /** Somebody else retires the content of a version, or brings it back. */
    async act(id: string, action: string): Promise<void> {
        await this.world.outside("POST", `/api/v2/state-versions/${id}/actions/${action}_backing_data`);
    }

    /** The raw state of a version. */
    async raw(id: string): Promise<unknown> {
        const { data } = (await this.world.outside("GET", `/api/v2/state-versions/${id}`)) as {
            data: { attributes: Props };
        };
        const address = String(data.attributes["hosted-state-download-url"]);
        assert(address.startsWith(this.world.url));
        const bytes = await this.world.outside("GET", address.slice(this.world.url.length));
        return typeof bytes === "string" ? JSON.parse(bytes) : bytes;
    }
}

interface Told {
    readonly id: string;
    readonly attributes: Props;
    readonly relationships: Readonly<Record<string, { readonly data?: { readonly id: string } | null } | undefined>>;
}
