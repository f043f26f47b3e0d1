/** A resource of the native plugin as what Pulumi's dynamic host asks of one: whoever leads the one can lead the other. */

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

type Props = Record<string, unknown>;

/** A server with a client that is connected to it. */
export interface Connection {
    readonly client: ResourceProviderClient;
    readonly cancellation: AbortController;
    /** Addresses of engines that it was told. */
    readonly engines: readonly string[];
    close(): void;
}

/** Serves a backend. */
export async function serveBackend(backend: Backend): Promise<Connection> {
    const server = new Server();
    const cancellation = new AbortController();
    const engines: string[] = [];
    const attach = (engine: string) => engines.push(engine);
    server.addService(ResourceProviderService, providerService({ backend: () => backend, attach, cancellation }));
    const port = await new Promise<number>((resolve, reject) => {
        server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
            error ? reject(error) : resolve(bound),
        );
    });
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    return {
        client,
        cancellation,
        engines,
        close() {
            client.close();
            server.forceShutdown();
        },
    };
}

type Method = Exclude<keyof IResourceProviderClient, keyof import("@grpc/grpc-js").Client>;

/** Calls a method. */
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

/** Properties as the engine sends them. */
export const struct = (props: Props): Struct =>
    Struct.fromJavaScript(JSON.parse(JSON.stringify(props)) as Record<string, JavaScriptValue>);

/** Properties that came. */
export const propsOf = (properties: Struct | undefined): Props => (properties?.toJavaScript() ?? {}) as Props;

/** What is kept of an object that was made, though something failed. */
export function initFailed(error: Partial<StatusObject>): messages.ErrorResourceInitFailed | undefined {
    const [details] = error.metadata?.get("grpc-status-details-bin") ?? [];
    if (details === undefined) return undefined;
    const [packed] = Status.deserializeBinary(Buffer.from(details)).getDetailsList();
    const detail = packed?.unpack(
        messages.ErrorResourceInitFailed.deserializeBinary,
        "pulumirpc.ErrorResourceInitFailed",
    );
    assert(detail);
    return detail;
}

/** What the dynamic host gets for a failure: of a partial create, what was made. */
function asHostError(error: Partial<StatusObject>): unknown {
    assert.equal(error.code, codes.FAILED_PRECONDITION, error.details);
    const failure = new Error(error.details);
    const detail = initFailed(error);
    if (detail === undefined) return failure;
    return Object.assign(failure, {
        id: detail.getId(),
        properties: propsOf(detail.getProperties()),
        reasons: detail.getReasonsList(),
    });
}

/** Asks without the network, which `test/plugin` shows, and which takes longer than all that a test looks at. Messages cross as bytes. */
function askingOf(backend: Backend) {
    const attach = () => assert.fail("nobody attaches");
    const methods = providerService({ backend: () => backend, attach, cancellation: new AbortController() });
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

/** The provider of one resource type. */
export function nativeProvider(type: string, backend: Backend): pulumi.dynamic.ResourceProvider {
    let urn = "";
    /** What the engine knows from the last operation, for previews. */
    let last: { id: string; outputs: Props } | undefined;
    const ask = askingOf(backend);
    const noUnderscores = (props: Props) =>
        Object.fromEntries(Object.entries(props).filter(([name]) => !name.startsWith("__")));
    async function preview(news: Props): Promise<void> {
        if (last === undefined) {
            const request = new messages.CreateRequest().setUrn(urn).setProperties(struct(news)).setPreview(true);
            await ask("create", request);
            return;
        }
        const { id, outputs } = last;
        const request = new messages.UpdateRequest().setUrn(urn).setId(id).setPreview(true);
        await ask("update", request.setOlds(struct(outputs)).setNews(struct(news)));
    }
    return {
        async check(olds, news) {
            const { __statecraft: told } = news as { __statecraft: { urn: string; isPreview: boolean } };
            urn = told.urn.replace(/::[^:]*::([^:]*)$/, `::statecraft:index:${type}::$1`);
            const request = new messages.CheckRequest().setUrn(urn).setOlds(struct(noUnderscores(olds ?? {})));
            const response = await ask<messages.CheckResponse>("check", request.setNews(struct(noUnderscores(news))));
            const inputs = propsOf(response.getInputs());
            const failures = response.getFailuresList().map((one) => ({
                property: one.getProperty(),
                reason: one.getReason(),
            }));
            if (told.isPreview && failures.length === 0) await preview(inputs);
            return { inputs, failures };
        },
        async diff(id, olds, news) {
            const request = new messages.DiffRequest().setUrn(urn).setId(id).setOlds(struct(olds));
            const response = await ask<messages.DiffResponse>("diff", request.setNews(struct(news)));
            return {
                changes: response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
                replaces: response.getReplacesList(),
                deleteBeforeReplace: response.getDeletebeforereplace(),
            };
        },
        async create(inputs) {
            const request = new messages.CreateRequest().setUrn(urn).setProperties(struct(inputs));
            const response = await ask<messages.CreateResponse>("create", request);
            last = { id: response.getId(), outputs: propsOf(response.getProperties()) };
            return { id: last.id, outs: last.outputs };
        },
        async read(id, props) {
            const request = new messages.ReadRequest().setUrn(
                urn || `urn:pulumi:dev::app::statecraft:index:${type}::x`,
            );
            const response = await ask<messages.ReadResponse>(
                "read",
                request.setId(id).setProperties(struct(noUnderscores(props ?? {}))),
            );
            const found = { id: response.getId(), outputs: propsOf(response.getProperties()) };
            last = found.id === "" ? undefined : found;
            return { id: found.id, props: found.outputs, inputs: propsOf(response.getInputs()) };
        },
        async update(id, olds, news) {
            const request = new messages.UpdateRequest().setUrn(urn).setId(id).setOlds(struct(olds));
            const response = await ask<messages.UpdateResponse>("update", request.setNews(struct(news)));
            last = { id, outputs: propsOf(response.getProperties()) };
            return { outs: last.outputs };
        },
        async delete(id, props) {
            const request = new messages.DeleteRequest().setUrn(
                urn || `urn:pulumi:dev::app::statecraft:index:${type}::x`,
            );
            await ask("delete", request.setId(id).setProperties(struct(props)));
            last = undefined;
        },
    };
}
