/** Ids that the simulator makes up. */

import { randomBytes } from "node:crypto";

/** A new random id with a prefix, such as `sv-8f2c…`. */
export const newId = (prefix: string): string => `${prefix}-${randomBytes(8).toString("hex")}`;
