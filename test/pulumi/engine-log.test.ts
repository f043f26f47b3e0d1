import assert from "node:assert/strict";
import { createRequire } from "node:module";
import type { ServerUnaryCall } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { engineLog, hostLog } from "../../src/pulumi/engine-log";
import { withEnvironment } from "../http/support";

// The copy of gRPC that the generated code uses.
const grpc = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js") as typeof import("@grpc/grpc-js");

describe("the engine's log", () => {
    const engine = new grpc.Server();
    const logged: LogRequest[] = [];
    let address = "";
    let heard = () => {};

    before(async () => {
        const nothing = EngineService.log.responseDeserialize(Buffer.alloc(0));
        engine.addService(EngineService, {
            log: (call: ServerUnaryCall<LogRequest, unknown>, answer: (error: null, value: unknown) => void) => {
                logged.push(call.request);
                answer(null, nothing);
                heard();
            },
        });
        const port = await new Promise<number>((resolve, reject) => {
            const credentials = grpc.ServerCredentials.createInsecure();
            engine.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
        });
        address = `127.0.0.1:${port}`;
    });
    after(() => engine.forceShutdown());

    it("gets warnings at the resource, progress for a moment, and the rest for debugging", async () => {
        const log = engineLog(address);
        await log("warning", "a warning", "urn:1");
        await log("progress", "50 %");
        await log("info", "good to know", "urn:1");
        await log("debug", "details");
        assert.deepEqual(
            logged.map((request) => [
                request.getSeverity(),
                request.getMessage(),
                request.getUrn(),
                request.getEphemeral(),
            ]),
            [
                [LogSeverity.WARNING, "a warning", "urn:1", false],
                [LogSeverity.INFO, "50 %", "", true],
                [LogSeverity.INFO, "good to know", "urn:1", false],
                [LogSeverity.DEBUG, "details", "", false],
            ],
        );
    });

    it("gets a warning once, and what a resource says, but each request that is shown and all progress", async () => {
        logged.length = 0;
        const say = hostLog(address);
        await new Promise<void>((resolve) => {
            heard = () => (logged.length === 13 ? resolve() : undefined);
            for (const urn of ["urn:1", "urn:1", "urn:1", "urn:2", undefined, undefined]) {
                for (const severity of ["warning", "info", "progress"] as const) say(severity, severity, urn);
            }
        });
        const countOf = (message: string) => logged.filter((request) => request.getMessage() === message).length;
        assert.deepEqual([countOf("warning"), countOf("info"), countOf("progress")], [3, 4, 6]);
    });

    it("is reached past any proxy of the environment", async () => {
        logged.length = 0;
        const dead = "http://127.0.0.1:1";
        await withEnvironment({ https_proxy: dead, http_proxy: dead }, () =>
            engineLog(address)("warning", "a warning"),
        );
        assert.equal(logged.length, 1);
    });

    it("that cannot be reached fails nobody", async () => {
        await engineLog("127.0.0.1:1")("warning", "unheard");
    });
});
