/** The version of this package, and the `User-Agent` of its requests. */

/** Read from the file one level above both `src` and `dist`. Bundlers of scripts include a file that is required. */
export const { version } = require("../package.json") as { version: string };

/** `pulumi-statecraft/<version>`. */
export const userAgent = `pulumi-statecraft/${version}`;
