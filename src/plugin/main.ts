#!/usr/bin/env node

/** The executable `pulumi-resource-statecraft` of the npm package. */

import { useCompileCache } from "./compile-cache";

useCompileCache();
// Loaded after the cache is in use, so that Node takes the compiled code from it.
require("./server");
