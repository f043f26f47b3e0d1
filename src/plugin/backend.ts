/** What the plugin serves: the definitions, on the runtime that its configuration decides. */

import { providerCommands, pulumiCommands } from "../commands";
import { serviceKeys, unknownKeys } from "../core/config-keys";
import { bothKeys, notAKey } from "../core/failures";
import { invokeFunction } from "../core/invoke";
import type { Operations } from "../core/operations";
import type { OwnedObjects } from "../core/owned-objects";
import { operationsOf } from "../core/resource-operations";
import type { DeploymentContext } from "../core/runtime";
import { StatecraftError } from "../errors";
import { createRuntimes, type RuntimeOptions } from "../runtime/runtime";
import { fromJson, serviceFields, settingsSchema } from "../runtime/settings-schema";
import { factsOf, type Values } from "../schema/facts";
import type { Finding } from "../schema/finding";
import { objectNode } from "../schema/node";
import { holdsSealed, sealed, sealSecrets, unsealed } from "../schema/secrets";
import { holdsUnknown, isRecord } from "../schema/unknown";
import { mapValues } from "../schema/values";
import { loadFunction, loadResource } from "../services/on-demand";

/** What a check came to. */
export interface Checked {
    readonly inputs: Values;
    readonly failures: readonly Finding[];
}

/** What the gRPC service asks for. Tokens are those of the package schema: `statecraft:index:AuthRole`. */
export interface Backend {
    checkConfig(inputs: Values, urn: string): Checked;
    /** @param urn the provider's, where the engine tells it */
    configure(inputs: Values, urn?: string): void;
    /** The operations of a resource. @throws StatecraftError for a type that is not ours */
    operations(token: string): Operations;
    /** Runs a function. @throws StatecraftError for one that is not ours */
    invoke(token: string, args: Values, about: DeploymentContext): Promise<Values>;
}

/** Makes what one process of the plugin serves: one run of a program, or of several by the same settings. */
export function createBackend(owned: OwnedObjects | undefined, options: RuntimeOptions): Backend {
    const runtimeOf = createRuntimes(options);
    let runtime = runtimeOf(() => undefined);
    const known = new Map<string, Operations>();
    const load = (token: string): Operations => {
        const type = loadResource(nameOf(token));
        if (type === undefined) throw unknownToken("resource type", token);
        return operationsOf(type, runtime, owned);
    };
    return {
        checkConfig(inputs, urn) {
            const [, project] = urn.split("::");
            const names = Object.keys(inputs).filter((name) => !ofEngine.has(name));
            const keys = names.map((name) => `statecraft:${name}`);
            for (const unknown of unknownKeys(keys, project)) options.say("warning", notAKey(unknown), urn);
            return checkConfig(inputs);
        },
        configure(inputs, urn = "") {
            const setting = (key: string) => asText(unsealed(inputs[key.replace(/^statecraft:/, "")]));
            const explicit = isExplicit(urn);
            runtime = runtimeOf(setting, {
                commands: explicit ? providerCommands : pulumiCommands,
                isExplicit: explicit,
            });
            known.clear();
        },
        operations(token) {
            const operations = known.get(token) ?? load(token);
            known.set(token, operations);
            return operations;
        },
        async invoke(token, args, about) {
            const definition = loadFunction(nameOf(token));
            if (definition === undefined) throw unknownToken("function", token);
            return sealSecrets(objectNode(definition.result), await invokeFunction(definition, runtime, args, about));
        },
    };
}

/** Whether a program declares this provider. The engine calls those that it makes itself `default`, or `default_` and the version. */
const isExplicit = (urn: string) => {
    const [, , , name = "default"] = urn.split("::");
    return !/^default(_|$)/.test(name);
};

/** What the engine adds to the configuration of every provider. */
const ofEngine: ReadonlySet<string> = new Set(["version", "pluginDownloadURL", "pluginChecksums"]);

const unknownToken = (kind: string, token: string) =>
    new StatecraftError("type", `there is no ${kind} ${token}`, {
        hint: "Check the spelling, and that the program and the plugin are of one version",
    });

/** The name in a token of ours; of another one, nothing that is a name. */
const nameOf = (token: string) =>
    token.startsWith("statecraft:index:") ? token.slice("statecraft:index:".length) : "";

/** What is not known yet is right, whatever it will be. What holds a token is secret, whether the program says so or not. */
function checkConfig(written: Values): Checked {
    const inputs = mapValues(written, asSetting);
    const given = mapValues(inputs, fromJson);
    const known = Object.entries(given).filter(([name, value]) => name in settingsSchema.shape && !holdsUnknown(value));
    const { error } = settingsSchema.safeParse(Object.fromEntries(known));
    const failures = error?.issues.map(({ path, message }) => ({ path: path.join("."), reason: message })) ?? [];
    for (const { product, documented } of Object.values(serviceKeys)) {
        if (!(product.key in given && documented.key in given)) continue;
        failures.push({ path: product.key, reason: bothKeys({ one: product.key, other: documented.key }) });
    }
    const isSecret = (name: string) => holdsSecret(given[name]) || holdsSealed(fromJson(written[name]));
    return { inputs: mapValues(inputs, (value, name) => (isSecret(name) ? sealed(value) : value)), failures };
}

/** A setting without the engine's marks of secrets. Pulumi's SDK for Java puts them inside the text. */
function asSetting(value: unknown): unknown {
    const given = fromJson(value);
    if (!isRecord(given)) return value;
    const plain = unsealed(given);
    return typeof value === "string" && isRecord(plain) ? JSON.stringify(plain) : plain;
}

const secretSettings = new Set(
    Object.entries(serviceFields).flatMap(([name, type]) => (factsOf(type).secret ? [name] : [])),
);

function holdsSecret(value: unknown): boolean {
    return (
        isRecord(value) && Object.entries(value).some(([name, inner]) => secretSettings.has(name) || holdsSecret(inner))
    );
}

/** The engine passes the stack's configuration on as text, and explicit providers' as their program writes it. */
function asText(value: unknown): string | undefined {
    if (value === undefined || value === null) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
}
