#!/usr/bin/env node
/**
 * The lower bound: a native plugin that sends nothing and returns the outputs that statecraft stores for a role. A command with it costs what
 * the engine, the program and Pulumi's SDK cost. With `floor:address` configured it also sends the requests of a role through axios and ignores
 * the answers: the lower bound of a provider that sends these requests.
 */

import { type handleUnaryCall, Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";

/** A gRPC method that answers at once. */
function method<Request>(respond: (request: Request) => object): handleUnaryCall<Request, object> {
    return ({ request }, done) => done(null, respond(request));
}

/** The outputs of a role: its inputs and the outputs that statecraft adds. */
function outputsOf(inputs: Struct | undefined): Struct {
    const all = Struct.fromJavaScript({ mount: "clouda", namespace: "", server: "http://127.0.0.1:12345" });
    inputs?.getFieldsMap().forEach((value, name) => {
        all.getFieldsMap().set(name, value);
    });
    return all;
}

/** Sends the requests of a role, if an address is configured. */
let send = async (_method: string, _id: string, _body?: object): Promise<void> => {};

/** axios, loaded with the first request. */
function sendTo(address: string): void {
    const axios = require("axios") as import("axios").AxiosStatic;
    send = async (method, id, data) => {
        await axios.request({
            method,
            url: `${address}/v1/${id}`,
            data,
            headers: { "X-Secrets-Token": process.env["STATECRAFT_MANAGER_TOKEN"] },
            validateStatus: (status) => status < 300 || status === 404,
        });
    };
}

/** A gRPC method that answers after its requests. */
function sending<Request>(
    requests: (request: Request) => readonly Parameters<typeof send>[],
    respond: (request: Request) => object,
): handleUnaryCall<Request, object> {
    return ({ request }, done) => {
        const all = requests(request).reduce((before, each) => before.then(() => send(...each)), Promise.resolve());
        all.then(() => done(null, respond(request)), done);
    };
}

const idOf = (properties: Struct | undefined) =>
    `auth/clouda/role/${properties?.getFieldsMap().get("name")?.getStringValue()}`;

const methods: UntypedServiceImplementation = {
    getPluginInfo: method(() => new PluginInfo().setVersion("1.0.0")),
    checkConfig: method((request: messages.CheckRequest) => new messages.CheckResponse().setInputs(request.getNews())),
    diffConfig: method(() => new messages.DiffResponse()),
    configure: method((request: messages.ConfigureRequest) => {
        const address = request.getArgs()?.getFieldsMap().get("address")?.getStringValue();
        if (address !== undefined) sendTo(address);
        return new messages.ConfigureResponse().setSupportspreview(true);
    }),
    check: method((request: messages.CheckRequest) => new messages.CheckResponse().setInputs(request.getNews())),
    diff: method(() => new messages.DiffResponse().setChanges(messages.DiffResponse.DiffChanges.DIFF_NONE)),
    create: sending(
        (request: messages.CreateRequest) => {
            if (request.getPreview()) return [];
            const id = idOf(request.getProperties());
            return [
                ["GET", id],
                ["POST", id, request.getProperties()?.toJavaScript()],
                ["GET", id],
            ];
        },
        (request) =>
            new messages.CreateResponse()
                .setId(request.getPreview() ? "" : idOf(request.getProperties()))
                .setProperties(outputsOf(request.getProperties())),
    ),
    read: sending(
        (request: messages.ReadRequest) => [["GET", request.getId()]],
        (request) =>
            new messages.ReadResponse()
                .setId(request.getId())
                .setProperties(request.getProperties())
                .setInputs(request.getInputs()),
    ),
    update: method((request: messages.UpdateRequest) =>
        new messages.UpdateResponse().setProperties(outputsOf(request.getNews())),
    ),
    delete: sending(
        (request: messages.DeleteRequest) => [["DELETE", request.getId()]],
        () => new Empty(),
    ),
    cancel: method(() => new Empty()),
};

const server = new Server();
server.addService(ResourceProviderService, methods);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
});
process.stdin.on("end", () => process.exit()).resume();
