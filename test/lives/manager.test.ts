import { loginConfigs } from "./model-login-config";
import { roles } from "./model-roles";
import { snapshots } from "./model-snapshots";
import { describeLives } from "./whole-object";

for (const vocabulary of ["documented", "product"] as const) {
    describeLives(roles(vocabulary));
    describeLives(snapshots(vocabulary));
    describeLives(loginConfigs(vocabulary));
}
