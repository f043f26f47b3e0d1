/** The server of the contract tests: its settings, and the objects that the tests create on it. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type Connection, connect, type ServiceSettings } from "../../src/client";
import type { Runtime, Session } from "../../src/core/context";
import { Operations } from "../../src/core/operations";
import type { Service } from "../../src/core/service";
import type { StatecraftError } from "../../src/errors";
import { ProcessRuntime, type RuntimeOptions } from "../../src/runtime/runtime";
import { type SettingsKey, serviceKeys } from "../../src/settings/config-keys";
import { definitionOf } from "../support/definitions";
import { ManagedResource } from "../support/managed-resource";

/** The server of the contract tests. */
export interface Target {
    /** The name in test titles, such as `vault-1.21.0`. */
    readonly name: string;
    /** The settings of the service. A function, because a simulator has no address before the tests run. */
    readonly settings: () => ServiceSettings;
    /** The variables `STATECRAFT_CONTRACT_…`, and the variables that the settings read. */
    readonly environment: NodeJS.ProcessEnv;
    /** Default: real time. */
    readonly pace?: RuntimeOptions["pace"];
    /** Features that the server cannot have, with the reason. Any other test that cannot run fails. */
    readonly lacks: Readonly<Record<string, string>>;
}

/** A part of the name of every object of a run. `STATECRAFT_CONTRACT_SEED` repeats the names of an earlier run. */
const seed = process.env["STATECRAFT_CONTRACT_SEED"] || randomBytes(4).toString("hex");

/** The prefix of the name of every object of a run. */
export const prefix = `contract-${seed}`;

/** Returns a name for an object of this run. */
export const named = (word: string): string => `${prefix}-${word}`;

/** Returns the title of the tests of a service, which says what the server cannot have: no test asks for it. */
export const titleOf = (what: string, { name, lacks }: Target): string =>
    `${what} contract (${[name, `seed ${seed}`, ...Object.keys(lacks).map((lack) => `no ${lack}`)].join("; ")})`;

/** A service of a target, and the objects that the tests create on it. */
export class Ground {
    private readonly undoings: { title: string; undo: () => Promise<unknown> }[] = [];

    constructor(
        private readonly target: Target,
        private readonly service: Service,
    ) {}

    /** A client for scripts with the target's settings. */
    get client(): Connection {
        return connect({
            [this.key]: this.target.settings(),
            environment: this.target.environment,
            warn: () => undefined,
        });
    }

    /**
     * Registers a test for each login in `STATECRAFT_CONTRACT_<KEY>_LOGINS`, and for each one in `…_REFUSED`, which has words of the advice.
     * @param use sends a request that needs a token
     */
    itLogsIn(use: (client: Connection) => Promise<unknown>): void {
        const { environment, settings } = this.target;
        type Login = NonNullable<ServiceSettings["login"]>;
        const listed = (what: string) =>
            JSON.parse(environment[`STATECRAFT_CONTRACT_${this.key.toUpperCase()}_${what}`] ?? "[]");
        const connected = (login: Login) =>
            connect({ [this.key]: { ...settings(), token: undefined, login }, environment });
        for (const login of listed("LOGINS") as Login[]) {
            it(`a login with ${Object.keys(login).join(", ")} gets a token, and another one after \`close\``, async () => {
                const client = connected(login);
                await use(client);
                await client.close();
                await use(client);
                await client.close();
            });
        }
        for (const [login, advice] of listed("REFUSED") as [Login, string][]) {
            const { jwtVariable, secretIdVariable, roleId, ...rest } = login;
            it(`a refused login with ${JSON.stringify(rest)} and ${jwtVariable ?? secretIdVariable} names ${advice}`, async () => {
                await assert.rejects(use(connected(login)), ({ code, message }: StatecraftError) => {
                    assert.equal(code, "login");
                    return assert(message.includes(advice), message) === undefined;
                });
            });
        }
    }

    /** Creates a resource that is not deployed yet. */
    resource(type: string): ManagedResource {
        const messages: ManagedResource["messages"] = [];
        const runtime = this.host((severity, message, urn) => {
            messages.push({ severity, message, urn });
        });
        return ManagedResource.of(new Operations(definitionOf(type), runtime), messages);
    }

    /** Opens a session of the service, for requests that no resource sends. */
    open(): Session {
        return this.host(() => undefined).open(this.service, undefined);
    }

    /** Registers the removal of an object before its creation, so that `clear` also removes it after a failed test. */
    undoLater(title: string, undo: () => Promise<unknown>): void {
        this.undoings.push({ title, undo });
    }

    /** Removes all objects, the last one first. Fails if an object could not be removed. */
    async clear(): Promise<void> {
        const left: string[] = [];
        for (const { title, undo } of this.undoings.splice(0).reverse()) {
            await undo().catch((error: unknown) => {
                left.push(`${title}: ${error instanceof Error ? error.message : String(error)}`);
            });
        }
        assert.equal(left.length, 0, `these objects are left on the server: ${left.join("; ")}`);
    }

    /** Whether the server cannot have this. */
    lacks(what: string): boolean {
        return what in this.target.lacks;
    }

    /** Skips a test, or all tests of a `describe` block, because the server cannot have `what`. Fails unless the target says so. */
    passOver(context: Mocha.Context, what: string, reason = "it has none"): never {
        const { lacks, name } = this.target;
        assert(lacks[what], `${name} must pass every test, or name "${what}" in its lacks: ${reason}`);
        // In a hook, the whole block is left out.
        const { test } = context;
        const skipped = test && "type" in test && test.type === "hook" ? test.parent : test;
        if (skipped) skipped.title += ` [left out: ${what}: ${lacks[what]}]`;
        return context.skip();
    }

    private get key(): SettingsKey {
        return serviceKeys[this.service.name].product.key;
    }

    private host(say: Runtime["say"]): Runtime {
        const config = (key: string) =>
            key === `statecraft:${this.key}` ? JSON.stringify(this.target.settings()) : undefined;
        const { environment, pace } = this.target;
        return new ProcessRuntime(config, { environment, say, ...(pace && { pace }) });
    }
}
