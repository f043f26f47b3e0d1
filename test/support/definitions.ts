/** Every resource and function, for tests that go through all of them. */

import { allFunctions, allResources } from "../../src/services/registry";

/** Every resource. */
export const definitions = allResources();

/** Every function. */
export const functions = allFunctions();
