/** Asserts that the token for one server is never sent to another. */

import assert from "node:assert/strict";
import { connect } from "../src/client";
import { invokeFunction } from "../src/core/functions";
import { loadFunction } from "../src/generated/registry";
import { createBackend } from "../src/plugin/backend";
import { ProcessRuntime } from "../src/runtime/runtime";
import { manager } from "../src/services/manager/service";
import { withCode } from "./support/messages";
import { withSimulator } from "./support/simulator";

const [usualToken, otherToken] = ["usual-token-3f61", "other-token-9a27"];
const role = { name: "web", boundLocations: ["north"] };

describe("a token of HCP Terraform", () => {
    const simulator = withSimulator({}, { vocabulary: "product" });

    for (const token of ["a b", "<html>", '{"token":"x"}', "ümlaut"]) {
        it(`is refused before a request if no Bearer token has its characters: ${token}`, async () => {
            const { getWorkspace } = connect({ terraform: { address: simulator.url, token } });
            await assert.rejects(getWorkspace({ id: "ws-1" }), { code: "config" });
            assert.deepEqual(await simulator.requests(), []);
        });
    }
});

for (const vocabulary of ["product", "documented"] as const) {
    const key = vocabulary === "product" ? "vault" : "manager";

    describe(`with the key ${key}, the token of the environment`, () => {
        const accepting = (token: string) =>
            withSimulator({ tokens: [{ token, kind: "user", id: "user-1" }] }, { vocabulary });
        const usual = accepting(usualToken);
        const other = accepting(otherToken);
        /** The tokens that each server received. */
        const sent = [new Set<unknown>(), new Set<unknown>()];
        beforeEach(() => {
            for (const [index, { gate }] of [usual, other].entries()) {
                sent[index]?.clear();
                gate.set(({ request: { headers } }) => {
                    sent[index]?.add(headers["x-vault-token"] ?? headers["x-secrets-token"]);
                });
            }
        });

        /** Environments that configure the usual server. */
        const environments = (): [whose: string, NodeJS.ProcessEnv][] => [
            [
                "STATECRAFT_VAULT_ variables",
                { STATECRAFT_VAULT_ADDRESS: usual.url, STATECRAFT_VAULT_TOKEN: usualToken },
            ],
            [
                "STATECRAFT_MANAGER_ variables",
                { STATECRAFT_MANAGER_ADDRESS: usual.url, STATECRAFT_MANAGER_TOKEN: usualToken },
            ],
            ["VAULT_ variables", { VAULT_ADDR: usual.url, VAULT_TOKEN: usualToken }],
        ];
        const ways: [what: string, use: (environment: NodeJS.ProcessEnv, settings: object) => Promise<unknown>][] = [
            [
                "an explicit provider",
                (environment, settings) => {
                    const backend = createBackend(undefined, { environment, say: () => undefined });
                    backend.configure(
                        { [key]: settings },
                        "urn:pulumi:dev::app::pulumi:providers:statecraft::default-other",
                    );
                    return backend.operations("statecraft:index:AuthRole").create(role);
                },
            ],
            [
                "a script's `connect`",
                (environment, settings) =>
                    connect({ [key]: settings, environment, warn: () => undefined }).authRole.create(role),
            ],
            [
                "a connection",
                async (environment, settings) => {
                    const connections = JSON.stringify({ dr: { [key]: settings } });
                    const config = (name: string) => (name === "statecraft:connections" ? connections : undefined);
                    const definition = loadFunction("getAuthRoles");
                    assert(definition && definition.service === manager);
                    const runtime = new ProcessRuntime(config, { environment, say: () => undefined });
                    return invokeFunction(definition, runtime, { connection: "dr" });
                },
            ],
        ];
        for (const [what, use] of ways) {
            it(`does not replace the token of ${what}`, async () => {
                for (const [whose, environment] of environments()) {
                    await use(environment, { address: other.url, token: otherToken });
                    assert.deepEqual(sent, [new Set(), new Set([otherToken])], whose);
                    await other.reset();
                }
            });

            it(`is not sent by ${what} without a token`, async () => {
                for (const [whose, environment] of environments()) {
                    await assert.rejects(use(environment, { address: other.url }), withCode("config"));
                    assert.deepEqual(sent, [new Set(), new Set()], whose);
                }
            });
        }
    });
}
