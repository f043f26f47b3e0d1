/** The resources and functions of the plugin, with the settings that the engine configures. */

import { asAlarms, type DeploymentContext, failing } from "../core/context";
import { invokeFunction, listObjects } from "../core/functions";
import { Operations } from "../core/operations";
import type { OwnedObjects } from "../core/owned-objects";
import type { ServiceName } from "../core/service";
import { Voice } from "../core/voice";
import { ConfigError, StatecraftError, textOf } from "../errors";
import { loadFunction, loadResource } from "../generated/registry";
import { createRuntimes, type RuntimeOptions } from "../runtime/runtime";
import type { Finding } from "../schema/check";
import { objectNode } from "../schema/property";
import { sealed, sealSecrets, unsealed } from "../schema/secrets";
import { filterValues, holdsUnknown, isRecord, mapValues, type Values } from "../schema/values";
import { unknownKeyWarnings, unprefixed } from "../settings/config-keys";
import { readSettings, readStrict } from "../settings/settings";
import { fromJson } from "../settings/settings-schema";

/** The result of a check: the inputs that state stores, and the problems. */
export type Checked = Awaited<ReturnType<Operations["check"]>>;

/** The functions that the gRPC service calls. */
export type Backend = ReturnType<typeof createBackend>;

/**
 * Makes the backend of one process of the plugin. The engine starts a process for each provider of a run. Types and functions have names
 * such as `statecraft:index:AuthRole`, which Pulumi calls tokens.
 */
export function createBackend(owned: OwnedObjects | undefined, options: RuntimeOptions) {
    const runtimeOf = createRuntimes(options);
    let runtime = runtimeOf(() => undefined);
    let isConfigured = false;
    return {
        /** Lets an engine set other settings, which attaches to a process that a user has started. */
        release(): void {
            isConfigured = false;
        },
        checkConfig(inputs: Values, urn: string): Checked {
            const [, project] = urn.split("::");
            const names = Object.keys(inputs).filter((name) => !engineKeys.has(name));
            const keys = names.map((name) => `statecraft:${name}`);
            const unknown = unknownKeyWarnings(keys, project).map((reason) => ({ path: "", reason, code: "config" }));
            const voice = new Voice({ say: options.say, secrets: [] }, { urn });
            return checkConfig(inputs, options.environment, (strict) => failing(asAlarms(unknown), strict, voice));
        },
        /**
         * Sets the settings, once: any process of the machine can connect to the port, and other settings could lead a token of the
         * environment to another server.
         * @param urn the URN of the provider, which older engines do not send
         * @throws StatecraftError for other settings than those of the first call
         */
        configure(inputs: Values, urn = ""): void {
            const configured = runtimeOf((key) => asText(inputs[unprefixed(key)]), isExplicit(urn));
            if (isConfigured && configured !== runtime) {
                const problem = "statecraft: this process of the plugin has other settings already";
                const error = new StatecraftError("config", problem, { hint: "Start another process for them" });
                throw error.reword({ message: textOf(error) });
            }
            [runtime, isConfigured] = [configured, true];
        },
        /** The operations of a resource. @throws StatecraftError for a type that the plugin does not have */
        operations(token: string): Operations {
            const type = loadResource(nameOf(token));
            if (type === undefined) throw unknownToken("resource type", token);
            return new Operations(type, runtime, owned);
        },
        /** Lists the objects of a resource. @throws StatecraftError for a type that the plugin cannot list */
        async list(token: string, query: Values, limit: number, about: DeploymentContext) {
            const resource = loadResource(nameOf(token));
            if (resource?.list === undefined) throw unknownToken("list of", token);
            return listObjects({ ...resource, list: resource.list }, runtime, query, limit, about);
        },
        /** Calls a function. @throws StatecraftError for a function that the plugin does not have */
        async invoke(token: string, args: Values, about: DeploymentContext): Promise<Values> {
            const definition = loadFunction(nameOf(token));
            if (definition === undefined) throw unknownToken("function", token);
            return sealSecrets(objectNode(definition.result), await invokeFunction(definition, runtime, args, about));
        },
    };
}

/** Whether the program declares the provider. The engine names its own default providers `default`, or `default_` and the version. */
const isExplicit = (urn: string) => {
    const [, , , name = "default"] = urn.split("::");
    return !/^default(_|$)/.test(name);
};

/** Keys that the engine adds to the configuration of every provider. */
const engineKeys: ReadonlySet<string> = new Set(["version", "pluginDownloadURL", "pluginChecksums"]);

const unknownToken = (kind: string, token: string) =>
    new StatecraftError("type", `there is no ${kind} ${token}`, {
        hint: "Check the spelling, and that the program and the plugin are of one version",
    });

/** The name in a token such as `statecraft:index:AuthRole`; empty for a token of another package. */
const nameOf = (token: string) =>
    token.startsWith("statecraft:index:") ? token.slice("statecraft:index:".length) : "";

/** Checks settings, except those that are not known yet. Settings of servers are stored as secrets, because they may contain tokens. */
function checkConfig(
    written: Values,
    environment: NodeJS.ProcessEnv,
    warn: (strict: boolean) => readonly Finding[],
): Checked {
    // Pulumi's SDKs send objects as JSON text. In the text of the SDK for Java, secrets are sealed.
    const inputs = mapValues(written, (value) => {
        const parsed = fromJson(value);
        return isRecord(parsed) ? unsealed(parsed) : value;
    });
    const config = (key: string) => {
        const value = inputs[unprefixed(key)];
        if (!isRecord(value)) return holdsUnknown(value) ? undefined : asText(value);
        return JSON.stringify(filterValues(value, (field) => !holdsUnknown(field)));
    };
    const services: readonly ServiceName[] = ["manager", "volumes", "stateVersions"];
    const reads = services.map((service) => () => {
        readSettings(service, undefined, config, {}, true);
        return [];
    });
    const failures = [...reads, () => warn(readStrict(config, environment))].flatMap((read): readonly Finding[] => {
        try {
            return read();
        } catch (error) {
            if (!(error instanceof ConfigError)) throw error;
            return [{ path: "", reason: error.message, code: error.code }];
        }
    });
    return { inputs: mapValues(inputs, (value) => (isRecord(value) ? sealed(value) : value)), failures };
}

/** A setting as text: the engine sends the stack's configuration as text, and the arguments of an explicit provider as values. */
function asText(value: unknown): string | undefined {
    if (value === undefined || value === null) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
}
