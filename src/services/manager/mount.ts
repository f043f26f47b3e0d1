/** Where a login method is: the properties of every resource below a mount, and the part of an id that they make. */

import * as z from "zod";
import { type Defaults, property } from "../../schema/facts";
import { codec, slashTrimmed, trimSlashes } from "../../schema/property-types";

/** A namespace is the same with and without slashes around its path. */
const namespaceType = codec(z.string().regex(/^[^@]*$/, { error: "must not hold @" }), z.string(), trimSlashes);

/** The mount of a resource. */
export const mountProperties = {
    mount: property(slashTrimmed("must be the path of a mount, such as clouda").optional(), {
        description:
            "Where the login method is mounted, without `auth/`. Slashes at its ends are trimmed. Defaults to the name that the server has for the method: `clouda`, or `azure` on a real Vault. Resolved when the object is made, from the settings.",
        immutable: true,
        sticky: true,
    }),
    namespace: property(namespaceType.optional(), {
        description: "Namespace of the mount. Defaults to the `namespace` of the settings, else the root namespace.",
        // The root namespace is stored as an empty string: to the SDK, an output that is absent is unknown in each preview, and what takes it replaced.
        default: "",
        equality: (namespace) => namespace || undefined,
        immutable: true,
        sticky: true,
    }),
};

/** A mount, by the values of its properties. */
export interface Mount {
    readonly namespace: string;
    readonly mount: string;
}

/** The mount that inputs and settings name. */
export function mountOf(
    inputs: { readonly mount?: string | undefined; readonly namespace?: string | undefined },
    settings: Defaults,
): Mount {
    const namespace = inputs.namespace ?? trimSlashes(settings.namespace ?? "");
    return { mount: inputs.mount ?? settings.mount, namespace };
}

/** The part of an id that names a mount: `auth/clouda`, in a namespace `team@auth/clouda`. */
export function mountId({ mount, namespace }: Mount): string {
    return `${namespace === "" ? "" : `${namespace}@`}auth/${mount}`;
}

/** How messages call what a mount has one of. */
export function mountSubject({ mount, namespace = "" }: Partial<Mount>): string {
    return mount === undefined ? "" : mountId({ mount, namespace });
}

/** Makes what finds the mount in ids of the form `[<namespace>@]auth/<mount>/<rest>`, and the rest that matches. */
export function mountParser(rest: RegExp): (id: string) => (Mount & { readonly rest: string }) | undefined {
    const form = new RegExp(`^(?:([^@]+)@)?auth/(.+)/(${rest.source})$`);
    return (id) => {
        const [, namespace = "", written, tail] = form.exec(id) ?? [];
        const mount = mountProperties.mount.safeParse(written).data;
        return mount && tail !== undefined ? { namespace: trimSlashes(namespace), mount, rest: tail } : undefined;
    };
}

/** Header that addresses a namespace; none for the root. */
export function namespaceHeaders({ namespace }: Pick<Mount, "namespace">): Record<string, string> {
    return namespace === "" ? {} : { "X-Secrets-Namespace": namespace };
}

/** What a request about a mount goes with. */
export const atMount = (mount: Mount) => ({
    parameters: { mount: mount.mount },
    headers: namespaceHeaders(mount),
});
