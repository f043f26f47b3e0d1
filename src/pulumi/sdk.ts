/** Modules of the very copy that Pulumi's SDK uses: to its messages and clients, those of any other copy are strangers. */

import { createRequire } from "node:module";

/** `require`, as the SDK would call it. */
export const requireBesideSdk = createRequire(require.resolve("@pulumi/pulumi"));
