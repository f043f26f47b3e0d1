/**
 * The contracts, on real servers: `npm run test:contract`. Variables whose names begin with `STATECRAFT_CONTRACT_` name the servers, and no other
 * ones do. What a contract makes has a name that begins with `contract-`, and is removed again; a rollback leaves its versions in the history.
 *
 * | variable                          | meaning                                                                            |
 * | --------------------------------- | ---------------------------------------------------------------------------------- |
 * | `…_MANAGER_ADDRESS`, `…_TOKEN`    | the secrets manager; every other setting likewise, as in `…_MANAGER_NAMESPACE`     |
 * | `…_MOUNT`                         | where the login method is mounted, unless at its usual place                       |
 * | `…_VOLUMES_ADDRESS`, `…_TOKEN`    | the volumes service                                                                |
 * | `…_PLUGIN`                        | the plugin to register volumes with; without it none is registered                 |
 * | `…_EXTERNAL_ID`                   | a volume of the plugin's storage, for a plugin that looks for it                   |
 * | `…_NODE`                          | a node that runs the plugin; without it nothing is detached                        |
 * | `…_STATE_VERSIONS_ADDRESS`, `…`   | the service of state versions                                                      |
 * | `…_WORKSPACE`                     | a workspace that may be rolled back and has two versions                           |
 * | `…_SEED`                          | repeats the names of an earlier run                                                |
 */

import assert from "node:assert/strict";
import type { ServiceName } from "../../src/core/service";
import { readSettings } from "../../src/runtime/config";
import { describeManagerContract } from "./manager";
import { describeStateVersionsContract } from "./state-versions";
import type { Target } from "./target";
import { describeVolumesContract } from "./volumes";

const prefix = "STATECRAFT_CONTRACT_";
const given = Object.entries(process.env).filter(([name]) => name.startsWith(prefix));
/** What the settings of the services are read from, and what else is known of the servers. */
const environment: NodeJS.ProcessEnv = Object.fromEntries(
    given.flatMap(([name, value]) => [
        [name, value],
        [name.replace("CONTRACT_", ""), value],
    ]),
);

interface Contract {
    readonly service: ServiceName;
    readonly title: string;
    readonly variable: string;
    readonly describe: (target: Target) => void;
}

const contracts: readonly Contract[] = [
    { service: "manager", title: "secrets manager", variable: "MANAGER", describe: describeManagerContract },
    { service: "volumes", title: "volumes service", variable: "VOLUMES", describe: describeVolumesContract },
    {
        service: "stateVersions",
        title: "service of state versions",
        variable: "STATE_VERSIONS",
        describe: describeStateVersionsContract,
    },
];

for (const { service, title, variable, describe: contract } of contracts) {
    const settings = readSettings(service, undefined, () => undefined, environment);
    if (settings.address === undefined) {
        it(`no ${title} is named by ${prefix}${variable}_ADDRESS`, function () {
            assert(
                given.some(([name]) => name.endsWith("_ADDRESS")),
                "no server is named at all",
            );
            this.skip();
        });
        continue;
    }
    const vocabulary = settings.vocabulary ?? "documented";
    contract({
        // The host alone: an address may hold a password.
        name: `${new URL(settings.address).host}, ${vocabulary}`,
        vocabulary,
        settings: () => settings,
        environment,
        complete: false,
    });
}
