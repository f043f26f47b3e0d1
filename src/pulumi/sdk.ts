/**
 * Loads libraries that Pulumi's SDK depends on, in the copy that the SDK uses: its messages and clients do not work with another copy.
 * In the bundle of the native plugin, which contains the SDK's messages, scripts/bundle.mjs makes these calls a plain `require`.
 */

import { createRequire } from "node:module";
import { StatecraftError } from "../errors";

interface Modules {
    "@grpc/grpc-js": typeof import("@grpc/grpc-js");
    "@pulumi/pulumi/proto/engine_grpc_pb": typeof import("@pulumi/pulumi/proto/engine_grpc_pb");
    "@pulumi/pulumi/proto/engine_pb": typeof import("@pulumi/pulumi/proto/engine_pb");
    "google-protobuf/google/protobuf/any_pb": typeof import("google-protobuf/google/protobuf/any_pb");
    "google-protobuf/google/protobuf/empty_pb": typeof import("google-protobuf/google/protobuf/empty_pb");
    "google-protobuf/google/protobuf/struct_pb": typeof import("google-protobuf/google/protobuf/struct_pb");
}

const requireAsSdk = createRequire(pathOfSdk());

/** The file of the SDK. npm installs an optional peer dependency only for a project that depends on it too. */
function pathOfSdk(): string {
    try {
        return require.resolve("@pulumi/pulumi");
    } catch {
        const hint = "Run `npm install @pulumi/pulumi`";
        throw new StatecraftError(
            "config",
            `pulumi-statecraft needs @pulumi/pulumi, which is not installed. ${hint}. [config]`,
        );
    }
}

/** Loads a module in the copy that the SDK uses. */
export const requireBesideSdk = <Name extends keyof Modules>(name: Name): Modules[Name] => requireAsSdk(name);
