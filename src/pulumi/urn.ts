/** URNs that need no promise: the SDK makes many of them for an output, and for an object that may hold one. */

import * as pulumi from "@pulumi/pulumi";

/** The URN of a resource below the stack itself. What stands below another resource has that one's part in its URN too. */
export function urnBelowStack(name: string, type: string): string {
    return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
}

/**
 * The URN of a resource below another one. An output would depend on the parent, and by that on all that is below a component: two resources
 * there would wait for each other.
 */
export function urnBelow(parent: pulumi.Resource, name: string, type: string): Promise<string> {
    return new Promise((resolve) => {
        pulumi.createUrn(name, type, parent).apply(resolve);
    });
}
