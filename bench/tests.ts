/** How long the last whole `npm test` took, which says so itself. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Measurement } from "./measurement";

export async function measure(): Promise<Measurement[]> {
    const { workFolder } = await import("../scripts/prepare.mjs");
    const file = join(workFolder(), "test-seconds");
    if (!existsSync(file)) throw new Error("Nothing is known of `npm test`: run it once before this.");
    return [atMost("Tests", "`npm test`, with the Pulumi CLI there", Number(readFileSync(file, "utf8")), 120, "s")];
}
