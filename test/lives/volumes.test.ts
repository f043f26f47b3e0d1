import { volumes } from "./model-volumes";
import { describeLives } from "./whole-object";

for (const vocabulary of ["documented", "product"] as const) describeLives(volumes(vocabulary));
