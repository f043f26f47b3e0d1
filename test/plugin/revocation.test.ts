/** Tests at which ends of a process the token of a login is revoked. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ConfigureRequest, InvokeRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { closeAll, json, serve } from "../http/support";

const main = { plugin: "../../dist/plugin/main", import: "../../dist/command/main" };

describe("the token of a login", () => {
    afterEach(closeAll);

    const ends: [program: keyof typeof main, name: string, end: (child: ChildProcess) => unknown][] = [
        ["plugin", "the end of standard input", ({ stdin }) => stdin?.end()],
        ...(["SIGHUP", "SIGTERM", "SIGINT"] as const).map((signal): (typeof ends)[0] => [
            "plugin",
            signal,
            (child) => child.kill(signal),
        ]),
        ["import", "SIGTERM", (child) => child.kill("SIGTERM")],
    ];
    for (const [program, name, end] of ends) {
        it(`is revoked by ${program === "plugin" ? "the plugin" : "`import`"} after ${name}`, async () => {
            const events = new EventEmitter();
            const inUse = once(events, "use");
            const place = await serve(({ url = "" }, answer) => {
                if (url.endsWith("/login"))
                    json(answer, 200, { auth: { client_token: "planted", lease_duration: 60 } });
                else if (url.endsWith("/revoke-self")) answer.writeHead(204).end();
                else {
                    if (program === "plugin") json(answer, 200, { data: {} });
                    events.emit("use");
                }
            });
            const login = JSON.stringify({ mount: "jwt", role: "web", jwtVariable: "JWT" });
            const env = {
                PATH: process.env["PATH"],
                VAULT_ADDR: place.address,
                STATECRAFT_VAULT_LOGIN: login,
                JWT: "a.b.c",
            };
            const words = program === "plugin" ? ["127.0.0.1:1"] : ["import", "vault"];
            const child = spawn(process.execPath, [require.resolve(main[program]), ...words], { env });
            if (program === "plugin") {
                const [port] = await once(child.stdout, "data");
                const client = new ResourceProviderClient(
                    `127.0.0.1:${String(port).trim()}`,
                    credentials.createInsecure(),
                );
                const done = (call: (back: () => void) => unknown) =>
                    new Promise<void>((resolve) => void call(resolve));
                const none = () => Struct.fromJavaScript({ name: "web" });
                await done((back) => client.configure(new ConfigureRequest().setArgs(Struct.fromJavaScript({})), back));
                const invoke = new InvokeRequest().setTok("statecraft:index:getAuthRole").setArgs(none());
                await done((back) => client.invoke(invoke, back));
                client.close();
            }
            await inUse;
            const ended = once(child, "exit");
            end(child);
            await ended;
            const last = place.seen.at(-1);
            assert.deepEqual([last?.url, last?.headers["x-vault-token"]], ["/v1/auth/token/revoke-self", "planted"]);
        });
    }
});
