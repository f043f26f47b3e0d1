#!/usr/bin/env node

/** The executable `pulumi-resource-statecraft`: Pulumi's engine starts it, reads the port from its output and connects to it. */

import type { Runtime } from "../core/context";
import { OwnedObjects } from "../core/owned-objects";
import { hostLog } from "../pulumi/engine-log";
import { requireBesideSdk } from "../pulumi/sdk";
import type { Backend } from "./backend";
import { providerService } from "./service";

const grpc = requireBesideSdk("@grpc/grpc-js");
const { ResourceProviderService } = requireBesideSdk("@pulumi/pulumi/proto/provider_grpc_pb");

/** The engine's own limit. */
const maxMessageBytes = 400 * 1024 ** 2;

/** Serves the provider on a free port. */
function serve(engine: string | undefined): void {
    let say: Runtime["say"] = () => undefined;
    const attach = (address: string) => {
        say = hostLog(address);
    };
    if (engine !== undefined) attach(engine);
    let backend: Backend | undefined;
    const server = new grpc.Server({ "grpc.max_receive_message_length": maxMessageBytes });
    const service = providerService({
        backend() {
            if (backend === undefined) {
                const { createBackend } = require("./backend") as typeof import("./backend");
                backend = createBackend(new OwnedObjects(), {
                    environment: process.env,
                    say: (...message) => say(...message),
                });
            }
            return backend;
        },
        attach,
        cancellation: new AbortController(),
    });
    server.addService(ResourceProviderService, service);
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
        if (error) throw error;
        process.stdout.write(`${port}\n`);
    });
}

// The engine's address is the last argument. Flags for the log may precede it.
const engine = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));
serve(engine);
// The engine keeps standard input open, so its end means that the engine is gone. Without an engine the process runs until a signal ends it.
if (engine !== undefined) process.stdin.on("end", () => process.exit()).resume();
