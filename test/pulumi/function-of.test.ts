import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { AuthRole, getAuthRoleOutput } from "../../src";
import * as native from "../../src/native";

/** Members of an output that Pulumi's types do not declare. */
interface OutputMembers {
    readonly isKnown: Promise<boolean>;
    promise(): Promise<unknown>;
    allResources(): Promise<ReadonlySet<pulumi.Resource>>;
}

const membersOf = (output: unknown) => output as OutputMembers;

describe("the form of a function that returns an output", () => {
    const events: string[] = [];

    /** Sets Pulumi's mocks, with which resources have no id in a preview. */
    const program = (isPreview: boolean) =>
        pulumi.runtime.setMocks(
            {
                newResource({ name, inputs }) {
                    events.push(`made ${name}`);
                    return { id: isPreview ? undefined : `${name}-id`, state: inputs };
                },
                call({ provider }) {
                    events.push(provider ? `looked with ${provider.split("::").at(-2)}` : "looked");
                    return { name: "web", tokenTtl: 60 };
                },
            },
            "app",
            "dev",
            isPreview,
        );

    class Team extends pulumi.ComponentResource {
        readonly role: AuthRole;

        constructor(name: string) {
            super("test:index:Team", name);
            this.role = new AuthRole(`${name}-role`, { name }, { parent: this });
        }
    }

    /** Values of `dependsOn`, each with the resource for which the function must wait. */
    const ways: Readonly<
        Record<string, (role: AuthRole) => [dependsOn: pulumi.InvokeOutputOptions["dependsOn"], made: AuthRole]>
    > = {
        "a resource": (role) => [role, role],
        "a list": (role) => [[role], role],
        "an output of a resource": (role) => [pulumi.output(role), role],
        "a promise of a list": (role) => [Promise.resolve([role]), role],
        "an output that comes from a resource": (role) => [role.name.apply(() => new Team("other")), role],
        "a component within a list": () => {
            const team = new Team("team");
            return [[team], team.role];
        },
    };

    beforeEach(() => {
        events.length = 0;
    });

    for (const [way, make] of Object.entries(ways)) {
        it(`waits for ${way}, and its result depends on the resource`, async () => {
            await program(false);
            const [dependsOn, made] = make(new AuthRole("role", { name: "web" }));
            const found = membersOf(getAuthRoleOutput({ name: "web" }, { dependsOn }));
            assert.deepEqual(await found.promise(), { name: "web", tokenTtl: 60 });
            assert((await found.allResources()).has(made));
            assert.equal(events.at(-1), "looked");
            assert(events.length > 1);
        });

        it(`is unknown in a preview before ${way} exists`, async () => {
            await program(true);
            const [dependsOn] = make(new AuthRole("role", { name: "web" }));
            const found = membersOf(getAuthRoleOutput({ name: "web" }, { dependsOn }));
            assert.equal(await found.isKnown, false);
            assert(!events.includes("looked"));
        });
    }

    it("uses the provider in its options, like the form that returns a promise", async () => {
        await program(false);
        const provider = new native.Provider("other", { vault: { address: "http://127.0.0.1:1" } });
        await membersOf(native.getAuthRoleOutput({ name: "web" }, { provider })).promise();
        await native.getAuthRole({ name: "web" }, { provider });
        assert.deepEqual(events, ["made other", "looked with other", "looked with other"]);
    });

    it("sends its request in a preview if it depends on no resource", async () => {
        await program(true);
        for (const opts of [undefined, {}, { dependsOn: undefined }, { dependsOn: [] }]) {
            assert.equal(await membersOf(getAuthRoleOutput({ name: "web" }, opts)).isKnown, true);
        }
        assert.deepEqual(events, ["looked", "looked", "looked", "looked"]);
    });
});
