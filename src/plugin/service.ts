/** Implements Pulumi's provider protocol. gRPC answers UNIMPLEMENTED for methods that are not implemented here. */

import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import type { handleServerStreamingCall, handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { DeploymentContext } from "../core/context";
import { InputError } from "../errors";
import { ownerOf, settingsAdvice } from "../pulumi/deployment-context";
import { requireBesideSdk } from "../pulumi/sdk";
import type { Logins } from "../runtime/runtime";
import { asMessage } from "../schema/check";
import { changedNames } from "../schema/compare";
import { holdsUnknown } from "../schema/values";
import { version } from "../version";
import type { Backend, Checked } from "./backend";
import { asStatus } from "./status";
import { readStruct, writeStruct } from "./struct";

const empty = requireBesideSdk("google-protobuf/google/protobuf/empty_pb");

/** The parts of the process that the methods use. */
interface ServiceOptions {
    /** Returns the backend. It is loaded at the first request that needs it, so that `pulumi package get-schema` is fast. */
    backend(): Backend;
    /** Makes later messages go to the engine at this address. */
    attach(engine: string): void;
    /** Counts the operations that are under way. */
    readonly logins: Logins;
}

/** Makes the methods. `diffConfig` is missing, so the engine compares the provider's settings itself. */
export function providerService(options: ServiceOptions): UntypedServiceImplementation {
    const { attach, backend, logins } = options;
    const cancellation = new AbortController();
    const { signal } = cancellation;
    return {
        ...resourceMethods(options, signal),

        handshake: unary(async (request: messages.ProviderHandshakeRequest) => {
            attach(request.getEngineAddress());
            // `acceptSecrets` is not set, so the engine sends secrets in plain text, and marks the properties of the same names in
            // responses as secret.
            return new messages.ProviderHandshakeResponse().setAcceptResources(true);
        }),

        attach: unary(async (request: PluginAttach) => {
            attach(request.getAddress());
            return new empty.Empty();
        }),

        getPluginInfo: unary(async (_: Empty) => new PluginInfo().setVersion(version)),

        getSchema: unary(async (_: messages.GetSchemaRequest) => {
            return new messages.GetSchemaResponse().setSchema(readSchema());
        }),

        cancel: unary(async (_: Empty) => {
            // The engine also cancels at the end of every command, when nothing is under way.
            if (!(await logins.revokeTokens())) cancellation.abort();
            return new empty.Empty();
        }),

        checkConfig: unary(async (request: messages.CheckRequest) =>
            checked(backend().checkConfig(readStruct(request.getNews()), request.getUrn())),
        ),

        configure: unary(async (request: messages.ConfigureRequest) => {
            backend().configure(readStruct(request.getArgs()), request.getUrn());
            return new messages.ConfigureResponse().setAcceptresources(true).setSupportspreview(true);
        }),

        invoke: unary(async (request: messages.InvokeRequest) => {
            const invocation = backend().invoke(request.getTok(), readStruct(request.getArgs()), { signal });
            const result = await logins.during(invocation);
            return new messages.InvokeResponse().setReturn(writeStruct(result));
        }),

        list: streaming(async (request: messages.ListRequest) => {
            const { Computed, Result } = messages.ListResponse;
            const response = () => new messages.ListResponse();
            const query = readStruct(request.getQuery());
            if (holdsUnknown(query)) return [response().setComputed(new Computed())];
            // No answer has a token, because each has all objects.
            if (request.getContinuationToken())
                throw new InputError("List", ["continuation_token: is none of this plugin"]);
            const limit = request.getLimit() || Infinity;
            const objects = await logins.during(backend().list(request.getToken(), query, limit, { signal }));
            return objects.map(({ id, name }) => response().setResult(new Result().setId(id).setName(name)));
        }),
    };
}

/** The methods about one resource. */
function resourceMethods({ backend, logins }: ServiceOptions, signal: AbortSignal) {
    const operation = <Request, Response>(answer: (request: Request) => Promise<Response>) =>
        unary((request: Request) => logins.during(answer(request)));
    const operationsOf = (urn: string) => backend().operations(typeOf(urn));
    const about = (request: { getUrn(): string; getTimeout(): number }): DeploymentContext => ({
        urn: request.getUrn(),
        timeout: request.getTimeout() || undefined,
        signal,
    });
    return {
        check: operation(async (request: messages.CheckRequest) => {
            const urn = request.getUrn();
            const [olds, news] = [readStruct(request.getOlds()), readStruct(request.getNews())];
            const before = Object.keys(olds).length === 0 ? undefined : olds;
            return checked(await operationsOf(urn).check(before, news, { urn, owner: ownerIn(urn) }));
        }),

        diff: operation(async (request: messages.DiffRequest) => {
            const [olds, news] = [readStruct(request.getOlds()), readStruct(request.getNews())];
            const found = await operationsOf(request.getUrn()).diff(request.getId(), olds, news);
            const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
            const response = new messages.DiffResponse().setChanges(found.isChanged ? DIFF_SOME : DIFF_NONE);
            const details = response.getDetaileddiffMap();
            for (const { path, kind, replaces } of found.changes) {
                const change = new messages.PropertyDiff().setKind(kinds[kind][replaces ? 1 : 0]);
                details.set(path, change.setInputdiff(path !== "unfinished"));
            }
            response.setDiffsList(changedNames(found.changes)).setReplacesList([...found.replaces]);
            response.setHasdetaileddiff(true);
            return response.setDeletebeforereplace(found.deleteBeforeReplace);
        }),

        create: operation(async (request: messages.CreateRequest) => {
            const operations = operationsOf(request.getUrn());
            const inputs = readStruct(request.getProperties());
            const response = new messages.CreateResponse();
            if (request.getPreview()) {
                return response.setProperties(writeStruct(await operations.previewCreate(inputs, about(request))));
            }
            const { id, outputs } = await operations.create(inputs, about(request));
            return response.setId(id).setProperties(writeStruct(outputs));
        }),

        read: operation(async (request: messages.ReadRequest) => {
            const operations = operationsOf(request.getUrn());
            const state = readStruct(request.getProperties());
            const written = readStruct(request.getInputs());
            const found = await operations.read(request.getId(), state, { ...about(request), settingsAdvice }, written);
            const response = new messages.ReadResponse();
            if (found === undefined) return response;
            const { id, outputs, inputs } = found;
            return response.setId(id).setProperties(writeStruct(outputs)).setInputs(writeStruct(inputs));
        }),

        update: operation(async (request: messages.UpdateRequest) => {
            const [olds, news] = [readStruct(request.getOlds()), readStruct(request.getNews())];
            const operations = operationsOf(request.getUrn());
            const update = request.getPreview() ? "previewUpdate" : "update";
            const outputs = await operations[update](request.getId(), olds, news, about(request));
            return new messages.UpdateResponse().setProperties(writeStruct(outputs));
        }),

        delete: operation(async (request: messages.DeleteRequest) => {
            const operations = operationsOf(request.getUrn());
            const state = readStruct(request.getProperties());
            await operations.delete(request.getId(), state, { ...about(request), settingsAdvice });
            return new empty.Empty();
        }),
    };
}

/** The text of schema.json. */
function readSchema(): string {
    // Node 20.3 does not have this module.
    const sea = isBuiltin("node:sea") ? (require("node:sea") as typeof import("node:sea")) : undefined;
    if (sea?.isSea()) return sea.getAsset("schema.json", "utf8");
    // Two levels up from both `src/plugin` and `dist/plugin`.
    return readFileSync(join(__dirname, "..", "..", "schema.json"), "utf8");
}

/**
 * The response of a check. Failures name no property, because the engine would print its value, secrets included; the reason begins with
 * the path.
 */
function checked({ inputs, failures }: Checked): messages.CheckResponse {
    const failed = failures.map((finding) => new messages.CheckFailure().setReason(asMessage(finding)));
    return new messages.CheckResponse().setInputs(writeStruct(inputs)).setFailuresList(failed);
}

const { Kind } = messages.PropertyDiff;
const kinds = {
    add: [Kind.ADD, Kind.ADD_REPLACE],
    delete: [Kind.DELETE, Kind.DELETE_REPLACE],
    update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
} as const;

function unary<Request, Response>(answer: (request: Request) => Promise<Response>): handleUnaryCall<Request, Response> {
    return ({ request }, respond) => {
        answer(request).then(
            (response) => respond(null, response),
            (error: unknown) => respond(asStatus(error)),
        );
    };
}

function streaming<Request, Response>(
    answer: (request: Request) => Promise<readonly Response[]>,
): handleServerStreamingCall<Request, Response> {
    return (call) => {
        const send = (responses: readonly Response[]) => {
            for (const response of responses) call.write(response);
            call.end();
        };
        answer(call.request).then(send, (error: unknown) => call.emit("error", asStatus(error)));
    };
}

/** The type in a URN of the form `urn:pulumi:<stack>::<project>::<types of parents>$<type>::<name>`. */
function typeOf(urn: string): string {
    return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/** The owner in a URN. The engine does not send the organization to providers. */
function ownerIn(urn: string): string {
    const [stack = "", project = "", , ...name] = urn.split("::");
    return ownerOf(project, stack.replace(/^urn:pulumi:/, ""), name.join("::"));
}
