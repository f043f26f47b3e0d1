/** The engine's log service, for warnings and progress. Pulumi shows what a provider prints to standard error as a failure. */

import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { Runtime, Severity } from "../core/context";
import { requireBesideSdk } from "./sdk";

/** Sends a message to the engine, which shows it at the resource of the URN, or under the stack. Resolves when the engine has it. */
export type EngineLog = (severity: Severity, message: string, urn?: string) => Promise<void>;

/** The log of the engine at this address. It connects at the first message. */
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

/** Sends the messages of a runtime to the engine. A repeated message of a run or a resource is sent once. */
export function hostLog(address: string): Runtime["say"] {
    const log = engineLog(address);
    const told = new Set<string>();
    return (severity, message, urn) => {
        const key = JSON.stringify([message, urn]);
        // The engine checks a replaced resource twice.
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
    // The engine runs on this machine, but gRPC would use the proxy of the environment unless NO_PROXY names the loopback address.
    return new EngineClient(address, grpc.credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
}
