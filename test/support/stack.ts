/** A stack of the real engine beside a simulator in memory: what every end-to-end test begins with. */

import assert from "node:assert/strict";
import type { Seed } from "../../src/simulator/seed";
import { canaryToken } from "./canaries";
import type { Hooks } from "./injector";
import { type Diagnostic, type Outcome, type Program, type Workspace, workspace } from "./pulumi-cli";
import { Simulator } from "./simulator";

/** A simulator and a stack that points at it. */
export interface Stage {
    readonly simulator: Simulator;
    readonly stack: Workspace;
}

/** Stack configuration that leads to a simulator. */
export function settings(simulator: Simulator): Record<string, Record<string, string>> {
    return {
        "statecraft:manager": { address: simulator.url },
        "statecraft:volumes": { address: simulator.url },
        "statecraft:stateVersions": { address: simulator.url },
    };
}

/** Tokens in the environment. */
export const tokens = {
    STATECRAFT_MANAGER_TOKEN: canaryToken,
    STATECRAFT_VOLUMES_TOKEN: canaryToken,
    STATECRAFT_STATE_VERSIONS_TOKEN: canaryToken,
};

/** The products' own variables for a simulator that has their names. */
export const productVariables = ({ url }: Simulator) => ({
    ...{ VAULT_ADDR: url, NOMAD_ADDR: url, TFE_ADDRESS: url },
    ...{ VAULT_TOKEN: canaryToken, NOMAD_TOKEN: canaryToken, TFE_TOKEN: canaryToken },
});

/** How a stage differs from the usual one. */
interface Choices {
    readonly asUsersRun?: boolean;
    readonly hooks?: Hooks;
    /** The simulator has the products' names, and the products' variables lead to it. */
    readonly names?: "product";
}

/** Starts both, runs the test, and ends both whatever happens. */
export async function onStage(
    seed: Seed,
    program: string | Program,
    test: (stage: Stage) => Promise<void>,
    environment: Readonly<Record<string, string>> = {},
    { asUsersRun = false, hooks, names }: Choices = {},
): Promise<void> {
    const simulator = await Simulator.start(seed, names ?? "documented", hooks);
    try {
        const stack = await workspace({
            program: typeof program === "string" ? { source: program } : program,
            config: names ? {} : settings(simulator),
            environment: { ...(names ? productVariables(simulator) : tokens), ...environment },
            asUsersRun,
        });
        try {
            await test({ simulator, stack });
        } finally {
            stack.dispose();
        }
    } finally {
        await simulator.close();
    }
}

/** Nothing that a user should not see: no stack of ours, no token, nothing said twice. */
export function isReadable(outcome: Outcome): void {
    const shown = outcome.stdout + outcome.stderr;
    assert(!/^\s+at .*\(?.*:\d+:\d+\)?$/m.test(shown), `a stack trace is shown:\n${shown}`);
    assert(!shown.includes(canaryToken), "a token is shown");
    assert(!shown.includes("UnhandledPromise") && !shown.includes("[object Object]"), shown);
}

/** What was done to each resource, by its name in the program; the last of a replacement's steps. */
export function stepsOf(outcome: Outcome): Record<string, string> {
    isReadable(outcome);
    return Object.fromEntries(outcome.steps.map(({ name, op }) => [name, op]));
}

/** A command that went well. */
export function done(outcome: Outcome): Record<string, string> {
    assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr);
    return stepsOf(outcome);
}

/** A command that failed, and all that it said. */
export function failed(outcome: Outcome): string {
    assert.notEqual(outcome.code, 0, outcome.stdout);
    isReadable(outcome);
    return outcome.stdout + outcome.stderr;
}

/** Messages with this text. */
export function saying(outcome: Outcome, text: RegExp): readonly Diagnostic[] {
    return outcome.diagnostics.filter(({ message }) => text.test(message));
}

/** The engine knows the lines of the program that declare each resource. */
export async function isDeclaredByProgram(stack: Workspace): Promise<void> {
    const resources = await stack.resources();
    assert(resources.length > 0);
    for (const { sourcePosition } of resources) {
        assert.match(sourcePosition ?? "", /^project:\/\/\/([\w/]+\/)?index\.[jt]s#\d+,\d+$/);
    }
}
