/** How we introduce ourselves to services. */

/**
 * The version of this package, whose file lies two levels up from `src/http` and from `dist/http` alike. Bundlers of scripts take along what is
 * required so.
 */
export const { version } = require("../../package.json") as { version: string };

/** `pulumi-statecraft/<version>`. */
export const userAgent = `pulumi-statecraft/${version}`;
