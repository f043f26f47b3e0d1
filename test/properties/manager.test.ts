import { loginConfigs } from "./model-login-config";
import { roles } from "./model-roles";
import { snapshots } from "./model-snapshots";
import { describeRandomRuns } from "./upsert-runs";

for (const vocabulary of ["documented", "product"] as const) {
    describeRandomRuns(roles(vocabulary));
    describeRandomRuns(snapshots(vocabulary));
    describeRandomRuns(loginConfigs(vocabulary));
}
