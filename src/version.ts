/** The version of this package, and the `User-Agent` of its requests. */

/** The version in package.json, which is one level above both `src` and `dist`. `require` makes bundlers of scripts include the file. */
export const { version } = require("../package.json") as { version: string };

/** The `User-Agent` of requests: `pulumi-statecraft/<version>`. */
export const userAgent = `pulumi-statecraft/${version}`;
