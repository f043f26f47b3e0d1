/**
 * TODO what somebody wants, and what this program makes of it.
 */
import * as statecraft from "pulumi-statecraft";

const first = new statecraft.TypeName("first", { name: "first" });

export const id = first.id;
