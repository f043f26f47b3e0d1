/** Starts a simulator in memory, and a stack of the real engine that deploys to it. */

import assert from "node:assert/strict";
import type { Seed } from "../../src/simulator/seed";
import { canaryToken } from "./canaries";
import { type Diagnostic, type Outcome, type Program, type Workspace, workspace } from "./pulumi-cli";
import { Simulator } from "./simulator";

/** A simulator, and a stack that deploys to it. */
export interface Stage {
    readonly simulator: Simulator;
    readonly stack: Workspace;
}

/** The modules of both kinds of classes. */
export const hosts = { dynamic: "pulumi-statecraft", native: "pulumi-statecraft/native" };

/** Stack configuration with the addresses of a simulator. */
export function settings(simulator: Simulator): Record<string, Record<string, string>> {
    return {
        "statecraft:manager": { address: simulator.url },
        "statecraft:volumes": { address: simulator.url },
        "statecraft:stateVersions": { address: simulator.url },
    };
}

/** Environment variables with the token of each service. */
export const tokens = {
    STATECRAFT_MANAGER_TOKEN: canaryToken,
    STATECRAFT_VOLUMES_TOKEN: canaryToken,
    STATECRAFT_STATE_VERSIONS_TOKEN: canaryToken,
};

/** Vault's, Nomad's and HCP Terraform's environment variables with the address of a simulator. */
export const productVariables = ({ url }: Simulator) => ({
    ...{ VAULT_ADDR: url, NOMAD_ADDR: url, TFE_ADDRESS: url },
    ...{ VAULT_TOKEN: canaryToken, NOMAD_TOKEN: canaryToken, TFE_TOKEN: canaryToken },
});

interface Choices {
    readonly asUsersRun?: boolean;
    /** The simulator uses the products' names, and `productVariables` configure the stack. */
    readonly names?: "product";
}

async function open(
    seed: Seed,
    program: string | Program,
    environment: Readonly<Record<string, string>> = {},
    { asUsersRun = false, names }: Choices = {},
): Promise<Stage> {
    const simulator = await Simulator.start(seed, names ?? "documented");
    try {
        const stack = await workspace({
            program: typeof program === "string" ? { source: program } : program,
            config: names ? {} : settings(simulator),
            environment: { ...(names ? productVariables(simulator) : tokens), ...environment },
            asUsersRun,
        });
        return { simulator, stack };
    } catch (error) {
        await simulator.close();
        throw error;
    }
}

async function close({ simulator, stack }: Stage): Promise<void> {
    stack.dispose();
    await simulator.close();
}

/** Starts a simulator and a stack, runs the test, and removes both, even if the test fails. */
export async function onStage(
    seed: Seed,
    program: string | Program,
    test: (stage: Stage) => Promise<void>,
    environment: Readonly<Record<string, string>> = {},
    choices: Choices = {},
): Promise<void> {
    const stage = await open(seed, program, environment, choices);
    await test(stage).finally(() => close(stage));
}

/** Starts a simulator and a stack for the tests of a `describe` block, runs `deploy` once before them, and removes both afterwards. */
export function withStage<Result>(
    seed: Seed,
    program: string | Program,
    deploy: (stage: Stage) => Promise<Result>,
    choices: Choices = {},
): Stage & Result {
    const shared = {} as Stage & Result;
    before(async () => {
        Object.assign(shared, await open(seed, program, {}, choices));
        Object.assign(shared, await deploy(shared));
    });
    after(() => shared.stack && close(shared));
    return shared;
}

/** Asserts that a command prints no stack trace, no token and no unformatted object. */
export function isReadable(outcome: Outcome): void {
    const shown = outcome.stdout + outcome.stderr;
    assert(!/^\s+at .*\(?.*:\d+:\d+\)?$/m.test(shown), `a stack trace is shown:\n${shown}`);
    assert(!shown.includes(canaryToken), "a token is shown");
    assert(!shown.includes("UnhandledPromise") && !shown.includes("[object Object]"), shown);
}

/** Returns the step of each resource by its name in the program. Of a replacement, it is the last step. */
export function stepsOf(outcome: Outcome): Record<string, string> {
    isReadable(outcome);
    return Object.fromEntries(outcome.steps.map(({ name, op }) => [name, op]));
}

/** Skips a test for which a tool is missing. The title names it, so that the skipped test is no failure. */
export function leaveOut(context: Mocha.Context, tool: string): never {
    context.runnable().title += ` [left out: ${tool}]`;
    return context.skip();
}

/** Asserts that a command succeeded. Returns the step of each resource. */
export function done(outcome: Outcome): Record<string, string> {
    assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr);
    return stepsOf(outcome);
}

/** Asserts that a command failed. Returns its output. */
export function failed(outcome: Outcome): string {
    assert.notEqual(outcome.code, 0, outcome.stdout);
    isReadable(outcome);
    return outcome.stdout + outcome.stderr;
}

export function saying(outcome: Outcome, text: RegExp): readonly Diagnostic[] {
    return outcome.diagnostics.filter(({ message }) => text.test(message));
}

/** Asserts that state contains the program's line for each resource that the program does not only read. */
export async function isDeclaredByProgram(stack: Workspace): Promise<void> {
    const resources = (await stack.resources()).filter(({ external }) => !external);
    assert(resources.length > 0);
    for (const { sourcePosition } of resources) {
        assert.match(sourcePosition ?? "", /^project:\/\/\/([\w/]+\/)?index\.[jt]s#\d+,\d+$/);
    }
}
