/**
 * How long the native plugin takes until its first answer, beside a process that loads gRPC and Pulumi's protocol files, and answers the
 * same call, and does nothing else. Needs `npm run build`. The goal is a ratio of at most 1.15; no test, because time depends on the machine.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

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

const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

async function main(): Promise<void> {
    const [plugin, baseline]: [number[], number[]] = [[], []];
    for (let round = 0; round < 15; round++) {
        plugin.push(await firstAnswer([join("dist", "plugin", "main.js")]));
        baseline.push(await firstAnswer(["-e", alone]));
    }
    const [own, least] = [median(plugin), median(baseline)];
    console.log(`plugin ${own.toFixed(0)} ms, gRPC alone ${least.toFixed(0)} ms: ratio ${(own / least).toFixed(2)}`);
}

void main();
