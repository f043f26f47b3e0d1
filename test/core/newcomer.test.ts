/** What resources to come will need, each in a resource of a few lines: numbers with bounds, short durations, nested objects, polling. */

import assert from "node:assert/strict";
import * as z from "zod";
import { createMemory } from "../../src/core/memory";
import { namedObject } from "../../src/core/named-object";
import type { Body } from "../../src/core/named-object-spec";
import { oneShotAction } from "../../src/core/one-shot-action";
import type { Resource } from "../../src/core/resource";
import { operationsOf } from "../../src/core/resource-operations";
import type { Runtime } from "../../src/core/runtime";
import { checkValues } from "../../src/schema/check";
import { property, type Rule, withRules } from "../../src/schema/facts";
import { objectNode } from "../../src/schema/node";
import { codec } from "../../src/schema/property-types";
import { CheckFailed, ManagedResource, sealedPaths } from "../support/managed-resource";
import { fakeService, service } from "./fake";

const none = z.strictObject({});
const name = property(z.string(), { description: "Name.", immutable: true });

/** What the service holds, and every body that it was sent. */
const held = new Map<string, Body>();
const sent: Body[] = [];

/** A named object with these properties beside its name. `told` is what the service says of what it was sent. */
function newcomer(shape: z.ZodRawShape, rules: Rule[] = [], told = (body: Body): Body => body): Resource {
    const inputs = withRules(z.strictObject({ name, ...shape }), rules);
    return namedObject<typeof inputs, typeof none, string>({
        ...{
            type: "Newcomer",
            service,
            description: "A newcomer.",
            inputs,
            outputs: none,
            errors: [],
            idForm: "<name>",
        },
        title: (id) => `newcomer ${id}`,
        address: (values) => String(values["name"]),
        id: (id) => id,
        parse: (id) => id,
        named: (id) => ({ name: id }),
        async read(_, id) {
            const body = held.get(id);
            return body && { body: told(body), inputs: { name: id } };
        },
        async write(_, id, { body }) {
            held.set(id, body);
            sent.push(body);
        },
        async remove(_, id) {
            held.delete(id);
        },
    });
}

const messages: ManagedResource["messages"] = [];

/** Its life under the engine. */
function lifeOf(resource: Resource, session = fakeService().session): ManagedResource {
    const runtime: Runtime = {
        open: async (_, __, say) => ({
            ...session,
            warn: (message) => say("warning", message),
            progress: (message) => say("progress", message),
        }),
        defaults: () => ({ vocabulary: "documented", namespace: undefined }),
        memory: createMemory(),
        strict: false,
        say: (severity, message, urn) => messages.push({ severity, message, urn }),
        redacted: (message) => message,
    };
    return ManagedResource.of(operationsOf(resource, runtime), messages);
}

const failures = ({ inputs }: Resource, values: object) =>
    checkValues(objectNode(inputs, "documented"), { name: "web", ...values }).failures.map(
        ({ path, reason }) => `${path}: ${reason}`,
    );

describe("a newcomer", () => {
    beforeEach(() => {
        held.clear();
        sent.splice(0);
        messages.splice(0);
    });

    it("may have numbers with bounds", async () => {
        const resource = newcomer({
            port: property(z.int().min(1).max(65_535), { description: "Port.", wire: "port" }),
            share: property(z.number().min(0).max(1).optional(), {
                description: "Share.",
                wire: "share",
                default: 0.5,
            }),
        });
        assert.deepEqual(failures(resource, { port: 1, share: 0.25 }), []);
        assert.deepEqual(failures(resource, { port: 65_536, share: -0.1 }), [
            "port: must be a whole number of at least 1 and at most 65535",
            "share: must be a number of at least 0 and at most 1",
        ]);
        assert.deepEqual(failures(resource, { port: 1.5 }).length, 1);
        const life = lifeOf(resource);
        await life.up({ name: "web", port: 80 });
        assert.deepEqual(sent, [{ port: 80, share: 0.5 }]);
        assert.equal(await life.up({ name: "web", port: 80, share: 0.5 }), "same");
    });

    it("may have durations below a second", async () => {
        const pattern = /^\d+(\.\d+)?(ms|s)$/;
        const inMilliseconds = (written: string) => Number.parseFloat(written) * (written.endsWith("ms") ? 1 : 1000);
        const milliseconds = codec(
            z.union([z.string().regex(pattern, { error: "must be 250ms or 0.5s" }), z.number()]),
            z.number(),
            (written) => (typeof written === "number" ? written : inMilliseconds(written)),
        );
        const resource = newcomer({
            delay: property(milliseconds.optional(), { description: "Delay.", wire: "delay_ms", default: "100ms" }),
        });
        assert.deepEqual(failures(resource, { delay: "0.25s" }), []);
        assert.deepEqual(failures(resource, { delay: "soon" }), ["delay: must be 250ms or 0.5s"]);
        const life = lifeOf(resource);
        await life.up({ name: "web", delay: "0.25s" });
        assert.deepEqual(sent, [{ delay_ms: 250 }]);
        assert.equal(await life.up({ name: "web", delay: "250ms" }), "same");
        assert.deepEqual(await life.refresh(), []);
        assert.equal(await life.up({ name: "web" }), "updated");
        assert.deepEqual(held.get("web"), { delay_ms: 100 });
    });

    it("may have a list of nested objects with facts of their own", async () => {
        const volume = z.strictObject({
            path: property(z.string(), { description: "Path.", wire: "mount_path" }),
            readOnly: property(z.boolean().optional(), { description: "Lock.", wire: "ro", default: false }),
            key: property(z.string().optional(), {
                description: "Key.",
                wire: "enc_key",
                secret: true,
                writeOnly: true,
            }),
        });
        const resource = newcomer(
            { volumes: property(z.array(volume), { description: "Volumes.", wire: "vols" }) },
            [],
            hideKeys,
        );
        assert.deepEqual(failures(resource, { volumes: [{ path: "/a" }, { pth: "/b" }] }), [
            "volumes[1].pth: is not an argument; did you mean path?",
            "volumes[1].path: is required",
        ]);
        const life = lifeOf(resource);
        const volumes = [
            { path: "/a", key: "key-of-a" },
            { path: "/b", readOnly: false },
        ];
        await life.up({ name: "web", volumes });
        assert.deepEqual(sent, [
            {
                vols: [
                    { mount_path: "/a", ro: false, enc_key: "key-of-a" },
                    { mount_path: "/b", ro: false },
                ],
            },
        ]);
        assert.deepEqual(sealedPaths(life.state?.outputs), ["volumes.0.key"]);
        assert.deepEqual(await life.refresh(), []);
        assert.equal(await life.up({ name: "web", volumes: [volumes[0], { path: "/b" }] }), "same");
        assert.equal(
            await life.up({ name: "web", volumes: [{ ...volumes[0], key: "another-key" }, volumes[1]] }),
            "updated",
        );
        assert.deepEqual(messages, []);
    });

    it("may have a default that depends on another property", async () => {
        const resource = newcomer({
            scheme: property(z.enum(["http", "https"]), { description: "Scheme.", wire: "scheme" }),
            port: property(z.number().optional(), {
                description: "Port.",
                wire: "port",
                defaultFrom: { description: "443, or 80 for http", of: ({ scheme }) => (scheme === "http" ? 80 : 443) },
            }),
        });
        const life = lifeOf(resource);
        await life.up({ name: "web", scheme: "http" });
        assert.deepEqual(await life.refresh(), []);
        assert.equal(await life.up({ name: "web", scheme: "http", port: 80 }), "same");
        assert.equal(await life.up({ name: "web", scheme: "https" }), "updated");
        assert.deepEqual(held.get("web"), { scheme: "https", port: 443 });
    });

    it("may have a rule over several properties", async () => {
        const size = (what: string) => property(z.int().optional(), { description: what, wire: what, default: 1 });
        const resource = newcomer({ least: size("least"), most: size("most") }, [
            {
                uses: ["least", "most"],
                test: ({ least, most }) =>
                    Number(least) > Number(most) ? { path: "least", reason: "must not exceed most" } : undefined,
            },
        ]);
        assert.deepEqual(failures(resource, { least: 2 }), ["least: must not exceed most"]);
        await assert.rejects(lifeOf(resource).up({ name: "web", least: 3, most: 2 }), CheckFailed);
        assert.deepEqual(sent, []);
    });

    it("may have a secret that can be written and never read", async () => {
        const resource = newcomer(
            { token: property(z.string(), { description: "Token.", wire: "token", secret: true, writeOnly: true }) },
            [],
            () => ({ token: "set" }),
        );
        const life = lifeOf(resource);
        await life.up({ name: "web", token: "first-token" });
        assert.deepEqual(sealedPaths(life.state?.outputs), ["token"]);
        assert.deepEqual(await life.refresh(), []);
        assert.equal(await life.up({ name: "web", token: "first-token" }), "same");
        assert.equal(await life.up({ name: "web", token: "second-token" }), "updated");
        assert.deepEqual(held.get("web"), { token: "second-token" });
        assert.deepEqual(messages, []);
    });

    it("may have an operation that must be polled", async () => {
        const inputs = z.strictObject({ name, version: property(z.int(), { description: "Version." }) });
        const outputs = z.strictObject({ phase: property(z.string(), { description: "What was last seen." }) });
        const phases = ["queued", "running", "done"];
        const look = async () => (phases[0] === "done" ? phases[0] : void phases.shift());
        const upgrade = oneShotAction<typeof inputs, typeof outputs, string>({
            ...{ type: "Upgrade", service, description: "An upgrade.", inputs, outputs, errors: [], idForm: "<name>" },
            ...{ address: (values) => values.name, id: (id) => id, parse: (id) => id, named: (id) => ({ name: id }) },
            async act(context, id, { version }) {
                const wait = { for: `${id} ${version}`, limit: 60, interval: 1000, now: () => String(phases[0]) };
                return { phase: (await context.poll(wait, look)) ?? "unknown" };
            },
        });
        const slept: number[] = [];
        const clock = { now: () => slept.reduce((sum, each) => sum + each, 0) };
        const sleep = async (milliseconds: number) => void slept.push(milliseconds);
        const life = lifeOf(upgrade, { ...fakeService().session, ...clock, sleep });
        assert.equal(await life.up({ name: "web", version: 2 }), "created");
        assert.equal(life.state?.outputs["phase"], "done");
        assert.deepEqual(slept, [1000, 1000]);
        assert.match(messages[0]?.message ?? "", /waiting for web 2, 60 s left: running/);
    });
});

/** The service shows the keys of volumes to nobody. */
function hideKeys({ vols }: Body): Body {
    const told = z.array(z.record(z.string(), z.unknown())).parse(vols);
    return { vols: told.map(({ enc_key: _, ...shown }) => shown) };
}
