/** Assets: contents as Pulumi hands them over. */

import * as z from "zod";
import { isRecord } from "./unknown";

/** A Pulumi asset, in the form in which the engine hands it to a provider. */
export const asset = z.custom<Readonly<Record<string, unknown>>>(isRecord, { error: "must be a Pulumi asset" });
