/**
 * Two stacks deploy the same object at once: the first one stops before and after each request of its `up`, while the second one runs a whole
 * `up`. The stack whose values are lost gets an error, a warning or drift.
 */

import assert from "node:assert/strict";
import { seed } from "./faults/subjects";
import { authRole } from "./resources/auth-role";
import { canaryToken } from "./support/canaries";
import { failureIfAny } from "./support/failures";
import type { Moment } from "./support/gate";
import type { SentRequest } from "./support/injector";
import { type ManagedResource, Shown } from "./support/managed-resource";
import { withCode } from "./support/messages";
import type { Props } from "./support/pulumi-values";
import { withSimulator } from "./support/simulator";

const theirs = "their-token";
const tokens = [canaryToken, theirs, "outside"].map((token, number) => ({
    token,
    kind: "user" as const,
    id: `user-${number}`,
}));

/** The result of the `up` of a stack. */
interface Result {
    readonly resource: ManagedResource;
    readonly error: string;
    readonly code: string | undefined;
    readonly warnings: readonly string[];
}

/** The results of both stacks, and the request at which the first one stopped. */
interface Meeting {
    readonly at: string;
    readonly first: Result;
    readonly second: Result;
}

describe("two stacks at once on one object", () => {
    const simulator = withSimulator({ ...seed, tokens });

    const resourceOf = (type: string, stack: string, token: string) => {
        const settings = ["vault", "nomad", "terraform"].map((name) => [`statecraft:${name}`, { token }]);
        return simulator.resource(type, { stack, settings: Object.fromEntries(settings) });
    };
    const deploy = async (one: ManagedResource, inputs: Props): Promise<Result> => {
        const failure = await failureIfAny(one.up(inputs));
        const code = failure instanceof Shown ? failure.code : undefined;
        return { resource: one, error: failure?.message ?? "", code, warnings: one.warnings };
    };
    const stackOf = ({ headers }: SentRequest) =>
        [headers["x-vault-token"], headers["authorization"]].some((sent) => sent?.includes(theirs))
            ? "second"
            : "first";

    /** Deploys both stacks again and again: the second one runs before the first request of the first stack, then after it, then before the second request, and so on. */
    async function* meetings(type: string, [mine, other]: readonly [Props, Props]): AsyncGenerator<Meeting> {
        for (let index = 0; ; index++) {
            for (const moment of ["before", "after"] satisfies Moment[]) {
                simulator.gate.open();
                await simulator.reset();
                let second: Result | undefined;
                let at = "";
                simulator.gate.set(async (stop) => {
                    if (stop.key !== "first" || stop.index !== index || stop.moment !== moment) return;
                    at = `${moment} ${stop.request.method} ${stop.request.path}`;
                    second = await deploy(resourceOf(type, "second", theirs), other);
                }, stackOf);
                const first = await deploy(resourceOf(type, "first", canaryToken), mine);
                simulator.gate.open();
                // The first stack has no request with this index.
                if (second === undefined) return;
                yield { at, first, second };
            }
        }
    }

    const versions = () => {
        const { versions: all, workspaces } = simulator.store.stateVersions;
        assert(
            workspaces.every(({ lock }) => lock === null),
            "a lock stays",
        );
        return all.flatMap(({ rollbackOf }) => rollbackOf ?? []);
    };

    it("rollbacks to different versions: the stack that loses fails with `[locked]`", async () => {
        let [met, lost] = [0, 0];
        for await (const { at, first, second } of meetings("StateVersionRollback", [
            { workspaceId: "ws-1", stateVersionId: "sv-11", lock: true },
            { workspaceId: "ws-1", stateVersionId: "sv-12", lock: true },
        ])) {
            met++;
            const made = versions();
            const won = [first.error === "" ? ["sv-11"] : [], second.error === "" ? ["sv-12"] : []].flat();
            assert.deepEqual([...made].sort(), won, at);
            for (const { code } of [first, second].filter(({ error }) => error !== "")) {
                lost++;
                assert.equal(code, "locked", at);
            }
        }
        assert(met >= 16 && lost >= 4, `${met} meetings, ${lost} losers`);
    });

    const { type, minimal, path } = authRole;
    const [mine, other] = [
        { ...minimal, tokenTtl: "1h" },
        { ...minimal, tokenTtl: "2h" },
    ];
    for (const adopt of [false, true]) {
        it(`roles${adopt ? " with adopt" : ""}: the stack that is overwritten gets an error, a warning or drift`, async () => {
            let warned = 0;
            for await (const { at, first, second } of meetings(type, [
                { ...mine, adopt },
                { ...other, adopt },
            ])) {
                for (const { code = "exists" } of [first, second]) assert.equal(code, "exists", at);
                assert(first.error === "" || second.error === "", at);
                const { data } = (await simulator.outside("GET", path)) as { data: Props };
                for (const [result, inputs] of [
                    [first, mine],
                    [second, other],
                ] as const) {
                    const wanted = inputs === mine ? 3600 : 7200;
                    if (result.error !== "" || data["token_ttl"] === wanted) continue;
                    const warnings = result.warnings.filter((warning) => withCode("dropped").test(warning));
                    warned += warnings.length;
                    const drift = warnings.length > 0 ? ["tokenTtl"] : await result.resource.refresh();
                    assert(drift.includes("tokenTtl"), `${at}: overwritten without a message`);
                    assert.equal((await result.resource.diff({ ...inputs, adopt })).changes, true, at);
                }
            }
            if (adopt) assert(warned > 0);
        });
    }
});
