/** What names a volume. Volumes, their lookups and detachments share it. */

import { type Defaults, property } from "../../schema/facts";
import { stringOf } from "../../schema/property-types";

/** Where a volume is whose program names no namespace. */
export const homeNamespace = ({ namespace }: Pick<Defaults, "namespace">) => namespace ?? "default";

/** Its two properties. */
export const placeProperties = {
    volumeId: property(
        stringOf(/^(?!\.{1,2}$)[^/\p{Cc}]+$/u, "must not be empty, nor . or .., nor hold / or control characters"),
        { wire: "ID", immutable: true, description: "The volume's `ID`: what jobs name it by." },
    ),
    namespace: property(stringOf(/^[^/*]+$/, "must be the name of one namespace").optional(), {
        wire: "Namespace",
        immutable: true,
        sticky: homeNamespace,
        description: "Namespace of the volume. Defaults to the `namespace` of the settings, else `default`.",
    }),
};
