#!/usr/bin/env node
/**
 * The engine's floor: a native plugin that does nothing, and keeps in state what this package keeps of a role. What a command takes with it
 * is what the engine, the program and Pulumi's SDK take.
 */

import { type handleUnaryCall, Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";

/** A method without anything to wait for. */
function method<Request>(respond: (request: Request) => object): handleUnaryCall<Request, object> {
    return ({ request }, done) => done(null, respond(request));
}

/** Properties, and those that this package adds to them. */
function withOwn(properties: Struct | undefined, own: Readonly<Record<string, string>>): Struct {
    const all = new Struct();
    for (const from of [properties, Struct.fromJavaScript(own)]) {
        from?.getFieldsMap().forEach((value, name) => {
            all.getFieldsMap().set(name, value);
        });
    }
    return all;
}

const withServer = (properties: Struct | undefined) => withOwn(properties, { server: "http://127.0.0.1:12345" });

let made = 0;
const methods: UntypedServiceImplementation = {
    getPluginInfo: method(() => new PluginInfo().setVersion("1.0.0")),
    checkConfig: method((request: messages.CheckRequest) => new messages.CheckResponse().setInputs(request.getNews())),
    diffConfig: method(() => new messages.DiffResponse()),
    configure: method(() => new messages.ConfigureResponse().setSupportspreview(true)),
    check: method((request: messages.CheckRequest) =>
        new messages.CheckResponse().setInputs(withOwn(request.getNews(), { mount: "clouda" })),
    ),
    diff: method(() => new messages.DiffResponse().setChanges(messages.DiffResponse.DiffChanges.DIFF_NONE)),
    create: method((request: messages.CreateRequest) => {
        made += 1;
        const id = request.getPreview() ? "" : `auth/clouda/role/role-${made}`;
        return new messages.CreateResponse().setId(id).setProperties(withServer(request.getProperties()));
    }),
    read: method((request: messages.ReadRequest) =>
        new messages.ReadResponse()
            .setId(request.getId())
            .setProperties(request.getProperties())
            .setInputs(request.getInputs()),
    ),
    update: method((request: messages.UpdateRequest) =>
        new messages.UpdateResponse().setProperties(withServer(request.getNews())),
    ),
    delete: method(() => new Empty()),
    cancel: method(() => new Empty()),
};

const server = new Server();
server.addService(ResourceProviderService, methods);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
});
process.stdin.on("end", () => process.exit()).resume();
