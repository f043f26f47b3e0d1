import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "../../../src/client";
import { absentOrDenied } from "../../../src/services/state-versions/failures";
import { wordsOf } from "../../support/messages";
import { tool } from "../../support/product-words";
import { Simulator } from "../../support/simulator";

const jsonApi = "application/vnd.api+json";
const lineage = "5d1cbb4e";
const stateOf = (serial: number, ...names: string[]) => ({ version: 4, serial, lineage, resources: names });

/** A compatible server as it was measured: few fields, relative addresses, its own name for a relationship, and many a plain 500. */
class Compatible {
    readonly states = new Map<string, object>([
        ["sv-1", stateOf(1, "a")],
        ["sv-2", stateOf(2, "a", "b")],
    ]);
    current = "sv-2";
    locked = false;
    status = "finalized";
    /** Answers before anything else does. */
    next: ((request: IncomingMessage) => { status: number; type?: string; body?: string } | undefined) | undefined;
    readonly bodies: unknown[] = [];
    readonly seen: string[] = [];
    private readonly server: Server = createServer((request, response) => void this.answer(request, response));

    async listen(): Promise<string> {
        await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/api/v2`;
    }

    close(): void {
        this.server.closeAllConnections();
        this.server.close();
    }

    private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString();
        const body: unknown = text === "" ? undefined : JSON.parse(text);
        const { status, type = jsonApi, body: told = "" } = this.next?.(request) ?? this.route(request, body);
        this.seen.push(`${request.method} ${request.url} ${status}`);
        response.writeHead(status, told === "" && status < 300 ? {} : { "content-type": type });
        response.end(told);
    }

    private route(request: IncomingMessage, body: unknown): { status: number; type?: string; body?: string } {
        const [path = ""] = (request.url ?? "").split("?");
        const route = `${request.method} ${path.replace("/api/v2", "")}`;
        if (request.headers.authorization !== "Bearer any")
            return { status: 401, type: "text/plain", body: "invalid JWT" };
        const download = /^GET \/state-versions\/(.+)\/download$/.exec(route)?.[1];
        if (download) return { status: 200, type: "application/json", body: JSON.stringify(this.states.get(download)) };
        const shown = /^GET \/state-versions\/(.+)$/.exec(route)?.[1];
        if (shown) return this.states.has(shown) ? this.version(shown) : notFound("resolving ID: resource not found");
        switch (route) {
            case "GET /workspaces/ws-1":
                return {
                    status: 200,
                    body: JSON.stringify({
                        data: { id: "ws-1", type: "workspaces", attributes: { locked: this.locked } },
                    }),
                };
            case "GET /workspaces/ws-1/current-state-version":
                return this.version(this.current);
            case "POST /workspaces/ws-1/actions/lock":
                if (this.locked) return { status: 409, type: "text/plain" };
                this.locked = true;
                return this.route(
                    {
                        ...request,
                        method: "GET",
                        url: "/api/v2/workspaces/ws-1",
                        headers: request.headers,
                    } as IncomingMessage,
                    undefined,
                );
            case "POST /workspaces/ws-1/actions/unlock":
                this.locked = false;
                return { status: 200 };
            case "PATCH /workspaces/ws-1/state-versions":
                return this.rollBack(body);
        }
        return { status: 404, type: "text/plain", body: "404 page not found" };
    }

    private rollBack(body: unknown): { status: number; body?: string } {
        this.bodies.push(body);
        const source = Object(body).data?.relationships?.["state-version"]?.data?.id;
        const state = this.states.get(source);
        if (state === undefined) return { status: 500 };
        this.current = `sv-${this.states.size + 1}`;
        this.states.set(this.current, state);
        return this.version(this.current);
    }

    private version(id: string) {
        const attributes = {
            "created-at": "2026-06-27T10:00:43.15Z",
            "hosted-state-download-url": `/api/v2/state-versions/${id}/download`,
            "resources-processed": true,
            serial: Object(this.states.get(id)).serial,
            status: this.status,
            [`${tool}-version`]: "1.11.0",
        };
        return { status: 200, body: JSON.stringify({ data: { id, type: "state-versions", attributes } }) };
    }
}

function notFound(detail: string) {
    return { status: 404, body: JSON.stringify({ errors: [{ status: "404", title: "Not Found", detail }] }) };
}

describe("StateVersionRollback on compatible servers", () => {
    let server: Compatible;
    let address: string;
    beforeEach(async () => {
        server = new Compatible();
        address = await server.listen();
    });
    afterEach(() => server.close());

    const rollback = (settings: object = {}) =>
        connect({
            stateVersions: { address, token: "any", vocabulary: "product", maxRetries: 0, ...settings },
            environment: {},
            warn: () => undefined,
        }).stateVersionRollback;
    const args = { workspaceId: "ws-1", stateVersionId: "sv-1", lock: true };

    it("names the version in both ways, and takes 200 for a success", async () => {
        const { outputs } = await rollback().create(args);
        const source = { data: { type: "state-versions", id: "sv-1" } };
        assert.deepEqual(server.bodies, [
            {
                data: {
                    type: "state-versions",
                    relationships: { "rollback-state-version": source, "state-version": source },
                },
            },
        ]);
        assert.deepEqual(
            [outputs.currentStateVersionId, outputs.previousStateVersionId, outputs.rolledBackFrom, server.locked],
            ["sv-3", "sv-2", "sv-2", false],
        );
    });

    it("finds by the states themselves, at relative addresses, that nothing is to be done", async () => {
        server.states.set("sv-2", stateOf(7, "a"));
        await rollback().create(args);
        assert.deepEqual(server.bodies, []);
        assert.ok(server.seen.includes("GET /api/v2/state-versions/sv-1/download 200"));
    });

    it("takes a version that is `uploaded`, and none that holds no content", async () => {
        server.status = "discarded";
        await assert.rejects(rollback().create(args), {
            code: "not-finalized",
            message: /sv-1 is discarded and holds no state to roll back to/,
        });
        server.status = "uploaded";
        const { outputs } = await rollback().create(args);
        assert.equal(outputs.currentStateVersionId, "sv-3");
    });

    it("tells nothing of what such a record lacks", async () => {
        const { outputs } = await rollback().create(args);
        assert.equal(outputs.serial, 1);
        assert.deepEqual(outputs.resources, []);
    });

    it("says with method, path and status what an empty 500 says nothing of", async () => {
        server.next = (request) => (request.method === "PATCH" ? { status: 500 } : undefined);
        await assert.rejects(rollback().create(args), {
            code: "undone",
            message: /PATCH \/workspaces\/ws-1\/state-versions: 500: the server gave no reason/,
        });
        assert.equal(server.locked, false, "the lock is given back");
    });

    it("takes a rollback that was done for done, though its answer was an empty 500", async () => {
        server.next = (request) => {
            if (request.method !== "PATCH") return undefined;
            server.current = "sv-3";
            server.states.set("sv-3", stateOf(1, "a"));
            return { status: 500 };
        };
        const { outputs } = await rollback().create(args);
        assert.equal(outputs.currentStateVersionId, "sv-3");
    });

    it("understands an empty 409 of the lock: somebody was faster", async () => {
        server.next = (request) => {
            if (!request.url?.endsWith("/actions/lock")) return undefined;
            server.locked = true;
            return { status: 409, type: "text/plain" };
        };
        await assert.rejects(rollback().create(args), { code: "locked" });
        assert.deepEqual(server.bodies, []);
        assert.equal(server.locked, true, "a lock of somebody else's stays");
    });

    it("tells 403 and 401 by their class, with the server's words and the kinds of token that work", async () => {
        const forbidden = {
            errors: [{ status: "403", title: "Forbidden", detail: "access to the resource is not permitted" }],
        };
        server.next = () => ({ status: 403, body: JSON.stringify(forbidden) });
        await assert.rejects(rollback().create(args), {
            name: "DeniedError",
            message:
                /403: access to the resource is not permitted\..*need a user or team token .*; organization tokens cannot/,
        });
        server.next = undefined;
        await assert.rejects(rollback({ token: "other" }).create(args), { name: "DeniedError", status: 401 });
    });

    it("reads a malformed id as what it is, whatever the status", async () => {
        server.next = (request) =>
            request.url?.includes("/state-versions/sv-x")
                ? {
                      status: 500,
                      body: JSON.stringify({
                          errors: [{ status: 500, title: "Internal Server Error", detail: "malformed ID: sv-x" }],
                      }),
                  }
                : undefined;
        await assert.rejects(rollback().create({ ...args, stateVersionId: "sv-x" }), {
            status: 500,
            reasons: ["malformed ID: sv-x"],
        });
    });

    it("says both readings of a 404", async () => {
        await assert.rejects(rollback().create({ ...args, stateVersionId: "sv-9" }), {
            code: "not-found",
            message: wordsOf(absentOrDenied),
        });
    });
});

describe("StateVersionRollback (product)", () => {
    it("rolls back, is quiet, and reads the tool's version under its own name", async () => {
        const states = ["sv-1", "sv-2"].map((id, index) => ({
            id,
            state: { ...stateOf(index + 1), resources: [], outputs: { n: { value: index, type: "number" } } },
        }));
        const simulator = await Simulator.start(
            { workspaces: [{ id: "ws-1", name: "app", organization: "o", stateVersions: states }] },
            "product",
        );
        try {
            await simulator.control("PATCH", "/simulator/processing", { mode: "at-once" });
            const rollback = simulator.resource("StateVersionRollback");
            const inputs = { workspaceId: "ws-1", stateVersionId: "sv-1", lock: true };
            await rollback.up(inputs);
            assert.equal(rollback.outputs()["previousStateVersionId"], "sv-2");
            assert.equal(await rollback.up(inputs), "same");
            assert.deepEqual(await rollback.refresh(), []);
        } finally {
            await simulator.close();
        }
    });
});
