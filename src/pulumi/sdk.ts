/**
 * Loads libraries that Pulumi's SDK depends on, in the copy that the SDK uses: its messages and clients do not work with another copy.
 * In the bundle of the native plugin, which contains the SDK's messages, scripts/bundle.mjs makes these calls a plain `require`.
 */

import { createRequire } from "node:module";

interface Modules {
    "@grpc/grpc-js": typeof import("@grpc/grpc-js");
    "@pulumi/pulumi/proto/engine_grpc_pb": typeof import("@pulumi/pulumi/proto/engine_grpc_pb");
    "@pulumi/pulumi/proto/engine_pb": typeof import("@pulumi/pulumi/proto/engine_pb");
    "google-protobuf/google/protobuf/any_pb": typeof import("google-protobuf/google/protobuf/any_pb");
    "google-protobuf/google/protobuf/empty_pb": typeof import("google-protobuf/google/protobuf/empty_pb");
    "google-protobuf/google/protobuf/struct_pb": typeof import("google-protobuf/google/protobuf/struct_pb");
}

const requireAsSdk = createRequire(require.resolve("@pulumi/pulumi"));

/** Loads a module in the copy that the SDK uses. */
export const requireBesideSdk = <Name extends keyof Modules>(name: Name): Modules[Name] => requireAsSdk(name);
