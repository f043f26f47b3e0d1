/**
 * The plugin's gRPC server: Pulumi's engine starts the process, reads the port from its output and connects to it. If the first argument is
 * the name of a command, the process runs the command instead: the arguments of the engine begin with flags or an address.
 */

import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { commandNames } from "../command/names";
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

// The engine's address is the last argument. Flags for the log may precede it.
const engine = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));
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

if (commandNames.some((name) => name === process.argv[2])) {
    const { commands, runProcess } = require("../command/program") as typeof import("../command/program");
    void runProcess("pulumi-resource-statecraft", commands);
} else serve();
