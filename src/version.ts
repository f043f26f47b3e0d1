/** The version of this package, and how we introduce ourselves to services. */

/** From the file that lies one level up from `src` and from `dist` alike. Bundlers of scripts take along what is required so. */
export const { version } = require("../package.json") as { version: string };

/** `pulumi-statecraft/<version>`. */
export const userAgent = `pulumi-statecraft/${version}`;
