/**
 * The contracts, on real servers: `npm run test:nightly -- --only contract`. Variables whose names begin with `STATECRAFT_CONTRACT_` name the servers, and no other
 * ones do. What a contract makes has a name that begins with `contract-`, and is removed again; a rollback leaves its versions in the history.
 *
 * | variable                          | meaning                                                                            |
 * | --------------------------------- | ---------------------------------------------------------------------------------- |
 * | `…_VAULT_ADDRESS`, `…_TOKEN`      | a Vault server; every other setting likewise, as in `…_VAULT_NAMESPACE`            |
 * | `…_MOUNT`                         | where the login method is mounted, unless at its usual place                       |
 * | `…_NOMAD_ADDRESS`, `…_TOKEN`      | a Nomad cluster                                                                    |
 * | `…_PLUGIN`                        | the plugin to register volumes with; without it none is registered                 |
 * | `…_EXTERNAL_ID`                   | a volume of the plugin's storage, for a plugin that looks for it                   |
 * | `…_NODE`                          | a node that runs the plugin; without it nothing is detached                        |
 * | `…_TERRAFORM_ADDRESS`, `…_TOKEN`  | HCP Terraform or Terraform Enterprise                                              |
 * | `…_OTF`                          | `true` if that server is OTF, which has another name for a rollback's relationship |
 * | `…_WORKSPACE`                     | a workspace that may be rolled back and has two versions                           |
 * | `…_SEED`                          | repeats the names of an earlier run                                                |
 *
 * Servers that speak the API documents have the keys `MANAGER`, `VOLUMES` and `STATE_VERSIONS` instead.
 */

import assert from "node:assert/strict";
import type { ServiceName } from "../../src/core/service";
import { readSettings } from "../../src/settings/settings";
import { serviceSettings } from "../../src/settings/settings-schema";
import { describeManagerContract } from "./manager";
import { type OtfProxy, proxyOtf } from "./otf";
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

const contracts: Readonly<Record<ServiceName, (target: Target) => void>> = {
    manager: describeManagerContract,
    volumes: describeVolumesContract,
    stateVersions: describeStateVersionsContract,
};

for (const service of ["manager", "volumes", "stateVersions"] as const) {
    const settings = readSettings(service, undefined, () => undefined, environment);
    const { address, names: vocabulary, sources, title } = settings;
    if (address === undefined) {
        it(`[left out: no address is set for ${title}]`, function () {
            assert(
                given.some(([name]) => name.endsWith("_ADDRESS")),
                "no server is named at all",
            );
            this.skip();
        });
        continue;
    }
    let proxy: OtfProxy | undefined;
    if (service === "stateVersions" && environment[`${prefix}OTF`] === "true") {
        before(async () => {
            proxy = await proxyOtf(address);
        });
        after(() => proxy?.close());
    }
    const fields = Object.entries(settings).filter(([field]) => field === "address" || field in sources);
    contracts[service]({
        // The host alone: an address may hold a password.
        name: `${new URL(address).host}, ${vocabulary}`,
        vocabulary,
        settings: () =>
            serviceSettings.parse({ ...Object.fromEntries(fields), ...(proxy && { address: proxy.address }) }),
        environment,
        complete: false,
    });
}
