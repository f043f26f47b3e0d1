/** The engine's own log: where a provider's warnings and progress belong. What a provider prints to its standard error is shown as a failure. */

import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { Runtime, Severity } from "../core/runtime";
import { requireBesideSdk } from "./sdk";

/** Sends a message to the engine, to stand at the resource of the URN, else under the stack. Resolves when the engine has it. */
export type EngineLog = (severity: Severity, message: string, urn?: string) => Promise<void>;

/** The log of the engine that listens on this address; it connects at the first message. */
export function engineLog(address: string): EngineLog {
    let client: EngineClient | undefined;
    return (severity, message, urn) => {
        const { LogRequest, LogSeverity } = requireBesideSdk("@pulumi/pulumi/proto/engine_pb");
        client ??= connect(address);
        const request = new LogRequest();
        request.setSeverity(severityIn(LogSeverity, severity));
        request.setMessage(message);
        request.setUrn(urn ?? "");
        request.setEphemeral(severity === "progress");
        const engine = client;
        // A message that cannot be shown must not fail a deployment.
        return new Promise((resolve) => engine.log(request, () => resolve()));
    };
}

/** What a runtime says to the engine. The same warning for many operations of one run is one warning, and what a resource says is said once. */
export function hostLog(address: string): Runtime["say"] {
    const log = engineLog(address);
    const told = new Set<string>();
    return (severity, message, urn) => {
        const key = JSON.stringify([message, urn]);
        // The engine checks what it replaces twice.
        const isOnce = severity === "warning" || (severity === "info" && urn !== undefined);
        if (isOnce && told.has(key)) return;
        told.add(key);
        void log(severity, message, urn);
    };
}

function severityIn(severities: typeof import("@pulumi/pulumi/proto/engine_pb").LogSeverity, severity: Severity) {
    if (severity === "warning") return severities.WARNING;
    return severity === "debug" ? severities.DEBUG : severities.INFO;
}

function connect(address: string): EngineClient {
    const { EngineClient } = requireBesideSdk("@pulumi/pulumi/proto/engine_grpc_pb");
    const grpc = requireBesideSdk("@grpc/grpc-js");
    // The engine is on this machine, where no proxy leads; this library would ask one unless NO_PROXY names the loopback address.
    return new EngineClient(address, grpc.credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
}
