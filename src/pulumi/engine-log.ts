/** Sends warnings and progress to the engine's log service, because Pulumi shows what a provider prints to standard error as a failure. */

import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { Runtime } from "../core/context";
import { requireBesideSdk } from "./sdk";

/**
 * Sends messages to the engine at this address, which shows them at the resource of their URN, or under the stack. Connects at the first
 * message. Repeated warnings, and repeated informational messages of one resource, are sent only once.
 */
export function hostLog(address: string): Runtime["say"] {
    let client: EngineClient | undefined;
    const sent = new Set<string>();
    return (severity, message, urn = "") => {
        const key = JSON.stringify([message, urn]);
        // The engine checks a replaced resource twice, which repeats its warnings.
        const isOnce = severity === "warning" || (severity === "info" && urn !== "");
        if (isOnce && sent.has(key)) return;
        sent.add(key);
        const { LogRequest, LogSeverity } = requireBesideSdk("@pulumi/pulumi/proto/engine_pb");
        const { DEBUG, INFO, WARNING } = LogSeverity;
        const request = new LogRequest()
            .setMessage(message)
            .setUrn(urn)
            .setEphemeral(severity === "progress");
        request.setSeverity({ debug: DEBUG, progress: INFO, info: INFO, warning: WARNING }[severity]);
        client ??= connect(address);
        // A failure to show a message must not fail the deployment.
        client.log(request, () => undefined);
    };
}

function connect(address: string): EngineClient {
    const { EngineClient } = requireBesideSdk("@pulumi/pulumi/proto/engine_grpc_pb");
    const grpc = requireBesideSdk("@grpc/grpc-js");
    // Without this option, gRPC would use the proxy of the environment, although the engine runs on this machine.
    return new EngineClient(address, grpc.credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
}
