/** Converts errors to gRPC statuses. The status of a partly created object contains its id and outputs. */

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
    // For this code, the engine neither restarts the provider nor assumes that the state may be wrong.
    const code = grpc.status.FAILED_PRECONDITION;
    if (!(error instanceof OperationError) || error.partial === undefined) return { code, details };
    const { id, outputs } = error.partial;
    return { code, details, metadata: initFailed(id, writeStruct(outputs), details, code) };
}

/** Metadata with which the engine stores a partly created object in state. gRPC sends such details as a second status in a header. */
function initFailed(id: string, outputs: Struct, reason: string, code: number) {
    const { Any } = requireBesideSdk("google-protobuf/google/protobuf/any_pb");
    const detail = new ErrorResourceInitFailed().setId(id).setProperties(outputs).setReasonsList([reason]);
    const packed = new Any();
    packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new Status().setCode(code).setMessage(reason).setDetailsList([packed]);
    const metadata = new grpc.Metadata();
    metadata.set("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
    return metadata;
}
