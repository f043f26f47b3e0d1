/** Properties with a field in requests or answers, as most records have them. */

import * as z from "zod";
import { type Facts, property } from "../schema/property";

/** A property with the field `wire`. */
export const field = <Type extends z.ZodType>(
    wire: string,
    type: Type,
    description: string,
    facts: Partial<Facts> = {},
) => property(type, { wire, description, ...facts });

/** A string. Empty if the answer lacks it. */
export const text = (wire: string, description: string) => field(wire, z.string(), description, { default: "" });

/** A boolean. False if the answer lacks it. */
export const flag = (wire: string, description: string) => field(wire, z.boolean(), description, { default: false });

/** A number of things below 2^31. 0 if the answer lacks it. */
export const count = (wire: string, description: string) => field(wire, z.int(), description, { default: 0 });

/** A time, an index or another number. 0 if the answer lacks it. */
export const number = (wire: string, description: string) => field(wire, z.number(), description, { default: 0 });

/** A list. Empty if the answer lacks it. */
export const list = <Item extends z.ZodType>(wire: string, item: Item, description: string) =>
    field(wire, z.array(item), description, { default: [] });
