/** The advice on each write that a service refuses in its own form: that of its endpoint, or else that of the service. */

import assert from "node:assert/strict";
import { seed, subjects } from "./faults/subjects";
import { definitions } from "./support/definitions";
import { failureOf } from "./support/failures";
import { withSimulator } from "./support/simulator";

const inJson = (contentType: string, errors: unknown[]) => ({ contentType, body: JSON.stringify({ errors }) });
const forms = {
    manager: (reason: string) => inJson("application/json", [reason]),
    volumes: (reason: string) => ({ contentType: "text/plain", body: reason }),
    stateVersions: (detail: string) => inJson("application/vnd.api+json", [{ detail }]),
};

const reasons = [
    [403, "permission denied"],
    [404, "no handler for route"],
    [409, "conflict"],
    [422, "not so"],
] as const;

/** Requests with their statuses, and what the message says. The first match counts, and no message says what another row says. */
const rows: readonly (readonly [cells: RegExp, words: RegExp])[] = [
    [/\/snapshot-auto\/.* 403$/, /"sudo"/],
    [/ \/v1\/(auth|sys)\/.* 403$/, /Set a valid token that has this policy: `path "(auth|sys)\/[^"]+" (?!.*"sudo")/],
    [/\/csi\/.* 403$/, /`csi-write-volume`/],
    [/\/auth\/.* 404$/, /404: .*\. Nothing is mounted at auth/],
    [/ \/v1\/.* 404$/, /Set `address` to that of (Vault|Nomad)/],
    // No document and no measured server answers so: the message is the server's reason alone.
    [/ \/v1\/.* (409|422)$/, /: (conflict|not so)\. \[/],
    [/^PATCH .*\/state-versions 404$/, /does not offer rollbacks/],
    [/^PATCH .*\/state-versions (409|422)$/, /Choose a finalized version/],
    [/^POST .*\/state-versions (409|422)$/, /lineage of the current version/],
    [/\/soft_delete_backing_data 404$/, /needs Terraform Enterprise/],
    [/\/actions\/lock 403$/, /permission to lock and unlock/],
    [/\/actions\/unlock 409$/, /token of the account that took the lock/],
    [/\/actions\/unlock \d+$/, /To unlock it/],
    [/ \/api\/.* 403$/, /permission to read and write state versions/],
    [/ \/api\/.* 404$/, /does not exist, has no state/],
    [/ \/api\/.* (409|422)$/, /: (conflict|not so)\. Run `pulumi up` again\. \[/],
];

describe("the advice on a refused write", () => {
    const simulator = withSimulator(seed);

    for (const { type, service } of definitions) {
        it(`of ${type} is that of the row of its endpoint`, async () => {
            const { inputs, prepare } = subjects.find((each) => each.type === type) ?? assert.fail(type);
            await prepare?.(simulator);
            const restore = simulator.keep();
            const life = async () => {
                restore();
                await (await simulator.resource(type).deployed(inputs)).destroy();
            };
            await simulator.forget();
            await life();
            // The address of an upload is that of a store.
            const writes = (await simulator.requests()).filter(
                ({ method, path }) => !/^(GET|LIST)$/.test(method) && !path.includes("/object/"),
            );
            assert(writes.length > 0);
            const others: string[] = [];
            for (const { method, path } of writes) {
                for (const [status, reason] of reasons) {
                    await simulator.fault({
                        method,
                        path: `${path}$`,
                        times: 0,
                        status,
                        ...forms[service.name](reason),
                    });
                    const { message } = await failureOf(life(), Error);
                    await simulator.heal();
                    const cell = `${method} ${path} ${status}`;
                    const row = rows.find(([cells]) => cells.test(cell));
                    const said = rows.filter(([, words]) => words.test(message));
                    if (row === undefined || said.length !== 1 || said[0] !== row) others.push(`${cell}: ${message}`);
                }
            }
            assert.deepEqual(
                others,
                [],
                "a message without the words of its row in test/advice.test.ts, or without a row",
            );
        });
    }
});
