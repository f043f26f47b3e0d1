#!/usr/bin/env node

/** The executable `statecraft` of the npm package. */

import { commands, runProcess } from "./program";
import { defineSimulator } from "./simulator";

void runProcess("npx pulumi-statecraft", { ...commands, simulator: defineSimulator });
