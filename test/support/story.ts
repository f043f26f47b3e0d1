/** Tests of one row each: the program, the faults of a command, its end, the state and the server after it, and the next `up`. */

import assert from "node:assert/strict";
import type { Fault } from "./injector";
import type { ManagedResource, Step } from "./managed-resource";
import { withCode } from "./messages";
import type { Props } from "./pulumi-values";
import type { Simulator } from "./simulator";

/** A command on one resource. `Look` are the names of what the suite can look at after it. */
export interface Story<Look extends string = string> {
    /** Prepares the server. */
    readonly given?: () => unknown;
    /** Options of `Simulator.resource`. */
    readonly options?: Parameters<Simulator["resource"]>[1];
    /** Programs that were deployed earlier, one after the other: changes of the suite's inputs. */
    readonly deployed?: readonly Props[];
    /** Default: `up`. */
    readonly command?: "up" | "refresh" | "destroy";
    /** The program of the command and of `next`: a change of the suite's inputs. */
    readonly inputs?: Props;
    /** Faults that hit the command. They end before `next`. */
    readonly faults?: readonly Fault[];
    /** The result of the command, or members of its error. Default: any result. */
    readonly ends?: Step | "gone" | readonly string[] | Failure;
    /** A code or a text that the warnings of the command contain. `""`: there are none. */
    readonly warns?: string | RegExp;
    /** Facts about the server and the state after the command. `id` is that in state: `undefined` for a resource that is not in state. */
    readonly leaves?: Partial<Record<Look | "id", unknown>>;
    /** Outputs in state after the command. */
    readonly outputs?: Props;
    /** The results of the next commands, each an `up` or, for `destroyed`, a `destroy`. */
    readonly next?: readonly (Step | "destroyed")[];
    /** Facts about the server and the state after `next`. */
    readonly last?: Story<Look>["leaves"];
}

interface Failure {
    readonly code?: string;
    readonly status?: number;
    readonly message?: RegExp;
}

/**
 * Returns a function that registers a story of this type of resource as a test.
 * @param looks what the suite can look at
 * @param common members of every story
 */
export function storiesOf<Look extends string>(
    host: { readonly simulator: Simulator },
    type: string,
    usual: Props,
    looks: Readonly<Record<Look, (resource: ManagedResource) => unknown>>,
    common: Story<Look> = {},
): (title: string, story: Story<Look>) => void {
    const all: Readonly<Record<string, (resource: ManagedResource) => unknown>> = {
        id: ({ state }) => state?.id,
        ...looks,
    };
    return (title, row) => {
        const { command = "up", ends, ...story } = { ...common, ...row };
        it(title, async () => {
            const { simulator } = host;
            const resource = simulator.resource(type, story.options);
            const program = { ...usual, ...story.inputs };
            const sees = async (expected: Props = {}) => {
                const seen: Props = {};
                for (const name of Object.keys(expected)) seen[name] = await all[name]?.(resource);
                assert.deepEqual(seen, expected);
            };
            for (const change of story.deployed ?? []) await resource.up({ ...usual, ...change });
            await story.given?.();
            await simulator.forget();
            await simulator.fault(...(story.faults ?? []));
            const earlier = resource.warnings.length;
            const commanded = command === "up" ? resource.up(program) : resource[command]();
            if (typeof ends === "object" && !Array.isArray(ends)) await assert.rejects(commanded, ends);
            else assert.deepEqual(await commanded, ends ?? (await commanded));
            const warnings = resource.warnings.slice(earlier).join("\n");
            if (story.warns === "") assert.equal(warnings, "");
            else assert.match(warnings, typeof story.warns === "string" ? withCode(story.warns) : (story.warns ?? /^/));
            await sees(story.leaves);
            const stored = resource.state === undefined ? {} : resource.outputs();
            const names = Object.keys(story.outputs ?? {});
            assert.deepEqual(Object.fromEntries(names.map((name) => [name, stored[name]])), story.outputs ?? {});
            if (story.next) await simulator.heal();
            for (const step of story.next ?? []) {
                if (step === "destroyed") await resource.destroy();
                else assert.equal(await resource.up(program), step);
            }
            await sees(story.last);
        });
    };
}
