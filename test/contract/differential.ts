/**
 * Makes the same random calls of the client on real servers and on the simulator: `npm run test:nightly -- --only differential`, with the variables of
 * `servers.ts`. Results, codes, messages and warnings are the same, and closed clients leave no connections. The failure names the first call that differs.
 *
 * | variable                               | meaning                                                                          |
 * | -------------------------------------- | -------------------------------------------------------------------------------- |
 * | `…_VAULT_READER`, `…_NOMAD_READER`     | a token that may only read                                                       |
 * | `…_TERRAFORM_OTHER`                    | the token of another account that may write to the workspace                     |
 * | `…_CLAIMED`                            | a volume that a job uses, and has only the capability of a single writer of files |
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { type Connection, connect, type ServiceSettings, StatecraftError } from "../../src/client";
import type { Seed } from "../../src/simulator/seed";
import { closeAll } from "../http/support";
import { canaryToken } from "../support/canaries";
import { seed } from "../support/random";
import type { Props } from "../support/resource-facts";
import { Simulator } from "../support/simulator";
import { stateOf } from "../support/workspaces";
import { startProxy } from "./proxy";
import { named } from "./target";

const variable = (name: string) => process.env[`STATECRAFT_CONTRACT_${name}`] ?? "";
const oneOf = (...values: unknown[]) => fc.constantFrom(...values);
const some = (...values: unknown[]) => fc.subarray(values);

/** A call of the client: of a resource's operation, or of a function. `{0}` and `{1}` in its arguments are the names of two objects. */
interface Made {
    /** One of the accounts of the subject, which calls. */
    readonly by: string;
    readonly of: string;
    readonly verb?: "create" | "read" | "update" | "delete";
    readonly id?: string;
    readonly args?: unknown;
}

/** A server, the seed that makes the simulator equal to it, and the calls. */
interface Subject {
    readonly key: "vault" | "nomad" | "terraform";
    readonly seed: Seed;
    /** The tokens on the real server by account. On the simulator each account is its own token. */
    readonly accounts: Readonly<Record<string, string>>;
    readonly calls: fc.Arbitrary<Made>;
    /** Calls that run once, such as logins. Each is of one client. */
    readonly logins?: readonly ServiceSettings[];
    /** Default: 60. */
    readonly runs?: number;
    /** Prepares the simulator for each sequence. */
    readonly prepare?: (simulator: Simulator) => Promise<unknown>;
    /** The calls after each sequence, on the real server. */
    readonly clean: readonly Made[];
    /** Removes from texts what differs from server to server, such as ids of nodes. */
    readonly plain?: (text: string) => string;
    /** Members of results that are not compared. */
    readonly hidden?: readonly string[];
}

/** Calls of a resource whose objects have the ids `ids`. */
function lives(
    of: string,
    accounts: readonly string[],
    ids: readonly string[],
    args: (id: string) => fc.Arbitrary<Props>,
) {
    return fc.constantFrom(...ids).chain((id) => {
        const made = (weight: number, verb: Made["verb"], more: object = {}) => ({
            weight,
            arbitrary: fc.record<Made>({
                ...{ by: fc.constantFrom(...accounts), of: fc.constant(of) },
                ...{ verb: fc.constant(verb), id: fc.constant(id), ...more },
            }),
        });
        const given = { args: args(id) };
        return fc.oneof(made(4, "create", given), made(3, "update", given), made(3, "read"), made(2, "delete"));
    });
}

const functionsOf = (by: readonly string[], ...calls: readonly (readonly [of: string, args?: object])[]) =>
    fc.tuple(fc.constantFrom(...by), fc.constantFrom(...calls)).map(([account, [of, args = {}]]): Made => {
        return { by: account, of, args };
    });

const optional = (fields: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record<Record<string, unknown>, never>(fields, { requiredKeys: [] });

function vault(): Subject {
    const names = ["{0}", "{1}", "Contract.A-2"];
    const texts = some("a", "B", "c d", "e\u0085", "é", "x/y");
    const times = oneOf(0, 60, "7200", "1h30m", "1d", "900h", "junk", -1);
    const role = optional({
        ...{ boundLocations: texts, boundResourceGroups: texts, boundGroupIds: texts, tokenPolicies: texts },
        tokenBoundCidrs: some("10.0.0.0/8", "192.0.2.7/32", "2001:DB8::1/64", "::ffff:192.0.2.7", "junk"),
        ...{ tokenTtl: times, tokenMaxTtl: times, tokenPeriod: oneOf(0, 60, "2h"), tokenExplicitMaxTtl: times },
        ...{ tokenNoDefaultPolicy: fc.boolean(), tokenNumUses: oneOf(0, 1, 5, -1), adopt: oneOf(true, "identical") },
        tokenType: oneOf("service", "batch", "default", "default-service", "junk"),
    });
    const mount = variable("CONFIG_MOUNT");
    const config = optional({
        ...{
            tenantId: oneOf("tenant-1", "t2"),
            resource: oneOf("https://contract.example/"),
            clientId: oneOf("", "c"),
        },
        ...{ clientSecret: oneOf("planted-secret", ""), environment: oneOf("AzurePublicCloud", "AzureChinaCloud") },
        ...{ maxRetries: oneOf(0, 7, -1), retryDelay: oneOf("4s", 60), adopt: oneOf(true) },
    });
    const [owner, reader] = [variable("VAULT_TOKEN"), variable("VAULT_READER")];
    const accounts = { owner, ...(reader !== "" && { reader }) };
    const all = Object.keys(accounts);
    const ids = names.map((name) => `auth/azure/role/${name}`);
    const roles = lives("authRole", all, ids, (id) => role.map((args) => ({ name: id.slice(16), ...args })));
    const logins = [...JSON.parse(variable("VAULT_LOGINS") || "[]"), ...refusedLogins("VAULT")];
    return {
        ...{ key: "vault", accounts, logins },
        seed: {
            ...{ mounts: ["azure", mount].filter(Boolean), licensed: false },
            logins: [
                { at: "jwt", name: "contract", ttl: 60, audiences: ["contract"] },
                ...logins.flatMap(({ mount: at, roleId }) =>
                    at === "approle" && roleId !== "absent"
                        ? [{ at, name: roleId, secretId: variable("VAULT_SECRET_ID"), ttl: 60 }]
                        : [],
                ),
            ],
        },
        calls: fc.oneof(
            { weight: 8, arbitrary: roles },
            ...(mount === ""
                ? []
                : [
                      {
                          weight: 3,
                          arbitrary: lives("authConfig", ["owner"], [`auth/${mount}/config`], () =>
                              config.map((args) => ({ mount, ...args })),
                          ),
                      },
                  ]),
            functionsOf(
                ["owner"],
                ["getAuthRole", { name: "{0}" }],
                ["getAuthRoles", { mount: "absent" }],
                ["getSnapshotConfig", { name: "{0}" }],
            ),
        ),
        clean: [
            ...ids.map((id): Made => ({ by: "owner", of: "authRole", verb: "delete", id })),
            ...(mount === ""
                ? []
                : [{ by: "owner", of: "authConfig", verb: "delete", id: `auth/${mount}/config` } as const]),
        ],
        // Vault names the whole path of an absent mount.
        plain: (text) => text.replace(/no handler for route \S+/g, "no handler for route"),
    };
}

/** Logins that the server refuses. */
function refusedLogins(product: string): { mount?: string; roleId?: string }[] {
    const rows: readonly (readonly [login: object, advice: string])[] = JSON.parse(
        variable(`${product}_REFUSED`) || "[]",
    );
    return rows.map(([login]) => login);
}

function nomad(): Subject {
    const [plugin, claimed] = [variable("PLUGIN"), variable("CLAIMED")];
    const namespace = variable("NAMESPACE") || "default";
    const modes = (accessMode: string) => ({ accessMode, attachmentMode: "file-system" });
    const segments = oneOf([{ rack: "r1" }], [{ rack: "r2", zone: "a" }, { rack: "r1" }], [], [{}]);
    const texts = oneOf({}, { a: "1" }, { a: "2", b: "3" });
    const mountOptions = oneOf({ fsType: "ext4" }, { fsType: "xfs", mountFlags: ["ro"] });
    const volume = optional({
        ...{ name: oneOf("one", "two"), externalId: oneOf("vol-1", "vol-2"), topologies: segments, mountOptions },
        ...{ accessMode: oneOf("single-node-writer", "multi-node-reader-only"), attachmentMode: oneOf("file-system") },
        capabilities: some(modes("single-node-writer"), modes("multi-node-reader-only")),
        ...{ parameters: texts, context: texts, secrets: texts, adopt: oneOf(true), capacityMin: oneOf(1000) },
        requestedTopologies: optional({ required: segments, preferred: segments }),
        pluginId: oneOf(plugin, plugin, plugin, "absent"),
    });
    const [owner, reader] = [variable("NOMAD_TOKEN"), variable("NOMAD_READER")];
    const accounts = { owner, ...(reader !== "" && { reader }) };
    const all = Object.keys(accounts);
    const ids = ["default", namespace].flatMap((each) => ["{0}", "{1}"].map((name) => `${each}/${name}`));
    const volumes = lives("csiVolume", all, ids, (id) =>
        volume.map((args) => ({ pluginId: plugin, namespace: id.split("/")[0], volumeId: id.split("/")[1], ...args })),
    );
    // Nomad refuses each of these.
    const used = { volumeId: claimed, name: claimed, pluginId: plugin, capabilities: [modes("single-node-writer")] };
    const refused = oneOf(
        { ...used, mountOptions: { fsType: "ext4" } },
        { ...used, capabilities: [modes("multi-node-reader-only")] },
    );
    const claims = refused.map((args): Made => {
        return { by: "owner", of: "csiVolume", verb: "update", id: `default/${claimed}`, args };
    });
    const pair = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
    const there = { ID: claimed, Name: claimed, PluginID: plugin, RequestedCapabilities: [pair] };
    return {
        ...{ key: "nomad", accounts },
        seed: {
            plugins: [{ id: plugin, provider: "contract.example", nodes: ["node"] }],
            ...{ namespaces: ["default", namespace], volumes: claimed === "" ? [] : [there] },
        },
        calls: fc.oneof(
            { weight: 8, arbitrary: volumes },
            ...(claimed === "" ? [] : [{ weight: 3, arbitrary: claims }]),
            functionsOf(all, ["getCsiVolume", { volumeId: "{0}" }], ["getCsiVolumes", { pluginId: "absent" }]),
        ),
        prepare: async (simulator) => {
            const claim = { volume: claimed, node: "node", allocation: "a", job: "claim", write: true };
            if (claimed !== "") await simulator.control("POST", "/simulator/claims", claim);
        },
        clean: ids.map((id) => ({ by: "owner", of: "csiVolume", verb: "delete", id })),
        plain: (text) => text.replace(/(allocation|on node|of job|job stop) [\w-]+/g, "$1 <id>"),
        hidden: [
            ...["index", "createIndex", "modifyIndex", "provider", "version", "providerName", "providerVersion"],
            ...["nodesHealthy", "nodesExpected", "controllersHealthy", "controllersExpected"],
        ],
    };
}

function terraform(): Subject {
    const workspaceId = variable("WORKSPACE");
    const [owner, other] = [variable("TERRAFORM_TOKEN"), variable("TERRAFORM_OTHER")];
    const accounts = { owner, ...(other !== "" && { other }) };
    const all = Object.keys(accounts);
    const locks = lives("workspaceLock", all, [workspaceId], () =>
        fc.record({ workspaceId: fc.constant(workspaceId), reason: oneOf("one", "two") }),
    );
    return {
        // The client waits for a minute for the end of another account's lock, which OTF reports as a failure of its own.
        ...{ key: "terraform", accounts, runs: 6 },
        seed: {
            workspaces: [
                {
                    id: workspaceId,
                    name: "app",
                    organization: "example",
                    stateVersions: [{ id: "sv-1", state: stateOf(1) }],
                },
            ],
        },
        calls: fc.oneof(
            // A deletion of another account's lock differs: OTF names no holder, so the client asks, and OTF refuses.
            locks.filter(({ verb }) => verb === "create" || verb === "read"),
            functionsOf(all, ["getStateVersion", { id: "sv-absent" }]),
        ),
        clean: all.map((by) => ({ by, of: "workspaceLock", verb: "delete", id: workspaceId })),
        // OTF has its own words, and names no holder of a lock.
        hidden: ["message", "warnings", "lockMarks", "lockedBy", "reason"],
    };
}

/** Calls the client. Returns its result or failure, with the warnings, without what differs from server to server. */
async function outcomeOf(
    { client, warnings }: Account,
    made: Made,
    { plain = (text) => text, hidden, key }: Subject,
): Promise<unknown> {
    const { of, verb, id, args } = made;
    const target: Readonly<Record<string, unknown>> = { ...client };
    const call = verb === undefined ? target[of] : Reflect.get(Object(target[of]), verb);
    const given = verb === "update" ? [id, args] : verb === undefined || verb === "create" ? [args] : [id];
    warnings.length = 0;
    const result: Props = await Reflect.apply(call as () => Promise<unknown>, undefined, given).then(
        (value: unknown) => ({ value }),
        (error: unknown) => {
            if (!(error instanceof StatecraftError)) throw error;
            return { code: error.code, message: error.message };
        },
    );
    const text = plain(JSON.stringify({ ...result, warnings: [...warnings].sort() }));
    const alike = text.replace(/http:\/\/127\.0\.0\.1:\d+/g, `<${key}>`);
    return JSON.parse(alike, (name, value) => (hidden?.includes(name) ? undefined : value));
}

interface Account {
    readonly client: Connection;
    readonly warnings: string[];
}

function accountOf(key: Subject["key"], settings: ServiceSettings): Account {
    const warnings: string[] = [];
    const ignore = () => undefined;
    const warn = (message: string) => void warnings.push(message);
    return {
        client: connect({ [key]: { maxRetries: 1, ...settings }, environment: process.env, warn, inform: ignore }),
        warnings,
    };
}

const known = (subject: Subject): Seed["tokens"] =>
    Object.keys(subject.accounts).map((token) => ({
        ...{ token, kind: "user" as const, id: token },
        ...(token === "reader" && { access: "read" as const }),
    }));

for (const subjectOf of [vault, nomad, terraform]) {
    const product = subjectOf.name.toUpperCase();
    if (variable(`${product}_ADDRESS`) === "") continue;
    describe(`${product} and the simulator`, () => {
        const subject = subjectOf();
        let [simulator, address] = [new Simulator({}), variable(`${product}_ADDRESS`)];
        before(async () => {
            simulator = await Simulator.start({
                ...subject.seed,
                tokens: [...(known(subject) ?? []), { token: canaryToken, kind: "user", id: "tester" }],
            });
            if (variable("OTF") === "true" && product === "TERRAFORM")
                address = await startProxy(address, { isOtf: true });
        });
        after(async () => {
            await simulator.close();
            await closeAll();
        });

        /** The clients of each account of a server. */
        const opened = (at: string, tokenOf: (account: string) => string) =>
            Object.fromEntries(
                Object.keys(subject.accounts).map((by) => [
                    by,
                    accountOf(subject.key, { address: at, token: tokenOf(by) }),
                ]),
            );
        const closed = (...all: Readonly<Record<string, Account>>[]) =>
            Promise.all(all.flatMap((each) => Object.values(each)).map(({ client }) => client.close()));

        it(`have the same results, failures and warnings for random calls of the client (seed ${seed})`, async () => {
            let runs = 0;
            const property = fc.asyncProperty(
                fc.array(subject.calls, { minLength: 1, maxLength: 8 }),
                async (calls) => {
                    const run = runs++;
                    await simulator.reset();
                    await subject.prepare?.(simulator);
                    const real = opened(address, (by) => subject.accounts[by] ?? "");
                    const simulated = opened(simulator.url, (by) => by);
                    const filled = (made: Made): Made =>
                        JSON.parse(JSON.stringify(made).replace(/\{([01])\}/g, (_, index) => named(`${run}-${index}`)));
                    try {
                        for (const made of calls.map(filled)) {
                            const [one, other] = [real[made.by], simulated[made.by]];
                            assert(one && other);
                            const [wanted, got] = [
                                await outcomeOf(one, made, subject),
                                await outcomeOf(other, made, subject),
                            ];
                            assert.deepEqual(got, wanted, JSON.stringify({ made, real: wanted, simulated: got }));
                        }
                    } finally {
                        for (const made of subject.clean.map(filled)) {
                            const owner = real[made.by];
                            if (owner) await outcomeOf(owner, made, subject);
                        }
                        await closed(real, simulated);
                    }
                    // One connection that just ended may still be counted.
                    const open = await new Promise<number>((done) =>
                        simulator.server.getConnections((_, count) => done(count)),
                    );
                    assert(open < 10, `${open} connections of closed clients are open`);
                },
            );
            await fc.assert(property, {
                seed,
                endOnFailure: true,
                numRuns: (subject.runs ?? 60) * Number(process.env["STATECRAFT_RUNS"] ?? 1),
            });
        });

        for (const login of subject.logins ?? []) {
            it(`answer alike to the login ${JSON.stringify(login)}`, async () => {
                const made = { by: "owner", of: "getAuthRoles", args: {} };
                const both = [address, simulator.url].map((at) =>
                    accountOf(subject.key, { address: at, login: login as ServiceSettings["login"] }),
                );
                const outcomes = await Promise.all(both.map((account) => outcomeOf(account, made, subject)));
                const [code, simulated] = outcomes.map((outcome) => Object(outcome).code);
                assert.equal(simulated, code);
                await Promise.all(both.map(({ client }) => client.close()));
            });
        }
    });
}
