/** How long the native plugin takes to its first answer, beside a process that loads gRPC and Pulumi's protocol files and answers the same call. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { atMost, inTurns, type Measurement, median } from "./measurement";

const alone = `
    const grpc = require("@grpc/grpc-js");
    const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb");
    const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");
    const server = new grpc.Server();
    server.addService(ResourceProviderService, { getPluginInfo: (_, done) => done(null, new PluginInfo()) });
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (_, port) => console.log(port));
`;

/** Milliseconds from the start of a process to its first answer. */
async function firstAnswer(args: readonly string[]): Promise<number> {
    const begun = performance.now();
    const child = spawn(process.execPath, args, { cwd: join(__dirname, ".."), stdio: ["pipe", "pipe", "inherit"] });
    const [port] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    const client = new ResourceProviderClient(`127.0.0.1:${port.trim()}`, credentials.createInsecure());
    await new Promise((resolve, reject) => {
        client.getPluginInfo(new Empty(), (error, answer) => (error ? reject(error) : resolve(answer)));
    });
    const passed = performance.now() - begun;
    client.close();
    child.kill();
    return passed;
}

export async function measure(): Promise<Measurement[]> {
    const times = await inTurns(15, {
        plugin: () => firstAnswer([join("dist", "plugin", "main.js")]),
        alone: () => firstAnswer(["-e", alone]),
    });
    const ratio = median(times.plugin) / median(times.alone);
    return [atMost("Start-up", "the native plugin's first answer, beside gRPC alone", ratio, 1.15)];
}
