/** Drives a provider as the engine does: check, diff, then create, update or replace; refresh; destroy. */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import type { Operations } from "../../src/core/operations";
import type { Severity } from "../../src/core/voice";
import { ServiceError, type StatecraftError } from "../../src/errors";
import { dynamicProvider } from "../../src/pulumi/dynamic-provider";
import { Logins } from "../../src/runtime/runtime";
import { assertDiscreet } from "./messages";
import { NotedFailures } from "./noted-failures";
import { type Props, signatureKey } from "./pulumi-values";

/** A resource in the state of a stack. */
export interface State {
    id: string;
    inputs: Props;
    outputs: Props;
    /** The reasons why the last create or update failed although the object exists. */
    initErrors: readonly string[];
}

/** An error with the message that the engine shows, and with the code and status that a script reads. */
export class Shown extends Error {
    readonly code: string | undefined;
    /** The status of the service's answer, if there was one. */
    readonly status: number | undefined;

    constructor(message: string, failure: StatecraftError | undefined) {
        super(message);
        assertDiscreet(message);
        this.code = failure?.code;
        this.status = failure instanceof ServiceError ? failure.status : undefined;
    }
}

/** The effect of a deployment. */
export type Step = "created" | "same" | "updated" | "replaced";

/** The failures that `check` returned. */
export class CheckFailed extends Error {
    /** The property at the beginning of each reason. */
    readonly paths: readonly string[];

    constructor(readonly reasons: readonly string[]) {
        super(reasons.join("\n"));
        this.paths = pathsOf(reasons);
    }
}

/** Removes the code `[input]` from a reason. */
const plain = (text: string): string => text.replace(/ \[input\]$/, "");

/** Returns the property at the beginning of each reason or warning. */
export function pathsOf(reasons: readonly string[]): readonly string[] {
    return reasons.map((reason) => reason.replace(/: .*/s, ""));
}

const providerText = 'exports.handler = () => "test"';

/** Unwraps secrets, as the engine does for a host that does not accept them. */
export function unsealed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(unsealed);
    if (typeof value !== "object" || value === null) return value;
    if (signatureKey in value) return unsealed((value as Props)["value"]);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unsealed(inner)]));
}

/** Returns the paths of secret values. */
export function sealedPaths(value: unknown, path = ""): string[] {
    if (typeof value !== "object" || value === null) return [];
    if (signatureKey in value) return [path];
    return Object.entries(value).flatMap(([key, inner]) => sealedPaths(inner, path === "" ? key : `${path}.${key}`));
}

/** A resource of a stack, and the commands that the engine would perform on it. */
export class ManagedResource {
    /** `undefined` before the first `up` and after `destroy`. */
    state: State | undefined;

    constructor(
        readonly provider: pulumi.dynamic.ResourceProvider,
        readonly messages: { severity: Severity; message: string; urn: string | undefined }[],
        private readonly stack = "dev",
        private readonly lastFailure: () => StatecraftError | undefined = () => undefined,
    ) {}

    /** Creates a resource in Pulumi's dynamic host. */
    static of(operations: Operations, messages: ManagedResource["messages"] = [], stack?: string): ManagedResource {
        const failures = new NotedFailures();
        const provider = dynamicProvider(() => failures.of(operations), new Logins());
        return new ManagedResource(provider, messages, stack, failures.last);
    }

    get warnings(): string[] {
        return this.messages.filter(({ severity }) => severity === "warning").map(({ message }) => plain(message));
    }

    /** Calls `check`. Returns the checked inputs. */
    async check(inputs: Props, isPreview = false): Promise<Props> {
        assert(this.provider.check);
        const sent = {
            ...inputs,
            __provider: providerText,
            __statecraft: {
                urn: `urn:pulumi:${this.stack}::app::t::x`,
                owner: `o/app/${this.stack} x`,
                isPreview,
            },
        };
        const checked = await this.shown(
            this.provider.check(structuredClone(unsealed(this.state?.inputs ?? {})), structuredClone(sent)),
        );
        if (checked.failures && checked.failures.length > 0)
            throw new CheckFailed(checked.failures.map(({ reason }) => plain(reason)));
        return { ...checked.inputs, __provider: providerText };
    }

    /** All messages. */
    get said(): string {
        return this.messages.map(({ message }) => message).join("\n");
    }

    /** Previews the inputs. Returns the messages, without the note of a new object on what its deletion leaves. */
    async preview(inputs: Props): Promise<string[]> {
        const earlier = this.messages.length;
        await this.check(inputs, true);
        const said = this.messages.slice(earlier).map(({ message }) => plain(message));
        return said.filter((message) => !message.endsWith("[not-deleted]"));
    }

    /** Calls `diff` for the checked inputs. */
    async diff(inputs: Props): Promise<pulumi.dynamic.DiffResult> {
        assert(this.provider.diff && this.state);
        return this.shown(this.provider.diff(this.state.id, this.outputs(), unsealed(await this.check(inputs))));
    }

    /** Deploys the inputs, and returns this resource. */
    async deployed(inputs: Props): Promise<this> {
        await this.up(inputs);
        return this;
    }

    /** `pulumi up`. */
    async up(inputs: Props): Promise<Step> {
        const checked = await this.check(inputs);
        const news = unsealed(checked) as Props;
        if (this.state === undefined) {
            await this.create(checked);
            return "created";
        }
        assert(this.provider.diff && this.provider.update);
        const diff = await this.shown(this.provider.diff(this.state.id, this.outputs(), structuredClone(news)));
        if (diff.replaces && diff.replaces.length > 0) {
            const old = this.state;
            if (diff.deleteBeforeReplace) await this.destroy();
            this.state = undefined;
            const anew = await this.check(inputs);
            await this.create(anew).catch((error: unknown) => {
                if (!diff.deleteBeforeReplace) this.state ??= old;
                throw error;
            });
            if (!diff.deleteBeforeReplace) await this.deleteOld(old);
            return "replaced";
        }
        if (!diff.changes && this.state.initErrors.length === 0) {
            this.state.inputs = checked;
            return "same";
        }
        const { id } = this.state;
        await this.storing(checked, async () => {
            assert(this.provider.update);
            const result = await this.provider.update(id, this.outputs(), structuredClone(news));
            return { id, outputs: result.outs ?? {} };
        });
        return "updated";
    }

    /** `pulumi refresh`. Returns the names of the outputs that changed. */
    async refresh(): Promise<string[] | "gone"> {
        assert(this.provider.read && this.state);
        const before = this.state;
        const read = await this.shown(this.provider.read(before.id, this.outputs()));
        if (!read.id) {
            this.state = undefined;
            return "gone";
        }
        const outputs = { ...read.props, __provider: providerText };
        this.state = {
            id: read.id,
            outputs,
            inputs: { ...(read.inputs ?? before.inputs), __provider: providerText },
            initErrors: [],
        };
        const [old, now] = [unsealed(before.outputs) as Props, unsealed(outputs) as Props];
        return [...new Set([...Object.keys(old), ...Object.keys(now)])]
            .filter((name) => !name.startsWith("__") && !isDeepStrictEqual(old[name], now[name]))
            .sort();
    }

    /** Asserts that neither an `up` nor a refresh finds a change. */
    async isQuiet(inputs: Props): Promise<void> {
        assert.equal(await this.up(inputs), "same");
        assert.deepEqual(await this.refresh(), []);
        assert.equal(await this.up(inputs), "same", "after a refresh");
    }

    /** Reads the state by the id, and returns this resource. */
    async imported(id: string): Promise<this> {
        await this.get(id);
        return this;
    }

    /** `Resource.get`: reads the state by the id. */
    async get(id: string): Promise<void> {
        assert(this.provider.read);
        const { props, inputs } = await this.shown(this.provider.read(id, { __provider: providerText }));
        this.state = { id, inputs: inputs ?? {}, outputs: { ...props, __provider: providerText }, initErrors: [] };
    }

    /** `pulumi destroy`. */
    async destroy(): Promise<void> {
        assert(this.state);
        await this.deleteOld(this.state);
        this.state = undefined;
    }

    private async deleteOld({ id, outputs }: State): Promise<void> {
        assert(this.provider.delete);
        await this.shown(this.provider.delete(id, structuredClone(unsealed(outputs))));
    }

    /** Returns the outputs in state, with unencrypted secrets. */
    outputs(): Props {
        assert(this.state);
        return structuredClone(unsealed(this.state.outputs)) as Props;
    }

    private async create(checked: Props): Promise<void> {
        await this.storing(checked, async () => {
            const { id, outs } = await this.provider.create(structuredClone(unsealed(checked)));
            return { id, outputs: outs ?? {} };
        });
    }

    /** Stores the result of `verb`. As the engine does, it also stores an object if the error contains its id and properties. */
    private async storing(inputs: Props, verb: () => Promise<{ id: string; outputs: Props }>): Promise<void> {
        try {
            const { id, outputs } = await verb();
            this.state = { id, inputs, outputs: { ...outputs, __provider: providerText }, initErrors: [] };
        } catch (error) {
            const partial = error as { id?: string; properties?: Props; reasons?: string[] };
            if (partial.id !== undefined && partial.properties !== undefined) {
                this.state = { id: partial.id, inputs, outputs: partial.properties, initErrors: partial.reasons ?? [] };
            }
            throw this.asShown(error);
        }
    }

    /** Converts an error to what the engine shows: the reasons of a partly created object, else the message. */
    private asShown(error: unknown): Shown {
        const { reasons, message } = error as { reasons?: readonly string[]; message: string };
        return new Shown(reasons?.join("\n") ?? message, this.lastFailure());
    }

    /** Waits for a call of the provider, and converts its error to what the engine shows. */
    shown<Result>(verb: Promise<Result>): Promise<Result> {
        return verb.catch((error: unknown) => {
            throw this.asShown(error);
        });
    }
}
