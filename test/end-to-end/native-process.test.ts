/** The plugin's process: it tells a port, serves there, and ends with the engine. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { call } from "../support/native";

const main = join(__dirname, "..", "..", "dist", "plugin", "main.js");

describe("the process of the native plugin", () => {
    it("serves on the port that it tells, and ends when the engine is gone", async () => {
        const plugin = spawn(process.execPath, [main, "--logtostderr", "127.0.0.1:1"], {
            stdio: ["pipe", "pipe", "inherit"],
        });
        const [port] = (await once(plugin.stdout.setEncoding("utf8"), "data")) as [string];
        assert.match(port, /^\d+\n$/);
        const client = new ResourceProviderClient(`127.0.0.1:${port.trim()}`, credentials.createInsecure());
        const schema = await call<messages.GetSchemaResponse>(client, "getSchema", new messages.GetSchemaRequest());
        assert.equal(JSON.parse(schema.getSchema()).name, "statecraft");
        // A dead engine's end of the pipe is closed by the system.
        plugin.stdin.end();
        const [code] = await once(plugin, "exit");
        assert.equal(code, 0);
        client.close();
    });
});
