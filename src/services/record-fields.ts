/** Properties of the forms that records in requests and answers often have. */

import * as z from "zod";
import { type Facts, property } from "../schema/property";

/** A property whose value is the field `wire` of requests and answers. */
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

/** A whole number below 2^31. 0 if the answer lacks it. */
export const count = (wire: string, description: string) => field(wire, z.int(), description, { default: 0 });

/** Any number, such as a time or an index. 0 if the answer lacks it. */
export const number = (wire: string, description: string) => field(wire, z.number(), description, { default: 0 });

/** A list. Empty if the answer lacks it. */
export const list = <Item extends z.ZodType>(wire: string, item: Item, description: string) =>
    field(wire, z.array(item), description, { default: [] });
