/** Failures as gRPC carries them: one readable paragraph, and what was made all the same. */

import type { StatusObject } from "@grpc/grpc-js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { OperationError } from "../core/operation-error";
import { requireBesideSdk } from "../pulumi/sdk";
import { writeStruct } from "./struct";

const grpc = requireBesideSdk("@grpc/grpc-js");

/** The status that a method answers with instead of a message. */
export function asStatus(error: unknown): Partial<StatusObject> {
    const details = error instanceof Error ? error.message : String(error);
    // Of this code the engine knows that the provider is well, and what it says about the state is so.
    const code = grpc.status.FAILED_PRECONDITION;
    if (!(error instanceof OperationError) || error.partial === undefined) return { code, details };
    const { id, outputs } = error.partial;
    return { code, details, metadata: initFailed(id, writeStruct(outputs), details, code) };
}

/** The object is kept in state as not initialized. Structured details travel in a header of this name, as a status of their own. */
function initFailed(id: string, outputs: Struct, reason: string, code: number) {
    const { ErrorResourceInitFailed } = requireBesideSdk("@pulumi/pulumi/proto/provider_pb");
    const { Status } = requireBesideSdk("@pulumi/pulumi/proto/status_pb");
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
