/** The definitions of all resources and functions. */

import { allFunctions, allResources } from "../../src/services/registry";

export const definitions = allResources();

export const functions = allFunctions();
