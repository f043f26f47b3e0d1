import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { AuthRole, getAuthRoleOutput } from "../../src";
import * as native from "../../src/native";

/** Members of an output that Pulumi's types do not show. */
interface Told {
    readonly isKnown: Promise<boolean>;
    promise(): Promise<unknown>;
    allResources(): Promise<ReadonlySet<pulumi.Resource>>;
}

const told = (output: unknown) => output as Told;

describe("the form of a function that returns an output", () => {
    const events: string[] = [];

    /** Sets mocks. In a preview, resources have no id yet. */
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

    /** Values of `dependsOn`, each with the resource that it leads to. */
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
        it(`waits for ${way}, and its result comes from there`, async () => {
            await program(false);
            const [dependsOn, made] = make(new AuthRole("role", { name: "web" }));
            const found = told(getAuthRoleOutput({ name: "web" }, { dependsOn }));
            assert.deepEqual(await found.promise(), { name: "web", tokenTtl: 60 });
            assert((await found.allResources()).has(made));
            assert.equal(events.at(-1), "looked");
            assert(events.length > 1);
        });

        it(`is unknown in a preview before ${way} exists`, async () => {
            await program(true);
            const [dependsOn] = make(new AuthRole("role", { name: "web" }));
            const found = told(getAuthRoleOutput({ name: "web" }, { dependsOn }));
            assert.equal(await found.isKnown, false);
            assert(!events.includes("looked"));
        });
    }

    it("uses the provider that its options name, as the form that returns a promise does", async () => {
        await program(false);
        const provider = new native.Provider("other", { vault: { address: "http://127.0.0.1:1" } });
        await told(native.getAuthRoleOutput({ name: "web" }, { provider })).promise();
        await native.getAuthRole({ name: "web" }, { provider });
        assert.deepEqual(events, ["made other", "looked with other", "looked with other"]);
    });

    it("reads in a preview if nothing has to exist before", async () => {
        await program(true);
        for (const opts of [undefined, {}, { dependsOn: undefined }, { dependsOn: [] }]) {
            assert.equal(await told(getAuthRoleOutput({ name: "web" }, opts)).isKnown, true);
        }
        assert.deepEqual(events, ["looked", "looked", "looked", "looked"]);
    });
});
