/** The definitions of all resources and functions. */

import assert from "node:assert/strict";
import { allFunctions, allResources } from "../../src/generated/registry";

export const definitions = allResources();

export function definitionOf(type: string): (typeof definitions)[number] {
    return definitions.find((each) => each.type === type) ?? assert.fail(`no resource ${type}`);
}

export const functions = allFunctions();
