/** Plays the recorded answers of real servers against the client, and compares them with the answers of the simulator. */

import assert from "node:assert/strict";
import type { Seed } from "../src/simulator/seed";
import { addClaim } from "../src/simulator/volumes/records";
import { describeDocumentContract } from "./contract/documents";
import { describeManagerContract } from "./contract/manager";
import { withPlayer } from "./contract/player";
import { type Recording, recordings } from "./contract/recording";
import { Replay } from "./contract/replay";
import { describeStateVersionsContract } from "./contract/state-versions";
import { describeVolumesContract } from "./contract/volumes";
import { newDifferences } from "./support/known-differences";
import { sentencesIn, serviceOf } from "./support/likeness";
import { serverTexts } from "./support/server-texts";

const contracts: Readonly<Record<string, typeof describeManagerContract>> = {
    vault: describeManagerContract,
    nomad: describeVolumesContract,
    otf: describeStateVersionsContract,
};
const contractOf = ({ name, source }: Recording) =>
    source === "server" ? contracts[name.split("-")[0] ?? ""] : describeDocumentContract;

for (const recording of recordings()) {
    describe(`the client reads the answers of ${recording.name}`, () => {
        contractOf(recording)?.(withPlayer(recording));
    });
}

const modes = { AccessMode: "single-node-writer", AttachmentMode: "file-system" };
/** The claim of a job on the volume `claimed`. */
const claim = {
    ...{ volume: "claimed", namespace: "default", node: "node", job: "claim", allocation: "allocation", write: true },
    ...{ status: "running" as const, index: 1, createdAt: "2026-01-01T00:00:00Z", modifiedAt: "2026-01-01T00:00:00Z" },
};

/** The workspace of a recorded list, with the states that were downloaded later. */
function workspacesOf({ environment, exchanges }: Recording): NonNullable<Seed["workspaces"]> {
    const list = exchanges.find(({ path, status }) => path.includes("%5Bname%5D") && status === 200);
    if (list === undefined) return [];
    const named = (what: string) => new URL(list.path, "http://server").searchParams.get(`filter[${what}][name]`) ?? "";
    const { data } = list.answer as { data: { id: string; attributes: { serial: number } }[] };
    const stateVersions = data.toReversed().map(({ id, attributes: { serial } }) => {
        const { answer } = exchanges.find(({ path }) => path.endsWith(`${id}/download`)) ?? {};
        const state = answer ? JSON.parse(String(answer)) : { version: 4, serial, lineage: "", resources: [] };
        return { id, state };
    });
    const id = environment["WORKSPACE"] ?? "";
    return [{ id, name: named("workspace"), organization: named("organization"), stateVersions }];
}

/** The objects that a recorded server had before the tests. */
function seedOf(recording: Recording): Seed {
    const { environment } = recording;
    const logins = ["VAULT_LOGINS", "NOMAD_LOGINS"].flatMap((name) => JSON.parse(environment[name] ?? "[]"));
    const unbound = { at: "unbound", name: "", ttl: 60, audiences: ["contract"], policies: [] };
    return {
        workspaces: workspacesOf(recording),
        mounts: ["azure", "contract"],
        licensed: false,
        namespaces: ["default", "team"],
        volumes: [{ ID: "claimed", Name: "claimed", PluginID: "files", RequestedCapabilities: [modes] }],
        plugins: [{ id: "files", provider: "contract.example", nodes: ["node"] }],
        logins: [
            unbound,
            ...logins.map(({ mount, authMethod, role, roleId }) => {
                const credential = roleId && { secretId: environment["VAULT_SECRET_ID"] ?? "" };
                const [at, name] = [mount ?? authMethod, role ?? roleId ?? ""];
                return { at, name, ttl: 60, audiences: ["contract"], policies: ["contract", "default"], ...credential };
            }),
        ],
        ...recording.seed,
    };
}

describe("the simulator answers as recorded servers and documents", () => {
    for (const recording of recordings()) {
        const { name, source, exchanges } = recording;
        const [product = ""] = source === "server" ? name.split("-") : [name];
        it(`${name}: status, type, form and texts of ${exchanges.length} answers are the same, but for the known differences`, async () => {
            const simulator = new Replay(seedOf(recording));
            addClaim(simulator.store.volumes, claim);
            const unknown = new Map<string, number>();
            for (const exchange of exchanges) {
                const simulated = await simulator.send(exchange, exchange.answer);
                for (const line of newDifferences(product, exchange, exchange, simulated).unknown) {
                    unknown.set(line, (unknown.get(line) ?? 0) + 1);
                }
            }
            const lines = [...unknown].map(([line, times]) => `${line} (${times} times)`);
            assert.deepEqual(lines, [], "correct src/simulator, or name a reason in test/support/known-differences.ts");
        });
    }
});

/** The origins of texts that no recording has. */
const origins: Readonly<Record<string, string>> = {
    "/^.*oidc: expected audience/": "coreos/go-oidc v3.11.0, oidc/verify.go:277",
    "/^.*no audiences bound/": "hashicorp/vault-plugin-auth-jwt v0.25.0, claims.go:97",
    "/^.*CIDR restrictions/": "hashicorp/vault v1.21.0, builtin/credential/approle/path_login.go:252",
    "/^.*unable to retrieve/": "hashicorp/vault-plugin-auth-azure v0.22.0, path_login.go:320",
    "/xms_az_rid and xms_mirid claims are missing/": "hashicorp/vault-plugin-auth-azure v0.22.0, path_login.go:608",
    "/token claim does not match/": "hashicorp/vault-plugin-auth-azure v0.22.0, path_login.go:616",
    "/scale set/": "hashicorp/vault-plugin-auth-azure v0.22.0, path_login.go:325",
    "/one of vm_name/": "hashicorp/vault-plugin-auth-azure v0.22.0, path_login.go:440",
    "/subscription_id and/": "hashicorp/vault-plugin-auth-azure v0.22.0, path_login.go:298",
    "/resource_id does not match/": "hashicorp/vault-plugin-auth-azure v0.22.0, path_login.go:659",
    "/^.*expected specific bound_/": "hashicorp/vault-plugin-auth-azure v0.22.0, path_login.go:573",
    "/^.*(different provider|(tenant_id|resource) is required)/":
        "coreos/go-oidc v3.11.0, oidc/verify.go:267; hashicorp/vault-plugin-auth-azure v0.22.0, azure.go:360 and 370",
    "/^403: permission denied\\nsystem:serviceaccount:/":
        "hashicorp/vault-plugin-auth-kubernetes v0.23.0, path_login.go:183, and the `sub` of the JWT, which the client adds",
    "/^403: (service account name|namespace) not/":
        "hashicorp/vault-plugin-auth-kubernetes v0.23.0, path_login.go:392 and 411",
    "/\\b(?:is|not|already|workspace) locked\\b/":
        "a user's report of HCP Terraform, hashicorp/terraform issue 24294: `This workspace is not locked and will only accept state uploads when locked`",
    "/\\bunsupported path$/": "hashicorp/vault/sdk v0.20.0, logical/error.go:18",
    "/\\bsealed\\b/": "hashicorp/vault/sdk v0.20.0, helper/consts/error.go:11",
    "/required index state not present/": "hashicorp/vault/sdk v0.20.0, logical/error.go:63",
    "/local node not active but active cluster node not found/": "hashicorp/vault v1.21.0, http/handler.go:1019",
    "/cannot write to readonly storage/": "hashicorp/vault/sdk v0.20.0, logical/storage.go:20",
    "/API access to this namespace has been locked/": "hashicorp/vault/sdk v0.20.0, helper/consts/error.go:15",
    "/lease count quota exceeded/": "hashicorp/vault v1.21.0, vault/quotas/quotas.go:118",
    "/too many concurrent connections/": "hashicorp/nomad v1.11.3, command/agent/http.go, connLimiter",
    "/^unknown node/": "hashicorp/nomad v1.11.3, nomad/structs/errors.go:33",
    "/no healthy controllers for CSI plugin/": "hashicorp/nomad v1.11.3, nomad/csi_endpoint.go:229",
    "/failed to find clients running controller plugin/": "hashicorp/nomad v1.11.3, nomad/client_csi_endpoint.go:349",
    "/^volume exists/": "hashicorp/nomad v1.2.6, nomad/state/state_store.go:2129",
    '"No path to region"': "hashicorp/nomad v1.11.3, nomad/structs/errors.go:16",
    '"No cluster leader"': "hashicorp/nomad v1.11.3, nomad/structs/errors.go:14",
    "/^(?:rpc error: )+/": "hashicorp/nomad v1.11.3, helper/pool/pool.go:502",
    "/(lineage|serial) provided in the state file (does not match|is not greater than)( the \\1 currently known remotely)?/":
        "leg100/otf dfcb06b, internal/state/version.go:24; of the lineage: a user's report of HCP Terraform, hashicorp/terraform issue 24916",
    "/does not match what is currently known for the same serial number/":
        "leg100/otf dfcb06b, internal/state/version.go:25",
    "/\\blocked by\\b/":
        "leg100/otf dfcb06b, internal/workspace/errors.go:7; of HCP Terraform: hashicorp/go-tfe, tfe.go, checkResponseCode",
    "/workspace is (not )?locked/": "a user's report of HCP Terraform, hashicorp/terraform issue 24294",
    "/pending/":
        "a user's report of HCP Terraform, hashicorp/terraform issue 36155: `unable to unlock workspace while state version upload is still pending`",
};

describe("recordings", () => {
    it("have every text of a server that the sources look for, or its origin is named", () => {
        const said = recordings().flatMap(({ name, exchanges }) => {
            const service = serviceOf[name.split("-")[0] ?? ""];
            return exchanges.filter(({ status }) => status >= 400).map((each) => [service, sentencesIn(each)] as const);
        });
        const stale = Object.keys(origins).filter((source) => !serverTexts.some((text) => text.source === source));
        assert.deepEqual(stale, []);
        const missing = serverTexts.filter(
            ({ service, source, matches }) =>
                !(source in origins) && !said.some(([of, sentences]) => of === service && sentences.some(matches)),
        );
        const lines = missing.map(({ service, source }) => `${service}: ${source}`);
        assert.deepEqual(lines, [], "neither recorded, nor in `origins` of test/recorded.test.ts");
    });

    it("contain no token, host, address, port or path of a machine, and are at most 1.5 MB", () => {
        const text = JSON.stringify(recordings());
        assert(text.length < 1_500_000, `${text.length} bytes`);
        const found = text.match(
            /hvs\.\w+|\/(tmp\/(?!contract-)|home|root|work)\/[^"]*|(?:127\.0\.0\.1|localhost)\b[^"]*|"NodeName":"(?!node")[^"]*|eyJ[^"]*\.(?!signature)[\w-]{20,}"/g,
        );
        assert.deepEqual(found ?? [], []);
    });
});
