/** Random runs of the named objects that need no model of their own. */

import { authRole } from "../resources/auth-role";
import { isNamedObject, resourceFacts } from "../support/resource-facts";
import { modelOf } from "./model-of-facts";
import { counts } from "./random-runs";
import { describeRandomRuns } from "./upsert-runs";

const plain = resourceFacts.filter(isNamedObject).filter(({ type }) => !(type in counts));

// Roles have a richer model beside it; here they show that this one works.
for (const facts of [authRole, ...plain]) describeRandomRuns(modelOf(facts));
