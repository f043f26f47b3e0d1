/** A workspace and its versions, for lives of what rolls it back. */

import assert from "node:assert/strict";
import type { Props } from "../properties/random-programs";
import { canaryToken } from "../support/canaries";
import type { Simulator } from "../support/simulator";
import { stateOf } from "../support/workspaces";

/** A raw state of one of a few contents, some of one size. */
export const contentOf = (serial: number, content: number) =>
    stateOf(serial, ...([["a"], ["b"], ["a", "b"], ["a", "c"]][content] ?? []));

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
            tokens: [{ token: canaryToken, kind: "user", id: "user-1" }],
            workspaces: [{ id: workspace.id, name: "app", organization: "example", stateVersions }],
        });
        return workspace;
    }

    /** The id of a version that was there from the beginning. */
    version(index: number): string {
        return `sv-${this.life}-${index}`;
    }

    /** The reason of the lock, or `undefined` if there is none. */
    async lockReason(): Promise<unknown> {
        const { data } = (await this.simulator.outside("GET", this.path)) as { data: { attributes: Props } };
        return data.attributes["locked"] === true ? data.attributes["locked-reason"] : undefined;
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
