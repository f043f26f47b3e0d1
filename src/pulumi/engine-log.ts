/** The engine's own log: where a provider's warnings and progress belong. what a provider prints to its standard error is shown as a failure. */

import { createRequire } from "node:module";
import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { Severity } from "../core/runtime";

/** Sends a message to the engine, to stand at the resource of the URN, else under the stack. Resolves when the engine has it. */
export type EngineLog = (severity: Severity, message: string, urn?: string) => Promise<void>;

/** The log of the engine that listens on this address; it connects at the first message. */
export function engineLog(address: string): EngineLog {
    let client: EngineClient | undefined;
    return (severity, message, urn) => {
        const { LogRequest, LogSeverity } =
            require("@pulumi/pulumi/proto/engine_pb") as typeof import("@pulumi/pulumi/proto/engine_pb");
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

function severityIn(severities: typeof import("@pulumi/pulumi/proto/engine_pb").LogSeverity, severity: Severity) {
    if (severity === "warning") return severities.WARNING;
    return severity === "debug" ? severities.DEBUG : severities.INFO;
}

function connect(address: string): EngineClient {
    const { EngineClient } =
        require("@pulumi/pulumi/proto/engine_grpc_pb") as typeof import("@pulumi/pulumi/proto/engine_grpc_pb");
    // Credentials must be made by the same copy of gRPC that the generated client uses: the one beside the SDK.
    const grpc = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
    return new EngineClient(address, grpc.credentials.createInsecure());
}
