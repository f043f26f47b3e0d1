/** The provider's side of Pulumi's protocol: messages in, messages out. A method that is not here answers UNIMPLEMENTED. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import type * as provider from "@pulumi/pulumi/proto/provider_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { DeploymentContext } from "../core/runtime";
import { withDeniedAdvice } from "../pulumi/denied-advice";
import { requireBesideSdk } from "../pulumi/sdk";
import type { Change } from "../schema/diff";
import { asSentence } from "../schema/finding";
import { holdsSealed, sealed, sealedAnew } from "../schema/secrets";
import { mapValues } from "../schema/values";
import { version } from "../version";
import type { Backend, Checked } from "./backend";
import { asStatus } from "./status";
import { readProperties, readStruct, type Write, writeStruct } from "./struct";

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
            return new messages.ProviderHandshakeResponse().setAcceptSecrets(true).setAcceptResources(true);
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
            // Anything may come of a secret argument.
            const isSecret = holdsSealed(request.getArgs()?.toJavaScript());
            return new messages.InvokeResponse().setReturn(writeStruct(isSecret ? mapValues(result, sealed) : result));
        }),

        cancel: unary(async (_: Empty) => {
            cancellation.abort();
            return new empty.Empty();
        }),
    };
}

function configurationMethods({ backend }: Ground): UntypedServiceImplementation {
    return {
        checkConfig: unary(async (request: provider.CheckRequest, write) =>
            checked(backend().checkConfig(readStruct(request.getNews()), request.getUrn()), write),
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
            // Those of the handshake again.
            const response = new messages.ConfigureResponse().setAcceptsecrets(true).setAcceptresources(true);
            return response.setSupportspreview(true);
        }),
    };
}

/** What is asked of a resource before anything is done. */
function planMethods({ backend }: Ground): UntypedServiceImplementation {
    const operationsOf = (urn: string) => backend().operations(typeOf(urn));
    return {
        check: unary(async (request: provider.CheckRequest, write) => {
            const urn = request.getUrn();
            const olds = readStruct(request.getOlds());
            const isNew = Object.keys(olds).length === 0;
            const written = request.getNews()?.toJavaScript() ?? {};
            const named = backend().named(typeOf(urn), written);
            // In the request: the answer seals what is secret there, by its name.
            if (named !== written) request.setNews(writeStruct(named));
            const news = readStruct(request.getNews());
            const told = { urn, lockMark: lockMark(urn) };
            return checked(await operationsOf(urn).check(isNew ? undefined : olds, news, told), write);
        }, newsOf),

        diff: unary(async (request: provider.DiffRequest) => {
            const olds = request.getOlds()?.toJavaScript() ?? {};
            const news = request.getNews()?.toJavaScript() ?? {};
            const operations = operationsOf(request.getUrn());
            const found = await operations.diff(request.getId(), readProperties(olds), readProperties(news));
            // An update seals them in state, and sends nothing for them.
            const open = sealedAnew(news, olds).filter((name) => !found.names.includes(name));
            const response = difference([...found.names, ...open], found.changes);
            for (const name of [...found.outdated, ...open])
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
        create: unary(async (request: provider.CreateRequest, write) => {
            const operations = operationsOf(request.getUrn());
            const inputs = readStruct(request.getProperties());
            const response = new messages.CreateResponse();
            if (request.getPreview()) {
                return response.setProperties(write(await operations.previewCreate(inputs, about(request))));
            }
            const { id, outputs } = await operations.create(inputs, about(request));
            return response.setId(id).setProperties(write(outputs));
        }, propertiesOf),

        read: unary(async (request: provider.ReadRequest, write) => {
            const operations = operationsOf(request.getUrn());
            const state = readStruct(request.getProperties());
            const found = await withDeniedAdvice(operations.read(request.getId(), state, about(request)));
            const response = new messages.ReadResponse();
            if (found === undefined) return response;
            const { id, outputs, inputs } = found;
            return response.setId(id).setProperties(write(outputs)).setInputs(writeStruct(inputs, request.getInputs()));
        }, propertiesOf),

        update: unary(async (request: provider.UpdateRequest, write) => {
            const [olds, news] = [readStruct(request.getOlds()), readStruct(request.getNews())];
            const operations = operationsOf(request.getUrn());
            const update = request.getPreview() ? "previewUpdate" : "update";
            const outputs = await operations[update](request.getId(), olds, news, about(request));
            return new messages.UpdateResponse().setProperties(write(outputs));
        }, newsOf),

        delete: unary(async (request: provider.DeleteRequest) => {
            const operations = operationsOf(request.getUrn());
            const state = readStruct(request.getProperties());
            await withDeniedAdvice(operations.delete(request.getId(), state, about(request)));
            return new empty.Empty();
        }),
    };
}

/** What check found. The engine prints the value of a named property, secrets in clear: the path stands in the reason instead. */
function checked({ inputs, failures }: Checked, write: Write): provider.CheckResponse {
    const failed = failures.map((finding) => new messages.CheckFailure().setReason(asSentence(finding)));
    return new messages.CheckResponse().setInputs(write(inputs)).setFailuresList(failed);
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

const newsOf = (request: { getNews(): Struct | undefined }) => request.getNews();
const propertiesOf = (request: { getProperties(): Struct | undefined }) => request.getProperties();

/** @param given properties of the request: what is secret of them is so in the answer */
function unary<Request, Response>(
    answer: (request: Request, write: Write) => Promise<Response>,
    given: (request: Request) => Struct | undefined = () => undefined,
): handleUnaryCall<Request, Response> {
    return ({ request }, respond) => {
        const write: Write = (values) => writeStruct(values, given(request));
        answer(request, write).then(
            (response) => respond(null, response),
            (error: unknown) => respond(asStatus(error, write)),
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
