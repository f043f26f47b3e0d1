/** How we introduce ourselves to services. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The package's file lies two levels up from `src/http` and from `dist/http` alike. */
function version(): string {
    const manifest: unknown = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8"));
    const found = typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : "";
    return typeof found === "string" ? found : "";
}

/** `pulumi-statecraft/<version>`. */
export const userAgent = `pulumi-statecraft/${version()}`;
