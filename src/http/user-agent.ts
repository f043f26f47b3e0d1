/** How we introduce ourselves to services. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of this package, whose file lies two levels up from `src/http` and from `dist/http` alike. */
export const { version }: { version: string } = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8"));

/** `pulumi-statecraft/<version>`. */
export const userAgent = `pulumi-statecraft/${version}`;
