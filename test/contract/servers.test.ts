/** The contracts, on the servers that `npm run test:contract` chose from its environment. Without it there is nothing here. */

import type { ServiceName } from "../../src/core/service";
import { readSettings } from "../../src/runtime/config";
import { describeManagerContract } from "./manager";
import { describeStateVersionsContract } from "./state-versions";
import type { Target } from "./target";
import { describeVolumesContract } from "./volumes";

const contracts: Readonly<Record<ServiceName, (target: Target) => void>> = {
    manager: describeManagerContract,
    volumes: describeVolumesContract,
    stateVersions: describeStateVersionsContract,
};

const chosen = (process.env["STATECRAFT_CONTRACT_SERVICES"] ?? "").split(",");
for (const service of ["manager", "volumes", "stateVersions"] as const) {
    if (!chosen.includes(service)) continue;
    const settings = readSettings(service, undefined, () => undefined, process.env);
    const vocabulary = settings.vocabulary ?? "documented";
    contracts[service]({
        // The host alone: an address may hold a password.
        name: `${new URL(settings.address ?? "").host}, ${vocabulary}`,
        vocabulary,
        settings: () => settings,
        environment: process.env,
        complete: false,
    });
}
