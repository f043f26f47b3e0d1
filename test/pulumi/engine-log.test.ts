import assert from "node:assert/strict";
import { createRequire } from "node:module";
import type { ServerUnaryCall } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { hostLog } from "../../src/pulumi/engine-log";
import { withEnvironment } from "../http/support";

// Pulumi's SDK may use another installed copy of gRPC than this package.
const grpc = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js") as typeof import("@grpc/grpc-js");

describe("the engine's log", () => {
    const engine = new grpc.Server();
    const logged: LogRequest[] = [];
    let address = "";
    let received = () => {};
    /** Sends messages, and returns the engine's received messages once their number is `count`. */
    const sent = (count: number, send: () => void) =>
        new Promise<LogRequest[]>((resolve) => {
            logged.length = 0;
            received = () => (logged.length === count ? resolve(logged) : undefined);
            send();
        });

    before(async () => {
        const nothing = EngineService.log.responseDeserialize(Buffer.alloc(0));
        engine.addService(EngineService, {
            log: (call: ServerUnaryCall<LogRequest, unknown>, answer: (error: null, value: unknown) => void) => {
                logged.push(call.request);
                answer(null, nothing);
                received();
            },
        });
        const port = await new Promise<number>((resolve, reject) => {
            const credentials = grpc.ServerCredentials.createInsecure();
            engine.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
        });
        address = `127.0.0.1:${port}`;
    });
    after(() => engine.forceShutdown());

    it("gets warnings at the resource, progress as ephemeral messages, and debug messages", async () => {
        const requests = await sent(4, () => {
            const say = hostLog(address);
            say("warning", "a warning", "urn:1");
            say("progress", "50 %");
            say("info", "good to know", "urn:1");
            say("debug", "details");
        });
        const shown = requests.map((request) => [
            request.getSeverity(),
            request.getMessage(),
            request.getUrn(),
            request.getEphemeral(),
        ]);
        assert.deepEqual(shown, [
            [LogSeverity.WARNING, "a warning", "urn:1", false],
            [LogSeverity.INFO, "50 %", "", true],
            [LogSeverity.INFO, "good to know", "urn:1", false],
            [LogSeverity.DEBUG, "details", "", false],
        ]);
    });

    it("gets a warning and a note at a resource once, and other messages each time", async () => {
        const requests = await sent(13, () => {
            const say = hostLog(address);
            for (const urn of ["urn:1", "urn:1", "urn:1", "urn:2", undefined, undefined]) {
                for (const severity of ["warning", "info", "progress"] as const) say(severity, severity, urn);
            }
        });
        const countOf = (message: string) => requests.filter((request) => request.getMessage() === message).length;
        assert.deepEqual([countOf("warning"), countOf("info"), countOf("progress")], [3, 4, 6]);
    });

    it("receives messages without the proxy of the environment", async () => {
        const dead = "http://127.0.0.1:1";
        await withEnvironment({ https_proxy: dead, http_proxy: dead }, () =>
            sent(1, () => hostLog(address)("warning", "a warning")),
        );
    });
});
