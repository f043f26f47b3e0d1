/** Modules of the very copy that Pulumi's SDK uses: to its messages and clients, those of any other copy are strangers. */

import { createRequire } from "node:module";

interface Modules {
    "@grpc/grpc-js": typeof import("@grpc/grpc-js");
    "@pulumi/pulumi/proto/engine_grpc_pb": typeof import("@pulumi/pulumi/proto/engine_grpc_pb");
    "@pulumi/pulumi/proto/engine_pb": typeof import("@pulumi/pulumi/proto/engine_pb");
    "@pulumi/pulumi/proto/plugin_pb": typeof import("@pulumi/pulumi/proto/plugin_pb");
    "@pulumi/pulumi/proto/provider_grpc_pb": typeof import("@pulumi/pulumi/proto/provider_grpc_pb");
    "@pulumi/pulumi/proto/provider_pb": typeof import("@pulumi/pulumi/proto/provider_pb");
    "@pulumi/pulumi/proto/status_pb": typeof import("@pulumi/pulumi/proto/status_pb");
    "google-protobuf/google/protobuf/any_pb": typeof import("google-protobuf/google/protobuf/any_pb");
    "google-protobuf/google/protobuf/empty_pb": typeof import("google-protobuf/google/protobuf/empty_pb");
    "google-protobuf/google/protobuf/struct_pb": typeof import("google-protobuf/google/protobuf/struct_pb");
}

const requireAsSdk = createRequire(require.resolve("@pulumi/pulumi"));

/** Loads a module, as the SDK would. */
export const requireBesideSdk = <Name extends keyof Modules>(name: Name): Modules[Name] => requireAsSdk(name);
