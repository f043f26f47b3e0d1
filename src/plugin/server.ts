/**
 * The plugin's gRPC server: Pulumi's engine starts the process, reads the port from its output and connects to it. With any other arguments
 * than those of the engine, the process runs a command, or ends with 2 because it knows none of that name.
 */

import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { Runtime } from "../core/context";
import { OwnedObjects } from "../core/owned-objects";
import { hostLog } from "../pulumi/engine-log";
import { requireBesideSdk } from "../pulumi/sdk";
import { Logins } from "../runtime/runtime";
import type { Backend } from "./backend";
import { providerService } from "./service";

const grpc = requireBesideSdk("@grpc/grpc-js");

/** The engine's limit for the size of a message. */
const maxMessageBytes = 400 * 1024 ** 2;

// The flags are those of `buildPluginArguments` in sdk/go/common/resource/plugin/plugin.go of Pulumi.
const args = process.argv.slice(2);
const isFlag = (text: string, at: number) =>
    /^(--logtostderr|-v=\d+|--tracing)$/.test(text) || args[at - 1] === "--tracing";
const [engine, ...others] = args.filter((text, at) => !isFlag(text, at));
let say: Runtime["say"] = engine === undefined ? () => undefined : hostLog(engine);
let backend: Backend | undefined;
const logins: Logins = new Logins(() => logins.watchSignals());

const service = providerService({
    logins,
    backend() {
        // Loaded when it is needed, because `pulumi package get-schema` does not need it.
        const { createBackend } = require("./backend") as typeof import("./backend");
        const sayNow = (...message: Parameters<Runtime["say"]>) => say(...message);
        backend ??= createBackend(new OwnedObjects(), { environment: process.env, logins, say: sayNow });
        return backend;
    },
    attach(address) {
        say = hostLog(address);
        // A process that a user has started (PULUMI_DEBUG_PROVIDERS) serves one engine after the other.
        if (engine === undefined) backend?.release();
    },
});

function serve(): void {
    const server = new grpc.Server({ "grpc.max_receive_message_length": maxMessageBytes });
    server.addService(ResourceProviderService, service);
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
        if (error) throw error;
        process.stdout.write(`${port}\n`);
    });
    // Standard input ends when the engine ends. Without an engine, the process runs until a signal ends it.
    const end = () => void logins.revokeTokens(true).finally(() => process.exit());
    if (engine !== undefined) process.stdin.on("end", end).resume();
}

if (engine === undefined || (others.length === 0 && /:\d+$/.test(engine))) serve();
else {
    const { commands, runProcess } = require("../command/program") as typeof import("../command/program");
    void runProcess("pulumi-resource-statecraft", commands);
}
