import { volumes } from "./model-volumes";
import { describeRandomRuns } from "./upsert-runs";

for (const vocabulary of ["documented", "product"] as const) describeRandomRuns(volumes(vocabulary));
