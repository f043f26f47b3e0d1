/** A server that a contract is tried on: how it is reached, what is made there, and that it is gone afterwards. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type Connection, connect, type ServiceSettings } from "../../src/client";
import { type SettingsKey, serviceKeys } from "../../src/core/config-keys";
import type { Runtime, Session } from "../../src/core/context";
import { Operations } from "../../src/core/operations";
import type { Service } from "../../src/core/service";
import { createRuntime } from "../../src/settings/runtime";
import { definitions } from "../support/definitions";
import { ManagedResource } from "../support/managed-resource";
import type { Vocabulary } from "../support/simulator";

/** Where a contract is tried. */
export interface Target {
    /** For titles: `simulator, documented`. */
    readonly name: string;
    readonly vocabulary: Vocabulary;
    /** Settings of the service; asked for once the tests run, because simulators start then. */
    readonly settings: () => ServiceSettings;
    /** What else is known of the server: `STATECRAFT_CONTRACT_…`, and settings that stand there. */
    readonly environment: NodeJS.ProcessEnv;
    /** Whether the server can do everything: there, passing over a contract is a failure. */
    readonly complete: boolean;
}

/** Makes the names of a run. `STATECRAFT_CONTRACT_SEED` repeats those of a former one. */
export const seed = process.env["STATECRAFT_CONTRACT_SEED"] || randomBytes(4).toString("hex");

/** What every name begins with that a contract gives. */
export const prefix = `contract-${seed}`;

/** A name of this run. */
export const named = (word: string): string => `${prefix}-${word}`;

/** How a suite of contracts is called. */
export const titleOf = (what: string, { name }: Target): string => `${what} contract (${name}; seed ${seed})`;

/** The rights and ways to a service of a target, and what was made there. */
export class Ground {
    private readonly undoings: { what: string; undo: () => Promise<unknown> }[] = [];

    constructor(
        private readonly target: Target,
        private readonly service: Service,
    ) {}

    /** The client for scripts. */
    get client(): Connection {
        return connect({
            [this.key]: this.target.settings(),
            environment: this.target.environment,
            warn: () => undefined,
        });
    }

    /** A resource that does not exist yet, led as the engine leads it. */
    life(type: string): ManagedResource {
        const definition = definitions.find((candidate) => candidate.type === type);
        assert(definition, `no resource ${type}`);
        const messages: ManagedResource["messages"] = [];
        const runtime = this.host((severity, message, urn) => {
            messages.push({ severity, message, urn });
        });
        return ManagedResource.of(new Operations(definition, runtime), messages);
    }

    /** The service itself, for what nothing of ours shows. */
    open(): Session {
        return this.host(() => undefined).open(this.service, undefined);
    }

    /** Something is there from now on, or may be: it is undone in the end, also when the contract was broken. */
    leaves(what: string, undo: () => Promise<unknown>): void {
        this.undoings.push({ what, undo });
    }

    /** Removes everything that was made, last first, and says what could not be removed. */
    async clear(): Promise<void> {
        const left: string[] = [];
        for (const { what, undo } of this.undoings.splice(0).reverse()) {
            await undo().catch((error: unknown) => {
                left.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
            });
        }
        assert.deepEqual(left, [], "what could not be removed");
    }

    /** Says why a contract does not concern this server, which was asked before. */
    passOver(context: Mocha.Context, reason: string): never {
        assert(!this.target.complete, `${this.target.name} must keep every contract: ${reason}`);
        console.log(`      passed over: ${reason}`);
        return context.skip();
    }

    private get key(): SettingsKey {
        return serviceKeys[this.service.name][this.target.vocabulary].key;
    }

    private host(say: Runtime["say"]): Runtime {
        return createRuntime(
            (asked) => (asked === `statecraft:${this.key}` ? JSON.stringify(this.target.settings()) : undefined),
            {
                environment: this.target.environment,
                say,
            },
        );
    }
}
