import assert from "node:assert/strict";
import { letsNobodyIn } from "../../../src/services/manager/failures";
import { unset } from "../../resources/auth-role";
import { describeResource } from "../../support/conformance";
import { failureOf } from "../../support/failures";
import { CheckFailed } from "../../support/managed-resource";
import { wordsOf } from "../../support/messages";
import { clouda } from "../../support/product-words";
import { withSimulator } from "../../support/simulator";

const seed = { mounts: [clouda, "machines"] };
const path = `/v1/auth/${clouda}/role/web`;
const none = { ...unset, alias_metadata: {} };

describeResource({
    type: "AuthRole",
    vocabulary: "product",
    seed,
    id: `auth/${clouda}/role/web`,
    minimal: { name: "web", boundResourceGroups: ["prod"] },
    optional: ["boundResourceGroups"],
    full: {
        name: "web",
        boundResourceGroups: ["prod"],
        boundLocations: ["north", "south"],
        tokenTtl: "1h",
        tokenPolicies: ["web", "audit"],
        tokenBoundCidrs: ["10.0.0.0/8", "1.2.3.4/32"],
        tokenType: "service",
        aliasMetadata: { team: "web", tier: "1" },
    },
    path,
    requests: {
        method: "POST",
        minimal: { ...none, bound_resource_groups: ["prod"] },
        full: {
            ...none,
            bound_resource_groups: ["prod"],
            bound_locations: ["north", "south"],
            token_ttl: 3600,
            token_policies: ["web", "audit"],
            token_bound_cidrs: ["10.0.0.0/8", "1.2.3.4/32"],
            token_type: "service",
            alias_metadata: { team: "web", tier: "1" },
        },
    },
    changes: [
        { boundLocations: undefined },
        { aliasMetadata: undefined },
        { aliasMetadata: { team: "data" } },
        { tokenType: "batch" },
    ],
    replaces: [{ name: "other" }, { mount: "machines" }],
    spellings: [
        { name: "Web" },
        { mount: clouda },
        { boundLocations: ["south", "north"] },
        { tokenTtl: 3600 },
        { aliasMetadata: { tier: "1", team: "web" } },
        { tokenBoundCidrs: ["1.2.3.4", "10.0.0.0/8"] },
    ],
    drifted: { bound_locations: [], alias_metadata: { team: "data" } },
    drift: ["aliasMetadata", "boundLocations"],
    driftTold: { "tells-nothing-empty": ["aliasMetadata"] },
    refused: [
        [{ boundResourceGroups: [] }, "boundServicePrincipalIds"],
        [{ boundResourceGroups: undefined }, "boundServicePrincipalIds"],
        [{ boundResourceGroups: [""] }, "boundResourceGroups"],
        [{ boundResourceGroups: [" "], boundGroupIds: ["g"] }, "boundResourceGroups"],
        [{ tokenTtl: "2h", tokenMaxTtl: "1h" }, "tokenTtl"],
        [{ tokenTtl: "2h", maxTtl: "1h" }, "tokenTtl"],
        [{ tokenType: "batch", tokenNumUses: 3 }, "tokenNumUses"],
        [{ tokenType: "batch", tokenPeriod: "1h" }, "tokenPeriod"],
        [{ tokenType: "default-batch" }, "tokenType"],
        [{ tokenType: "default-service" }, "tokenType"],
        [{ aliasMetadata: { team: 1 } }, 'aliasMetadata["team"]'],
    ],
});

describe("AuthRole (product)", () => {
    const simulator = withSimulator(seed, { vocabulary: "product" });

    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

    it("says what servers refuse", async () => {
        const check = simulator.resource("AuthRole").check({
            name: "web",
            ...{ tokenTtl: "2h", tokenMaxTtl: "1h" },
            ...{ tokenType: "batch", tokenNumUses: 3, tokenPeriod: "1h" },
        });
        assert.deepEqual((await failureOf(check, CheckFailed)).reasons, [
            "boundServicePrincipalIds: a role must be bound to something: set at least one of boundServicePrincipalIds, boundGroupIds, boundLocations, boundSubscriptionIds, boundResourceGroups, boundScaleSets",
            "tokenNumUses: batch tokens cannot have a limited number of uses: leave it out, or choose another tokenType",
            "tokenPeriod: batch tokens cannot be periodic: leave it out, or choose another tokenType",
            "tokenTtl: must not be greater than tokenMaxTtl",
        ]);
        const wrongType = simulator
            .resource("AuthRole")
            .check({ name: "web", boundGroupIds: ["g"], tokenType: "default-batch" });
        assert.deepEqual((await failureOf(wrongType, CheckFailed)).reasons, [
            'tokenType: must be one of "service", "batch", "default": servers refuse the others on roles',
        ]);
    });

    it("accepts an unknown bound value as one", async () => {
        await simulator.resource("AuthRole").check({ name: "web", boundGroupIds: unknown });
        await simulator.resource("AuthRole").check({ name: "web", boundGroupIds: [unknown] });
    });

    it("warns no more of a role that is bound to nothing: that is a failure here", async () => {
        const role = simulator.resource("AuthRole");
        await assert.rejects(role.check({ name: "web" }), { paths: ["boundServicePrincipalIds"] });
        assert.deepEqual(role.warnings, []);
    });

    it("warns of a role that lets nobody in, as far as it can tell", async () => {
        const bound = { name: "web", boundResourceGroups: ["prod"] };
        for (const [inputs, isWarned] of [
            [{}, true],
            [{ boundGroupIds: [] }, true],
            [{ boundServicePrincipalIds: ["*"], boundGroupIds: ["*"] }, true],
            [{ boundServicePrincipalIds: ["*"] }, true],
            [{ boundServicePrincipalIds: ["*"], boundGroupIds: ["g"] }, false],
            [{ boundServicePrincipalIds: ["*", "p"] }, false],
            [{ boundServicePrincipalIds: unknown }, false],
            [{ boundGroupIds: [unknown] }, false],
        ] as const) {
            const role = simulator.resource("AuthRole");
            await role.check({ ...bound, ...inputs });
            assert.deepEqual(
                role.warnings.map((warning) => wordsOf(letsNobodyIn).test(warning)),
                isWarned ? [true] : [],
                JSON.stringify(inputs),
            );
        }
    });

    for (const inputs of [
        { tokenTtl: "1h", tokenMaxTtl: "1h" },
        { tokenTtl: 60, tokenMaxTtl: 61 },
        { tokenTtl: 60, tokenMaxTtl: 0 },
        { tokenType: "batch", tokenPeriod: 0, tokenNumUses: 0 },
        { tokenType: "service", tokenPeriod: 60, tokenNumUses: 1 },
    ]) {
        it(`finds nothing wrong with ${JSON.stringify(inputs)}`, async () => {
            const role = simulator.resource("AuthRole");
            assert.equal(await role.up({ name: "web", boundGroupIds: ["g"], ...inputs }), "created");
            assert.deepEqual(role.warnings, []);
        });
    }

    it("says with the server's own words what it refuses all the same", async () => {
        const role = simulator.resource("AuthRole");
        await simulator.fault({
            method: "POST",
            status: 400,
            body: '{"errors":["must have at least one bound constraint when creating/updating a role"]}',
        });
        await assert.rejects(role.up({ name: "web", boundGroupIds: ["g"] }), {
            status: 400,
            message: /: 400: must have at least one bound constraint/,
        });
    });

    it("tells of the vocabulary where a server may see no token for the want of it, and nowhere else", async () => {
        const web = { name: "web", boundGroupIds: ["g"] };
        const settings = { "statecraft:manager": { vocabulary: "documented" } };
        const { message } = await failureOf(simulator.resource("AuthRole", { settings }).up(web), Error);
        assert.match(message, /403: .* request\. A real server needs `vocabulary: product` in the settings\.$/);
        await simulator.fault({ method: "GET", status: 403, body: '{"errors":["permission denied"]}' });
        const denied = await failureOf(simulator.resource("AuthRole").up(web), Error);
        assert.match(denied.message, /403: .* request\.$/);
    });

    it("keeps a mount that was stored, whatever the vocabulary is called later", async () => {
        const role = simulator.resource("AuthRole");
        await role.up({ name: "web", boundGroupIds: ["g"] });
        assert.equal(role.outputs()["mount"], clouda);
        assert.equal(await role.up({ name: "web", boundGroupIds: ["g"] }), "same");
    });
});

describe("AuthRole (documented)", () => {
    const simulator = withSimulator();
    it("refuses what only real servers know, and says where it may stand", async () => {
        const role = { name: "web", boundGroupIds: ["g"], aliasMetadata: { a: "b" } };
        const { reasons } = await failureOf(simulator.resource("AuthRole").check(role), CheckFailed);
        assert.deepEqual(reasons, ["aliasMetadata: is an argument only where the settings say `vocabulary: product`"]);
    });
});
