/** The definitions of all resources and functions. */

import { allFunctions, allResources } from "../../src/generated/registry";

export const definitions = allResources();

export const functions = allFunctions();
