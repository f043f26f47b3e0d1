/** The mount of an azure auth method: the inputs that name it, and its part of the ids of resources under it. */

import * as z from "zod";
import type { ServerDefaults } from "../../core/context";
import { type IdParts, identity } from "../../core/identity";
import { property } from "../../schema/property";
import { codec, slashTrimmed, trimSlashes } from "../../schema/property-types";
import { inNamespace, type VaultDefaults } from "./service";

/** The type of a namespace's path. Slashes at its ends are removed. */
const namespaceType = codec(z.string().regex(/^[^@]*$/, { error: "must not contain @" }), z.string(), trimSlashes);

export const mountProperties = {
    mount: property(slashTrimmed("must be the path of a mount, such as azure").optional(), {
        description: "Path of the auth method, without `auth/`. Default: `azure`. Decided when the object is created.",
        immutable: true,
        chosen: true,
    }),
    namespace: property(namespaceType.optional(), {
        description: "Namespace of the mount. Default: the `namespace` of the settings, else the root namespace.",
        equality: (namespace) => namespace || undefined,
        immutable: true,
        chosen: true,
    }),
};

/** A mount. The root namespace is `""`, also in state, because the SDK would treat an absent output as unknown in every preview. */
export type Mount = IdParts<"namespace" | "mount">;

/** The mount that inputs and settings name. */
export const mountOf = (
    { mount, namespace }: { readonly mount?: string | undefined; readonly namespace?: string | undefined },
    settings: Pick<ServerDefaults<VaultDefaults>, "mount" | "namespace">,
): Mount => ({
    mount: mount ?? settings.mount,
    namespace: namespace ?? trimSlashes(settings.namespace ?? ""),
});

/** The part of an id that names a mount: `auth/azure`, in a namespace `team@auth/azure`. */
export const mountId = identity("[<+namespace>@]auth/<+mount>").id;

/** The types of a mount's parameters in ids. */
export const mountTypes = { namespace: namespaceType.default(""), mount: mountProperties.mount };

/** Addresses and ids of a resource that exists once for each mount. `tail` is the end of its id. */
export const oncePerMount = (tail: string) => ({
    identity: identity(`[<+namespace>@]auth/<+mount>/${tail}`, mountTypes),
    subject: ({ mount, namespace = "" }: Partial<Mount>) => (mount === undefined ? "" : mountId({ mount, namespace })),
    address: mountOf,
});

/** The parts of a request about a mount, or about an object in it. */
export const atMount = <Address extends Mount>({ namespace, ...parameters }: Address) => ({
    parameters,
    ...inNamespace(namespace),
});
