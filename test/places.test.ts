/** `mount` and `namespace` come from the settings only at create: later runs with other settings do not replace the object. */

import assert from "node:assert/strict";
import { OwnedObjects } from "../src/core/owned-objects";
import { seed } from "./faults/subjects";
import { definitionOf } from "./support/definitions";
import { isNamedObject, resourceFacts } from "./support/resource-facts";
import { withSimulator } from "./support/simulator";

const web = { name: "web", boundLocations: ["north"] };

/** A program of each resource with a namespace, without the namespace and the mount, and its id without the namespace. Named objects come first, because actions need them. */
const programs = [...resourceFacts]
    .sort((one, other) => +isNamedObject(other) - +isNamedObject(one))
    .flatMap((facts) => {
        const { type, service, inputs } = definitionOf(facts.type);
        if (!("namespace" in inputs.shape)) return [];
        const { mount: _, namespace: __, ...program } = isNamedObject(facts) ? facts.minimal : facts.full;
        const isVolume = service.name === "volumes";
        const id = facts.id.replace(isVolume ? /^[^/]+\// : /^.*@/, "");
        return [{ type, inputs: program, id, isVolume }];
    });
type Program = (typeof programs)[number];

/** The namespace of an object that was created with this one in the settings. */
const placeOf = ({ isVolume }: Program, namespace: string | undefined) => namespace ?? (isVolume ? "default" : "");
const idIn = ({ isVolume, id }: Program, place: string) => (place === "" ? id : `${place}${isVolume ? "/" : "@"}${id}`);

describe("mount and namespace from the settings", () => {
    const simulator = withSimulator(seed);

    const on = ({ type, isVolume }: Program, namespace: string | undefined) => {
        const settings = { [`statecraft:${isVolume ? "nomad" : "vault"}`]: { namespace } };
        return simulator.resource(type, { run: new OwnedObjects(), settings });
    };
    /** Asserts that all requests since the last `forget` were sent to this namespace. */
    const areSentTo = async (namespace: string) => {
        const requests = await simulator.requests();
        const sent = requests.map(({ headers, query }) => query["namespace"] ?? headers["x-vault-namespace"] ?? "");
        assert.deepEqual(new Set(sent), new Set(sent.length > 0 ? [namespace] : []));
    };

    it("are no inputs of a read unless they differ from what the settings would choose", async () => {
        for (const program of programs) {
            const made = await on(program, "team").deployed(program.inputs);
            await made.refresh();
            assert(!("namespace" in (made.state?.inputs ?? {})), program.type);
            const elsewhere = on(program, "other");
            elsewhere.state = made.state;
            await elsewhere.refresh();
            assert.equal(elsewhere.state?.inputs["namespace"], "team", program.type);
        }
    });

    it("are inputs of a read if the program wrote them, in the native plugin", async () => {
        const life = await simulator.resource("AuthRole", { isNative: true }).deployed({ ...web, mount: "azure" });
        await life.refresh();
        assert.equal(life.state?.inputs["mount"], "azure");
        const other = await simulator.resource("AuthRole", { isNative: true }).deployed({ ...web, name: "other" });
        await other.refresh();
        assert(!("mount" in (other.state?.inputs ?? {})));
    });

    for (const [made, elsewhere, when] of [
        ["prod", "dev", ""],
        ["prod", undefined, " after a refresh"],
        [undefined, "dev", ""],
        [undefined, "dev", " after a refresh"],
    ] as const) {
        it(`do not move an object created in ${made ?? "no namespace"} and deployed with ${elsewhere ?? "none"}${when}`, async () => {
            for (const program of programs) {
                const { type, inputs } = program;
                const first = await on(program, made).deployed(inputs);
                if (when !== "") await first.refresh();
                await simulator.forget();
                const second = on(program, elsewhere);
                second.state = first.state;
                assert.equal(await second.up(inputs), "same");
                assert.deepEqual(await second.refresh(), []);
                if (type === "AuthRole") assert.equal(await second.up({ ...inputs, tokenTtl: "1h" }), "updated");
                assert.equal(second.state?.id, idIn(program, placeOf(program, made)));
                const third = on(program, elsewhere);
                third.state = second.state;
                // The rotation and the detachment need the other objects.
                if (type === "AuthRole") await third.destroy();
                await areSentTo(placeOf(program, made));
            }
        });
    }
});
