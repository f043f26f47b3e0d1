/** The provider's side of Pulumi's protocol: messages in, messages out. A method that is not here answers UNIMPLEMENTED. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import type * as provider from "@pulumi/pulumi/proto/provider_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { DeploymentContext } from "../core/runtime";
import { withDeniedAdvice } from "../pulumi/denied-advice";
import { requireBesideSdk } from "../pulumi/sdk";
import type { Change } from "../schema/diff";
import { asSentence } from "../schema/finding";
import { version } from "../version";
import type { Backend, Checked } from "./backend";
import { asStatus } from "./status";
import { readStruct, writeStruct } from "./struct";

const messages = requireBesideSdk("@pulumi/pulumi/proto/provider_pb");
const { PluginInfo } = requireBesideSdk("@pulumi/pulumi/proto/plugin_pb");
const empty = requireBesideSdk("google-protobuf/google/protobuf/empty_pb");

/** What the service stands on. */
export interface Ground {
    /** Made at the first request that needs it: whoever asks for the schema alone need not wait for it. */
    backend(): Backend;
    /** The engine listens at this address. */
    attach(engine: string): void;
    /** Aborts when the engine cancels. */
    readonly cancellation: AbortController;
}

/** The methods. */
export const providerService = (ground: Ground): UntypedServiceImplementation => ({
    ...pluginMethods(ground),
    ...configurationMethods(ground),
    ...planMethods(ground),
    ...lifecycleMethods(ground),
});

/** What concerns the whole process. */
function pluginMethods({ attach, backend, cancellation }: Ground): UntypedServiceImplementation {
    return {
        handshake: unary(async (request: provider.ProviderHandshakeRequest) => {
            attach(request.getEngineAddress());
            // Without `acceptSecrets` the engine takes the secret marks off the properties it sends, and puts them on the answer by name.
            return new messages.ProviderHandshakeResponse().setAcceptResources(true);
        }),

        attach: unary(async (request: PluginAttach) => {
            attach(request.getAddress());
            return new empty.Empty();
        }),

        getPluginInfo: unary(async (_: Empty) => new PluginInfo().setVersion(version)),

        getSchema: unary(async (_: provider.GetSchemaRequest) => {
            // Lies two levels up from `src/plugin` and from `dist/plugin` alike.
            const schema = readFileSync(join(__dirname, "..", "..", "schema.json"), "utf8");
            return new messages.GetSchemaResponse().setSchema(schema);
        }),

        invoke: unary(async (request: provider.InvokeRequest) => {
            const told = { signal: cancellation.signal };
            const result = await backend().invoke(request.getTok(), readStruct(request.getArgs()), told);
            return new messages.InvokeResponse().setReturn(writeStruct(result));
        }),

        cancel: unary(async (_: Empty) => {
            cancellation.abort();
            return new empty.Empty();
        }),
    };
}

function configurationMethods({ backend }: Ground): UntypedServiceImplementation {
    return {
        checkConfig: unary(async (request: provider.CheckRequest) =>
            checked(backend().checkConfig(readStruct(request.getNews()), request.getUrn())),
        ),

        // Other settings are no reason to make an object anew: each knows its server, and refuses to act on another.
        diffConfig: unary(async (request: provider.DiffRequest) => {
            const [olds, news] = [readStruct(request.getOldInputs()), readStruct(request.getNews())];
            const all = Object.keys({ ...olds, ...news });
            const names = all.filter((name) => !isDeepStrictEqual(olds[name], news[name]));
            const kindOf = (name: string) => (name in olds ? (name in news ? "update" : "delete") : "add");
            return difference(
                names,
                names.map((path) => ({ path, kind: kindOf(path), replaces: false })),
            );
        }),

        configure: unary(async (request: provider.ConfigureRequest) => {
            backend().configure(readStruct(request.getArgs()), request.getUrn());
            return new messages.ConfigureResponse().setAcceptresources(true).setSupportspreview(true);
        }),
    };
}

/** What is asked of a resource before anything is done. */
function planMethods({ backend }: Ground): UntypedServiceImplementation {
    const operationsOf = (urn: string) => backend().operations(typeOf(urn));
    return {
        check: unary(async (request: provider.CheckRequest) => {
            const urn = request.getUrn();
            const olds = readStruct(request.getOlds());
            const isNew = Object.keys(olds).length === 0;
            const news = readStruct(request.getNews());
            const told = { urn, lockMark: lockMark(urn) };
            return checked(await operationsOf(urn).check(isNew ? undefined : olds, news, told));
        }),

        diff: unary(async (request: provider.DiffRequest) => {
            const [olds, news] = [readStruct(request.getOlds()), readStruct(request.getNews())];
            const found = await operationsOf(request.getUrn()).diff(request.getId(), olds, news);
            const response = difference(found.names, found.changes);
            for (const name of found.outdated)
                response.getDetaileddiffMap().set(name, new messages.PropertyDiff().setKind(Kind.UPDATE));
            response.setReplacesList([...found.replaces]);
            // Nothing but `replaceOnChanges` replaces what else is changed in place: it keeps its id, which is taken.
            return response.setDeletebeforereplace(found.deleteBeforeReplace || found.replaces.length === 0);
        }),
    };
}

/** What is done, or in a preview would be. */
function lifecycleMethods({ backend, cancellation }: Ground): UntypedServiceImplementation {
    const operationsOf = (urn: string) => backend().operations(typeOf(urn));
    // Older versions of the SDK know no time-out of a read.
    const about = (request: { getUrn(): string; getTimeout?(): number }): DeploymentContext => ({
        urn: request.getUrn(),
        timeout: request.getTimeout?.() || undefined,
        signal: cancellation.signal,
    });
    return {
        create: unary(async (request: provider.CreateRequest) => {
            const operations = operationsOf(request.getUrn());
            const inputs = readStruct(request.getProperties());
            const response = new messages.CreateResponse();
            if (request.getPreview()) {
                return response.setProperties(writeStruct(await operations.previewCreate(inputs, about(request))));
            }
            const { id, outputs } = await operations.create(inputs, about(request));
            return response.setId(id).setProperties(writeStruct(outputs));
        }),

        read: unary(async (request: provider.ReadRequest) => {
            const operations = operationsOf(request.getUrn());
            const state = readStruct(request.getProperties());
            const found = await withDeniedAdvice(operations.read(request.getId(), state, about(request)));
            const response = new messages.ReadResponse();
            if (found === undefined) return response;
            const { id, outputs, inputs } = found;
            return response.setId(id).setProperties(writeStruct(outputs)).setInputs(writeStruct(inputs));
        }),

        update: unary(async (request: provider.UpdateRequest) => {
            const [olds, news] = [readStruct(request.getOlds()), readStruct(request.getNews())];
            const operations = operationsOf(request.getUrn());
            const update = request.getPreview() ? "previewUpdate" : "update";
            const outputs = await operations[update](request.getId(), olds, news, about(request));
            return new messages.UpdateResponse().setProperties(writeStruct(outputs));
        }),

        delete: unary(async (request: provider.DeleteRequest) => {
            const operations = operationsOf(request.getUrn());
            const state = readStruct(request.getProperties());
            await withDeniedAdvice(operations.delete(request.getId(), state, about(request)));
            return new empty.Empty();
        }),
    };
}

/** What check found. The engine prints the value of a named property, secrets in clear: the path stands in the reason instead. */
function checked({ inputs, failures }: Checked): provider.CheckResponse {
    const failed = failures.map((finding) => new messages.CheckFailure().setReason(asSentence(finding)));
    return new messages.CheckResponse().setInputs(writeStruct(inputs)).setFailuresList(failed);
}

const { Kind } = messages.PropertyDiff;
const kinds = {
    add: [Kind.ADD, Kind.ADD_REPLACE],
    delete: [Kind.DELETE, Kind.DELETE_REPLACE],
    update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
} as const;

/** What differs, by names and by paths. */
function difference(names: readonly string[], changes: readonly Omit<Change, "isOption">[]): provider.DiffResponse {
    const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
    const response = new messages.DiffResponse().setChanges(names.length > 0 ? DIFF_SOME : DIFF_NONE);
    for (const { path, kind, replaces } of changes) {
        const detail = new messages.PropertyDiff().setKind(kinds[kind][replaces ? 1 : 0]).setInputdiff(true);
        response.getDetaileddiffMap().set(path, detail);
    }
    return response.setDiffsList([...names]).setHasdetaileddiff(true);
}

function unary<Request, Response>(answer: (request: Request) => Promise<Response>): handleUnaryCall<Request, Response> {
    return ({ request }, respond) => {
        answer(request).then(
            (response) => respond(null, response),
            (error: unknown) => respond(asStatus(error)),
        );
    };
}

/** `urn:pulumi:<stack>::<project>::<types of parents>$<type>::<name>` */
function typeOf(urn: string): string {
    return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/** Marks a resource's locks. The engine tells providers no organization. */
function lockMark(urn: string): string {
    const [stack = "", project, , ...name] = urn.split("::");
    return `[statecraft ${project}/${stack.replace(/^urn:pulumi:/, "")} ${name.join("::")}]`;
}
