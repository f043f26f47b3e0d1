/** The stack's configuration, read through the Pulumi CLI, because only that can decrypt it. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { configKeys, unknownKeys } from "../core/config-keys";
import type { ConfigReader } from "../runtime/config";
import { isRecord } from "../schema/unknown";
import type { Finding } from "./report";
import type { Ended, Surroundings } from "./surroundings";

/** What there is of the stack's configuration. */
export interface StackConfig {
    readonly read: ConfigReader;
    /** Whether a key is kept in clear in the stack's file. */
    isInClear(key: string): boolean;
    readonly finding: Finding;
}

/** Reads the configuration of the selected stack, or of the named one. Without a project or a CLI there is none. */
export async function readStackConfig(around: Surroundings, stack: string | undefined): Promise<StackConfig> {
    const result = stack === undefined ? "skipped" : "failed";
    if (!isInProject(around.folder)) {
        return without(
            result,
            "the current folder is in no Pulumi project: settings are taken from the environment only",
        );
    }
    const named = stack === undefined ? [] : ["--stack", stack];
    const ended = await around
        .pulumi(["config", "--json", "--show-secrets", "--non-interactive", ...named])
        .catch((error: unknown): Ended => ({ code: 1, out: "", error: String(error) }));
    if (ended === undefined) {
        return without(
            result,
            "there is no Pulumi CLI on PATH, so the stack's configuration was not read: settings are taken from the environment only",
        );
    }
    if (ended.code !== 0) return unreadable(ended, stack);
    const values = parse(ended.out);
    if (values === undefined) {
        return without("failed", "the Pulumi CLI printed no configuration", "Is it version 3.150 or newer?");
    }
    const of = (key: string) => (isRecord(values[key]) ? values[key] : undefined);
    const set = configKeys.filter((key) => of(key) !== undefined);
    const unknown = unknownKeys(Object.keys(values), undefined);
    return {
        read(key) {
            const value = of(key)?.["value"];
            return typeof value === "string" ? value : undefined;
        },
        isInClear: (key) => of(key)?.["secret"] !== true,
        finding: {
            service: "stack",
            check: "configuration",
            result: unknown.length === 0 ? "ok" : "warning",
            detail: set.length === 0 ? "it sets nothing of statecraft" : `it sets ${set.join(", ")}`,
            ...(unknown.length > 0 && {
                advice: `The keys are ${configKeys.join(", ")}; ${unknown.join(", ")} has no effect`,
            }),
        },
    };
}

/** No stack selected is a way to work: with the environment alone. Anything else should have been readable. */
function unreadable({ error }: Ended, stack: string | undefined): StackConfig {
    const said = error
        .replace(/^error: /gm, "")
        .replace(/\s+/g, " ")
        .trim()
        .slice(0, 300);
    const isUnselected = stack === undefined && /no stack selected/.test(said);
    return isUnselected
        ? without(
              "skipped",
              "no stack is selected: settings are taken from the environment only",
              "Name one with --stack",
          )
        : without("failed", `the Pulumi CLI cannot read it: ${said}`, "Make `pulumi config` work here first");
}

function without(result: "skipped" | "failed", detail: string, advice?: string): StackConfig {
    return {
        read: () => undefined,
        isInClear: () => false,
        finding: { service: "stack", check: "configuration", result, detail, ...(advice && { advice }) },
    };
}

function isInProject(folder: string): boolean {
    for (let place = folder; ; place = dirname(place)) {
        if (["yaml", "yml", "json"].some((ending) => existsSync(join(place, `Pulumi.${ending}`)))) return true;
        if (dirname(place) === place) return false;
    }
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
    try {
        const value: unknown = JSON.parse(text);
        return isRecord(value) ? value : undefined;
    } catch {
        return undefined;
    }
}
