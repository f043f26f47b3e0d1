/** Gives the native plugin the interface of a dynamic provider, so that `ManagedResource` can drive it. */

import assert from "node:assert/strict";
import {
    status as codes,
    credentials,
    type MethodDefinition,
    Server,
    ServerCredentials,
    type ServiceError,
    type StatusObject,
    type sendUnaryData,
} from "@grpc/grpc-js";
import type * as pulumi from "@pulumi/pulumi";
import {
    type IResourceProviderClient,
    ResourceProviderClient,
    ResourceProviderService,
} from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Backend } from "../../src/plugin/backend";
import { providerService } from "../../src/plugin/service";
import { Logins } from "../../src/runtime/runtime";
import type { Props } from "./pulumi-values";

/** A plugin that listens on a socket, and a client that is connected to it. */
export interface Connection {
    readonly client: ResourceProviderClient;
    /** The addresses in the plugin's `Attach` calls. */
    readonly engines: readonly string[];
    close(): void;
}

/** Starts a plugin on a socket. */
export async function serveBackend(backend: Backend): Promise<Connection> {
    const server = new Server();
    const engines: string[] = [];
    const attach = (engine: string) => engines.push(engine);
    server.addService(
        ResourceProviderService,
        providerService({ backend: () => backend, attach, logins: new Logins() }),
    );
    const port = await new Promise<number>((resolve, reject) => {
        server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
            error ? reject(error) : resolve(bound),
        );
    });
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    return {
        client,
        engines,
        close() {
            client.close();
            server.forceShutdown();
        },
    };
}

type Method = Exclude<keyof IResourceProviderClient, keyof import("@grpc/grpc-js").Client>;

export function call<Response>(
    client: ResourceProviderClient,
    method: Method & string,
    request: object,
): Promise<Response> {
    return new Promise((resolve, reject) => {
        const send = Reflect.get(client, method) as (
            request: object,
            done: (error: ServiceError | null, response: Response) => void,
        ) => void;
        send.call(client, request, (error, response) => (error ? reject(error) : resolve(response)));
    });
}

/** Converts the properties of a request. */
export const struct = (props: Props): Struct =>
    Struct.fromJavaScript(JSON.parse(JSON.stringify(props)) as Record<string, JavaScriptValue>);

/** Converts the properties of a response. */
export const propsOf = (properties: Struct | undefined): Props => (properties?.toJavaScript() ?? {}) as Props;

/** Converts a gRPC error to the error of a dynamic provider, which after a partial create has the id, properties and reasons. */
function asHostError({ code, details, metadata }: Partial<StatusObject>): unknown {
    assert.equal(code, codes.FAILED_PRECONDITION, details);
    const failure = new Error(details);
    const [status] = metadata?.get("grpc-status-details-bin") ?? [];
    if (status === undefined) return failure;
    const [packed] = Status.deserializeBinary(Buffer.from(status)).getDetailsList();
    const { ErrorResourceInitFailed } = messages;
    const partial = packed?.unpack(ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
    assert(partial);
    const [id, properties, reasons] = [partial.getId(), propsOf(partial.getProperties()), partial.getReasonsList()];
    return Object.assign(failure, { id, properties, reasons });
}

/** Calls methods in process with serialized messages. A socket, as in `test/plugin`, would take most of a test's time. */
function callerOf(backend: Backend) {
    const attach = () => assert.fail("no engine attaches");
    const methods = providerService({ backend: () => backend, attach, logins: new Logins() });
    return <Response>(name: Method & string, request: object) => {
        const definition = ResourceProviderService[name] as unknown as MethodDefinition<object, Response>;
        const sent = definition.requestDeserialize(definition.requestSerialize(request));
        const method = methods[name] as (call: { readonly request: object }, respond: sendUnaryData<Response>) => void;
        return new Promise<Response>((resolve, reject) => {
            method({ request: sent }, (failure, response) => {
                if (response === undefined || response === null) reject(asHostError(failure ?? {}));
                else resolve(definition.responseDeserialize(definition.responseSerialize(response)));
            });
        });
    };
}

const withoutInternal = (props: Props = {}) =>
    struct(Object.fromEntries(Object.entries(props).filter(([name]) => !name.startsWith("__"))));

/** Creates a provider for one resource type. */
export function nativeProvider(type: string, backend: Backend): pulumi.dynamic.ResourceProvider {
    let urn = `urn:pulumi:dev::app::statecraft:index:${type}::x`;
    /** The inputs of the last check, which the engine stores. */
    let inputs: Props = {};
    /** The state after the last operation, which the next preview needs. */
    let last: { id: string; outputs: Props } | undefined;
    const send = callerOf(backend);
    const create = async (inputs: Props, isPreview: boolean) => {
        const request = new messages.CreateRequest().setUrn(urn).setProperties(struct(inputs));
        const response = await send<messages.CreateResponse>("create", request.setPreview(isPreview));
        return { id: response.getId(), outputs: propsOf(response.getProperties()) };
    };
    const update = async (id: string, olds: Props, news: Props, isPreview: boolean) => {
        const request = new messages.UpdateRequest().setUrn(urn).setId(id).setOlds(struct(olds));
        const response = await send<messages.UpdateResponse>(
            "update",
            request.setNews(struct(news)).setPreview(isPreview),
        );
        return { id, outputs: propsOf(response.getProperties()) };
    };
    return {
        async check(olds, news) {
            const { __statecraft: internal } = news as { __statecraft: { urn: string; isPreview: boolean } };
            urn = internal.urn.replace(/::[^:]*::([^:]*)$/, `::statecraft:index:${type}::$1`);
            const request = new messages.CheckRequest().setUrn(urn).setOlds(withoutInternal(olds));
            const response = await send<messages.CheckResponse>("check", request.setNews(withoutInternal(news)));
            inputs = propsOf(response.getInputs());
            const failures = response.toObject().failuresList;
            if (internal.isPreview && failures.length === 0) {
                await (last ? update(last.id, last.outputs, inputs, true) : create(inputs, true));
            }
            return { inputs, failures };
        },
        async diff(id, olds, news) {
            const request = new messages.DiffRequest().setUrn(urn).setId(id).setOlds(struct(olds));
            const response = await send<messages.DiffResponse>("diff", request.setNews(struct(news)));
            return {
                changes: response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
                replaces: response.getReplacesList(),
                deleteBeforeReplace: response.getDeletebeforereplace(),
            };
        },
        async create(inputs) {
            last = await create(inputs, false);
            return { id: last.id, outs: last.outputs };
        },
        async read(id, props) {
            const request = new messages.ReadRequest().setUrn(urn).setId(id).setProperties(withoutInternal(props));
            const response = await send<messages.ReadResponse>("read", request.setInputs(struct(inputs)));
            const found = { id: response.getId(), outputs: propsOf(response.getProperties()) };
            last = found.id === "" ? undefined : found;
            return { id: found.id, props: found.outputs, inputs: propsOf(response.getInputs()) };
        },
        async update(id, olds, news) {
            last = await update(id, olds, news, false);
            return { outs: last.outputs };
        },
        async delete(id, props) {
            await send("delete", new messages.DeleteRequest().setUrn(urn).setId(id).setProperties(struct(props)));
            last = undefined;
        },
    };
}
