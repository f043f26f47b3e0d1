/** Properties that several resources and functions share. */

import * as z from "zod";
import { property } from "../schema/property";
import { duration } from "../schema/property-types";

export const adoptProperty = property(
    z.union([z.boolean(), z.literal("identical")], { error: 'must be true, false or "identical"' }).optional(),
    {
        option: true,
        default: false,
        description:
            "Whether to take over an existing object: `true` overwrites it, `identical` takes it over only if it equals " +
            "the program. By default, an existing object is an error.",
    },
);

const longest = (operation: string) =>
    property(duration().optional(), {
        description: `Maximum time to wait in ${operation}: whole seconds, or a string such as \`10m\`.`,
    });

/** The input of resources that wait. A function, because the other resources do not need its type. */
export const timeoutsProperty = () =>
    property(
        z.strictObject({ create: longest("create"), update: longest("update"), delete: longest("delete") }).optional(),
        {
            option: true,
            typeName: "Timeouts",
            description: "Maximum time to wait in each operation. The resource option `customTimeouts` sets them too.",
        },
    );

/** An option that lets a resource wait after a write. `event`: what it waits for, such as `for a new snapshot`. */
export const waitProperty = (event: string, example: string) =>
    property(duration().optional(), {
        option: true,
        default: 0,
        description: `Maximum time to wait ${event}: whole seconds, or a string such as \`${example}\`. Default: no wait.`,
    });

/** The input `triggers` of an action. `again`: what the action does, such as `rotates`. */
export const triggersProperty = (again: string) =>
    property(z.array(z.unknown()).optional(), {
        description: `Any values. A change ${again} again.`,
        default: [],
    });
