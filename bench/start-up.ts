/**
 * Measures start-up: a program that imports statecraft compared with one that imports Pulumi's SDK alone; the first answer of Pulumi's dynamic
 * host compared with a provider whose seven methods do nothing; and the first answer of the native plugin compared with a process that only loads
 * gRPC and Pulumi's protocol files.
 */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { CheckRequest, ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { providerText } from "../src/pulumi/dynamic-class";
import { type Figure, inTurns, median, ratio } from "./figures";

const root = join(__dirname, "..");

/** CPU seconds and megabytes of a program that only imports these packages. */
function imported(...names: readonly string[]): { readonly cpu: number; readonly memory: number } {
    const program = `
        for (const name of ${JSON.stringify(names)}) require(name);
        const { user, system } = process.cpuUsage();
        gc();
        console.log(JSON.stringify({ cpu: (user + system) / 1e6, memory: process.memoryUsage().heapUsed / 1e6 }));`;
    const args = ["--expose-gc", "--eval", program];
    return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" }));
}

/** A provider in the form that Pulumi stores in state. Its methods do nothing. */
const emptyProvider = `exports.handler = () => ({
    configure: async () => undefined,
    check: async (_, inputs) => ({ inputs, failures: [] }),
    diff: async () => ({ changes: false }),
    create: async (outs) => ({ id: "id", outs }),
    read: async (id, props) => ({ id, props }),
    update: async (_, __, outs) => ({ outs }),
    delete: async () => undefined,
})`;

const role = { name: "web", boundLocations: ["north"], tokenPolicies: ["web"], tokenTtl: "1h" };

/** The end of a call of gRPC. */
const answered = (call: (done: (error: Error | null) => void) => unknown) =>
    new Promise<void>((resolve, reject) => call((error) => (error ? reject(error) : resolve())));

/** Seconds of Pulumi's dynamic host up to its first answer, a `check`: of the clock, and of the CPU. */
async function firstCheck(provider: string): Promise<{ readonly wall: number; readonly cpu: number }> {
    const begun = performance.now();
    const host = join(root, "node_modules", "@pulumi", "pulumi", "cmd", "dynamic-provider", "index.js");
    // The CPU time of a process is known when it ends.
    const report = 'process.on("SIGTERM", () => { console.log(JSON.stringify(process.cpuUsage())); process.exit(); })';
    const preload = `data:text/javascript,${encodeURIComponent(report)}`;
    const child = spawn(process.execPath, ["--import", preload, host, "127.0.0.1:1"], {
        cwd: root,
        stdio: ["ignore", "pipe", "inherit"],
    });
    const [port] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    const client = new ResourceProviderClient(`127.0.0.1:${port.trim()}`, credentials.createInsecure());
    const configuration = new ConfigureRequest();
    configuration.setArgs(Struct.fromJavaScript({}));
    await answered((done) => client.configure(configuration, done));
    const request = new CheckRequest();
    request.setOlds(Struct.fromJavaScript({}));
    request.setNews(Struct.fromJavaScript({ ...role, __provider: provider }));
    await answered((done) => client.check(request, done));
    const wall = (performance.now() - begun) / 1000;
    client.close();
    child.kill();
    const [usage] = (await once(child.stdout, "data")) as [string];
    const { user, system }: NodeJS.CpuUsage = JSON.parse(usage);
    return { wall, cpu: (user + system) / 1e6 };
}

const gRpcAlone = `
    const grpc = require("@grpc/grpc-js");
    const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb");
    const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");
    const server = new grpc.Server();
    server.addService(ResourceProviderService, { getPluginInfo: (_, done) => done(null, new PluginInfo()) });
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (_, port) => console.log(port));
`;

/** Milliseconds from the start of a plugin's process to its first answer. @param home Pulumi's home, which has the plugin's compile cache */
async function firstAnswer(home: string, command: string, ...args: readonly string[]): Promise<number> {
    const begun = performance.now();
    const env = { ...process.env, PULUMI_HOME: home };
    // The engine's address makes the plugin end with its standard input.
    const child = spawn(command, [...args, "127.0.0.1:1"], { cwd: root, env, stdio: ["pipe", "pipe", "inherit"] });
    const [port] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    const client = new ResourceProviderClient(`127.0.0.1:${port.trim()}`, credentials.createInsecure());
    await answered((done) => client.getPluginInfo(new Empty(), done));
    const passed = performance.now() - begun;
    client.close();
    // As the engine does.
    child.kill("SIGINT");
    await once(child, "exit");
    return passed;
}

/** Measures the first answer of the native plugin, as a file for Node and as an executable. */
export async function measureFirstAnswers(): Promise<Figure[]> {
    const { makeExecutable } = await import("../scripts/plugin.mjs");
    const home = mkdtempSync(join(tmpdir(), "statecraft-bench-"));
    try {
        const bin = join(home, "bin");
        mkdirSync(bin);
        const executable = await makeExecutable(bin);
        const node = process.execPath;
        const answers = await inTurns(2 * rounds, {
            alone: () => firstAnswer(home, node, "-e", gRpcAlone),
            plugin: () => firstAnswer(home, node, join("dist", "plugin", "main.js")),
            executable: () => firstAnswer(home, executable),
        });
        const least = (of: keyof typeof answers) => `${Math.min(...answers[of]).toFixed(0)} ms`;
        return [
            [`gRPC alone, Node ${process.versions.node}`, least("alone")],
            ["the native plugin", least("plugin")],
            ["the same as an executable", least("executable")],
        ];
    } finally {
        rmSync(home, { recursive: true, force: true });
    }
}

const rounds = 15;

/** Measures everything about start-up. */
export async function measure(): Promise<Figure[]> {
    const imports = await inTurns(rounds, {
        sdk: () => imported("@pulumi/pulumi"),
        dynamic: () => imported("@pulumi/pulumi", "pulumi-statecraft"),
        native: () => imported("@pulumi/pulumi", "pulumi-statecraft/native"),
    });
    const cpu = (of: keyof typeof imports) => imports[of].map((usage) => usage.cpu);
    const memory = (of: keyof typeof imports) => median(imports[of].map((usage) => usage.memory));
    const more = (of: "dynamic" | "native") => `${(memory(of) - memory("sdk")).toFixed(2)} MB`;
    const checks = await inTurns(rounds, {
        empty: () => firstCheck(emptyProvider),
        own: () => firstCheck(providerText("AuthRole")),
    });
    const host = (of: keyof typeof checks, what: "wall" | "cpu") => checks[of].map((one) => one[what]);
    return [
        ["CPU of an import of `pulumi-statecraft`, beside Pulumi's SDK alone", ratio(cpu("dynamic"), cpu("sdk"))],
        ["its memory on top of the SDK's", more("dynamic")],
        ["CPU of an import of `pulumi-statecraft/native`, beside the SDK alone", ratio(cpu("native"), cpu("sdk"))],
        ["its memory on top of the SDK's", more("native")],
        [
            "CPU of the dynamic host to its first answer, beside an empty provider",
            ratio(host("own", "cpu"), host("empty", "cpu")),
        ],
        ["time of the dynamic host to its first answer", `${median(host("own", "wall")).toFixed(2)} s`],
        ["the same with an empty provider: the part of Pulumi", `${median(host("empty", "wall")).toFixed(2)} s`],
    ];
}
