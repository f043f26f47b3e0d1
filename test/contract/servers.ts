/**
 * The contracts on real servers: `npm run test:nightly -- --only contract`. Only variables `STATECRAFT_CONTRACT_…` name the servers. The tests
 * give objects names that begin with `contract-`, and delete them. The versions of a rollback stay in the workspace's history.
 *
 * | variable                          | meaning                                                                            |
 * | --------------------------------- | ---------------------------------------------------------------------------------- |
 * | `…_VAULT_ADDRESS`, `…_TOKEN`      | a Vault server. All other settings have such variables, as in `…_VAULT_NAMESPACE`  |
 * | `…_MOUNT`                         | the mount of the login method. Default: that of the settings                       |
 * | `…_VAULT_LOGINS`, `…_NOMAD_…`     | a JSON list of logins to try, whose tokens may list roles or volumes               |
 * | `…_NOMAD_ADDRESS`, `…_TOKEN`      | a Nomad cluster                                                                    |
 * | `…_PLUGIN`                        | the plugin of the volumes. Without it no test registers a volume                   |
 * | `…_EXTERNAL_ID`                   | a volume in the plugin's storage, for a plugin that verifies it                    |
 * | `…_NODE`                          | a node that runs the plugin. Without it no test detaches a volume                  |
 * | `…_TERRAFORM_ADDRESS`, `…_TOKEN`  | HCP Terraform or Terraform Enterprise                                              |
 * | `…_OTF`                           | `true` if that server is OTF, which has another name for a rollback's relationship |
 * | `…_WORKSPACE`                     | a workspace that the tests may roll back, with two versions                        |
 * | `…_NAMESPACE`                     | a namespace that exists, for objects in another one than the default               |
 * | `…_CONFIG_MOUNT`                  | a mount of the login method whose configuration the tests may write and delete     |
 * | `…_LACKS`                         | JSON: what the servers cannot have, such as `snapshots`, each with the reason      |
 * | `…_RECORD`                        | JSON: the folders for recordings by service, such as `{"manager": "vault-1.21.0"}` |
 * | `…_SEED`                          | repeats the names of an earlier run                                                |
 */

import assert from "node:assert/strict";
import type { ServiceName } from "../../src/core/service";
import { readSettings } from "../../src/settings/settings";
import { serviceSettings } from "../../src/settings/settings-schema";
import { closeAll } from "../http/support";
import { describeManagerContract } from "./manager";
import { startProxy } from "./proxy";
import { withRecorder } from "./recording";
import { describeStateVersionsContract } from "./state-versions";
import type { Target } from "./target";
import { describeVolumesContract } from "./volumes";

const prefix = "STATECRAFT_CONTRACT_";
const given = Object.entries(process.env).filter(([name]) => name.startsWith(prefix));
/** The variables, each also with the name that the settings read. */
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
    const { address, sources, title } = settings;
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
    const fields = Object.entries(settings).filter(([field]) => field === "address" || field in sources);
    let proxied: () => string = () => address;
    const target: Target = {
        // The title contains only the host, because an address may contain a password.
        name: new URL(address).host,
        settings: () => serviceSettings.parse({ ...Object.fromEntries(fields), address: proxied() }),
        environment,
        lacks: JSON.parse(environment[`${prefix}LACKS`] ?? "{}"),
    };
    describe(title, () => {
        const { [service]: name } = JSON.parse(environment[`${prefix}RECORD`] ?? "{}");
        if (name !== undefined) proxied = withRecorder(name, address, settings.token, target);
        else if (service === "stateVersions" && environment[`${prefix}OTF`] === "true") {
            let proxy: string | undefined;
            before(async () => {
                proxy = await startProxy(address, { isOtf: true });
            });
            after(closeAll);
            proxied = () => proxy ?? address;
        }
        contracts[service](target);
    });
}
