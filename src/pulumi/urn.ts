/** URNs that need no promise: the SDK makes many of them for an output, and for an object that may hold one. */

import * as pulumi from "@pulumi/pulumi";

/** The URN of a resource below the stack itself. What stands below another resource has that one's part in its URN too. */
export function urnBelowStack(name: string, type: string): string {
    return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
}
