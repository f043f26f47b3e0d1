/** Properties that several resources and functions share. */

import * as z from "zod";
import { property } from "../schema/property";
import { duration } from "../schema/property-types";

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
