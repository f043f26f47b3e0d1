/** Failures as gRPC statuses: one paragraph, and the object if it exists all the same. */

import type { StatusObject } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { OperationError } from "../core/operations";
import { requireBesideSdk } from "../pulumi/sdk";
import { writeStruct } from "./struct";

const grpc = requireBesideSdk("@grpc/grpc-js");

/** The status of a failed method. */
export function asStatus(error: unknown): Partial<StatusObject> {
    const details = error instanceof Error ? error.message : String(error);
    // With this code the engine neither restarts the provider nor doubts the state.
    const code = grpc.status.FAILED_PRECONDITION;
    if (!(error instanceof OperationError) || error.partial === undefined) return { code, details };
    const { id, outputs } = error.partial;
    return { code, details, metadata: initFailed(id, writeStruct(outputs), details, code) };
}

/** Metadata by which the engine keeps a half-made object in state. gRPC carries such details in a header, as another status. */
function initFailed(id: string, outputs: Struct, reason: string, code: number) {
    const { Any } = requireBesideSdk("google-protobuf/google/protobuf/any_pb");
    const detail = new ErrorResourceInitFailed().setId(id).setProperties(outputs).setReasonsList([reason]);
    const packed = new Any();
    packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new Status().setCode(code).setMessage(reason);
    status.addDetails(packed);
    const metadata = new grpc.Metadata();
    metadata.set("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
    return metadata;
}
