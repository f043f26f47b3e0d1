/** Random runs of every named object: with the model of its facts, else with the one that its facts make. */

import { isNamedObject, resourceFacts } from "../support/resource-facts";
import { modelOf } from "./model-of-facts";
import { describeRandomRuns } from "./upsert-runs";

for (const facts of resourceFacts.filter(isNamedObject)) {
    const { model } = facts;
    // Roles show that the one that facts make works beside a richer one.
    if (model === undefined || facts.type === "AuthRole") describeRandomRuns(modelOf(facts));
    if (model) for (const vocabulary of ["documented", "product"] as const) describeRandomRuns(model(vocabulary));
}
